package acts

import (
	"context"
	"slices"
	"time"

	"bandscope/functions/encoding"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// Nothing are no arguments.
type Nothing struct{}

// Place is the current place of a session.
type Place struct {
	Branch string `json:"branch" jsonschema:"the name of the branch"`
	Step   int    `json:"step" jsonschema:"how many steps are done there"`
	Last   int    `json:"last" jsonschema:"how many steps the branch has"`
}

// placeOf is the current place of a session.
func placeOf(s *sessions.Session) (Place, error) {
	st := s.State()
	p := Place{Step: len(st.Iterations), Branch: "main"}
	all, err := s.Branches()
	if err != nil {
		return p, err
	}
	for _, b := range all {
		if b.Current {
			p.Branch, p.Last = b.Name, len(b.State.Iterations)
		}
	}
	return p, nil
}

// StatusAnswer is the state of a session at the end of its branch.
type StatusAnswer struct {
	Problem    string                `json:"problem"`
	Method     string                `json:"method"`
	Seed       uint64                `json:"seed"`
	Steps      int                   `json:"steps" jsonschema:"points with a complete result"`
	Budget     int                   `json:"budget" jsonschema:"the planned number of steps"`
	Cost       *Number               `json:"cost,omitempty" jsonschema:"of all steps, if evaluations differ in cost"`
	CostBudget float64               `json:"cost_budget,omitempty" jsonschema:"limit of the total cost"`
	Left       *int                  `json:"left,omitempty" jsonschema:"points of a finite space that can be suggested"`
	Design     *sessions.DesignPlace `json:"initial_design,omitempty" jsonschema:"the place of the next suggestion in the initial design"`
	Repeats    int                   `json:"repeats,omitempty" jsonschema:"evaluations of points that were evaluated before"`
	Pending    []Point               `json:"pending" jsonschema:"points without a complete result, the oldest first"`
	Stale      bool                  `json:"stale" jsonschema:"a pending point was suggested before the latest result"`
	Best       *BestPoint            `json:"best,omitempty" jsonschema:"the best result, of a single objective"`
	BestMean   *BestPoint            `json:"best_by_the_model,omitempty" jsonschema:"the best posterior mean"`
	Inference  string                `json:"inference,omitempty" jsonschema:"how the model is approximated, unless it is exact"`

	Improvement      *Number   `json:"improvement_left,omitempty" jsonschema:"the largest expected improvement of another result"`
	ImprovementLog10 *Number   `json:"improvement_left_log10,omitempty" jsonschema:"the same for a log scale, in the decimal logarithm"`
	Forecast         *Forecast `json:"forecast,omitempty" jsonschema:"what further runs can gain"`
	Stopping         string    `json:"stopping,omitempty" jsonschema:"the advice on stopping, or why there is none"`

	Front         []BestPoint  `json:"front,omitempty" jsonschema:"for several objectives: results that no other one dominates"`
	ModelFront    []FrontPoint `json:"front_by_the_model,omitempty" jsonschema:"the front of the predicted means"`
	Clusters      []Cluster    `json:"front_clusters,omitempty" jsonschema:"representatives of the front"`
	ModelClusters []Cluster    `json:"front_by_the_model_clusters,omitempty"`
	FrontCaveat   string       `json:"caveat,omitempty" jsonschema:"why the model's front cannot be trusted"`

	Outliers    []Outlier `json:"outliers,omitempty" jsonschema:"results that the others do not predict"`
	Clipped     []Clipped `json:"clipped,omitempty" jsonschema:"values that are too large for the model"`
	Calibration string    `json:"calibration,omitempty" jsonschema:"a problem of the bands"`
	NoModel     string    `json:"no_model,omitempty" jsonschema:"why the model failed"`

	Place   Place          `json:"place"`
	Authors []Contribution `json:"authors,omitempty" jsonschema:"who recorded how much, those who recorded last first"`
	News    *News          `json:"news,omitempty" jsonschema:"what others recorded since the author was last there"`

	state sessions.State
}

// Status is the act of looking at the state of a session.
var Status = declare(Act{Name: "status", Title: "Show the state of a session", Idempotent: true, Fits: true,
	About: "Show the state of a session: steps, pending points, the best results and the improvement that is left."},
	func(ctx context.Context, t Turn, _ Nothing) (StatusAnswer, error) {
		place, err := placeOf(t.Session)
		if err != nil {
			return StatusAnswer{}, err
		}
		defer returnTo(t.Session)()
		a, err := statusOf(ctx, t.Session, t.Progress)
		if err != nil {
			return a, err
		}
		a.Place = place
		a.Stale = slices.ContainsFunc(a.state.Pending, func(it sessions.Iteration) bool {
			return slices.ContainsFunc(a.state.Iterations, func(done sessions.Iteration) bool { return done.Number > it.Number })
		})
		if a.NoModel == "" && a.Steps > 0 {
			a.Calibration, _ = diagnostics.CoverageAlarm(ctx, t.Session)
		}
		return a, ctx.Err()
	})

// returnTo returns a function that takes a session back to its current place.
func returnTo(s *sessions.Session) func() {
	if s.AtEnd() {
		return func() {}
	}
	timeline := s.Timeline()
	if timeline.At >= len(timeline.Stops)-1 {
		return func() {}
	}
	return func() { s.GoTo(timeline.At) }
}

// Outlier is a result that the other results do not predict.
type Outlier struct {
	Point     string `json:"point"`
	Objective string `json:"objective"`
	Z         Number `json:"z" jsonschema:"by how many standard deviations it is above what the others predict"`
}

// Clipped is a value that is too large for the model, for example of a simulation that diverged.
type Clipped struct {
	Point    string `json:"point"`
	Quantity string `json:"quantity" jsonschema:"the objective or the limit"`
	Value    Number `json:"value"`
	Used     Number `json:"used" jsonschema:"the value that the model uses instead"`

	text string
}

// BestPoint is a result, or a prediction of the model.
type BestPoint struct {
	X        Input             `json:"x"`
	Value    map[string]Number `json:"value"`
	SD       *Number           `json:"sd,omitempty" jsonschema:"standard deviation of the prediction"`
	Log10    *Number           `json:"log10_sd,omitempty" jsonschema:"the same for a log scale, of the decimal logarithm"`
	Step     int               `json:"step,omitempty"`
	Feasible *Number           `json:"feasible,omitempty" jsonschema:"probability that all limits are met, according to the model; absent without a limit or a model"`
	// of a prediction
	Extrapolation string `json:"extrapolation,omitempty" jsonschema:"why the best prediction is an extrapolation; absent if it is none"`

	input []float64
}

// status is the part of the state that needs no model.
func (b snapshot) status(s *sessions.Session) StatusAnswer {
	st := b.state
	status := StatusAnswer{Problem: st.Problem.Name, Method: st.Spec.Name, Seed: st.Config.Seed,
		Steps: len(st.Iterations), Budget: st.Config.Budget,
		CostBudget: st.Config.CostBudget, Pending: b.pending, Design: st.NextDesignPlace(), state: st}
	if c, ok := st.PointCount(); ok {
		left := c.Left()
		status.Left = &left
	}
	for _, c := range s.Contributions() {
		status.Authors = append(status.Authors, Contribution{c.Author, c.Suggestions, c.Results, c.Others, c.Last.UTC()})
	}
	status.News = newsFor(s)
	if status.Pending == nil {
		status.Pending = []Point{}
	}
	status.Repeats = report.Repeats(st)
	if st.HasCosts() {
		spent := Number(st.TotalCost())
		status.Cost = &spent
	}
	if len(st.Problem.Objectives) > 1 {
		status.Front = frontFor(st)
		status.Clusters = frontClusters(st, status.Front)
	} else if x, y, step, ok := st.Best(); ok {
		status.Best = &BestPoint{X: encoding.EncodeMap(st.Problem.Domain, x), input: x,
			Value: map[string]Number{st.Problem.Objectives[0].Name: Number(y)}, Step: step}
	}
	return status
}

// statusOf is the state of a session at the end of its branch. It fits the model if necessary; if the fit fails,
// NoModel says why, and all fields that need no model are set. The error is that of the context.
func statusOf(ctx context.Context, s *sessions.Session, progress sessions.Progress) (StatusAnswer, error) {
	b := newSnapshot(s, time.Now())
	st, status := b.state, b.status(s)
	if st.Input().Data.X == nil {
		return status, nil
	}
	for _, c := range diagnostics.ClippedValues(st) {
		status.Clipped = append(status.Clipped,
			Clipped{Point: c.Label, Quantity: c.Quantity.Name, Value: Number(c.Value), Used: Number(c.ClippedTo),
				text: c.String()})
	}
	var a *diagnostics.Summary
	var f *diagnostics.Forecast
	err := parallel.PanicToError(func() (err error) {
		a, err = diagnostics.SummarizeBest(ctx, s, progress)
		if err == nil {
			f, err = diagnostics.ForecastRuns(ctx, s, progress)
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return status, ctx.Err()
	case err != nil:
		status.NoModel = sanitize.Text(err.Error())
	default:
		status.addModel(st, a)
		if st.Exhausted() {
			status.Stopping = st.StopReason()
		} else if !st.Spec.NoBand {
			status.Forecast, status.Stopping = newForecast(st, f), f.Advice()
		}
	}
	return status, nil
}

// addModel adds the best prediction and the expected improvement, or for several objectives the model's front, and the
// outliers.
func (status *StatusAnswer) addModel(st sessions.State, a *diagnostics.Summary) {
	for _, r := range a.Outliers {
		status.Outliers = append(status.Outliers,
			Outlier{Point: r.Label, Objective: st.Problem.Objectives[r.Objective].Name, Z: Number(r.Z)})
	}
	status.Inference = a.Inference
	if len(a.Objectives) > 1 {
		status.ModelFront, status.FrontCaveat = expectedFront(st, a), a.Caveat
		status.ModelClusters = modelClusters(status.ModelFront)
		return
	}
	o := a.Objectives[0]
	limited := st.Problem.LimitedOutputs() != nil
	if status.Best != nil && limited && o.ModelBest != nil {
		p := Number(o.BestFeasible)
		status.Best.Feasible = &p
	}
	if o.ModelBest != nil {
		sd := Number(o.ModelBest.Normals[0].SD)
		status.BestMean = &BestPoint{X: encoding.EncodeMap(st.Problem.Domain, o.ModelBest.X), input: o.ModelBest.X, SD: &sd,
			Value: map[string]Number{o.Name: Number(o.ModelBest.Normals[0].Mean)}, Extrapolation: o.Extrapolation}
		if o.Transform().IsLog() {
			status.BestMean.SD, status.BestMean.Log10 = nil, &sd
		}
		if limited {
			p := Number(o.ModelFeasible)
			status.BestMean.Feasible = &p
		}
	}
	if o.Improvement != nil {
		value := Number(o.Improvement.Value)
		status.Improvement = &value
		if o.Transform().IsLog() {
			status.Improvement, status.ImprovementLog10 = nil, &value
		}
	}
}

func byObjective(st sessions.State, y []float64) map[string]Number {
	m := map[string]Number{}
	for k, o := range st.Problem.Outputs() {
		m[o.Name] = Number(y[k])
	}
	return m
}
