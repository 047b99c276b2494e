package acts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// maxAsk is the largest number of points in one request.
const maxAsk = sessions.MaxBatch

// AskArgs are the arguments of ask.
type AskArgs struct {
	Count       *int       `json:"count,omitempty" short:"n" bounds:"0..1000" default:"1" jsonschema:"number of points; may be 0 with fixed points"`
	New         bool       `json:"new,omitempty" jsonschema:"only new points, in addition to the pending ones"`
	Shared      []string   `json:"shared,omitempty" items:"100" words:"variables" jsonschema:"variables that have the same value at all points, chosen jointly"`
	MinDistance float64    `json:"min_distance,omitempty" bounds:"0..1" jsonschema:"smallest distance between two points in at least one variable, as a share of its range; another level or choice is always enough"`
	Fixed       []Input    `json:"fixed,omitempty" items:"1000" words:"inputs" jsonschema:"points that you evaluate anyway, with the values of all variables; they come first, and the suggestions take them into account"`
	Plate       *PlateArgs `json:"plate,omitempty" jsonschema:"a plate into whose wells the points are put; without count they fill it"`
}

// PlateArgs are the arguments of a plate.
type PlateArgs struct {
	Size       PlateSize `json:"size" flag:"plate" jsonschema:"put the points into the wells of a plate of ROWSxCOLUMNS, such as 8x12; without count they fill it"`
	Name       string    `json:"name,omitempty" flag:"plate-name" length:"64" jsonschema:"name of the plate and of the block of its results; plate 1, plate 2, … if not given"`
	Replicates int       `json:"replicates,omitempty" bounds:"1..1000" default:"1" jsonschema:"wells of each point"`
	Controls   int       `json:"controls,omitempty" bounds:"0..1000" jsonschema:"wells with the control, which is the same on every plate: the best result so far, or the center of the domain"`
	Control    []Input   `json:"control,omitempty" items:"1000" words:"inputs" jsonschema:"further controls, a well each, with the values of all variables"`
	By         string    `json:"by,omitempty" enum:"plate|row|column" jsonschema:"which points share the values of shared variables"`
	Order      string    `json:"order,omitempty" enum:"random|sorted" jsonschema:"order of the wells: random, from the seed, or sorted, so that few values change"`
}

// points is the number of points that are asked for.
func (a AskArgs) points() int {
	if a.Count == nil {
		return 1
	}
	return *a.Count
}

// batch is the batch of the request; false if its points are independent.
func (a AskArgs) batch() (sessions.Batch, bool) {
	return sessions.Batch{Points: a.points(), Shared: a.Shared, MinDistance: a.MinDistance},
		len(a.Shared) > 0 || a.MinDistance != 0
}

// Prediction is what the model expects at a point when it is suggested, of one objective.
type Prediction struct {
	Mean Number `json:"mean" jsonschema:"on a log scale the median"`
	SD   Number `json:"sd" jsonschema:"standard deviation; on a log scale that of the decimal logarithm"`
}

// AskedPoint is a point to evaluate.
type AskedPoint struct {
	Point
	Predicted map[string]Prediction `json:"predicted,omitempty" jsonschema:"the prediction at the point, by objective"`
	Why       string                `json:"why,omitempty" jsonschema:"why it was suggested"`
	Control   bool                  `json:"control,omitempty" jsonschema:"the point is on every plate"`
	Replicate *Name                 `json:"replicate_of,omitempty" jsonschema:"the point that it repeats"`
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

	state sessions.State
}

// Text lists the points, a line each.
func (a AskAnswer) Text() string {
	var lines []string
	for _, p := range a.state.Plates {
		if p.Name == a.Plate && a.Plate != "" {
			wells := numfmt.Count(len(a.Points), "well")
			lines = append(lines, fmt.Sprintf("%s: %s of %d, in %s order", p.Name, wells, p.Rows*p.Columns, p.Order))
		}
	}
	for _, p := range a.Points {
		lines = append(lines, a.line(p))
	}
	if a.Note != "" {
		lines = append(lines, "note: "+a.Note)
	}
	if c, finite := a.state.PointCount(); finite {
		lines = append(lines, c.String())
	} else if a.Stopped != "" {
		text := a.Stopped + "; you can still ask for more points"
		if a.state.CanWiden() {
			text += "; set --variable widens the space"
		}
		lines = append(lines, text)
	}
	return textOf(lines...)
}

// line is a point, or a well of a plate.
func (a AskAnswer) line(p AskedPoint) string {
	if a.Plate == "" {
		return pointLine(a.state, p.Point, shortValue)
	}
	text := fmt.Sprintf("%-4s %-5v %s", p.Well, p.Name, inputText(a.state, p.Input(), shortValue))
	if kind := (PlatePoint{Control: p.Control, Replicate: p.Replicate}).Kind(); kind != "" {
		text += "  (" + kind + ")"
	}
	return text
}

// Ask is the act of asking for points.
var Ask = declare(Act{Name: "ask", Title: "Print points to evaluate: the pending ones, then new suggestions",
	Changes: true, Fits: true,
	About: "Get points to evaluate: the pending ones, the oldest first, then new suggestions, which are recorded."}, askFor)

// askFor asks for points. With an error it may return the points that it found before.
func askFor(ctx context.Context, t Turn, a AskArgs) (AskAnswer, error) {
	answer := AskAnswer{Points: []AskedPoint{}}
	var err error
	if a.Plate != nil {
		var sheet PlateSheet
		sheet, err = askPlate(ctx, t.Session, a, t.Progress)
		answer.Plate, answer.Note = sheet.Name, sheet.Note
		for _, p := range sheet.Points {
			answer.Points = append(answer.Points, AskedPoint{Point: p.Point, Control: p.Control, Replicate: p.Replicate})
		}
	} else {
		var points []Point
		points, err = ask(ctx, t.Session, a, t.Progress)
		for _, p := range points {
			answer.Points = append(answer.Points, AskedPoint{Point: p})
		}
		if err == nil {
			answer.Note = shortfall(t.Session.State(), len(points), a.points()+len(a.Fixed))
		}
	}
	st := t.Session.State()
	answer.state = st
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

// ask returns points to evaluate: the pending points, the oldest first, and new suggestions if there are too few; with
// New only new ones. For a batch with shared values or a minimum distance, only the pending points of the last identical
// request count. Fixed points come first, in addition to the others, and are not recorded again if they are pending. If
// a finite space has fewer points left, it returns those; shortfall says so. Points that another program asked for while
// the session was open here are that program's to evaluate, and are not returned. It records new points before it
// returns, and returns all points of a batch. With an error it may return the points that it found before.
func ask(ctx context.Context, s *sessions.Session, a AskArgs, progress sessions.Progress) ([]Point, error) {
	least := 1
	if len(a.Fixed) > 0 {
		least = 0
	}
	wanted := a.points()
	if wanted < least || wanted > maxAsk {
		return nil, wrong("ask for %d to %d points at once, got %d", least, maxAsk, wanted)
	}
	batch, together := a.batch()
	if together && wanted > 0 {
		if err := s.State().CheckBatch(batch); err != nil {
			return nil, asRequest(err)
		}
	}
	points, err := addFixedPoints(s, a.Fixed)
	if err != nil || wanted == 0 {
		return points, err
	}
	if together {
		found, err := askTogether(ctx, s, batch, a.New, progress)
		return append(points, found...), err
	}
	b := newSnapshot(s, time.Now())
	count := len(points)
	if !a.New {
		points = append(points, completeBatches(b.without(points), wanted)...)
	}
	for len(points)-count < wanted {
		it, err := s.Ask(ctx, progress)
		if search.IsExhausted(err) && len(points) > 0 {
			return points, nil
		}
		if err != nil {
			return points, err
		}
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// askTogether returns the points of a batch.
func askTogether(ctx context.Context, s *sessions.Session, batch sessions.Batch, another bool,
	progress sessions.Progress) (points []Point, err error) {
	b := newSnapshot(s, time.Now())
	points = b.last(batch)
	if len(points) > 0 && !another {
		return points, nil
	}
	list, err := s.AskBatch(ctx, batch, progress)
	if err != nil {
		return nil, err
	}
	points = nil
	for _, it := range list {
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// last are the pending points of the last batch with the same request.
func (b snapshot) last(batch sessions.Batch) []Point {
	var list []Point
	for _, p := range slices.Backward(b.own()) {
		owner := p.iteration.Batch
		if owner == nil || !owner.SameRequest(batch) || len(list) > 0 && list[0].first() != p.first() {
			continue
		}
		list = slices.Insert(list, 0, p)
	}
	return list
}

// first is the number of the first point of a point's batch.
func (p Point) first() int { return p.iteration.Number - p.iteration.Batch.Place }

// without are the pending points except some.
func (b snapshot) without(points []Point) (list []Point) {
	for _, p := range b.own() {
		if !slices.ContainsFunc(points, func(other Point) bool { return other.Name == p.Name }) {
			list = append(list, p)
		}
	}
	return list
}

// addFixedPoints records points that a person names, unless they are pending. It checks all before it records any.
func addFixedPoints(s *sessions.Session, fixed []Input) (points []Point, err error) {
	var inputs [][]float64
	for _, input := range fixed {
		x, err := inputFor(s.State().Problem, input, "a point of your own needs the values of all variables")
		if err != nil {
			return nil, asRequest(err)
		}
		inputs = append(inputs, x)
	}
	for _, x := range inputs {
		b := newSnapshot(s, time.Now())
		if i := slices.IndexFunc(b.pending, func(p Point) bool {
			return p.By == sessions.ByPerson && slices.Equal(p.Input(), x)
		}); i >= 0 {
			points = append(points, b.pending[i])
			continue
		}
		it, err := s.AskPoint(x)
		if err != nil {
			return points, err
		}
		points = append(points, b.points(it, time.Now())...)
	}
	return points, nil
}

// inputFor is an input in the order of the variables, within their bounds. An error for missing values begins with need.
func inputFor(p *functions.Problem, input Input, need string) ([]float64, error) {
	x, err := valuesFor(p, input, need)
	if err == nil {
		err = p.Domain.Check(x)
	}
	return x, err
}

// valuesFor is inputFor of an input that may lie outside of the bounds.
func valuesFor(p *functions.Problem, input Input, need string) ([]float64, error) {
	values, err := encoding.DecodeMap(p.Domain, input)
	if err != nil {
		return nil, err
	}
	x := make([]float64, len(p.Domain))
	var missing []string
	for j, v := range p.Domain {
		value, ok := values[v.Name]
		x[j] = value
		if !ok {
			missing = append(missing, v.Name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s; missing: %s", need, strings.Join(missing, ", "))
	}
	return x, nil
}

// completeBatches are the first n of the pending points, and the rest of the last one's batch.
func completeBatches(pending []Point, n int) []Point {
	for n < len(pending) && pending[n].Name.Suggestion == pending[n-1].Name.Suggestion {
		n++
	}
	return pending[:min(n, len(pending))]
}

// shortfall says that fewer points exist than were asked for; empty if all were given.
func shortfall(st sessions.State, count, wanted int) string {
	if count >= wanted {
		return ""
	}
	text := fmt.Sprintf("%s instead of %d", numfmt.Count(count, "point"), wanted)
	if c, ok := st.PointCount(); ok && c.Left() == 0 {
		return text + ": " + c.String()
	}
	return text + ": no others are far enough from these"
}
