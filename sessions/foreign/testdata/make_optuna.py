# Makes optuna.db, the storage that the tests read, and optuna.json, what Optuna itself says that it contains:
# python3 make_optuna.py, with optuna 5.0.0 and SQLAlchemy 2.1.9.
import json, os, warnings
import optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)
warnings.simplefilter("ignore")
if os.path.exists("optuna.db"):
    os.remove("optuna.db")
url = "sqlite:///optuna.db"


def tuning(trial):
    rate = trial.suggest_float("learning rate", 1e-3, 1, log=True)
    depth = trial.suggest_int("depth", 1, 8)
    share = trial.suggest_float("share", 0.5, 1, step=0.1)
    kind = trial.suggest_categorical("kind", ["a", "b,c", None])
    trial.suggest_categorical("big", [True, False])
    trial.suggest_float("constant", 2, 2)
    if depth > 6:
        trial.suggest_int("leaves", 1, 3)
    trial.report(depth, 0)
    if trial.should_prune():
        raise optuna.TrialPruned()
    if depth == 5 or trial.number == 4:
        raise ValueError("the fit does not converge")
    return depth - (share - 0.7) ** 2 + rate + (kind == "a")


study = optuna.create_study(storage=url, study_name="gbm tuning", direction="maximize",
                            sampler=optuna.samplers.TPESampler(seed=3), pruner=optuna.pruners.MedianPruner(n_startup_trials=4))
study.optimize(tuning, n_trials=16, catch=(ValueError,))
study.ask()  # a trial that is still running

two = optuna.create_study(storage=url, study_name="two", directions=["minimize", "maximize"],
                          sampler=optuna.samplers.RandomSampler(seed=1))
two.optimize(lambda t: (t.suggest_float("x", -1, 1) ** 2, t.suggest_int("n", 10, 50, step=20)), n_trials=3)

expected = {"made": "testdata/make_optuna.py: optuna %s" % optuna.__version__, "studies": {}}
for name in ("gbm tuning", "two"):
    s = optuna.load_study(study_name=name, storage=url)
    expected["studies"][name] = [{"state": t.state.name, "params": t.params, "values": t.values} for t in s.trials]
with open("optuna.json", "w") as f:
    json.dump(expected, f, indent=1)
