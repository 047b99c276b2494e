# The log marginal likelihood with its gradient, the posterior and the best fit of processes whose kernels are sums and
# products, by scikit-learn 1.9.1 with numpy 2.4.6. Run in this folder: python3 composites.py > composites.json
import json

import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (ConstantKernel, DotProduct, ExpSineSquared, Kernel, Matern, RBF,
                                              RationalQuadratic, WhiteKernel)

LENGTH, SCALE, PERIOD, ALPHA, BIAS, NOISE = (0.01, 10), (0.05, 20), (0.02, 10), (0.01, 100), (1e-3, 10), (1e-6, 1)
square = lambda box: (box[0] ** 2, box[1] ** 2)


class Centered(DotProduct):
    """The dot product of inputs from -1 to 1 in place of 0 to 1."""

    def __call__(self, X, Y=None, eval_gradient=False):
        turn = lambda Z: None if Z is None else 2 * np.atleast_2d(Z) - 1
        return super().__call__(turn(X), turn(Y), eval_gradient)

    def diag(self, X):
        return super().diag(2 * np.asarray(X) - 1)


constant = lambda s: ConstantKernel(s * s, square(SCALE))
fixed = lambda v: ConstantKernel(v, "fixed")
noise = lambda s: WhiteKernel(s * s, square(NOISE))

# An expression, its kernel by scikit-learn with values, and these values in the order of the expression's hyperparameters,
# fixed ones included; then the noise.
cases = [
    (1, "matern12", constant(1.3) * Matern(0.4, LENGTH, nu=0.5), [1.3, 0.4], 0.1),
    (1, "matern32", constant(0.8) * Matern(0.3, LENGTH, nu=1.5), [0.8, 0.3], 0.2),
    (2, "matern32", constant(0.8) * Matern([0.3, 0.7], LENGTH, nu=1.5), [0.8, 0.3, 0.7], 0.2),
    (1, "rq", constant(1.1) * RationalQuadratic(0.25, 0.6, LENGTH, ALPHA), [1.1, 0.25, 0.6], 0.1),
    (2, "rq(alpha=2)", constant(1.1) * RationalQuadratic(0.25, 2, LENGTH, "fixed"), [1.1, 0.25, 2], 0.1),  # both inputs share a lengthscale
    (1, "periodic", constant(1.4) * ExpSineSquared(0.9, 0.35, LENGTH, PERIOD), [1.4, 0.9, 0.35], 0.15),
    (1, "linear", constant(0.7) * Centered(1.5, BIAS), [0.7, 1.5], 0.3),
    (3, "linear", constant(0.7) * Centered(1.5, BIAS), [0.7, 1.5], 0.3),
    (1, "se + linear", constant(0.9) * RBF(0.2, LENGTH) + constant(0.6) * Centered(0.5, BIAS), [0.9, 0.2, 0.6, 0.5],
     0.1),
    (1, "periodic*se", constant(1.2) * ExpSineSquared(1.1, 0.3, LENGTH, PERIOD) * RBF(0.8, LENGTH),
     [1.2, 1.1, 0.3, 0.8], 0.1),
    (1, "matern52 + 0.5*linear", constant(0.9) * Matern(0.3, LENGTH, nu=2.5) + fixed(0.5) * Centered(0.4, BIAS),
     [0.9, 0.3, 0.5 ** 0.5, 0.4], 0.1),
    (1, "(se + linear)*periodic + 0.3", (constant(0.9) * RBF(0.2, LENGTH) + constant(0.6) * Centered(0.5, BIAS)) *
     ExpSineSquared(1.1, 0.3, LENGTH, PERIOD) + fixed(0.3), [0.9, 0.2, 0.6, 0.5, 1.1, 0.3, 0.3 ** 0.5], 0.1),
    (1, "se(length=0.1) + matern12", constant(0.9) * RBF(0.1, "fixed") + constant(0.7) * Matern(0.6, LENGTH, nu=0.5),
     [0.9, 0.1, 0.7, 0.6], 0.1),
]

out = []
for number, (d, text, kernel, values, sd) in enumerate(cases):
    rng = np.random.default_rng(number)
    n = 14
    X, at = rng.uniform(size=(n, d)).round(6), rng.uniform(size=(6, d)).round(6)
    y = np.sin(7 * X[:, 0]) + 0.8 * X.sum(axis=1) + 0.1 * rng.normal(size=n)
    y = ((y - y.mean()) / y.std()).round(9)
    whole = kernel + noise(sd)
    gp = GaussianProcessRegressor(whole, alpha=0, optimizer=None).fit(X, y)
    value, gradient = gp.log_marginal_likelihood(whole.theta, eval_gradient=True)
    mean, cov = GaussianProcessRegressor(kernel, alpha=sd * sd, optimizer=None).fit(X, y).predict(at, return_cov=True)
    # our gradients are by the logarithms of standard deviations, those of scikit-learn by those of variances
    free = [h for h in whole.hyperparameters if not h.fixed]
    by = {}
    for name, g in zip([h.name for h in free for _ in range(h.n_elements)], gradient):
        by.setdefault(name, []).append(float(2 * g if "constant" in name or "noise" in name else g))
    # within a kernel, the lengthscale comes first
    prefixes = list(dict.fromkeys(h.name.rpartition("__")[0] for h in free))
    names = sorted(by, key=lambda name: (prefixes.index(name.rpartition("__")[0]), not name.endswith("length_scale")))
    best = GaussianProcessRegressor(whole, alpha=0, n_restarts_optimizer=40, random_state=number).fit(X, y)
    out.append({"Expression": text, "X": X.tolist(), "Y": y.tolist(), "Values": values, "Noise": sd,
                "Evidence": float(value), "Gradient": [v for name in names for v in by[name]], "At": at.tolist(),
                "Mean": mean.tolist(), "Cov": cov.tolist(), "Best": float(best.log_marginal_likelihood_value_)})
print(json.dumps({"by": f"scikit-learn {sklearn.__version__}, numpy {np.__version__}: composites.py", "Cases": out}))
