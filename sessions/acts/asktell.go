package acts

import (
	"context"
	"fmt"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
)

// Input is an input: values by variable.
type Input = map[string]encoding.Value

// AskArgs are the arguments of ask.
type AskArgs struct {
	Count  *int     `json:"count,omitempty" bounds:"0..1000" default:"1" jsonschema:"how many points; 0 only with beside"`
	More   bool     `json:"more,omitempty" jsonschema:"only new points, in addition to the pending ones"`
	Same   []string `json:"same,omitempty" items:"100" jsonschema:"variables that have the same value at all points"`
	Apart  float64  `json:"apart,omitempty" bounds:"0..1" jsonschema:"smallest distance between two points in some variable, as a share of its range"`
	Beside []Input  `json:"beside,omitempty" items:"1000" jsonschema:"points that are evaluated anyway, with the values of all variables"`
}

// Prediction is what the model expects at a point when it is suggested, of one objective.
type Prediction struct {
	Mean Number `json:"mean" jsonschema:"on a log scale the median"`
	SD   Number `json:"sd" jsonschema:"standard deviation; on a log scale that of the decimal logarithm"`
}

// AskedPoint is a point to evaluate.
type AskedPoint struct {
	asktell.Point
	Predicted map[string]Prediction `json:"predicted,omitempty" jsonschema:"the prediction at the point, by objective"`
	Why       string                `json:"why,omitempty" jsonschema:"why it was suggested"`
}

// why says who suggested the point, with the prediction there.
func (p AskedPoint) why() string {
	text := p.By + " suggests it"
	if p.By == sessions.ByPerson {
		text = "a person chose it"
	}
	for name, v := range p.Predicted {
		text += fmt.Sprintf(", with %s predicted as %s and a standard deviation of %s", name,
			numfmt.Format(float64(v.Mean)), numfmt.Format(float64(v.SD)))
	}
	if p.Reason != "" {
		text += ": " + p.Reason
	}
	return text
}

// AskAnswer are points to evaluate.
type AskAnswer struct {
	Points  []AskedPoint `json:"points"`
	Stopped string       `json:"stopped,omitempty" jsonschema:"why the search could stop"`
}

// Sentence lists the points.
func (a AskAnswer) Sentence() string {
	list := make([]string, 0, len(a.Points))
	for _, p := range a.Points {
		list = append(list, fmt.Sprintf("point %v: %s", p.Name, describeInput(p.X)))
		if len(list) == 8 && len(a.Points) > 8 {
			list = append(list, fmt.Sprintf("and %d more", len(a.Points)-8))
			break
		}
	}
	text := "Evaluate " + strings.Join(list, "; ") + "."
	if a.Stopped != "" {
		text += " " + capitalized(a.Stopped) + "."
	}
	return text
}

// Ask is the act of asking for points.
var Ask = declare(Act{Name: "ask", Changes: true,
	About: "Get points to evaluate: the pending ones, then new suggestions, which are recorded."}, AskFor)

// AskFor asks for points. With an error it may return the points that it found before.
func AskFor(ctx context.Context, t Turn, a AskArgs) (AskAnswer, error) {
	w := asktell.AskOptions{Points: 1, OnlyNew: a.More, Shared: a.Same, MinDistance: a.Apart}
	if a.Count != nil {
		w.Points = *a.Count
	}
	domain := t.Session.State().Problem.Domain
	for _, at := range a.Beside {
		x, err := encoding.DecodeMap(domain, at)
		if err != nil {
			return AskAnswer{}, asWrong(err)
		}
		w.FixedPoints = append(w.FixedPoints, x)
	}
	found, err := asktell.Ask(ctx, t.Session, w, t.Progress)
	st := t.Session.State()
	answer := AskAnswer{Points: make([]AskedPoint, len(found)), Stopped: st.StopReason()}
	for i, p := range found {
		answer.Points[i] = AskedPoint{Point: p}
		mean, sd := p.Predicted()
		o := st.Problem.Objectives[0]
		if m, s := number(mean), number(sd); m != nil && s != nil {
			answer.Points[i].Predicted = map[string]Prediction{o.Name: {*m, *s}}
		}
		answer.Points[i].Why = answer.Points[i].why()
	}
	return answer, err
}

// Result is a reported result.
type Result struct {
	Values map[string]float64 `json:"values,omitempty" items:"1000" jsonschema:"by objective or limit, in its unit"`
	SD     map[string]float64 `json:"sd,omitempty" items:"1000" jsonschema:"standard errors of the values"`
	Failed string             `json:"failed,omitempty" length:"10000" jsonschema:"why the evaluation failed, instead of values"`
	Cost   float64            `json:"cost,omitempty" jsonschema:"measured cost of the evaluation"`
	Note   string             `json:"note,omitempty" length:"100000" jsonschema:"note about the result"`
	Force  bool               `json:"force,omitempty" jsonschema:"record unexpected values"`
}

func (r Result) result(at map[string]float64) functions.Result {
	return functions.Result{Values: r.Values, SE: r.SD, At: at, Failed: r.Failed, Note: r.Note, Cost: r.Cost}
}

// TellArgs are the arguments of tell.
type TellArgs struct {
	Point asktell.Name `json:"point" jsonschema:"the number of the pending point"`
	At    Input        `json:"at,omitempty" items:"1000" jsonschema:"variables that had other values than suggested"`
	Result
}

// AddArgs are the arguments of add.
type AddArgs struct {
	Inputs Input `json:"inputs" items:"1000" jsonschema:"the values of all variables"`
	Result
}

// TellAnswer is a recorded result.
type TellAnswer struct{ asktell.TellResult }

// Sentence names the recorded values.
func (a TellAnswer) Sentence() string {
	text := fmt.Sprintf("Point %v is recorded", a.Name)
	if a.Step > 0 {
		text += fmt.Sprintf(" as step %d", a.Step)
	}
	switch {
	case a.Failed != "":
		text += " as failed (" + a.Failed + ")"
	case len(a.Values) > 0:
		text += ": " + describeValues(a.Values)
	}
	text += "."
	if len(a.Missing) > 0 {
		text += " Still missing: " + strings.Join(a.Missing, ", ") + "."
	}
	if a.Breaks != "" {
		text += " It breaks a constraint: " + a.Breaks + "."
	}
	return text
}

// Tell is the act of reporting the result of a pending point.
var Tell = declare(Act{Name: "tell", Changes: true,
	About: "Report the result of a pending point, or a part of it; then the point stays pending for the rest."}, TellResult)

// TellResult reports the result of a pending point.
func TellResult(_ context.Context, t Turn, a TellArgs) (TellAnswer, error) {
	at, err := encoding.DecodeMap(t.Session.State().Problem.Domain, a.At)
	if err != nil {
		return TellAnswer{}, asWrong(err)
	}
	told, err := asktell.Tell(t.Session, a.Point, a.result(at), a.Force)
	return TellAnswer{told}, err
}

// Add is the act of reporting a result without a suggestion.
var Add = declare(Act{Name: "add", Changes: true,
	About: "Report a result at a point that was not suggested, with the values of all variables."}, AddResult)

// AddResult reports a result without a suggestion.
func AddResult(_ context.Context, t Turn, a AddArgs) (TellAnswer, error) {
	at, err := encoding.DecodeMap(t.Session.State().Problem.Domain, a.Inputs)
	if err != nil {
		return TellAnswer{}, asWrong(err)
	}
	told, err := asktell.Add(t.Session, a.result(at), a.Force)
	return TellAnswer{told}, err
}

// describeInput names the values of an input.
func describeInput(x Input) string {
	return describeMap(x, encoding.Value.String)
}

// describeValues names values.
func describeValues[N ~float64](values map[string]N) string {
	return describeMap(values, func(v N) string { return numfmt.Format(float64(v)) })
}
