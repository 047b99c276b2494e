package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
)

// axExperiment is an experiment of Ax as its JSON store writes it (ax/storage/json_store/encoders.py), or the client
// around one.
type axExperiment struct {
	Type        string               `json:"__type"`
	Name        string               `json:"name"`
	Client      *axExperiment        `json:"experiment"` // of a client
	Space       axSpace              `json:"search_space"`
	Goal        *axGoal              `json:"optimization_config"`
	Trials      map[string]axTrial   `json:"trials"`
	DataByTrial map[string]axOrdered `json:"data_by_trial"`
}

type axSpace struct {
	Parameters []axParameter `json:"parameters"`
}

type axName struct {
	Name string `json:"name"`
}

type axParameter struct {
	Type   string   `json:"__type"`
	Name   string   `json:"name"`
	Kind   axName   `json:"parameter_type"`
	Lower  *float64 `json:"lower"`
	Upper  *float64 `json:"upper"`
	Log    bool     `json:"log_scale"`
	Values []any    `json:"values"`
}

type axGoal struct {
	Objective   axObjective    `json:"objective"`
	Constraints []axConstraint `json:"outcome_constraints"`
	Thresholds  []axConstraint `json:"objective_thresholds"`
}

type axObjective struct {
	Type       string        `json:"__type"`
	Metric     axName        `json:"metric"`
	Minimize   bool          `json:"minimize"`
	Expression string        `json:"expression"` // since version 1: a metric, or several with commas; −m is minimized
	Objectives []axObjective `json:"objectives"`
}

type axConstraint struct {
	Metric   axName  `json:"metric"`
	Op       axName  `json:"op"`
	Bound    float64 `json:"bound"`
	Relative bool    `json:"relative"`
}

type axTrial struct {
	Index  int       `json:"index"`
	Status axName    `json:"status"`
	Run    *axRun    `json:"generator_run"`
	Runs   []axGroup `json:"generator_run_structs"` // of a batch, before version 1
	List   []axRun   `json:"generator_runs"`
}

type axGroup struct {
	Run axRun `json:"generator_run"`
}

type axRun struct {
	Arms []axArm `json:"arms"`
}

type axArm struct {
	Name       string         `json:"name"`
	Parameters map[string]any `json:"parameters"`
}

// axOrdered is an OrderedDict: pairs of a key and a value.
type axOrdered struct {
	Value [][2]json.RawMessage `json:"value"`
}

type axData struct {
	Frame struct {
		Value string `json:"value"` // columns by their rows, as pandas writes them
	} `json:"df"`
}

// maxAxDepth bounds how deep a client is nested.
const maxAxDepth = 3

// readAx reads an experiment.
func readAx(text []byte) (*Run, error) {
	var e *axExperiment
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("the JSON cannot be read as an experiment of Ax: %w", err)
	}
	for depth := 0; e.Client != nil && depth < maxAxDepth; depth++ {
		e = e.Client
	}
	switch {
	case e.Trials == nil || len(e.Space.Parameters) == 0:
		return nil, errors.New("the JSON has no search space or no trials; save an experiment of Ax with save_experiment")
	case e.Goal == nil:
		return nil, errors.New("the experiment of Ax has no optimization config, so that its objectives are unknown")
	case len(e.Space.Parameters) > maxParams || len(e.Trials) > maxTrials:
		return nil, fmt.Errorf("there are more than %d parameters or %d trials", maxParams, maxTrials)
	}
	r := &Run{Program: "Ax", Experiment: &experiment.Declaration{Name: experimentName(e.Name)}}
	variables, err := r.takeAxSpace(e.Space.Parameters)
	if err != nil {
		return nil, err
	}
	metrics, err := r.takeAxGoal(e.Goal)
	if err != nil {
		return nil, err
	}
	return r, r.takeAxTrials(e, variables, metrics)
}

// axVariable reads values of a variable.
type axVariable struct {
	param string
	v     functions.Variable
	texts []any     // of a list, the values as they are
	order []float64 // and ours
}

// takeAxSpace makes the variables of the parameters.
func (r *Run) takeAxSpace(list []axParameter) (variables []axVariable, err error) {
	for _, p := range list {
		single := axVariable{param: p.Name, v: functions.Variable{Name: r.used.of(p.Name)}}
		ok := false
		switch {
		case p.Type == "RangeParameter" && p.Lower != nil && p.Upper != nil:
			single.v.Low = *p.Lower
			single.v.High = *p.Upper
			ok = *p.Lower < *p.Upper
			if p.Kind.Name == "INT" {
				single.v.Kind = functions.Integer
			}
			if p.Log {
				single.v.Scale = functions.Log
			}
		case p.Type == "ChoiceParameter" && len(p.Values) <= 1000:
			single.texts = p.Values
			single.v, single.order, ok = levels(single.v.Name, p.Values)
		case p.Type != "FixedParameter":
			return nil, fmt.Errorf("the parameter %.60q has the kind %.40q, which cannot be read", p.Name, p.Type)
		}
		if !ok {
			r.Notices = append(r.Notices, fmt.Sprintf("the parameter %.60s, which never changes, left out", p.Name))
			continue
		}
		variables = append(variables, single)
		r.Experiment.Variables = append(r.Experiment.Variables, single.v)
	}
	return variables, nil
}

// value is a value of the variable in an arm; false if there is none.
func (a axVariable) value(parameters map[string]any) (float64, bool) {
	supplied, has := parameters[a.param]
	if !has {
		return 0, false
	}
	if a.order != nil {
		i := slices.IndexFunc(a.texts, func(text any) bool { // which may be a list
			return fmt.Sprintf("%T %v", text, text) == fmt.Sprintf("%T %v", supplied, supplied)
		})
		if i < 0 {
			return 0, false
		}
		return a.order[i], true
	}
	x, isNumber := supplied.(float64)
	return x, isNumber
}

// takeAxGoal makes the objectives and the limits, and returns the metric of each.
func (r *Run) takeAxGoal(g *axGoal) (metrics []string, err error) {
	all := g.Objective.Objectives
	if len(all) == 0 {
		all = []axObjective{g.Objective}
	}
	for _, o := range all {
		list := []axObjective{o}
		if o.Expression != "" {
			list, err = parseAxExpression(o.Expression)
			if err != nil {
				return nil, err
			}
		}
		for _, o := range list {
			if o.Metric.Name == "" {
				return nil, fmt.Errorf("an objective of the kind %.40q cannot be read", o.Type)
			}
			direction := functions.Maximize
			if o.Minimize {
				direction = functions.Minimize
			}
			metrics = append(metrics, o.Metric.Name)
			r.Experiment.Objectives = append(r.Experiment.Objectives, functions.Objective{Name: r.used.of(o.Metric.Name),
				Direction: direction})
		}
	}
	goals := len(metrics)
	for _, c := range slices.Concat(g.Constraints, g.Thresholds) {
		if k := slices.Index(metrics[:goals], c.Metric.Name); k >= 0 && !c.Relative {
			o := &r.Experiment.Objectives[k]
			o.AtMost, o.AtLeast = c.bounds()
			r.Notices = append(r.Notices, fmt.Sprintf("the threshold %s of %.60s is a limit of the objective",
				numfmt.Exact(c.Bound), c.Metric.Name))
			continue
		}
		if c.Relative || slices.Contains(metrics, c.Metric.Name) || c.Metric.Name == "" {
			r.Notices = append(r.Notices, fmt.Sprintf("the outcome constraint on %.60s left out", c.Metric.Name))
			continue
		}
		limit := functions.Objective{Name: r.used.of(c.Metric.Name)}
		limit.AtMost, limit.AtLeast = c.bounds()
		metrics = append(metrics, c.Metric.Name)
		r.Experiment.Limits = append(r.Experiment.Limits, limit)
	}
	return metrics, nil
}

// bounds are the limits of a constraint, one of which is nil.
func (c axConstraint) bounds() (atMost, atLeast *float64) {
	if c.Op.Name == "GEQ" {
		return nil, &c.Bound
	}
	return &c.Bound, nil
}

// parseAxExpression reads an objective such as "-loss" or "accuracy, -size"; other expressions are no metrics.
func parseAxExpression(text string) (list []axObjective, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, minimize := strings.CutPrefix(strings.TrimSpace(part), "-")
		name = strings.Trim(strings.TrimSpace(name), "\"'")
		if name == "" || strings.ContainsAny(name, "*+()") {
			return nil, fmt.Errorf("the objective %.80q is not a metric", text)
		}
		list = append(list, axObjective{Metric: axName{name}, Minimize: minimize})
	}
	return list, nil
}

// axMeasured are the mean and the standard error of a metric.
type axMeasured struct{ mean, sem float64 }

// measured are the data of a trial, by the arm and the metric; the last of several counts.
func (o axOrdered) measured() (map[[2]string]axMeasured, error) {
	all := map[[2]string]axMeasured{}
	for _, pair := range o.Value {
		var d axData
		if err := json.Unmarshal(pair[1], &d); err != nil {
			return nil, fmt.Errorf("data cannot be read: %w", err)
		}
		var frame map[string]map[string]any
		if err := json.Unmarshal([]byte(d.Frame.Value), &frame); err != nil {
			return nil, fmt.Errorf("data cannot be read: %w", err)
		}
		rows := make([]int, 0, len(frame["mean"]))
		for row := range frame["mean"] {
			n, err := strconv.Atoi(row)
			if err != nil {
				return nil, fmt.Errorf("data has the row %.40q", row)
			}
			rows = append(rows, n)
		}
		slices.Sort(rows)
		for _, n := range rows {
			row := strconv.Itoa(n)
			arm, _ := frame["arm_name"][row].(string)
			metric, _ := frame["metric_name"][row].(string)
			m := axMeasured{math.NaN(), math.NaN()}
			if v, ok := frame["mean"][row].(float64); ok {
				m.mean = v
			}
			if v, ok := frame["sem"][row].(float64); ok && v > 0 {
				m.sem = v
			}
			all[[2]string{arm, metric}] = m
		}
	}
	return all, nil
}

// arms are the arms of a trial, one or several.
func (t axTrial) arms() (list []axArm) {
	runs := slices.Clone(t.List)
	if t.Run != nil {
		runs = append(runs, *t.Run)
	}
	for _, g := range t.Runs {
		runs = append(runs, g.Run)
	}
	for _, run := range runs {
		list = append(list, run.Arms...)
	}
	return list
}

// takeAxTrials takes the arms of all finished trials.
func (r *Run) takeAxTrials(e *axExperiment, variables []axVariable, metrics []string) error {
	keys := make([]int, 0, len(e.Trials))
	for key := range e.Trials {
		n, err := strconv.Atoi(key)
		if err != nil {
			return fmt.Errorf("a trial has the number %.40q", key)
		}
		keys = append(keys, n)
	}
	slices.Sort(keys)
	left, unfinished := 0, 0
	for _, key := range keys {
		t := e.Trials[strconv.Itoa(key)]
		reason := map[string]string{"COMPLETED": "", "EARLY_STOPPED": "pruned", "FAILED": "failed", "ABANDONED": "abandoned"}
		why, finished := reason[t.Status.Name]
		if !finished {
			unfinished++
			continue
		}
		data, err := e.DataByTrial[strconv.Itoa(key)].measured()
		if err != nil {
			return fmt.Errorf("trial %d: %w", key, err)
		}
		for _, arm := range t.arms() {
			single, ok := arm.trial(variables, metrics, data, why)
			single.Name = fmt.Sprintf("arm %.60s", arm.Name)
			if !ok {
				left++
				continue
			}
			r.Trials = append(r.Trials, single)
			if len(r.Trials) > maxTrials {
				return fmt.Errorf("there are more than %d arms", maxTrials)
			}
		}
		if why == "pruned" {
			r.Experiment.Failures = experiment.FailuresIgnored // for their values, not for where they lie
		}
	}
	if left > 0 {
		r.Notices = append(r.Notices, numfmt.Count(left, "arm")+" without a value for every parameter left out")
	}
	if unfinished > 0 {
		r.Notices = append(r.Notices, numfmt.Count(unfinished, "trial")+" without a result left out")
	}
	return nil
}

// trial is the result of an arm; false if a parameter is missing.
func (a axArm) trial(variables []axVariable, metrics []string, data map[[2]string]axMeasured, why string) (Trial, bool) {
	single := Trial{Reason: why}
	for _, v := range variables {
		x, ok := v.value(a.Parameters)
		if !ok {
			return single, false
		}
		single.X = append(single.X, x)
	}
	for _, metric := range metrics {
		m, ok := data[[2]string{a.Name, metric}]
		if !ok || why != "" {
			m = axMeasured{math.NaN(), math.NaN()}
		}
		single.Values, single.SE = append(single.Values, m.mean), append(single.SE, m.sem)
	}
	if !slices.ContainsFunc(single.SE, func(v float64) bool { return !math.IsNaN(v) }) {
		single.SE = nil
	}
	if single.Reason == "" && !functions.Finite(single.Values) {
		single.Reason = "no data"
	}
	return single, true
}
