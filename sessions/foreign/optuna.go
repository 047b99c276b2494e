package foreign

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
)

// optunaTables are the tables that are read; a view in their place could be endless.
var optunaTables = []string{"studies", "study_directions", "trials", "trial_params", "trial_values", "version_info"}

// storage is an open storage of Optuna (its models.py has the schema, which is the same since version 3.0).
type storage struct {
	db  *sql.Conn
	ctx context.Context
}

// maxValue bounds a text in a storage, in bytes; a computed column could be longer than the file.
const maxValue = 1 << 20

// readOptuna reads a study of a storage. It opens the file to read it only.
func readOptuna(ctx context.Context, path string, o Options) (*Run, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(full),
		RawQuery: "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("the storage of Optuna: %w", err)
	}
	defer conn.Close()
	const lengthLimit = 0 // SQLITE_LIMIT_LENGTH
	if _, err := sqlite.Limit(conn, lengthLimit, maxValue); err != nil {
		return nil, fmt.Errorf("the storage of Optuna: %w", err)
	}
	run, err := storage{conn, ctx}.read(o)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("the storage of Optuna: %w", err)
	}
	return run, err
}

func (s storage) read(o Options) (*Run, error) {
	var n int
	if err := s.db.QueryRowContext(s.ctx, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name IN ('"+strings.Join(optunaTables, "', '")+"')").Scan(&n); err != nil {
		return nil, err
	}
	if n != len(optunaTables) {
		return nil, fmt.Errorf("it has %d of the tables %s", n, strings.Join(optunaTables, ", "))
	}
	var version string
	if err := s.db.QueryRowContext(s.ctx, "SELECT coalesce(max(library_version), '?') FROM version_info").
		Scan(&version); err != nil {
		return nil, err
	}
	id, name, err := s.study(o.Study)
	if err != nil {
		return nil, err
	}
	study := optunaStudy{name: name}
	study.trials, study.unfinished, err = s.trials(id)
	if err != nil {
		return nil, err
	}
	study.directions, err = s.directions(id)
	if err != nil {
		return nil, err
	}
	study.metrics, err = s.metrics(id)
	if err != nil {
		return nil, err
	}
	return study.run(fmt.Sprintf("Optuna %.40s", version))
}

// optunaStudy is a study of Optuna, from a storage or a journal.
type optunaStudy struct {
	name       string
	directions []functions.Direction
	metrics    []string // the names of the objectives; nil where they have none
	trials     []*optunaTrial
	unfinished int // trials without a result
}

// run is the run of a study.
func (s optunaStudy) run(program string) (*Run, error) {
	r := &Run{Program: program, Experiment: &experiment.Declaration{Name: experimentName(s.name)}}
	if s.unfinished > 0 {
		r.Notices = append(r.Notices, numfmt.Count(s.unfinished, "trial")+" without a result left out")
	}
	if err := r.takeParams(s.trials); err != nil {
		return nil, err
	}
	for k, direction := range s.directions {
		text := "value"
		switch {
		case len(s.metrics) == len(s.directions):
			text = s.metrics[k]
		case len(s.directions) > 1:
			text = fmt.Sprintf("value_%d", k)
		}
		o := functions.Objective{Name: r.used.of(text), Direction: direction}
		r.Experiment.Objectives = append(r.Experiment.Objectives, o)
	}
	r.takeTrials(s.trials, len(s.directions))
	return r, nil
}

// metrics are the names of the objectives of a study; nil where they have none. Old storages have no such table.
func (s storage) metrics(id int64) (list []string, err error) {
	var n int
	if err := s.db.QueryRowContext(s.ctx, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name = 'study_system_attributes'").Scan(&n); err != nil || n == 0 {
		return nil, err
	}
	var text string
	err = s.db.QueryRowContext(s.ctx, "SELECT value_json FROM study_system_attributes WHERE study_id = ? AND key = ?", id,
		metricNames).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &list)
	}
	return list, err
}

// metricNames is the attribute of a study with the names of its objectives.
const metricNames = "study:metric_names"

// study finds the study of a name, or the only one.
func (s storage) study(name string) (id int64, found string, err error) {
	var ids []int64
	var list []string
	err = s.each("SELECT study_id, study_name FROM studies ORDER BY study_id LIMIT 1000", nil, func(scan func(...any) error) error {
		ids, list = append(ids, 0), append(list, "")
		return scan(&ids[len(ids)-1], &list[len(list)-1])
	})
	if err != nil {
		return 0, "", err
	}
	i, err := pickStudy(list, name)
	if err != nil {
		return 0, "", err
	}
	return ids[i], list[i], nil
}

// pickStudy is the index of the study of a name, or of the only one.
func pickStudy(list []string, name string) (int, error) {
	i := slices.Index(list, name)
	switch {
	case len(list) == 0:
		return 0, errors.New("it has no study")
	case name == "" && len(list) > 1:
		return 0, fmt.Errorf("it has %d studies; name one: %.300s", len(list), strings.Join(list, ", "))
	case name == "":
		return 0, nil
	case i < 0:
		return 0, didyoumean.NewUnknownError("study", name, list)
	}
	return i, nil
}

func (s storage) directions(id int64) (list []functions.Direction, err error) {
	err = s.each("SELECT objective, direction FROM study_directions WHERE study_id = ? ORDER BY objective LIMIT 100", []any{id},
		func(scan func(...any) error) error {
			var k int
			var text string
			if err := scan(&k, &text); err != nil {
				return err
			}
			d := functions.Direction(strings.ToLower(text))
			if k != len(list) || d != functions.Minimize && d != functions.Maximize {
				return fmt.Errorf("objective %d has the direction %.40q", k, text)
			}
			list = append(list, d)
			return nil
		})
	if err == nil && len(list) == 0 {
		err = errors.New("the study has no objective")
	}
	return list, err
}

// optunaTrial is a trial as the storage has it.
type optunaTrial struct {
	number int
	state  string
	params map[string]float64
	values map[int]float64
	kinds  map[string]string // the distributions, as JSON
	x      []*float64        // of the variables; nil where there is none
}

// newTrial is a trial without parameters and values.
func newTrial(number int) *optunaTrial {
	return &optunaTrial{number: number, params: map[string]float64{}, values: map[int]float64{}, kinds: map[string]string{}}
}

// finished reports whether the trial has a result.
func (t *optunaTrial) finished() bool {
	return t.state == "COMPLETE" || t.state == "PRUNED" || t.state == "FAIL"
}

// trials are the finished trials in their order, and how many others there are.
func (s storage) trials(id int64) (list []*optunaTrial, unfinished int, err error) {
	owners := map[int64]*optunaTrial{}
	err = s.each("SELECT trial_id, coalesce(number, 0), state FROM trials WHERE study_id = ? ORDER BY number, trial_id LIMIT 100000", []any{id},
		func(scan func(...any) error) error {
			var trial int64
			t := newTrial(0)
			if err := scan(&trial, &t.number, &t.state); err != nil {
				return err
			}
			if !t.finished() {
				unfinished++
			} else {
				list, owners[trial] = append(list, t), t
				if len(list) > maxTrials {
					return fmt.Errorf("the study has more than %d trials", maxTrials)
				}
			}
			return nil
		})
	if err != nil {
		return nil, 0, err
	}
	const ours = " WHERE trial_id IN (SELECT trial_id FROM trials WHERE study_id = ?) ORDER BY 1, 2 LIMIT 10000000"
	err = s.each("SELECT trial_id, param_name, param_value, distribution_json FROM trial_params"+ours, []any{id},
		func(scan func(...any) error) error {
			var trial int64
			var name, distribution string
			var value sql.NullFloat64
			if err := scan(&trial, &name, &value, &distribution); err != nil {
				return err
			}
			if t := owners[trial]; t != nil && value.Valid && len(t.params) <= maxParams {
				t.params[name], t.kinds[name] = value.Float64, distribution
			}
			return nil
		})
	if err != nil {
		return nil, 0, err
	}
	return list, unfinished, s.each("SELECT trial_id, objective, value, value_type FROM trial_values"+ours, []any{id},
		func(scan func(...any) error) error {
			var trial int64
			var k int
			var value sql.NullFloat64
			var kind string
			if err := scan(&trial, &k, &value, &kind); err != nil {
				return err
			}
			if t := owners[trial]; t != nil && value.Valid && kind == "FINITE" && len(t.values) < 100 {
				t.values[k] = value.Float64
			}
			return nil
		})
}

// each calls row for every row of a query.
func (s storage) each(query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := s.db.QueryContext(s.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// distribution is a distribution of Optuna, by its name and attributes (distributions.py); the older names are of
// version 2.
type distribution struct {
	Name       string `json:"name"`
	Attributes struct {
		Low     *float64 `json:"low"`
		High    *float64 `json:"high"`
		Step    *float64 `json:"step"`
		Q       *float64 `json:"q"` // of DiscreteUniformDistribution
		Log     bool     `json:"log"`
		Choices []any    `json:"choices"`
	} `json:"attributes"`
}

// takeParams makes the variables of the parameters that all trials have; a parameter whose bounds change has all of them.
func (r *Run) takeParams(trials []*optunaTrial) error {
	counts, order := map[string]int{}, []string{}
	for _, t := range trials {
		for name := range t.params {
			counts[name]++
			if counts[name] == 1 {
				order = append(order, name)
			}
		}
	}
	slices.Sort(order)
	for _, name := range order {
		if counts[name] < (len(trials)+1)/2 {
			r.Notices = append(r.Notices, fmt.Sprintf("the parameter %.60s, which %d of %d trials have, left out", name,
				counts[name], len(trials)))
			continue
		}
		v, values, ok, err := optunaVariable(r.used.of(name), name, trials)
		if err != nil {
			return fmt.Errorf("the parameter %.60q: %w", name, err)
		}
		if !ok {
			r.Notices = append(r.Notices, fmt.Sprintf("the parameter %.60s, which never changes, left out", name))
			continue
		}
		r.Experiment.Variables = append(r.Experiment.Variables, v)
		for i, t := range trials {
			t.x = append(t.x, values[i])
		}
	}
	if len(r.Experiment.Variables) > experiment.MaxVariables {
		return fmt.Errorf("there are %d parameters; the maximum is %d", len(r.Experiment.Variables), experiment.MaxVariables)
	}
	return nil
}

// optunaVariable is the variable of a parameter, with its value in each trial, nil where there is none; not ok if it has
// one value only.
func optunaVariable(name, param string, trials []*optunaTrial) (v functions.Variable, values []*float64, ok bool,
	err error) {
	var all distribution
	values = make([]*float64, len(trials))
	for i, t := range trials {
		x, has := t.params[param]
		if !has {
			continue
		}
		var d distribution
		if err := json.Unmarshal([]byte(t.kinds[param]), &d); err != nil {
			return v, nil, false, fmt.Errorf("its distribution cannot be read: %w", err)
		}
		values[i] = &x
		if d.Name == "CategoricalDistribution" {
			if all.Name != "" && (all.Name != d.Name || len(all.Attributes.Choices) != len(d.Attributes.Choices)) {
				return v, nil, false, errors.New("its choices change between trials")
			}
			all = d
			continue
		}
		if d.Attributes.Low == nil || d.Attributes.High == nil || all.Name == "CategoricalDistribution" {
			return v, nil, false, fmt.Errorf("its distribution %.60q has no bounds", d.Name)
		}
		if all.Name == "" {
			all = d
		}
		low, high := min(*all.Attributes.Low, *d.Attributes.Low), max(*all.Attributes.High, *d.Attributes.High)
		all.Attributes.Low, all.Attributes.High = &low, &high
	}
	v, order, ok := all.variable(name)
	for _, x := range values {
		switch {
		case x == nil || !ok:
		case order == nil:
			*x = nearestLevel(v, *x)
		case *x != math.Trunc(*x) || *x < 0 || *x >= float64(len(order)):
			*x = math.NaN() // the trial is left out
		default:
			*x = order[int(*x)]
		}
	}
	return v, values, ok, nil
}

// variable is the variable of a distribution; of choices, order has the value of each.
func (d distribution) variable(name string) (v functions.Variable, order []float64, ok bool) {
	a := d.Attributes
	if d.Name == "CategoricalDistribution" {
		if len(a.Choices) > 1000 {
			return v, nil, false
		}
		return levels(name, a.Choices)
	}
	if a.Low == nil || *a.Low == *a.High {
		return v, nil, false
	}
	v = functions.Variable{Name: name, Low: *a.Low, High: *a.High}
	if (a.Log || strings.Contains(d.Name, "Log")) && *a.Low > 0 {
		v.Scale = functions.Log
	}
	step := a.Step
	if step == nil {
		step = a.Q
	}
	switch integer := strings.HasPrefix(d.Name, "Int"); {
	case integer && (step == nil || *step <= 1):
		v.Kind = functions.Integer
	case step != nil && *step > 0:
		if values, fits := grid(*a.Low, *a.High, *step); fits {
			stepped, _, _ := levels(name, values)
			stepped.Scale = v.Scale
			v = stepped
		} else if (v.High-v.Low) / *step < experiment.MaxSteps-1 {
			v.Step = *step
		} else if integer {
			v.Kind = functions.Integer
		}
	}
	return v, nil, true
}

// takeTrials takes the trials that have all variables.
func (r *Run) takeTrials(trials []*optunaTrial, objectives int) {
	left := 0
	for _, t := range trials {
		trial := Trial{Name: fmt.Sprintf("trial %d", t.number), Values: make([]float64, objectives)}
		if slices.Contains(t.x, nil) {
			left++
			continue
		}
		for _, x := range t.x {
			trial.X = append(trial.X, *x)
		}
		for k := range trial.Values {
			v, has := t.values[k]
			trial.Values[k] = v
			if !has || t.state != "COMPLETE" {
				trial.Values[k] = math.NaN()
			}
		}
		switch t.state {
		case "PRUNED":
			trial.Reason = "pruned"
			r.Experiment.Failures = experiment.FailuresIgnored // pruned for their values, not for where they lie
		case "FAIL":
			trial.Reason = "failed"
		}
		r.Trials = append(r.Trials, trial)
	}
	if left > 0 {
		r.Notices = append(r.Notices, numfmt.Count(left, "trial")+" without a value for every parameter left out")
	}
}
