"""Measures how long ask and tell take in a session of 100 results, above the method's own time.

It is no test, because times depend on the machine: BANDSCOPE_BINARY=… PYTHONPATH=src python tests/overhead.py. The method
is random, whose own time is a few microseconds, so all of the time is that of the package, the program and the file.
With an argument it is another method, and its own time is included."""

import pathlib
import statistics
import sys
import tempfile
import time

from bandscope import Session

RESULTS, REPEATS = 100, 30


def f(x):
    return sum((v - 0.3) ** 2 for v in x.values())


def main(method):
    with tempfile.TemporaryDirectory() as folder:
        with Session.create(pathlib.Path(folder) / "s.jsonl", "branin", method=method, budget=RESULTS + REPEATS) as s:
            for _ in range(RESULTS):
                s.tell(s.ask(), f({"x1": 1.0}), force=True)
            times = []
            for _ in range(REPEATS):
                start = time.perf_counter()
                x = s.ask()
                asked = time.perf_counter()
                value = f(x)
                told = time.perf_counter()
                s.tell(x, value, force=True)
                times.append((asked - start, time.perf_counter() - told))
    asks, tells = zip(*times)
    both = [a + t for a, t in times]
    print(f"{method}, {RESULTS} results, median of {REPEATS}: ask {1e3 * statistics.median(asks):.2f} ms, "
          f"tell {1e3 * statistics.median(tells):.2f} ms, both {1e3 * statistics.median(both):.2f} ms "
          f"(from {1e3 * min(both):.2f} to {1e3 * max(both):.2f} ms)")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "random")
