package acts

import (
	"context"
	"fmt"
	"slices"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
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
	Problem    string         `json:"problem"`
	Method     string         `json:"method"`
	Seed       uint64         `json:"seed"`
	Steps      int            `json:"steps" jsonschema:"points with a complete result"`
	Budget     int            `json:"budget" jsonschema:"the planned number of steps"`
	Cost       *report.Number `json:"cost,omitempty" jsonschema:"of all steps, if evaluations differ in cost"`
	CostBudget float64        `json:"cost_budget,omitempty"`
	Left       *int           `json:"left,omitempty" jsonschema:"points of a finite space that can be suggested"`
	// the place of the next new suggestion
	Design   *sessions.DesignPlace `json:"initial_design,omitempty" jsonschema:"the place of the next suggestion in the initial design"`
	Repeats  int                   `json:"repeats,omitempty" jsonschema:"evaluations of points that were evaluated before"`
	Pending  []asktell.Point       `json:"pending" jsonschema:"points without a complete result, the oldest first"`
	Stale    bool                  `json:"stale" jsonschema:"a pending point was suggested before the latest result"`
	Best     *asktell.Best         `json:"best,omitempty" jsonschema:"the best result, of a single objective"`
	BestMean *asktell.Best         `json:"best_by_the_model,omitempty" jsonschema:"the best prediction"`
	// the largest expected improvement of another result, on a log scale in the decimal logarithm
	Improvement      *report.Number       `json:"improvement_left,omitempty"`
	ImprovementLog10 *report.Number       `json:"improvement_left_log10,omitempty"`
	Forecast         *asktell.Forecast    `json:"forecast,omitempty" jsonschema:"what further runs can gain"`
	Stopping         string               `json:"stopping,omitempty" jsonschema:"the advice on stopping, or why there is none"`
	Front            []asktell.Best       `json:"front,omitempty" jsonschema:"results that no other one dominates"`
	ModelFront       []asktell.FrontPoint `json:"front_by_the_model,omitempty"`
	Clusters         []asktell.Cluster    `json:"front_clusters,omitempty" jsonschema:"representatives of the front"`
	ModelClusters    []asktell.Cluster    `json:"front_by_the_model_clusters,omitempty"`
	FrontCaveat      string               `json:"doubt,omitempty" jsonschema:"why the model's front cannot be trusted"`
	Outliers         []asktell.Outlier    `json:"outliers,omitempty" jsonschema:"results that the others do not predict"`
	Clipped          []asktell.Clipped    `json:"clipped,omitempty" jsonschema:"values that are too large for the model"`
	Calibration      string               `json:"calibration,omitempty" jsonschema:"a problem of the bands"`
	NoModel          string               `json:"no_model,omitempty" jsonschema:"why the model failed"`
	Place            Place                `json:"place"`
	// who recorded what, those who recorded last first
	Authors []asktell.Contribution `json:"authors,omitempty" jsonschema:"who recorded how much"`
	News    *asktell.News          `json:"news,omitempty" jsonschema:"what others recorded since the author was last there"`
}

// Sentence says how far the session is, and names the best result.
func (a StatusAnswer) Sentence() string {
	text := fmt.Sprintf("%s with %s: %d of %s, %s.", a.Problem, a.Method, a.Steps, numfmt.Count(a.Budget, "step"),
		numfmt.Count(len(a.Pending), "pending point"))
	if a.Design != nil {
		text += " The next suggestion is " + a.Design.String() + "."
	}
	switch {
	case a.NoModel != "":
		return text + " The model failed: " + a.NoModel + "."
	case a.Stopping != "":
		return text + " " + capitalized(a.Stopping) + "."
	case a.Best != nil:
		return text + " Best so far: " + describeValues(a.Best.Value) + "."
	case a.Front != nil:
		return text + fmt.Sprintf(" %s on the Pareto front.", numfmt.Count(len(a.Front), "result"))
	}
	return text
}

// Status is the act of looking at the state of a session.
var Status = declare(Act{Name: "status", Idempotent: true,
	About: "Show the state of a session: steps, pending points, the best results and the improvement that is left."},
	func(ctx context.Context, t Turn, _ Nothing) (StatusAnswer, error) { return StatusOf(ctx, t) })

// StatusOf is the state of a session at the end of its branch; the session stays at its place.
func StatusOf(ctx context.Context, t Turn) (a StatusAnswer, err error) {
	place, err := placeOf(t.Session)
	if err != nil {
		return a, err
	}
	defer returnTo(t.Session)()
	s, err := asktell.StatusFor(ctx, t.Session, t.Progress)
	if err != nil {
		return a, err
	}
	a = StatusAnswer{Problem: s.Problem, Method: s.Optimizer, Seed: s.Seed, Steps: s.Steps, Budget: s.Budget,
		Cost: s.Cost, CostBudget: s.CostBudget, Repeats: s.Repeats, Pending: s.Pending, Best: s.Best,
		Left: s.Left, Design: s.Design,
		BestMean: s.BestMean, Improvement: s.Improvement, ImprovementLog10: s.ImprovementLog10, Stopping: s.Stopping,
		Forecast: s.Forecast,
		Front:    s.Front, ModelFront: s.ModelFront, FrontCaveat: s.FrontCaveat, Clusters: s.Clusters,
		ModelClusters: s.ModelClusters, Outliers: s.Outliers, Clipped: s.Clipped,
		NoModel: s.NoModel, Place: place, Authors: s.Authors, News: s.News}
	a.Stale = slices.ContainsFunc(t.Session.State().Pending, func(it sessions.Iteration) bool {
		return slices.ContainsFunc(t.Session.State().Iterations, func(done sessions.Iteration) bool {
			return done.Number > it.Number
		})
	})
	if s.NoModel == "" && s.Steps > 0 {
		a.Calibration, _ = diagnostics.CoverageAlarm(ctx, t.Session)
	}
	return a, ctx.Err()
}

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
