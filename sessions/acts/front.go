package acts

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/functions/transform"
	"bandscope/sessions"
)

// BestArgs are the arguments of best and front.
type BestArgs struct {
	By string `json:"by,omitempty" enum:"data|model|both" default:"\"both\"" jsonschema:"by the results, by the model, or both"`
}

// Candidate is a result or a prediction.
type Candidate struct {
	X     Input             `json:"x"`
	Value map[string]Number `json:"value" jsonschema:"observed, or predicted; on a log scale the median"`
	Low   map[string]Number `json:"low,omitempty" jsonschema:"lower end of the interval of two standard deviations"`
	High  map[string]Number `json:"high,omitempty" jsonschema:"its upper end"`
	Step  int               `json:"step,omitempty" jsonschema:"of a result"`
	// of the best prediction
	Extrapolation string `json:"extrapolation,omitempty" jsonschema:"why the best prediction is an extrapolation; absent if it is none"`
}

// BestAnswer is the best point by the data and by the model.
type BestAnswer struct {
	Observed *Candidate `json:"observed,omitempty" jsonschema:"absent before the first result within all limits"`
	Model    *Candidate `json:"model,omitempty" jsonschema:"absent without a model"`
	NoModel  string     `json:"no_model,omitempty"`
}

// Text names the best result and the best prediction.
func (a BestAnswer) Text() string {
	text := "There is no result within all limits yet."
	if a.Observed != nil {
		text = fmt.Sprintf("The best result is %s at %s (step %d).", describeValues(a.Observed.Value),
			describeInput(a.Observed.X), a.Observed.Step)
	}
	if a.Model != nil {
		text += fmt.Sprintf(" The model expects the best value at %s: %s.", describeInput(a.Model.X),
			describeValues(a.Model.Value))
		if a.Model.Extrapolation != "" {
			text += " This is an extrapolation: " + a.Model.Extrapolation + "."
		}
	}
	return textOf(text)
}

// Best is the act of naming the best point.
var Best = declare(Act{Name: "best", Title: "Show the best result and the best prediction",
	Fits: true, Idempotent: true,
	About: "Name the best result, and the point with the best prediction, with intervals."},
	func(ctx context.Context, t Turn, a BestArgs) (answer BestAnswer, err error) {
		if n := len(t.Session.State().Problem.Objectives); n > 1 {
			e := NewError(CodeRequest, fmt.Errorf("%s have no single best point", numfmt.Count(n, "objective")))
			e.Hint = "front names the results that no other one dominates"
			return answer, e
		}
		s, err := a.status(ctx, t)
		if err != nil {
			return answer, err
		}
		st := t.Session.State()
		if s.Best != nil && a.By != "model" {
			answer.Observed = candidate(s.Best.X, s.Best.Value, s.Best.Step)
		}
		if s.BestMean != nil && a.By != "data" {
			answer.Model = candidate(s.BestMean.X, s.BestMean.Value, 0)
			answer.Model.Extrapolation = s.BestMean.Extrapolation
			if g := st.Problem.Objectives[0].Transform(); s.BestMean.SD != nil {
				answer.Model.interval(st.Problem.Objectives[0].Name, g, float64(*s.BestMean.SD))
			} else if s.BestMean.Log10 != nil {
				answer.Model.interval(st.Problem.Objectives[0].Name, g, float64(*s.BestMean.Log10))
			}
		}
		if a.By != "data" {
			answer.NoModel = s.NoModel
		}
		return answer, nil
	})

// FrontAnswer are the fronts of the data and of the model.
type FrontAnswer struct {
	Observed []Candidate `json:"observed" jsonschema:"results that no other one dominates"`
	Model    []Candidate `json:"model,omitempty" jsonschema:"the front of the predicted means, sorted by the first objective"`
	// representatives, with the number of points that they represent
	Clusters      []Cluster `json:"observed_clusters,omitempty"`
	ModelClusters []Cluster `json:"model_clusters,omitempty"`

	Caveat  string `json:"caveat,omitempty" jsonschema:"why the model's front cannot be trusted"`
	NoModel string `json:"no_model,omitempty"`

	state sessions.State
}

// Text counts the points, and lists the representatives.
func (a FrontAnswer) Text() string {
	text := fmt.Sprintf("%s on the Pareto front.", numfmt.Count(len(a.Observed), "result"))
	if a.Caveat != "" {
		text += " The model's front cannot be trusted: " + a.Caveat + "."
	} else if len(a.Model) > 0 {
		text += fmt.Sprintf(" The model's front has %s.", numfmt.Count(len(a.Model), "point"))
	}
	lines := []string{text}
	for _, c := range a.Clusters {
		owner := a.Observed[c.Index]
		lines = append(lines, owner.line(a.state)+fmt.Sprintf("  (step %d%s)", owner.Step, similar(c, "result")))
	}
	if a.Caveat != "" || len(a.Model) == 0 {
		return textOf(lines...)
	}
	for _, c := range a.ModelClusters {
		lines = append(lines, "model: "+a.Model[c.Index].line(a.state)+similar(c, "point"))
	}
	if len(a.ModelClusters) < len(a.Model) {
		lines = append(lines, fmt.Sprintf("the model's front has %d points; --json prints all", len(a.Model)))
	}
	return textOf(lines...)
}

// similar says how many other points a representative of a front has; empty for none.
func similar(c Cluster, subject string) string {
	if c.Count < 2 {
		return ""
	}
	return ", and " + numfmt.Count(c.Count-1, "similar "+subject)
}

// line is the point as text.
func (c Candidate) line(st sessions.State) string {
	var parts []string
	for _, o := range st.Problem.Outputs() {
		if v, ok := c.Value[o.Name]; ok {
			part := o.Name + " = " + numfmt.Format(float64(v))
			if low, ok := c.Low[o.Name]; ok {
				part += fmt.Sprintf(" (%s to %s)", numfmt.Format(float64(low)), numfmt.Format(float64(c.High[o.Name])))
			}
			parts = append(parts, strings.TrimSpace(part+" "+o.Unit))
		}
	}
	var position []string
	for _, v := range st.Problem.Domain {
		value := c.X[v.Name].String()
		if x, err := v.Parse(value); err == nil {
			value = v.Text(x)
		}
		position = append(position, strings.TrimSpace(v.Name+" = "+value+" "+v.Unit))
	}
	return strings.Join(parts, "  ") + " at " + strings.Join(position, "  ")
}

// Front is the act of listing the Pareto front.
var Front = declare(Act{Name: "front", Title: "Show the Pareto front", Fits: true, Idempotent: true,
	About: "List the results that no other one dominates, and the front that the model expects, with intervals."},
	func(ctx context.Context, t Turn, a BestArgs) (answer FrontAnswer, err error) {
		if len(t.Session.State().Problem.Objectives) < 2 {
			e := NewError(CodeRequest, fmt.Errorf("a Pareto front needs several objectives; this session has one"))
			e.Hint = "best names the best result and the best prediction"
			return answer, e
		}
		s, err := a.status(ctx, t)
		if err != nil {
			return answer, err
		}
		answer.Observed = []Candidate{}
		answer.state = s.state
		for _, b := range s.Front {
			if a.By != "model" {
				answer.Observed = append(answer.Observed, *candidate(b.X, b.Value, b.Step))
			}
		}
		if a.By != "model" {
			answer.Clusters = s.Clusters
		}
		if a.By == "data" {
			return answer, nil
		}
		st := t.Session.State()
		for _, e := range s.ModelFront {
			c := candidate(e.X, e.Value, 0)
			for _, o := range st.Problem.Objectives {
				c.interval(o.Name, o.Transform(), float64(e.SD[o.Name]+e.Log10[o.Name]))
			}
			answer.Model = append(answer.Model, *c)
		}
		answer.ModelClusters = s.ModelClusters
		answer.Caveat = s.FrontCaveat
		answer.NoModel = s.NoModel
		return answer, nil
	})

// status is the state of the session; by the data alone no model is fitted.
func (a BestArgs) status(ctx context.Context, t Turn) (StatusAnswer, error) {
	defer returnTo(t.Session)()
	if a.By == "data" {
		return newSnapshot(t.Session, time.Now()).status(t.Session), nil
	}
	return statusOf(ctx, t.Session, t.Progress)
}

func candidate[N ~float64](x Input, value map[string]N, step int) *Candidate {
	c := &Candidate{X: x, Value: map[string]Number{}, Step: step}
	for name, v := range value {
		c.Value[name] = Number(v)
	}
	return c
}

// interval adds the interval of two standard deviations of an objective.
func (c *Candidate) interval(name string, g transform.Transform, sd float64) {
	if c.Low == nil {
		c.Low, c.High = map[string]Number{}, map[string]Number{}
	}
	mean := g.ToScale(float64(c.Value[name]))
	c.Low[name], c.High[name] = Number(g.FromScale(mean-2*sd)), Number(g.FromScale(mean+2*sd))
}
