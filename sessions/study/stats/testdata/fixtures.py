# Makes fixtures.json, the numbers that the tests of package stats hold its own against: python3 fixtures.py > fixtures.json,
# with numpy 2.4.6, scipy 1.17.1, statsmodels 0.15.0, scikit-posthocs 0.17.1 and cocopp 2.9.1.
import contextlib, io, itertools, json
import numpy as np, scipy, scipy.stats as ss, statsmodels, scikit_posthocs as sp
with contextlib.redirect_stdout(io.StringIO()):
    import cocopp
    from cocopp import toolsstats
from statsmodels.stats.multitest import multipletests

rng = np.random.default_rng(19)
out = {"made": "testdata/fixtures.py: numpy %s, scipy %s, statsmodels %s, scikit-posthocs %s, cocopp %s" % (
    np.__version__, scipy.__version__, statsmodels.__version__, sp.__version__, cocopp.__version__)}

def signed(d, method, **more):
    r = ss.wilcoxon(d, zero_method="wilcox", method=method, **more)
    return float(r.statistic), float(r.pvalue)

cases = []
for n in (1, 5, 6, 10, 17, 30, 50):
    d = rng.normal(0.4, 1, n)
    cases.append((d, "exact"))
for n in (4, 7, 9, 12):  # equal sizes and zeros: all signs counted one by one
    d = rng.integers(-3, 6, n).astype(float)
    cases.append((d, "signs"))
for n in (60, 80, 200):
    cases.append((np.round(rng.normal(0.2, 1, n), 1), "asymptotic"))
    cases.append((rng.normal(0.2, 1, n), "asymptotic"))
out["wilcoxon"] = []
for d, method in cases:
    m = ss.PermutationMethod(n_resamples=2**14) if method == "signs" else method
    w, p = signed(d, m)
    nz = d[d != 0]
    r = ss.rankdata(abs(nz))
    out["wilcoxon"].append(dict(d=d.tolist(), method=method, w=w, p=p, effect=float((r[nz > 0].sum() - r[nz < 0].sum()) / r.sum())))

# Shifts: the median of Walsh's means, and the interval of all shifts that scipy's exact test does not refuse. The test changes only at Walsh's means.
out["shift"] = []
for n in (5, 6, 9, 15, 24):
    d = rng.normal(0.3, 1, n)
    walsh = np.sort([(d[i] + d[j]) / 2 for i in range(n) for j in range(i, n)])
    kept = [(a, b) for a, b in zip(walsh, walsh[1:]) if signed(d - (a + b) / 2, "exact")[1] > 0.05]
    low, high = kept[0][0], kept[-1][1]
    if signed(d - walsh[0] + 1, "exact")[1] > 0.05:
        low, high = None, None
    out["shift"].append(dict(d=d.tolist(), middle=float(np.median(walsh)), low=low, high=high))

out["a12"] = []
for n, m in ((3, 4), (10, 10), (6, 15)):
    a, b = rng.integers(0, 8, n), rng.integers(1, 9, m)
    u = ss.mannwhitneyu(b, a).statistic  # pairs in which a is below b, equal ones half
    out["a12"].append(dict(a=a.tolist(), b=b.tolist(), value=float(u / (n * m))))

out["holm"] = []
for k in (1, 3, 6, 15):
    p = rng.uniform(0, 0.2, k) ** 2
    p[-1] = p[0]
    out["holm"].append(dict(p=p.tolist(), adjusted=multipletests(p, method="holm")[1].tolist()))

out["friedman"] = []
for n, k, ties in ((5, 3, False), (12, 4, True), (30, 6, False), (8, 10, True), (40, 5, True)):
    x = rng.normal(0, 1, (n, k)) + np.linspace(0, 1.5, k)
    if ties:
        x = np.round(x)
    c, p = ss.friedmanchisquare(*x.T)
    f = (n - 1) * c / (n * (k - 1) - c)
    ranks = np.array([ss.rankdata(row) for row in x])
    nemenyi = sp.posthoc_nemenyi_friedman(x).to_numpy()
    # the greatest groups in which no two methods differ, by all subsets
    order = np.argsort(ranks.mean(0), kind="stable").tolist()
    groups = [(i, j) for i in range(k) for j in range(i + 1, k)
              if all(nemenyi[order[a], order[b]] > 0.05 for a, b in itertools.combinations(range(i, j + 1), 2))]
    groups = [g for g in groups if not any(h != g and h[0] <= g[0] and g[1] <= h[1] for h in groups)]
    cd = ss.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))
    out["friedman"].append(dict(x=x.tolist(), chi=float(c), p=float(p), f=float(f), fp=float(ss.f.sf(f, k - 1, (k - 1) * (n - 1))),
                                ranks=ranks.mean(0).tolist(), cd=float(cd), order=order, cliques=groups))

out["range"] = [dict(k=k, p=p, q=float(ss.studentized_range.ppf(p, k, np.inf))) for k in (2, 3, 5, 10, 20, 50) for p in (0.9, 0.95, 0.99)]

out["sample"] = []
for n in (1, 2, 5, 10, 31):
    v = rng.lognormal(0, 2, n)
    t = ss.t.interval(0.95, n - 1, loc=v.mean(), scale=ss.sem(v)) if n > 1 else (None, None)
    out["sample"].append(dict(v=v.tolist(), quartiles=np.percentile(v, [25, 50, 75]).tolist(), mean=float(v.mean()), low=t[0], high=t[1]))

# Average runtimes, by cocopp.toolsstats.sp: what each run took, and whether it reached the target.
out["runtime"] = []
for n in (3, 8, 15):
    took, reached = rng.integers(1, 200, n), rng.uniform(size=n) < 0.6
    mean = toolsstats.sp(took.astype(float), issuccessful=reached.tolist())[0]
    out["runtime"].append(dict(took=took.tolist(), reached=reached.tolist(), mean=float(mean)))
# Shares of targets reached, and profiles: regrets[problem][method][seed][evaluation], of problems in 2 and 5 variables.
from cocopp.testbedsettings import GECCOBBOBTestbed
targets = np.asarray(GECCOBBOBTestbed.settings["pprldmany_target_values"], float)
assert len(targets) == 51
dims, steps = [2, 5], 12
factors = 10 ** rng.uniform(-2, 0.5, (2, 2, 3, steps))
factors[:, :, :, 0] = 10 ** rng.uniform(2, 3, (2, 1, 3))  # the start is shared
regrets = np.minimum.accumulate(np.cumprod(factors, axis=-1), axis=-1)
at = [0.1, 0.2, 0.5, 1.0, 1.4, 2.0, 2.5, 6.0]
reached = (regrets[..., None] <= targets)  # problem, method, seed, evaluation, target
share = lambda m, x: float(np.mean([reached[p, m, s, :int(np.floor(x * d + 1e-9))].any(0).mean() for p, d in enumerate(dims) for s in range(3)]))
runtime = np.empty((2, 2, 3))
for p, s in itertools.product(range(2), range(3)):
    for m in range(2):
        block = regrets[p, :, s]
        solved = block[m] <= block.min() + 0.001 * (block[0, 0] - block.min())
        runtime[p, m, s] = np.argmax(solved) + 1 if solved.any() else np.inf
ratio = runtime / runtime.min(1, keepdims=True)
gradients = runtime / (np.array(dims) + 1)[:, None, None]
out["ecdf"] = [dict(regrets=regrets.tolist(), dims=dims, targets=targets.tolist(), at=at, shares=[[share(m, x) for x in at] for m in range(2)],
                    performance=[[float((ratio[:, m] <= x).mean()) for x in at] for m in range(2)],
                    data=[[float((gradients[:, m] <= x).mean()) for x in at] for m in range(2)])]

print("{" + ",\n".join(json.dumps(k) + ": " + (json.dumps(v) if isinstance(v, str) else
    "[\n" + ",\n".join(json.dumps(c, allow_nan=False) for c in v) + "]") for k, v in out.items()) + "}")
