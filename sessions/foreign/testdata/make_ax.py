# Makes ax.json and ax-client.json, experiments as ax-platform 1.3.1 writes them: python3 make_ax.py. Ax itself needs PyTorch,
# which is too large to install for a fixture, so that this script writes the same structure: it follows the functions
# experiment_to_dict, trial_to_dict, batch_to_dict, range_parameter_to_dict, choice_parameter_to_dict, data_to_dict and
# object_to_json of ax/storage/json_store/{encoders,encoder}.py and data_to_data_by_trial of ax/storage/utils.py.
import json


def parameter(kind, name, type_, **more):
    return {"__type": kind, "name": name, "parameter_type": {"__type": "ParameterType", "name": type_},
            "is_fidelity": False, "target_value": None, **more}


def trial(index, status, parameters):
    arms = [{"__type": "Arm", "parameters": p, "name": "%d_%d" % (index, i)} for i, p in enumerate(parameters)]
    run = {"__type": "GeneratorRun", "arms": arms, "weights": [1.0] * len(arms)}
    kind = {"__type": "Trial", "generator_run": run} if len(arms) == 1 else {"__type": "BatchTrial", "generator_runs": [run]}
    return {**kind, "index": index, "status": {"__type": "TrialStatus", "name": status}}


def data(index, rows):
    columns = {"trial_index": index, "arm_name": 0, "metric_name": 1, "mean": 2, "sem": 3}
    frame = {c: {str(i): index if c == "trial_index" else row[at] for i, row in enumerate(rows)} for c, at in columns.items()}
    df = {"__type": "DataFrame", "value": json.dumps(frame)}
    return {"__type": "OrderedDict", "value": [[0, {"__type": "Data", "df": df}]]}


def arm(rate, size, base, kind="x"):
    return {"rate": rate, "size": size, "base": base, "kind": kind, "fixed": 7}


ax = {
    "__type": "Experiment", "name": "reactor", "description": None,
    "search_space": {"__type": "SearchSpace", "parameter_constraints": [], "parameters": [
        parameter("RangeParameter", "rate", "FLOAT", lower=0.01, upper=1.0, log_scale=True, logit_scale=False, digits=None),
        parameter("RangeParameter", "size", "INT", lower=1, upper=9, log_scale=False, logit_scale=False, digits=None),
        parameter("ChoiceParameter", "base", "STRING", values=["K2CO3", "NaOH"], is_ordered=False, is_task=False,
                  log_scale=None, dependents=None, sort_values=False),
        parameter("ChoiceParameter", "kind", "STRING", values=["x", "y"], is_ordered=False, is_task=False,
                  log_scale=None, dependents=None, sort_values=False),
        parameter("FixedParameter", "fixed", "INT", value=7, dependents=None)]},
    "optimization_config": {"__type": "OptimizationConfig", "pruning_target_parameterization": None,
        "objective": {"__type": "Objective", "expression": "-loss"},
        "outcome_constraints": [{"__type": "OutcomeConstraint", "metric": {"__type": "Metric", "name": "heat"},
            "op": {"__type": "ComparisonOp", "name": "LEQ"}, "bound": 80.0, "relative": False}]},
    "trials": {
        "0": trial(0, "COMPLETED", [arm(0.1, 3, "NaOH")]),
        "1": trial(1, "FAILED", [arm(0.2, 4, "K2CO3")]),
        "2": trial(2, "COMPLETED", [arm(0.5, 5, "K2CO3", "y"), arm(1.0, 9, "NaOH")]),
        "3": trial(3, "RUNNING", [arm(0.3, 3, "NaOH")]),
        "10": trial(10, "EARLY_STOPPED", [arm(0.02, 1, "NaOH")])},
    "data_by_trial": {
        "0": data(0, [["0_0", "loss", 1.5, 0.1], ["0_0", "heat", 60.0, None]]),
        "2": data(2, [["2_0", "loss", 0.5, 0.0], ["2_1", "loss", 2.5, 0.2], ["2_1", "heat", 90.0, 1.0],
                      ["2_0", "heat", 70.0, 2.0]]),
        "10": data(10, [["10_0", "loss", 9.0, 0.1]])},
}
two = json.loads(json.dumps(ax))
two["optimization_config"] = {"__type": "MultiObjectiveOptimizationConfig", "outcome_constraints": [], "objective": {
    "__type": "MultiObjective", "objectives": [
        {"__type": "Objective", "metric": {"__type": "Metric", "name": "loss"}, "minimize": True},
        {"__type": "Objective", "metric": {"__type": "Metric", "name": "heat"}, "minimize": False}]}}
for name, content in (("ax.json", ax), ("ax-client.json", {"_type": "AxClient", "experiment": two})):
    with open(name, "w") as f:
        json.dump(content, f, indent=1)
