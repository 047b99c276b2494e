"""Fits BoTorch's SingleTaskGP to searches, and writes how its bands cover the domain to botorch_coverage.json.

Usage: python botorch_coverage.py INPUT > botorch_coverage.json, with the file that
go test -tags study ./optimizers/gaussian -run TestWriteCoverageInput -args -coverage-input INPUT
writes. Inputs are in the unit cube; the model standardizes the outcomes, which is its default.
"""

import json
import math
import sys
import warnings

import botorch
import gpytorch
import torch
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from gpytorch.mlls import ExactMarginalLogLikelihood

warnings.filterwarnings("ignore")
torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def cell(x, y, at, truth, scale):
    """Returns the coverage at 95 % and 50 % and the mean log density of the truth, in units of the given scale."""
    torch.manual_seed(0)
    model = SingleTaskGP(torch.tensor(x), torch.tensor(y).unsqueeze(-1))
    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    with torch.no_grad():
        posterior = model.posterior(torch.tensor(at))
    mean = (posterior.mean.squeeze(-1) - scale[0]) / scale[1]
    sd = (posterior.variance.squeeze(-1).sqrt() / scale[1]).clamp_min(1e-6)
    z = ((torch.tensor(truth) - scale[0]) / scale[1] - mean) / sd
    density = (-z * z / 2 - sd.log() - math.log(2 * math.pi) / 2).clamp_min(-50)
    share = lambda least: round((z.abs() < least).double().mean().item(), 4)
    return {"wide": share(1.959964), "narrow": share(0.6744898), "density": round(density.mean().item(), 6)}


with open(sys.argv[1]) as f:
    data = json.load(f)
searches = []
for s, scales in zip(data["searches"], data["scales"]):
    at, truth = data["domains"][s["function"]], data["truths"][s["function"]]
    s["cells"] = [cell(s["x"][:n], s["y"][:n], at, truth, scale) for n, scale in zip((8, 12, 16, 20), scales)]
    searches.append(s)
json.dump({"by": f"BoTorch {botorch.__version__}, GPyTorch {gpytorch.__version__}, torch {torch.__version__}: "
           "SingleTaskGP with its defaults; made by botorch_coverage.py", "searches": searches}, sys.stdout)
print()
