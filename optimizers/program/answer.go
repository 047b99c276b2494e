package program

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Bounds of an answer.
const (
	maxPoints = 1024    // of a suggestion
	maxState  = 1 << 20 // bytes
)

// greeting is the answer to the first line.
type greeting struct {
	Hello   int      `json:"hello"`
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Can     []string `json:"can"`
	State   string   `json:"state"`
	Error   string   `json:"error"`
}

// The values of State: the program computes everything from all data, or from what it remembers.
const (
	stateReplay   = "replay"
	stateSnapshot = "snapshot"
)

// can reports whether the program has an ability.
func (g greeting) can(subject string) bool { return slices.Contains(g.Can, subject) }

// title names the program, as it calls itself.
func (g greeting) title() string { return strings.TrimSpace(g.Name + " " + g.Version) }

// answerTo names a request in errors.
type answerTo string

// fault is an error about a line of the program.
func (a answerTo) fault(line []byte, format string, args ...any) error {
	return fmt.Errorf("%s; the program answered %s with: %s", fmt.Sprintf(format, args...), string(a), excerpt(line))
}

// read reads a line into an answer, which is a JSON object. A program says with {"error": TEXT} why it has no answer.
func (a answerTo) read(line []byte, into any) error {
	text := bytes.TrimSpace(line)
	if len(text) == 0 || text[0] != '{' || !utf8.Valid(text) {
		return a.fault(line, "the answer must be a JSON object on one line; everything else belongs on the standard error")
	}
	var failed struct {
		Error *string `json:"error"`
	}
	if err := json.Unmarshal(text, &failed); err == nil && failed.Error != nil {
		return fmt.Errorf("the program says: %s", cut(*failed.Error, maxText))
	}
	err := json.Unmarshal(text, into)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch):
		return a.fault(line, "%s has the wrong form: got %s", strings.ToLower(mismatch.Field), mismatch.Value)
	case err != nil:
		return a.fault(line, "%s", err)
	}
	return nil
}

// readGreeting reads the answer to the first line.
func readGreeting(line []byte, declared []string) (greeting, error) {
	const to = answerTo("hello")
	var g greeting
	if err := to.read(line, &g); err != nil {
		return g, err
	}
	if g.State == "" {
		g.State = stateReplay
	}
	switch {
	case g.Hello != version:
		return g, to.fault(line, "it must begin with {\"hello\": %d", version)
	case g.State != stateReplay && g.State != stateSnapshot:
		return g, to.fault(line, "state must be %q or %q, got %q", stateReplay, stateSnapshot, cut(g.State, 40))
	case len(g.Can) > len(abilities):
		return g, to.fault(line, "can must list some of %s", strings.Join(abilities, ", "))
	}
	for _, c := range g.Can {
		if !slices.Contains(abilities, c) {
			return g, to.fault(line, "can must list some of %s, got %q", strings.Join(abilities, ", "), cut(c, 40))
		}
	}
	for _, c := range declared {
		if !g.can(c) {
			return g, to.fault(line, "its declaration says that it can %s", c)
		}
	}
	g.Name, g.Version = cut(g.Name, 40), cut(g.Version, 40)
	return g, nil
}

// suggestion is an answer with points.
type suggestion struct {
	X     []map[string]encoding.Value `json:"x"`
	Note  string                      `json:"note"`
	State json.RawMessage             `json:"state"`
}

// readSuggestion reads the points of an answer, and checks that they can be evaluated.
func (r *request) readSuggestion(line []byte, g greeting) (optimizers.Suggestion, error) {
	const to = answerTo("suggest")
	var a suggestion
	if err := to.read(line, &a); err != nil {
		return optimizers.Suggestion{}, err
	}
	bad := func(format string, args ...any) (optimizers.Suggestion, error) {
		return optimizers.Suggestion{}, to.fault(line, format, args...)
	}
	switch n := len(a.X); {
	case n == 0:
		return bad("it has no point; x must be a list of points, such as [{%q: …}]", r.domain[0].Name)
	case n > 1 && !g.can(CanBatch):
		return bad("it has %d points, and only a program that can batch may suggest several", n)
	case n > maxPoints:
		return bad("it has %d points, at most %d are possible", n, maxPoints)
	case len(a.State) > maxState:
		return bad("its state has %d KiB, at most %d KiB are possible", len(a.State)>>10, maxState>>10)
	}
	s := optimizers.Suggestion{X: mat.NewDense(len(a.X), r.in.Dim, nil), Note: cut(a.Note, maxText)}
	for i, values := range a.X {
		x, err := r.input(values)
		if err == nil {
			err = r.check(s, i, x)
		}
		if err != nil {
			return bad("%s", err)
		}
		s.Inputs = append(s.Inputs, x)
		s.X.SetRow(i, r.source.Problem.Domain.ToUnit(x))
	}
	if g.State == stateSnapshot && len(a.State) > 0 && string(a.State) != "null" {
		n := len(r.data)
		s.State = &optimizers.State{Data: a.State, Seen: n, Digest: r.digests[n]}
	}
	return s, nil
}

// input reads a point: every variable with a value between its bounds.
func (r *request) input(supplied map[string]encoding.Value) ([]float64, error) {
	values, err := encoding.DecodeMap(r.source.Problem.Domain, supplied)
	if err != nil {
		return nil, err
	}
	x := make([]float64, r.in.Dim)
	for j, v := range r.source.Problem.Domain {
		value, ok := values[v.Name]
		if !ok {
			return nil, fmt.Errorf("the point has no value of %s", v.Name)
		}
		low, high := v.Low, v.High
		if v.Kind == functions.Real {
			low, high = r.domain[j].Low, r.domain[j].High
			if slack := 1e-9 * (high - low); value >= low-slack && value <= high+slack { // rounding errors
				value = min(max(value, low), high)
			}
			v.Low, v.High = low, high
		} else if r.in.Low != nil {
			low, high = v.FromUnit(r.in.Low[j]), v.FromUnit(r.in.High[j])
		}
		if err := cmp.Or(v.Check(value), v.CheckStep(value)); err != nil {
			return nil, err
		}
		if value < low || value > high {
			return nil, fmt.Errorf("%s must be between %s and %s, got %s", v.Name, v.Text(low), v.Text(high), v.Text(value))
		}
		x[j] = value
		if v.Steps() > 0 {
			x[j] = v.Snap(value) // without rounding errors
		}
	}
	return x, r.source.Problem.CheckConstraints(x)
}

// check returns an error for a point that was evaluated before, is pending or was discarded.
func (r *request) check(s optimizers.Suggestion, i int, x []float64) error {
	u := r.source.Problem.Domain.ToUnit(x)
	text := r.source.Problem.Domain.Text(x)
	for _, v := range r.in.Avoid {
		if near(u, v, search.RepeatRadius) {
			return fmt.Errorf("the point %s was discarded", text)
		}
	}
	if r.in.MinDistance > 0 && nearRow(u, r.in.Pending, r.in.MinDistance) {
		return fmt.Errorf("the point %s is closer than %g of a range to a pending point", text, r.in.MinDistance)
	}
	if search.AllowsRepeats(r.in) {
		return nil
	}
	const why = "without noise, its result would be the same; repeats = on allows it, and so does a declared noise"
	switch {
	case nearRow(u, r.in.Data.X, search.RepeatRadius) || nearRow(u, r.in.Data.Failed, search.RepeatRadius):
		return fmt.Errorf("the point %s was evaluated before, and %s", text, why)
	case nearRow(u, r.in.Pending, search.RepeatRadius):
		return fmt.Errorf("the point %s is pending, and %s", text, why)
	}
	for k := range i {
		if near(u, s.X.RawRowView(k), search.RepeatRadius) {
			return fmt.Errorf("the point %s occurs twice, and %s", text, why)
		}
	}
	return nil
}

// near reports whether two points are closer than a distance in every variable.
func near(a, b []float64, distance float64) bool {
	for j := range a {
		if math.Abs(a[j]-b[j]) >= distance {
			return false
		}
	}
	return true
}

// nearRow reports whether a point is near a row of a matrix.
func nearRow(u []float64, X *mat.Dense, distance float64) bool {
	if X == nil {
		return false
	}
	n, _ := X.Dims()
	for i := range n {
		if near(u, X.RawRowView(i), distance) {
			return true
		}
	}
	return false
}

// Bounds of an excerpt, in characters.
const maxExcerpt = 80

// excerpt quotes the beginning of a line.
func excerpt(line []byte) string {
	if text := strings.TrimSpace(cut(string(line[:min(len(line), 4*maxExcerpt)]), maxExcerpt)); text != "" {
		return text
	}
	return "an empty line"
}

// cut bounds a text, and replaces what cannot be shown.
func cut(s string, max int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if !strconv.IsGraphic(r) && r != ' ' {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError))))
	if len(runes) > max {
		return string(runes[:max-1]) + "…"
	}
	return string(runes)
}
