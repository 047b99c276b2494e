# What coco-experiment writes, in real/, and the runs that it wrote it of, real/runs.txt: function, dimension, instance and f(x), one line an evaluation.
# Made with coco-experiment 2.8.2 and numpy 2.4.6 of PyPI, in this folder: python3 real.py
import os
import shutil

import cocoex
import numpy

os.makedirs("real", exist_ok=True)
select = "dimensions: 2,5 function_indices: 1,8"
suite, bare = (cocoex.Suite("bbob", "instances: 1-2", select) for _ in range(2))
observer = cocoex.Observer("bbob", "result_folder: real algorithm_name: shrinking")
rng = numpy.random.default_rng(1)
with open("real/runs.txt", "w") as runs:
    for watched, problem in zip(suite, bare):
        watched.observe_with(observer)
        f, d, i = problem.id_triple
        for k in range(90):
            x = rng.uniform(-5, 5, d) / (1 + k / 3)
            assert problem(x) == watched(x)
            runs.write(f"{f} {d} {i} {float(problem(x))!r}\n")
        watched.free()
for folder, _, files in os.walk("exdata/real"):
    for name in files:
        if name.endswith((".info", ".dat", ".tdat")):
            shutil.copy(os.path.join(folder, name), "real/")
shutil.rmtree("exdata")
