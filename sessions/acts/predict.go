package acts

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions/report"
)

// The bounds of inputs and draws.
const (
	maxInputs = 10_000
	maxDraws  = 1_000_000 // inputs times draws times objectives
)

// PredictArgs are the arguments of predict.
type PredictArgs struct {
	Inputs    []Input   `json:"inputs" items:"1..10000" jsonschema:"inputs with the values of all variables"`
	Quantiles []float64 `json:"quantiles,omitempty" items:"100" jsonschema:"probabilities between 0 and 1 whose quantiles are returned"`
}

// PredictAnswer are predictions, one for each input.
type PredictAnswer struct {
	Step        int           `json:"step" jsonschema:"how many steps the model knows"`
	Predictions []Predictions `json:"predictions" jsonschema:"in the order of the inputs"`
}

// Predictions are those at one input.
type Predictions struct {
	Objectives map[string]PredictedValue `json:"objectives"`
	Limits     map[string]Number         `json:"limits,omitempty" jsonschema:"the probability that each limit is met; success is that an evaluation does not fail"`
	Feasible   *Number                   `json:"feasible,omitempty" jsonschema:"the probability that all limits are met"`
}

// PredictedValue is the prediction of an objective.
type PredictedValue struct {
	Mean      Number   `json:"mean" jsonschema:"on a log scale the median"`
	SD        *Number  `json:"sd,omitempty" jsonschema:"standard deviation"`
	Log10SD   *Number  `json:"log10_sd,omitempty" jsonschema:"on a log scale: the standard deviation of the decimal logarithm"`
	Quantiles []Number `json:"quantiles,omitempty" jsonschema:"in the order of the request"`
}

// Sentence names the prediction at the first input.
func (a PredictAnswer) Sentence() string {
	text := fmt.Sprintf("Predictions at %s after %s.", numfmt.Count(len(a.Predictions), "input"),
		numfmt.Count(a.Step, "step"))
	if len(a.Predictions) == 0 {
		return text
	}
	return text + " The first is " + describeMap(a.Predictions[0].Objectives, func(v PredictedValue) string {
		mean := numfmt.Format(float64(v.Mean))
		switch {
		case v.SD != nil:
			mean += " with a standard deviation of " + numfmt.Format(float64(*v.SD))
		case v.Log10SD != nil:
			mean += " with a standard deviation of the logarithm of " + numfmt.Format(float64(*v.Log10SD))
		}
		return mean
	}) + "."
}

// Predict is the act of predicting outcomes.
var Predict = declare(Act{Name: "predict", Idempotent: true,
	About: "Predict the outcomes at inputs: mean, standard deviation, quantiles, and the probability that limits are met."},
	PredictAt)

// PredictAt predicts the outcomes at inputs.
func PredictAt(ctx context.Context, t Turn, a PredictArgs) (answer PredictAnswer, err error) {
	for _, p := range a.Quantiles {
		if !(p > 0 && p < 1) {
			return answer, wrong("a quantile needs a probability between 0 and 1, got %g", p)
		}
	}
	r, err := t.inspect(ctx, a.Inputs, report.InspectOptions{})
	if err != nil {
		return answer, err
	}
	answer = PredictAnswer{Step: r.Step, Predictions: make([]Predictions, len(a.Inputs))}
	st := t.Session.State()
	for i := range a.Inputs {
		p := Predictions{Objectives: map[string]PredictedValue{}}
		for k, o := range r.Objectives {
			if o.Mean == nil {
				return answer, noBelief(st.Spec.Title, "no predictions")
			}
			v := PredictedValue{Mean: Number(o.Mean[i])}
			g, sd := st.Problem.Objectives[k].Transform(), 0.0
			if o.SD != nil {
				sd, v.SD = float64(o.SD[i]), number(float64(o.SD[i]))
			} else if o.Log10SD != nil {
				sd, v.Log10SD = float64(o.Log10SD[i]), number(float64(o.Log10SD[i]))
			}
			for _, q := range a.Quantiles {
				v.Quantiles = append(v.Quantiles,
					Number(g.FromScale(g.ToScale(float64(o.Mean[i]))+distuv.UnitNormal.Quantile(q)*sd)))
			}
			p.Objectives[o.Name] = v
		}
		for _, l := range r.Limits {
			if p.Limits == nil {
				p.Limits = map[string]Number{}
			}
			p.Limits[l.Name] = Number(l.Values[i])
		}
		if r.Feasible != nil {
			p.Feasible = number(float64(r.Feasible[i]))
		}
		answer.Predictions[i] = p
	}
	return answer, nil
}

// noBelief is the error of a method without a quantity.
func noBelief(title, subject string) error {
	e := NewError(CodeFailed, fmt.Errorf("%s has %s", title, subject))
	e.Hint = "set a method with a model, such as gp-ei"
	return e
}

// inspect evaluates the belief at inputs.
func (t Turn) inspect(ctx context.Context, inputs []Input, q report.InspectOptions) (report.Inspection, error) {
	domain := t.Session.State().Problem.Domain
	for i, in := range inputs {
		values, err := encoding.DecodeMap(domain, in)
		if err != nil {
			return report.Inspection{}, wrong("input %d: %w", i+1, err)
		}
		x, missing := make([]float64, len(domain)), []string(nil)
		for j, v := range domain {
			value, ok := values[v.Name]
			x[j] = value
			if !ok {
				missing = append(missing, v.Name)
			}
		}
		if missing != nil {
			return report.Inspection{}, wrong("input %d needs the values of all variables; missing: %s", i+1,
				strings.Join(missing, ", "))
		}
		if err := domain.Check(x); err != nil {
			return report.Inspection{}, wrong("input %d: %w", i+1, err)
		}
		q.Inputs = append(q.Inputs, x)
	}
	return report.Predict(ctx, t.Session, q, t.Progress)
}

// SampleArgs are the arguments of sample.
type SampleArgs struct {
	Inputs []Input `json:"inputs" items:"1..10000" jsonschema:"inputs with the values of all variables"`
	Count  *int    `json:"count,omitempty" bounds:"1..10000" default:"1" jsonschema:"how many draws"`
	Seed   uint64  `json:"seed,omitempty" jsonschema:"the same seed gives the same draws"`
}

// SampleAnswer are joint draws from the model.
type SampleAnswer struct {
	Step  int                   `json:"step"`
	Draws map[string][][]Number `json:"draws" jsonschema:"by objective: one row a draw, one value an input"`
}

// Sentence counts the draws.
func (a SampleAnswer) Sentence() string {
	for _, rows := range a.Draws {
		return fmt.Sprintf("%s of the model after %s, at %s.", numfmt.Count(len(rows), "joint draw"),
			numfmt.Count(a.Step, "step"), numfmt.Count(len(rows[0]), "input"))
	}
	return "No draws."
}

// Sample is the act of drawing from the model.
var Sample = declare(Act{Name: "sample", Idempotent: true,
	About: "Draw outcomes at inputs jointly from the model."}, SampleAt)

// SampleAt draws outcomes at inputs.
func SampleAt(ctx context.Context, t Turn, a SampleArgs) (answer SampleAnswer, err error) {
	q := report.InspectOptions{Samples: 1, Draw: a.Seed}
	if a.Count != nil {
		q.Samples = *a.Count
	}
	st := t.Session.State()
	if n := q.Samples * len(a.Inputs) * len(st.Problem.Objectives); n > maxDraws {
		return answer, wrong("these would be %d numbers; at most %d at once", n, maxDraws)
	}
	r, err := t.inspect(ctx, a.Inputs, q)
	if err != nil {
		return answer, err
	}
	answer = SampleAnswer{Step: r.Step, Draws: map[string][][]Number{}}
	for _, o := range r.Objectives {
		if o.Samples == nil {
			return answer, noBelief(st.Spec.Title, "no samples")
		}
		rows := make([][]Number, len(o.Samples))
		for i, row := range o.Samples {
			for _, v := range row {
				rows[i] = append(rows[i], Number(v))
			}
		}
		answer.Draws[o.Name] = rows
	}
	return answer, nil
}
