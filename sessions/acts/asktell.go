package acts

import (
	"context"
	"errors"
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

	Plate *PlateArgs `json:"plate,omitempty" jsonschema:"a plate into whose wells the points are put; without count they fill it"`
}

// PlateArgs are the arguments of a plate.
type PlateArgs struct {
	Rows       int     `json:"rows" bounds:"1..32"`
	Columns    int     `json:"columns" bounds:"1..48"`
	Name       string  `json:"name,omitempty" length:"64" jsonschema:"the block of its results; plate 1, plate 2, … if not given"`
	Replicates int     `json:"replicates,omitempty" bounds:"1..1000" default:"1" jsonschema:"wells of each point"`
	Controls   int     `json:"controls,omitempty" bounds:"0..1000" jsonschema:"wells with the control, which is the same on every plate: the best result so far, or the center of the domain"`
	Control    []Input `json:"control,omitempty" items:"1000" jsonschema:"further controls, a well each, with the values of all variables"`
	By         string  `json:"by,omitempty" enum:"plate|row|column" jsonschema:"which points share the values of same"`
	Order      string  `json:"order,omitempty" enum:"random|sorted" jsonschema:"random if not given; sorted: few values change from one well to the next"`
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
	Control   bool                  `json:"control,omitempty" jsonschema:"the point is on every plate"`
	Replicate *asktell.Name         `json:"replicate_of,omitempty" jsonschema:"the point that it repeats"`
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
	if p.Design != nil {
		text += ", as " + p.Design.String()
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
	Left    *int         `json:"left,omitempty" jsonschema:"how many points of a finite space can still be suggested"`
	Note    string       `json:"note,omitempty" jsonschema:"why there are fewer points than asked for"`
	Plate   string       `json:"plate,omitempty" jsonschema:"the name of the plate, which is the block of its results; its points are in the order of making"`
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
	for _, values := range []string{a.Note, a.Stopped} {
		if values != "" {
			text += " " + capitalized(values) + "."
		}
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
	for _, input := range a.Beside {
		x, err := encoding.DecodeMap(domain, input)
		if err != nil {
			return AskAnswer{}, asWrong(err)
		}
		w.FixedPoints = append(w.FixedPoints, x)
	}
	answer := AskAnswer{Points: []AskedPoint{}}
	var err error
	if a.Plate != nil {
		answer.Plate, answer.Note, answer.Points, err = askPlate(ctx, t, a)
	} else {
		var found []asktell.Point
		found, err = asktell.Ask(ctx, t.Session, w, t.Progress)
		for _, p := range found {
			answer.Points = append(answer.Points, AskedPoint{Point: p})
		}
		if err == nil {
			answer.Note = asktell.Shortfall(t.Session.State(), len(found), w.Points+len(w.FixedPoints))
		}
	}
	st := t.Session.State()
	if c, ok := st.PointCount(); ok {
		left := c.Left()
		answer.Left = &left
	}
	answer.Stopped = st.StopReason()
	for i, p := range answer.Points {
		if answer.Stopped == "" && p.NothingBetter {
			answer.Stopped = sessions.ErrNothingBetter.Error()
		}
		mean, sd := p.Point.Predicted()
		o := st.Problem.Objectives[0]
		if m, s := number(mean), number(sd); m != nil && s != nil {
			answer.Points[i].Predicted = map[string]Prediction{o.Name: {*m, *s}}
		}
		answer.Points[i].Why = answer.Points[i].why()
	}
	return answer, err
}

// askPlate asks for the points of a plate.
func askPlate(ctx context.Context, t Turn, a AskArgs) (name, note string, points []AskedPoint, err error) {
	if len(a.Beside) > 0 || a.Count != nil && *a.Count == 0 {
		return "", "", nil, asWrong(errors.New("a plate has 1 point or more, and control instead of beside"))
	}
	o := asktell.PlateOptions{Name: a.Plate.Name, Rows: a.Plate.Rows, Columns: a.Plate.Columns,
		Replicates: a.Plate.Replicates, Controls: a.Plate.Controls, Shared: a.Same, By: a.Plate.By, MinDistance: a.Apart,
		Order: a.Plate.Order, OnlyNew: a.More}
	if a.Count != nil {
		o.Points = *a.Count
	}
	for _, control := range a.Plate.Control {
		x, err := encoding.DecodeMap(t.Session.State().Problem.Domain, control)
		if err != nil {
			return "", "", nil, asWrong(err)
		}
		o.ControlPoints = append(o.ControlPoints, x)
	}
	p, err := asktell.AskPlate(ctx, t.Session, o, t.Progress)
	points = []AskedPoint{}
	for _, point := range p.Points {
		points = append(points, AskedPoint{Point: point.Point, Control: point.Control, Replicate: point.Replicate})
	}
	return p.Name, p.Note, points, err
}

// Result is a reported result.
type Result struct {
	Values map[string]float64 `json:"values,omitempty" items:"1000" jsonschema:"by objective or limit, in its unit"`
	SD     map[string]float64 `json:"sd,omitempty" items:"1000" jsonschema:"standard errors of the values"`
	Failed string             `json:"failed,omitempty" length:"10000" jsonschema:"why the evaluation failed, instead of values"`
	Cost   float64            `json:"cost,omitempty" jsonschema:"measured cost of the evaluation"`
	Note   string             `json:"note,omitempty" length:"100000" jsonschema:"note about the result"`
	Block  string             `json:"block,omitempty" length:"64" jsonschema:"plate, day or batch of the measurement, whose common shift the model estimates; that of its plate if not given"`
	Force  bool               `json:"force,omitempty" jsonschema:"record unexpected values"`
}

func (r Result) result(input map[string]float64) functions.Result {
	return functions.Result{Values: r.Values, SE: r.SD, At: input, Failed: r.Failed, Note: r.Note, Cost: r.Cost, Block: r.Block}
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
	input, err := encoding.DecodeMap(t.Session.State().Problem.Domain, a.At)
	if err != nil {
		return TellAnswer{}, asWrong(err)
	}
	result, err := asktell.Tell(t.Session, a.Point, a.result(input), a.Force)
	return TellAnswer{result}, err
}

// Add is the act of reporting a result without a suggestion.
var Add = declare(Act{Name: "add", Changes: true,
	About: "Report a result at a point that was not suggested, with the values of all variables."}, AddResult)

// AddResult reports a result without a suggestion.
func AddResult(_ context.Context, t Turn, a AddArgs) (TellAnswer, error) {
	input, err := encoding.DecodeMap(t.Session.State().Problem.Domain, a.Inputs)
	if err != nil {
		return TellAnswer{}, asWrong(err)
	}
	result, err := asktell.Add(t.Session, a.result(input), a.Force)
	return TellAnswer{result}, err
}

// describeInput names the values of an input.
func describeInput(x Input) string {
	return describeMap(x, encoding.Value.String)
}

// describeValues names values.
func describeValues[N ~float64](values map[string]N) string {
	return describeMap(values, func(v N) string { return numfmt.Format(float64(v)) })
}
