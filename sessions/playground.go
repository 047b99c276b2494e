package sessions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// The variable and the value of a playground. The range of the value is ±2, so that its scale is 1: the hyperparameters
// of beliefs are in units of the plot.
const (
	playgroundName  = "playground"
	playgroundRange = 2
)

// PlaygroundConfig is the configuration of an empty playground with a belief: the method that makes it, empty for the
// default, and its changed parameters.
func PlaygroundConfig(belief BeliefConfig, seed uint64) Config {
	d := &experiment.Declaration{Name: playgroundName, Failures: experiment.FailuresIgnored,
		Variables: functions.Domain{{Name: "x", Low: 0, High: 1}},
		Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize,
			Range: &[2]float64{-playgroundRange, playgroundRange}}}}
	return Config{Problem: d.Name, Experiment: d, Optimizer: belief.Optimizer, Params: belief.Params, Seed: seed,
		Failures: experiment.FailuresIgnored, Playground: true}
}

// checkPlayground returns an error if the configuration is a playground on a problem that none can have.
func (c Config) checkPlayground(p *functions.Problem) error {
	if !c.Playground {
		return nil
	}
	if v := p.Domain[0]; p.Truth != nil || p.Dim() > 1 || v.Kind != functions.Real || v.Scale == functions.Log ||
		len(p.Outputs()) > 1 || p.Objectives[0].Scale == functions.Log || p.Objectives[0].Range == nil {
		return fmt.Errorf("a playground has one real variable and one objective with a range, both without a logarithmic scale; %s is different", p.Name)
	}
	return nil
}

// BeliefConfig says what makes a belief: a method, with its parameters that differ from their defaults.
type BeliefConfig struct {
	Optimizer string         `json:"optimizer"`
	Params    map[string]any `json:"params"`
}

// kindConfigured is the kind of event that changes the beliefs of a playground.
const kindConfigured = "configured"

var _ = register(kindConfigured, kind{fold: recorder.FoldData((*State).configure), text: describeData(configuredText),
	changesBelief: true})

type configuredData struct {
	BeliefConfig               // with all parameters
	Second       *BeliefConfig `json:"second,omitempty"` // the belief over which the first is drawn; absent for none
}

// configure folds other beliefs of a playground.
func (st *State) configure(d configuredData) error {
	if !st.Config.Playground {
		return errNoPlayground
	}
	set, err := st.withBelief(d.BeliefConfig)
	if err != nil {
		return err
	}
	if d.Second != nil {
		if _, err := st.withBelief(*d.Second); err != nil {
			return err
		}
	}
	st.Config = set.config
	st.Spec = set.spec
	st.Params = set.params
	st.Second = d.Second
	return nil
}

// errNoPlayground is the error for an act that only playgrounds have.
var errNoPlayground = errors.New("the session is not a playground")

// withBelief is the state's configuration with another belief, on record.
func (st State) withBelief(b BeliefConfig) (setup, error) {
	cfg := st.Config
	cfg.Optimizer, cfg.Params = b.Optimizer, b.Params
	known, _ := cfg.dropUnknownParams()
	return find(known, true)
}

// configuredText describes other beliefs.
func configuredText(_ State, d configuredData) string {
	text := "the belief is " + d.Optimizer
	if d.Second != nil {
		text += ", and the second is " + d.Second.Optimizer
	}
	return text
}

// Belief returns what makes the belief of the state.
func (st State) Belief() BeliefConfig { return BeliefConfig{st.Spec.Name, st.Params.Changed()} }

// Adjust returns a belief with other parameters, which change returns given the current ones.
func (st State) Adjust(b BeliefConfig, change func(param.Set) []optimizers.Setting) (BeliefConfig, error) {
	cfg := st.Config
	cfg.Optimizer, cfg.Params = b.Optimizer, b.Params
	set, err := resolve(cfg)
	if err != nil {
		return b, err
	}
	params := set.params
	for _, s := range change(params) {
		params, err = params.WithText(s.Key, s.Text)
		if err != nil {
			return b, err
		}
	}
	set.params, err = set.state("").check(params)
	if err != nil {
		return b, err
	}
	return BeliefConfig{set.spec.Name, params.Changed()}, nil
}

// ParamsOf returns the parameters of a belief, all of them.
func (st State) ParamsOf(b BeliefConfig) (*optimizers.Spec, param.Set, error) {
	cfg := st.Config
	cfg.Optimizer, cfg.Params = b.Optimizer, b.Params
	set, err := resolve(cfg)
	return set.spec, set.params, err
}

// SetBeliefs changes the beliefs of a playground in one act; second is nil for none.
func (s *Session) SetBeliefs(first BeliefConfig, second *BeliefConfig) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		st := s.rec.State()
		if !st.Config.Playground {
			return nil, errNoPlayground
		}
		d := configuredData{}
		for _, b := range []struct {
			from *BeliefConfig
			to   func(BeliefConfig)
		}{{&first, func(c BeliefConfig) { d.BeliefConfig = c }}, {second, func(c BeliefConfig) { d.Second = &c }}} {
			if b.from == nil {
				continue
			}
			spec, params, err := st.ParamsOf(*b.from)
			if err != nil {
				return nil, err
			}
			all := map[string]any{}
			for _, decl := range params.Decls() {
				all[decl.Key] = params.Value(decl.Key)
			}
			b.to(BeliefConfig{spec.Name, all})
		}
		return []recorder.Entry{{Kind: kindConfigured, Data: d}}, nil
	})
	return err
}

// playgroundStops are the events between which a playground is stepped back and forth: every act is one, and up to the
// last page of a lesson every page.
func (s *Session) playgroundStops() []*eventlog.Event {
	events, page := s.rec.PathToTip(), -1
	for i, e := range events {
		if s.rec.IsPage(e) {
			page = i
		}
	}
	var stops []*eventlog.Event
	for i, e := range events {
		// an observation follows its suggestion in the same act
		act := i == 0 || kinds[e.Kind].changesBelief && e.Kind != kindSuggested || e == s.rec.Tip
		if s.rec.IsPage(e) || act && i > page {
			stops = append(stops, e)
		}
	}
	return stops
}

// Results lists the observed points of a playground that are not withdrawn.
func (st State) Results() (list []PlaygroundResult) {
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			if !pt.Failed {
				list = append(list, PlaygroundResult{it.Step, i, pt.X[0], pt.Y[0]})
			}
		}
	}
	return list
}

// PlaygroundResult is a result of a playground with its place in the record.
type PlaygroundResult struct {
	Step, Point int // as Correct takes them
	X, Y        float64
}

// AddResult records a result of a playground.
func (s *Session) AddResult(x, y float64) error {
	if !functions.Finite([]float64{x, y}) {
		return fmt.Errorf("a result must be finite, got %g at %g", y, x)
	}
	_, err := s.Record(ByPerson, [][]float64{{x}}, functions.Outcome{Values: []float64{y}})
	return err
}

// MoveResult records another place and value of a result of a playground, in one act.
func (s *Session) MoveResult(r PlaygroundResult, x, y float64) error {
	if !functions.Finite([]float64{x, y}) {
		return fmt.Errorf("a result must be finite, got %g at %g", y, x)
	}
	o := functions.Outcome{Values: []float64{y}}
	if x != r.X {
		o.At = []float64{x}
	}
	return s.CorrectOutcome(r.Step, r.Point, o, "")
}

// RemoveResult withdraws a result of a playground.
func (s *Session) RemoveResult(r PlaygroundResult) error { return s.Correct(r.Step, r.Point, nil, "") }

// WithResults returns the state as it would be with other results; nothing is recorded. The results keep their places in
// the record; one with step 0 is new.
func (st State) WithResults(results []PlaygroundResult) State {
	st.Iterations = make([]Iteration, len(results))
	for i, r := range results {
		st.Iterations[i] = Iteration{Step: i + 1, Number: i + 1, By: ByPerson,
			Points: []Point{{X: []float64{r.X}, Y: []float64{r.Y}, Mean: math.NaN(), SD: math.NaN(),
				Acquisition: math.NaN()}}}
	}
	st.used = nil
	return st
}

// Preview is the state with another belief and other results, as a source of pictures; nothing of it is recorded or
// cached.
type Preview struct{ state State }

// Preview returns a preview of the state with a belief and results.
func (st State) Preview(b BeliefConfig, results []PlaygroundResult) (*Preview, error) {
	spec, params, err := st.ParamsOf(b)
	if err != nil {
		return nil, err
	}
	st = st.WithResults(results)
	st.Spec = spec
	st.Params = params
	st.Pending = nil
	return &Preview{st}, nil
}

// State is the state of the preview.
func (p *Preview) State() State { return p.state }

// Belief fits the belief. Its random draws do not depend on the number of results, so that samples and networks change
// little when a result is added or moved.
func (p *Preview) Belief(ctx context.Context, progress Progress) (optimizers.Belief, error) {
	in := p.state.Input()
	in.Step, in.Progress = 0, progress
	return p.state.Spec.Fit(ctx, in)
}

// SearchConfig is the configuration of a search on the results of a playground: its belief suggests where to look for
// the least value, and a person evaluates.
func (st State) SearchConfig() Config {
	cfg := st.Config
	cfg.Playground, cfg.Params = false, maps.Clone(st.Params.Changed())
	return cfg
}

// NewSearch starts a session that searches on from the results of a playground, which are its first iterations.
func (st State) NewSearch(ctx context.Context) (*Session, error) {
	s, err := New(ctx, st.SearchConfig())
	if err != nil {
		return nil, err
	}
	for _, r := range st.Results() {
		_, err = s.Record(ByImport, [][]float64{{r.X}}, functions.Outcome{Values: []float64{r.Y}})
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// DescribeBelief names a belief: the method's title, and the assumptions that differ from its defaults.
func (st State) DescribeBelief(b BeliefConfig) string {
	spec, params, err := st.ParamsOf(b)
	if err != nil {
		return b.Optimizer
	}
	var parts []string
	for _, d := range params.Decls() {
		v := params.Value(d.Key)
		if v != d.Default && slices.Contains([]param.Role{optimizers.RoleAssumption, optimizers.RoleBand}, d.Role) {
			parts = append(parts, d.Format(v))
		}
	}
	return strings.TrimSpace(spec.Title + " " + strings.Join(parts, ", "))
}
