package acts

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/report"
)

// maxDraws bounds the numbers that are drawn.
const maxDraws = 1_000_000 // inputs times draws times objectives

// PredictArgs are the arguments of predict.
type PredictArgs struct {
	Inputs    []Input   `json:"inputs" short:"x" items:"1..10000" words:"inputs" jsonschema:"inputs with the values of all variables"`
	Quantiles []float64 `json:"quantiles,omitempty" items:"100" jsonschema:"probabilities between 0 and 1 whose quantiles are returned, such as 0.05 and 0.95"`
	Samples   int       `json:"samples,omitempty" bounds:"0..10000" jsonschema:"how many outcomes are drawn jointly from the model"`
	Seed      uint64    `json:"seed,omitempty" jsonschema:"seed of the draws; the same seed gives the same draws"`
	Step      *int      `json:"step,omitempty" bounds:"0..10000000" jsonschema:"predict with the model after this step; without it the present one"`
}

// PredictAnswer are predictions, one for each input.
type PredictAnswer struct {
	Step        int           `json:"step" jsonschema:"how many steps the model knows"`
	Predictions []Predictions `json:"predictions" jsonschema:"in the order of the inputs"`

	Draws map[string][][]Number `json:"draws,omitempty" jsonschema:"by objective: one row a draw, one value an input"`

	state  sessions.State
	inputs [][]float64
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

// Text has a line for each input, and for each draw.
func (a PredictAnswer) Text() string {
	var lines []string
	for i, p := range a.Predictions {
		if len(p.Objectives) > 0 {
			lines = append(lines, inputText(a.state, a.inputs[i], functions.Variable.Text)+":"+p.text(a.state))
		}
	}
	outputs := a.state.Problem.Objectives
	for i := range a.Draws[outputs[0].Name] {
		line := fmt.Sprintf("draw %d:", i+1)
		for _, o := range outputs {
			for _, v := range a.Draws[o.Name][i] {
				line += "  " + o.Name + " = " + numfmt.Format(float64(v))
			}
		}
		lines = append(lines, line)
	}
	return textOf(lines...)
}

// text are the predictions at one input.
func (p Predictions) text(st sessions.State) (text string) {
	for _, o := range st.Problem.Objectives {
		v := p.Objectives[o.Name]
		sd := 0.0
		if deviation := cmp.Or(v.SD, v.Log10SD); deviation != nil {
			sd = float64(*deviation)
		}
		text += fmt.Sprintf("  %s = %s%s", o.Name, strings.TrimSpace(numfmt.Format(float64(v.Mean))+" "+o.Unit),
			o.Transform().FormatSD(float64(v.Mean), sd, numfmt.Format))
		if len(v.Quantiles) > 0 {
			parts := make([]string, len(v.Quantiles))
			for j, q := range v.Quantiles {
				parts[j] = numfmt.Format(float64(q))
			}
			text += " [" + strings.Join(parts, ", ") + "]"
		}
	}
	if p.Feasible != nil {
		text += fmt.Sprintf("  within all limits: %.0f %%", 100*float64(*p.Feasible))
	}
	return text
}

// Predict is the act of predicting outcomes.
var Predict = declare(Act{Name: "predict", Title: "Predict outcomes at inputs, or draw them",
	Idempotent: true, Fits: true,
	About: "Predict the outcomes at inputs: mean, standard deviation, quantiles, and the probability that limits are met; or draw them jointly from the model."},
	predict)

// predict predicts the outcomes at inputs.
func predict(ctx context.Context, t Turn, a PredictArgs) (answer PredictAnswer, err error) {
	for _, p := range a.Quantiles {
		if !(p > 0 && p < 1) {
			return answer, wrong("a quantile needs a probability between 0 and 1, got %g", p)
		}
	}
	st := t.Session.State()
	if n := a.Samples * len(a.Inputs) * len(st.Problem.Objectives); n > maxDraws {
		return answer, wrong("these would be %d numbers; at most %d at once", n, maxDraws)
	}
	if a.Step != nil {
		back, err := seek(t.Session, *a.Step, *a.Step)
		if err != nil {
			return answer, err
		}
		defer back()
	}
	q := report.InspectOptions{Samples: a.Samples, Draw: a.Seed}
	q.Inputs, err = a.Points(st)
	if err != nil {
		return answer, asRequest(err)
	}
	r, err := report.Predict(ctx, t.Session, q, t.Progress)
	if err != nil {
		return answer, err
	}
	st = t.Session.State()
	answer = PredictAnswer{Step: r.Step, Predictions: make([]Predictions, len(a.Inputs)), state: st, inputs: q.Inputs}
	if a.Samples > 0 {
		answer.Draws, err = draws(st, r)
		if err != nil {
			return answer, err
		}
	}
	for i := range a.Inputs {
		answer.Predictions[i], err = newPredictions(st, r, i, a)
		if err != nil {
			return answer, err
		}
	}
	return answer, nil
}

// newPredictions are the predictions at input i. A method that only draws has none.
func newPredictions(st sessions.State, r report.Inspection, i int, a PredictArgs) (Predictions, error) {
	p := Predictions{Objectives: map[string]PredictedValue{}}
	for k, o := range r.Objectives {
		if o.Mean == nil && a.Samples > 0 {
			continue
		}
		if o.Mean == nil {
			return p, noBelief(st.Spec.Title, "no predictions")
		}
		v := PredictedValue{Mean: Number(o.Mean[i])}
		g, sd := st.Problem.Objectives[k].Transform(), 0.0
		if o.SD != nil {
			sd, v.SD = float64(o.SD[i]), number(float64(o.SD[i]))
		} else if o.Log10SD != nil {
			sd, v.Log10SD = float64(o.Log10SD[i]), number(float64(o.Log10SD[i]))
		}
		for _, q := range a.Quantiles {
			quantile := g.ToScale(float64(o.Mean[i])) + distuv.UnitNormal.Quantile(q)*sd
			v.Quantiles = append(v.Quantiles, Number(g.FromScale(quantile)))
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
	return p, nil
}

// noBelief is the error of a method without a quantity.
func noBelief(title, subject string) error {
	e := NewError(CodeFailed, fmt.Errorf("%s has %s", title, subject))
	e.Hint = "set a method with a model, such as gp-ei"
	return e
}

// Points are the inputs in the order of the variables.
func (a PredictArgs) Points(st sessions.State) (list [][]float64, err error) {
	for i, in := range a.Inputs {
		x, err := inputFor(st.Problem, in, "it needs the values of all variables")
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i+1, err)
		}
		list = append(list, x)
	}
	return list, nil
}

// draws are joint draws by objective.
func draws(st sessions.State, r report.Inspection) (map[string][][]Number, error) {
	all := map[string][][]Number{}
	for _, o := range r.Objectives {
		if o.Samples == nil {
			return nil, noBelief(st.Spec.Title, "no samples")
		}
		rows := make([][]Number, len(o.Samples))
		for i, row := range o.Samples {
			for _, v := range row {
				rows[i] = append(rows[i], Number(v))
			}
		}
		all[o.Name] = rows
	}
	return all, nil
}
