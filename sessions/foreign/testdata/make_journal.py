# Makes optuna-journal.log: python3 make_journal.py, with optuna 5.0.0.
import optuna, os, warnings
warnings.simplefilter("ignore")
optuna.logging.set_verbosity(optuna.logging.WARNING)
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
for f in ("optuna-journal.log",):
    if os.path.exists(f): os.remove(f)
st = JournalStorage(JournalFileBackend("optuna-journal.log"))
s = optuna.create_study(storage=st, study_name="amide coupling", directions=["maximize","minimize"], sampler=optuna.samplers.RandomSampler(seed=5))
s.set_metric_names(["yield","cost"])
def f(t):
    a=t.suggest_float("x.y/z",0,1); b=t.suggest_float("x y z",0,1)
    k=t.suggest_categorical("solvent",["1,4-dioxane","C=O",None])
    n=t.suggest_int("seed",0,3_000_000_000)
    if t.number==3: raise ValueError()
    if t.number==4: raise optuna.TrialPruned()
    return a+b, float(n%7)
s.optimize(f,n_trials=6,catch=(ValueError,))
s.enqueue_trial({"x.y/z":0.3,"x y z":2.5,"solvent":"C=O","seed":12})
s.optimize(f,n_trials=1)
s.ask()
o = optuna.create_study(storage=st, study_name="other")
o.optimize(lambda t: t.suggest_int("n",1,9,step=2), n_trials=2)
