package program

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// version is that of the lines.
const version = 1

// helloLine is the first line: everything that stays the same until a parameter, the domain or an objective changes.
type helloLine struct {
	Hello      int            `json:"hello"`
	Problem    problemData    `json:"problem"`
	Parameters map[string]any `json:"parameters"`
	Seed       uint64         `json:"seed"`
}

// problemData is a problem as a program gets it. Variables lie between the bounds of the next point.
type problemData struct {
	Name        string                `json:"name"`
	Variables   []functions.Variable  `json:"variables"`
	Objectives  []functions.Objective `json:"objectives"`
	Limits      []functions.Objective `json:"limits,omitempty"`
	Constraints []string              `json:"constraints,omitempty"` // with the sums of the mixtures
	Mixtures    []functions.Mixture   `json:"mixtures,omitempty"`
	Budget      int                   `json:"budget"`
	Repeats     bool                  `json:"repeats"` // whether an evaluated point may be suggested again
}

// point is an input by the names of its variables.
type point map[string]encoding.Value

// datum is a result as a program gets it, in the problem's units and directions.
type datum struct {
	X      point              `json:"x"`
	Y      map[string]float64 `json:"y,omitempty"`
	SD     map[string]float64 `json:"sd,omitempty"`
	Failed *string            `json:"failed"`
}

// failedText is the reason of a failure of which the real one is not known.
const failedText = "the evaluation failed"

// reason says why the evaluation at a point failed, in characters that can be shown.
func (r *request) reason(u []float64) *string {
	text := failedText
	if r.source.Reason != nil {
		text = cmp.Or(cut(r.source.Reason(u), maxText), failedText)
	}
	return &text
}

// suggestLine asks for the next point.
type suggestLine struct {
	Suggest int             `json:"suggest"`
	Step    int             `json:"step"`
	Data    []datum         `json:"data"`
	Pending []point         `json:"pending"`
	Avoid   []point         `json:"avoid,omitempty"` // discarded points
	State   json.RawMessage `json:"state,omitempty"`
	Stream  string          `json:"stream"`
}

// beliefLine asks what the program believes of points, given the data.
type beliefLine struct {
	Predict     []point `json:"predict,omitempty"`
	Sample      []point `json:"sample,omitempty"`
	Acquisition []point `json:"acquisition,omitempty"`
	Count       int     `json:"count,omitempty"` // of samples

	Step    int             `json:"step"`
	Data    []datum         `json:"data"`
	Pending []point         `json:"pending"`
	State   json.RawMessage `json:"state,omitempty"`
	Stream  string          `json:"stream"`
}

// request makes the lines for an input.
type request struct {
	in      optimizers.Input
	source  *optimizers.Source
	domain  functions.Domain // between the bounds of the next point
	hello   []byte
	data    []datum
	digests []string // digests[n] is that of the first line and n results
}

// newRequest makes the lines of an input.
func newRequest(in optimizers.Input) (*request, error) {
	if in.Source == nil {
		return nil, fmt.Errorf("there is no session: %w", optimizers.ErrUnsupported)
	}
	r := &request{in: in, source: in.Source, domain: bounded(in)}
	p := r.source.Problem
	h := helloLine{Hello: version, Seed: in.Seed, Parameters: map[string]any{},
		Problem: problemData{Name: p.Name, Variables: r.domain, Objectives: p.Objectives, Limits: p.Limits,
			Mixtures: p.Mixtures, Budget: in.Budget, Repeats: search.AllowsRepeats(in)}}
	for _, c := range p.Constraints {
		h.Problem.Constraints = append(h.Problem.Constraints, c.Text)
	}
	for _, d := range in.Params.Decls() {
		if d.Key != search.RepeatsParam().Key {
			h.Parameters[d.Key] = in.Params.Value(d.Key)
		}
	}
	var err error
	r.hello, err = json.Marshal(h)
	if err != nil {
		return nil, err
	}
	r.results()
	return r, r.digest()
}

// bounded is the domain between the bounds of the next point. Levels beyond them are left out.
func bounded(in optimizers.Input) functions.Domain {
	d := make(functions.Domain, in.Dim)
	for j, v := range in.Source.Problem.Domain {
		low, high := v.Low, v.High
		switch {
		case in.Source.Bounds != nil && (in.Low == nil || in.Low[j] == v.ToUnit(in.Source.Bounds[j].Low) &&
			in.High[j] == v.ToUnit(in.Source.Bounds[j].High)): // to the last digit
			low, high = in.Source.Bounds[j].Low, in.Source.Bounds[j].High
		case in.Low != nil:
			low, high = v.FromUnit(in.Low[j]), v.FromUnit(in.High[j])
		}
		d[j] = narrow(v, low, high)
	}
	return d
}

// narrow is a variable between bounds.
func narrow(v functions.Variable, low, high float64) functions.Variable {
	switch v.Kind {
	case functions.Choice:
		a, b := v.Nearest(low), v.Nearest(high)
		v.Choices = v.Choices[a : b+1]
		v.Low, v.High = 0, float64(b-a)
		v.Descriptors = nil
	case functions.Ordered:
		a, b := v.Nearest(low), v.Nearest(high)
		v.Values = v.Values[a : b+1]
		v.Low = low
		v.High = high
	default:
		v.Low, v.High = low, high
	}
	return v
}

// point is a point of the unit cube for a program.
func (r *request) point(u []float64) point {
	return encoding.EncodeMap(r.source.Problem.Domain, r.source.Point(u))
}

// points are the rows of a matrix; none of nil.
func (r *request) points(X *mat.Dense) []point {
	list := []point{}
	if X == nil {
		return list
	}
	n, _ := X.Dims()
	for i := range n {
		list = append(list, r.point(X.RawRowView(i)))
	}
	return list
}

// results takes the data in the order of their observation.
func (r *request) results() {
	d, failures := r.in.Data, 0
	r.data = []datum{}
	addFailures := func(before int) {
		for d.Failed != nil && failures < d.Failed.RawMatrix().Rows &&
			(failures >= len(d.FailedAfter) || d.FailedAfter[failures] <= before) {
			u := d.Failed.RawRowView(failures)
			r.data = append(r.data, datum{X: r.point(u), Failed: r.reason(u)})
			failures++
		}
	}
	for i := range d.Len() {
		if d.FailedAfter != nil {
			addFailures(i)
		}
		r.data = append(r.data, r.result(i))
	}
	addFailures(math.MaxInt)
}

// result is observation i.
func (r *request) result(i int) datum {
	d, p := r.in.Data, r.source.Problem
	row := datum{X: r.point(d.X.RawRowView(i)), Y: map[string]float64{}}
	add := func(name string, v, sd float64) {
		row.Y[name] = v
		if !math.IsNaN(sd) {
			if row.SD == nil {
				row.SD = map[string]float64{}
			}
			row.SD[name] = sd
		}
	}
	valueAt := func(m *mat.Dense, k int) float64 {
		if m == nil {
			return math.NaN()
		}
		return m.At(i, k)
	}
	for k, o := range p.Objectives {
		g := o.Transform()
		y := g.Invert(d.Y.At(i, k))
		sd := valueAt(d.SE, k)
		if g.IsLog() {
			sd *= y * math.Ln10
		}
		add(o.Name, y, sd)
	}
	for k, l := range r.in.Limits {
		if l.Objective < 0 && d.Limits != nil {
			v, sd := d.Limits.At(i, k), valueAt(d.LimitSE, k)
			if l.Log {
				v = math.Pow(10, v)
				sd *= v * math.Ln10
			}
			add(l.Name, v, sd)
		}
	}
	return row
}

// digest computes the digests, each of the first line and a number of results.
func (r *request) digest() error {
	h := sha256.New()
	h.Write(r.hello)
	r.digests = []string{hex.EncodeToString(h.Sum(nil)[:16])}
	for _, d := range r.data {
		line, err := json.Marshal(d)
		if err != nil {
			return err
		}
		h.Write(line)
		r.digests = append(r.digests, hex.EncodeToString(h.Sum(nil)[:16]))
	}
	return nil
}

// state is the latest state that the data still continue, and the results since; all results if there is none.
func (r *request) state() (json.RawMessage, []datum) {
	for _, s := range r.source.States {
		if s.Seen >= 0 && s.Seen < len(r.digests) && r.digests[s.Seen] == s.Digest {
			return s.Data, r.data[s.Seen:]
		}
	}
	return nil, r.data
}

// stream is where the random numbers of a purpose come from, as hexadecimal digits.
func (r *request) stream(purpose string, keys ...uint64) string {
	rng := r.in.Stream("program "+purpose, append([]uint64{uint64(len(r.in.Avoid))}, keys...)...)
	var b strings.Builder
	for range 2 {
		fmt.Fprintf(&b, "%016x", rng.Uint64())
	}
	return b.String()
}

// suggest is the line that asks for the next point.
func (r *request) suggest(withState bool) ([]byte, error) {
	line := suggestLine{Suggest: 1, Step: r.in.Step + 1, Data: r.data, Pending: r.points(r.in.Pending),
		Stream: r.stream("suggest")}
	if withState {
		line.State, line.Data = r.state()
	}
	for _, u := range r.in.Avoid {
		line.Avoid = append(line.Avoid, r.point(u))
	}
	return json.Marshal(line)
}

// belief is a line that asks about points; the caller adds these.
func (r *request) belief(withState bool, purpose string, draw uint64) beliefLine {
	line := beliefLine{Step: r.in.Step + 1, Data: r.data, Pending: r.points(r.in.Pending),
		Stream: r.stream(purpose, draw)}
	if withState {
		line.State, line.Data = r.state()
	}
	return line
}
