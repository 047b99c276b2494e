package asktell

import (
	"context"
	"time"

	"bandscope/functions/encoding"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// Status is how a session stands.
type Status struct {
	Problem    string         `json:"problem"`
	Optimizer  string         `json:"optimizer"`
	Seed       uint64         `json:"seed"`
	Steps      int            `json:"steps"`
	Budget     int            `json:"budget"`
	Cost       *report.Number `json:"cost,omitempty"`        // of all steps, where it counts
	CostBudget float64        `json:"cost_budget,omitempty"` // what they may cost together
	Pending    []Point        `json:"out"`
	Best       *Best          `json:"best"` // of a single objective: the best result
	// where the model expects most; null where it expects nothing
	BestMean *Best `json:"best_by_the_model"`
	// the greatest that is expected of another result
	Improvement *report.Number `json:"improvement_left,omitempty"`
	// in its place, where factors count: by how much the decimal logarithm is better
	ImprovementLog10 *report.Number `json:"improvement_left_log10,omitempty"`
	// the same in words, or why the model is not to be believed
	Stopping string `json:"stopping,omitempty"`
	// the results that the model does not understand
	Outliers []Outlier `json:"strangers,omitempty"`
	Clipped  []Clipped `json:"clipped,omitempty"` // the results that are too large for the model
	// why nothing is said by the model, where it failed
	NoModel string `json:"no_model,omitempty"`
	// of several objectives: the results that no other beats
	Front       []Best       `json:"front,omitempty"`
	ModelFront  []FrontPoint `json:"front_by_the_model,omitempty"`
	FrontCaveat string       `json:"doubt,omitempty"` // of several objectives: why the model is not to be believed
}

// Outlier is a result that the others would not say.
type Outlier struct {
	Point     string        `json:"point"`
	Objective string        `json:"objective"`
	Z         report.Number `json:"z"` // by how many standard deviations it is above what the others predict
}

// Clipped is a value that is too large for the model, as that of a simulation that diverged.
type Clipped struct {
	Point  string        `json:"point"`
	Of     string        `json:"of"` // the objective or the limit
	Value  report.Number `json:"value"`
	As     report.Number `json:"as"`     // what the model takes it as
	Remedy string        `json:"remedy"` // the correction that withdraws it, if the evaluation failed
	text   string
}

// String says the same in a sentence.
func (c Clipped) String() string { return c.text }

// Best is a result, or what the model expects.
type Best struct {
	X     map[string]encoding.Value `json:"x"`
	Value map[string]report.Number  `json:"value"`
	SD    *report.Number            `json:"sd,omitempty"` // standard deviation of what the model expects
	// in its place, where factors count: that of the decimal logarithm
	Log10 *report.Number `json:"log10_sd,omitempty"`
	Step  int            `json:"step,omitempty"`

	input []float64
}

// Input is where it is, in the order of the variables.
func (b Best) Input() []float64 { return b.input }

// StatusFor tells how a session stands at the end of its branch. It fits the model if need be; where that fails,
// NoModel says why, and all that does not depend on a model is there. The error is that of the context.
func StatusFor(ctx context.Context, s *sessions.Session, progress sessions.Progress) (Status, error) {
	b := newSnapshot(s, time.Now())
	st := b.state
	status := Status{Problem: st.Problem.Name, Optimizer: st.Spec.Name, Seed: st.Config.Seed,
		Steps: len(st.Iterations), Budget: st.Config.Budget,
		CostBudget: st.Config.CostBudget, Pending: b.pending}
	if status.Pending == nil {
		status.Pending = []Point{}
	}
	if st.HasCosts() {
		spent := report.Number(st.TotalCost())
		status.Cost = &spent
	}
	if len(st.Problem.Objectives) > 1 {
		status.Front = frontFor(st)
	} else if x, y, step, ok := st.Best(); ok {
		status.Best = &Best{X: encoding.EncodeMap(st.Problem.Domain, x), input: x,
			Value: map[string]report.Number{st.Problem.Objectives[0].Name: report.Number(y)}, Step: step}
	}
	if st.Input().Data.X == nil {
		return status, nil
	}
	for _, c := range diagnostics.ClippedValues(st) {
		status.Clipped = append(status.Clipped,
			Clipped{Point: c.Label, Of: c.Quantity.Name, Value: report.Number(c.Value), As: report.Number(c.ClippedTo),
				Remedy: c.Remedy(), text: c.String()})
	}
	var a *diagnostics.Summary
	err := parallel.PanicToError(func() (err error) {
		a, err = diagnostics.Summarize(ctx, s, progress)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return status, ctx.Err()
	case err != nil:
		status.NoModel = sanitize.Text(err.Error())
	default:
		status.addModel(st, a)
	}
	return status, nil
}

// addModel tells what the model expects at its best and of another result, or of several objectives on its front, and
// which results it does not understand.
func (status *Status) addModel(st sessions.State, a *diagnostics.Summary) {
	for _, r := range a.Outliers {
		status.Outliers = append(status.Outliers,
			Outlier{Point: r.Label, Objective: st.Problem.Objectives[r.Objective].Name, Z: report.Number(r.Z)})
	}
	if len(a.Objectives) > 1 {
		status.ModelFront, status.FrontCaveat = expectedFront(st, a), a.Caveat
		return
	}
	o := a.Objectives[0]
	if o.ModelBest != nil {
		sd := report.Number(o.ModelBest.Normals[0].SD)
		status.BestMean = &Best{X: encoding.EncodeMap(st.Problem.Domain, o.ModelBest.X), input: o.ModelBest.X, SD: &sd,
			Value: map[string]report.Number{o.Name: report.Number(o.ModelBest.Normals[0].Mean)}}
		if o.Transform().IsLog() {
			status.BestMean.SD, status.BestMean.Log10 = nil, &sd
		}
	}
	if o.Improvement != nil {
		value := report.Number(o.Improvement.Value)
		if status.Improvement, status.Stopping = &value, a.StoppingAdvice(0); o.Transform().IsLog() {
			status.Improvement, status.ImprovementLog10 = nil, &value
		}
	}
}

func byObjective(st sessions.State, y []float64) map[string]report.Number {
	m := map[string]report.Number{}
	for k, o := range st.Problem.Outputs() {
		m[o.Name] = report.Number(y[k])
	}
	return m
}
