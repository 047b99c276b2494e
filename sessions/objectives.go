package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/recorder"
)

// ErrFixedObjectives is returned (wrapped) where the objectives of a test function are to be others.
var ErrFixedObjectives = errors.New("a test function's objectives are fixed; those of your own experiment are not")

// ErrPreferences is returned (wrapped) where other objectives would change what answers or a prior over weights mean.
var ErrPreferences = errors.New("the objectives cannot be changed")

// kindDeclared is the kind of event after which an experiment has other objectives: one more, one less, one in the
// other direction, or one of which something else is expected.
const kindDeclared = "declared"

var _ = register(kindDeclared, kind{fold: recorder.FoldData((*State).declare), text: describeData(declaredText),
	followUps: State.observeComplete})

type declaredData struct {
	Objectives []functions.Objective `json:"objective"` // all of them, in their order
	Optimizer  string                `json:"optimizer"` // that goes on
	Params     map[string]any        `json:"params"`    // all of its parameters

	Limits *[]functions.Objective `json:"limit,omitempty"` // all of them; absent where they stay as they are
}

// declare folds other objectives. All data stay: unknown values of an objective are missing, and the values of a
// dropped objective return with it.
func (st *State) declare(d declaredData) error {
	if st.Config.Experiment == nil {
		return fmt.Errorf("%s: %w", st.Problem.Name, ErrFixedObjectives)
	}
	cfg := st.Config
	cfg.Experiment = withObjectives(cfg.Experiment, d.Objectives)
	if d.Limits != nil {
		cfg.Experiment.Limits = *d.Limits
	}
	cfg.Optimizer, cfg.Params = d.Optimizer, d.Params
	cfg, _ = cfg.dropUnknownParams()
	set, err := find(cfg, true)
	if err != nil {
		return err
	}
	was := st.Problem
	st.Config = set.config
	st.Problem = set.problem
	st.Spec = set.spec
	st.Params = set.params
	st.modelID = st.Head
	st.Range = st.Range.forObjectives(was, st.Problem)
	m := newObjectiveMapping(was, st.Problem, st.dropped)
	iterations, used := recorder.CopyShared(st.Iterations) // earlier states keep theirs
	st.Pending = slices.Clone(st.Pending)
	for _, list := range [][]Iteration{iterations, st.Pending} {
		for i := range list {
			m.move(&list[i])
		}
	}
	st.Iterations = iterations
	st.used = used
	st.dropped = m.dropped
	return nil
}

// declaredText describes other objectives.
func declaredText(_ State, d declaredData) string {
	list := make([]string, len(d.Objectives))
	for k, o := range d.Objectives {
		list[k] = string(o.Direction) + " " + o.Name
	}
	text := "the objectives are now to " + strings.Join(list, " and to ")
	for _, o := range d.limited() {
		text += ", " + o.Name + " " + o.LimitText()
	}
	return text + ", with " + d.Optimizer
}

// observeComplete records observations that are complete, because of a correction or of other objectives.
func (st State) observeComplete() []recorder.Entry {
	var list []recorder.Entry
	for _, it := range st.Pending {
		if !it.complete() {
			continue
		}
		parts := make([]functions.Outcome, len(it.Points))
		for i := range parts {
			parts[i] = it.partialOutcome(i)
		}
		if d, err := st.observation(it, parts); err == nil {
			d.Of = it.ID
			list = append(list, recorder.Entry{Kind: kindObserved, Data: d})
		}
	}
	return append(list, st.freezeRange()...)
}

// complete reports whether all results of an iteration are reported.
func (it Iteration) complete() bool { return it.HasResults() && !it.Incomplete() }

func withObjectives(d *experiment.Declaration, list []functions.Objective) *experiment.Declaration {
	other := *d
	other.Objectives = list
	return &other
}

// objectiveKey names an objective that was dropped: with another unit it is another one.
type objectiveKey struct{ name, unit string }

// reading is a value with its standard error.
type reading struct{ y, se float64 }

// droppedValues are the values of dropped objectives, by the id of the iteration, for each of its points.
type droppedValues map[objectiveKey]map[string][]reading

// objectiveMapping takes data of some objectives to those of others.
type objectiveMapping struct {
	was, is []functions.Objective
	from    []int // of each objective that is, where it was; −1 where it was not
	dropped droppedValues
}

func newObjectiveMapping(was, current *functions.Problem, laid droppedValues) *objectiveMapping {
	c := &objectiveMapping{was: was.Outputs(), is: current.Outputs(), dropped: maps.Clone(laid)}
	if c.dropped == nil {
		c.dropped = droppedValues{}
	}
	names := objectiveNames(was)
	for _, o := range c.is {
		c.from = append(c.from, slices.Index(names, o.Name))
	}
	for k, o := range c.was {
		if !slices.Contains(c.from, k) {
			c.dropped[objectiveKey{o.Name, o.Unit}] = map[string][]reading{}
		}
	}
	return c
}

// move takes an iteration to the other objectives. What it shares with others stays.
func (c *objectiveMapping) move(it *Iteration) {
	old := *it
	it.Points = slices.Clone(it.Points)
	if c.from[0] != 0 { // the predictions were of the first objective
		for i := range it.Points {
			it.Points[i].Mean, it.Points[i].SD = math.NaN(), math.NaN()
		}
	}
	if len(c.was) != len(c.is) {
		it.Weights = nil
	}
	if !it.HasResults() {
		return
	}
	for k, o := range c.was {
		if slices.Contains(c.from, k) {
			continue
		}
		list := make([]reading, len(it.Points))
		for i := range list {
			list[i] = reading{it.Points[i].Y[k], math.NaN()}
			if it.Points[i].SE != nil {
				list[i].se = it.Points[i].SE[k]
			}
		}
		c.dropped[objectiveKey{o.Name, o.Unit}][it.ID] = list
	}
	for i := range it.Points {
		pt := &it.Points[i]
		pt.Y, pt.SE, pt.Missing = c.row(old, i)
		pt.Truth = c.truth(pt.Truth)
		pt.Failed = !functions.Finite(pt.Y)
		if !pt.Failed { // what failed is not asked for any more
			pt.Reason = ""
		}
	}
	if !slices.ContainsFunc(it.Points, func(pt Point) bool { return anyKnown(pt.SE) }) {
		for i := range it.Points {
			it.Points[i].SE = nil
		}
	}
}

// row are the values of a point for the new objectives, and the names of the missing ones. A failed point misses
// nothing.
func (c *objectiveMapping) row(it Iteration, i int) (y, se []float64, missing []string) {
	failed := it.Points[i].Failed && !it.IncompleteAt(i)
	y, se = nanValues(len(c.is)), nanValues(len(c.is))
	for k, o := range c.is {
		if from := c.from[k]; from >= 0 {
			y[k] = it.Points[i].Y[from]
			if it.Points[i].SE != nil {
				se[k] = it.Points[i].SE[from]
			}
		} else if list := c.dropped[objectiveKey{o.Name, o.Unit}][it.ID]; i < len(list) {
			y[k], se[k] = list[i].y, list[i].se
		}
		if math.IsNaN(y[k]) && !failed {
			missing = append(missing, o.Name)
		}
	}
	return y, se, missing
}

// truth are the values without noise; nil if one of them is unknown.
func (c *objectiveMapping) truth(values []float64) (all []float64) {
	if values == nil || slices.Contains(c.from, -1) {
		return nil
	}
	for _, from := range c.from {
		all = append(all, values[from])
	}
	return all
}

// forObjectives is the range for the current objectives of a problem. It is nil if there is a new objective without a
// declared range: it is computed again then.
func (r *Range) forObjectives(was, current *functions.Problem) *Range {
	if len(current.Objectives) < 2 {
		return nil
	}
	if r == nil {
		return declaredRange(current)
	}
	next := &Range{From: r.From, Points: r.Points}
	names := objectiveNames(&functions.Problem{Objectives: was.Objectives})
	for _, o := range current.Objectives {
		var ends [2]float64
		k := slices.Index(names, o.Name)
		switch other := o.Range != nil && (k < 0 || !sameRange(o.Range, was.Objectives[k].Range) ||
			o.Scale != was.Objectives[k].Scale); {
		case other && o.Direction == functions.Maximize:
			ends = [2]float64{o.Range[1], o.Range[0]}
		case other:
			ends = *o.Range
		case k < 0:
			return nil
		case was.Objectives[k].Direction == o.Direction:
			ends = [2]float64{r.Best[k], r.Worst[k]}
		default:
			ends = [2]float64{r.Worst[k], r.Best[k]}
		}
		next.Best, next.Worst = append(next.Best, ends[0]), append(next.Worst, ends[1])
	}
	return next
}

// sameRange reports whether the same is expected.
func sameRange(a, b *[2]float64) bool { return a == b || a != nil && b != nil && *a == *b }

// sameButNoise reports whether results, and preferences between them, have the same meaning for two objectives.
func sameButNoise(a, b functions.Objective) bool {
	return a.Name == b.Name && a.Unit == b.Unit && a.Direction == b.Direction && a.Scale == b.Scale &&
		sameRange(a.Range, b.Range)
}

// AddObjective adds an objective from here on. Earlier results miss it until it is reported, and are not given to the
// method until then; if the objective was dropped before, its earlier values are known again. method names another
// method to continue with; without a name the method stays, and the error names others if it does not support so many
// objectives.
func (s *Session) AddObjective(o functions.Objective, method string) error {
	return s.declare(method, func(list []functions.Objective) ([]functions.Objective, error) {
		return append(slices.Clip(list), o), nil
	})
}

// DropObjective drops an objective from here on. Its values stay on record. method is as in AddObjective.
func (s *Session) DropObjective(name, method string) error {
	return s.declare(method, func(list []functions.Objective) ([]functions.Objective, error) {
		k, err := objectiveAt(list, name)
		if err != nil {
			return nil, err
		}
		if len(list) == 1 {
			return nil, fmt.Errorf("%s is the only objective: add another one first", name)
		}
		return slices.Concat(list[:k], list[k+1:]), nil
	})
}

// ReverseObjective changes the direction of an objective from here on.
func (s *Session) ReverseObjective(name string) error {
	return s.alterObjective(name, func(o *functions.Objective) {
		if o.Direction == functions.Maximize {
			o.Direction = functions.Minimize
		} else {
			o.Direction = functions.Maximize
		}
	})
}

// SetExpectation declares the expectations of an objective from here on, by its name: its range, nil if
// unknown, its scale, the standard deviation of its noise and the smallest worthwhile improvement, 0 if unknown. With
// several objectives a new range is also the range by which outcomes are measured; without one the old range stays.
func (s *Session) SetExpectation(objective functions.Objective) error {
	return s.alterObjective(objective.Name, func(o *functions.Objective) {
		o.Range = objective.Range
		o.Scale = objective.Scale
		o.Noise = objective.Noise
		o.Worthwhile = objective.Worthwhile
	})
}

// alterObjective declares one of the objectives otherwise.
func (s *Session) alterObjective(name string, alter func(*functions.Objective)) error {
	return s.declare("", func(list []functions.Objective) ([]functions.Objective, error) {
		k, err := objectiveAt(list, name)
		if err != nil {
			return nil, err
		}
		list = slices.Clone(list)
		alter(&list[k])
		return list, nil
	})
}

func objectiveAt(list []functions.Objective, name string) (int, error) {
	names := objectiveNames(&functions.Problem{Objectives: list})
	if k := slices.Index(names, name); k >= 0 {
		return k, nil
	}
	return 0, didyoumean.NewUnknownError("objective", name, names)
}

// declare records other objectives.
func (s *Session) declare(method string, other func([]functions.Objective) ([]functions.Objective, error)) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		st := *s.rec.State()
		if st.Config.Experiment == nil {
			return nil, fmt.Errorf("%s: %w", st.Problem.Name, ErrFixedObjectives)
		}
		before := st.Config.Experiment.Objectives
		list, err := other(before)
		if err != nil {
			return nil, err
		}
		if reflect.DeepEqual(list, before) {
			return nil, errors.New("the objectives are already declared this way")
		}
		if !slices.EqualFunc(list, before, sameButNoise) {
			if err := st.checkNoPreferences(); err != nil {
				return nil, err
			}
		}
		st.Config.Experiment = withObjectives(st.Config.Experiment, list)
		if err := st.Config.Experiment.Check(); err != nil {
			return nil, err
		}
		st.Problem = st.Config.Experiment.Problem()
		set, err := st.withOptimizer(cmp.Or(method, st.Spec.Name))
		if err != nil {
			return nil, err
		}
		return []recorder.Entry{{Kind: kindDeclared,
			Data: declaredData{Objectives: list, Optimizer: set.spec.Name, Params: set.config.Params}}}, nil
	})
	return err
}

// checkNoPreferences says what would mean something else under other objectives: answers, which were given in view of
// those that there are, and a prior over weights.
func (st State) checkNoPreferences() error {
	n := 0
	for _, c := range st.Answers {
		if !c.Retracted && c.Choice != Unsure {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%w while there are answers about them; take back %s first", ErrPreferences,
			numfmt.Count(n, "answer"))
	}
	d, ok := st.Params.ByRole(optimizers.RolePrior)
	if !ok {
		return nil
	}
	flat := param.Defaults(st.Spec.ParamsFor(len(st.Problem.Objectives))).Value(d.Key)
	if st.Params.Value(d.Key) != flat {
		return fmt.Errorf("%w: the prior over weights %v depends on them; set it to %v first", ErrPreferences,
			st.Params.Value(d.Key), flat)
	}
	return nil
}
