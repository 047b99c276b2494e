// Package claims checks what the pages of a lesson say of the pictures beside them. What of that can be measured stands with a page as claims,
// "band > 2": a quantity of the picture, as the explorer draws it in the smallest window, a comparison and a number. The pictures are those of the
// explorer, drawn without it; here is what of them can be measured.
package claims

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/naming"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/belief"
	"bandscope/tui/belief/several"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/line"
	"bandscope/tui/explore/outcomes"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// Broken is a claim of a lesson that is not true of the picture.
type Broken struct {
	Page  int    // from 1
	Title string // of the page
	Claim string
	Why   string
}

func (b Broken) String() string {
	return fmt.Sprintf("page %d, %q: %s: %s", b.Page, b.Title, b.Claim, b.Why)
}

// Width and Height are the window that claims are about: the smallest that the explorer works in.
const Width, Height = 80, 24

// Check goes through the pages of a lesson, and returns how many claims they make and those that are not true. The session is
// left where it stood.
func Check(ctx context.Context, s *sessions.Session, progress sessions.Progress) (checked int, broken []Broken, err error) {
	at := s.Timeline().At
	defer s.GoTo(at)
	var before *page
	places := s.Timeline().Stops
	for i, place := range places {
		if progress != nil {
			progress("checking pages", i, len(places))
		}
		s.GoTo(i)
		p, err := turnTo(ctx, s, before)
		if err != nil {
			return checked, broken, fmt.Errorf("page %d: %w", i+1, err)
		}
		if place.Note != "" {
			for _, claim := range p.state.LastNote().Claims {
				checked++
				if err := p.check(claim); err != nil {
					broken = append(broken, Broken{i + 1, place.Note, claim, err.Error()})
				}
			}
		}
		before = p
	}
	return checked, broken, nil
}

// page is a page of a lesson with what is drawn beside it.
type page struct {
	state    sessions.State
	scene    picture.Scene
	told     *picture.Told
	warning  string
	outcomes *several.Outcomes // nil where there is one objective
	image    line.Image        // of one objective, with what is hidden
	d        belief.Drawing    // as it is drawn, without that
	chart    plot.Chart
	rows     int // of the plot
	before   *page
}

// turnTo draws the page at which a session stands.
func turnTo(ctx context.Context, s *sessions.Session, before *page) (*page, error) {
	at := s.Snapshot()
	p := &page{state: at.State(), before: before}
	var question lesson.Question
	p.scene = picture.Scene{State: p.state, Style: theme.New(true, theme.TrueColor, false), View: belief.View{Samples: 8}, Lesson: s.Lesson() != nil,
		Bare: s.Lesson().Hides("weights"), Reveal: p.state.Problem.Truth != nil && !s.Lesson().Hides("truth"),
		Asking: s.Lesson() != nil && question.Open(lesson.Page{State: p.state, Line: at.Timeline()})}
	p.scene.W, p.scene.H = Width-picture.Side(Width, p.scene.Lesson), Height-picture.HeadRows-picture.FootRows
	var shown picture.Picture
	along, over := line.New(p.state), outcomes.New()
	if shown = along; len(p.state.Problem.Objectives) > 1 {
		shown = over
	}
	whole, err := shown.Look(p.scene)(ctx, at, func(string, int, int) {}, func(picture.Image) {})
	if err != nil {
		return nil, err
	}
	p.told = shown.Take(p.scene, whole)
	p.scene.Told, p.warning = p.told, shown.Warn(p.scene)
	p.outcomes, p.image = over.Shown(), along.Image()
	if p.outcomes == nil {
		p.d = along.Drawing(p.scene)
		p.chart, p.rows = p.d.Chart(), along.Rows(p.scene)
	}
	return p, nil
}

// check measures what a claim is about.
func (p *page) check(claim string) error {
	words := strings.Fields(claim)
	if len(words) != 3 {
		return fmt.Errorf("a claim is a quantity, one of = < > and a number, such as band > 2")
	}
	q, ok := quantities[words[0]]
	if !ok {
		return naming.Unknown("quantity", words[0], slices.Sorted(maps.Keys(quantities)))
	}
	want, err := strconv.ParseFloat(words[2], 64)
	if err != nil {
		return fmt.Errorf("%q is not a number", words[2])
	}
	if (p.outcomes != nil) == q.plotted {
		return fmt.Errorf("%s is not shown on this page", words[0])
	}
	got := q.of(p)
	holds := false
	switch words[1] {
	case "=":
		holds = got == want
	case "<":
		holds = got < want
	case ">":
		holds = got > want
	default:
		return fmt.Errorf("%q compares nothing; it is one of = < >", words[1])
	}
	if !holds {
		return fmt.Errorf("%s is %.4g", words[0], got)
	}
	return nil
}

// quantity is something of a page that can be measured.
type quantity struct {
	about   string
	plotted bool // it is of a plot of the belief, rather than of the space of objectives
	of      func(*page) float64
}

var quantities = map[string]quantity{
	"points":      {"observations drawn", true, func(p *page) float64 { return float64(p.points()) }},
	"band":        {"the greatest height of the band, in rows", true, func(p *page) float64 { return greatest(p.heights(p.d.Picture.Grid)) }},
	"pinch":       {"the greatest height of the band at an observation, in rows", true, func(p *page) float64 { return greatest(p.heights(p.observed())) }},
	"samples":     {"the greatest distance of two surrogate samples at one input, in rows", true, (*page).spread},
	"moved":       {"the greatest distance of the mean or an edge of the band from that of the page before, in rows", true, (*page).moved},
	"outside":     {"the share of the domain where the true function lies outside of the band", true, (*page).outside},
	"truth":       {"1 if the true function is drawn, else 0", true, func(p *page) float64 { return one(p.d.Reveal) }},
	"acquisition": {"1 if the acquisition is drawn, else 0", true, func(p *page) float64 { return one(len(p.d.Picture.Acquisition) > 0) }},
	"next":        {"marks of what the next step evaluates", true, func(p *page) float64 { return float64(len(p.d.Picture.Next)) }},
	"next-spread": {"how much of the domain the points of the next batch span", true, func(p *page) float64 { return p.span(p.image.Next) }},
	"last-spread": {"how much of the domain the points of the last batch span", true, func(p *page) float64 { return p.span(p.last().X) }},
	"gap":         {"the distance of the next point from the nearest observation, as a share of the domain", true, (*page).gap},
	"moved-next":  {"the distance of the next point from that of the page before, as a share of the domain", true, (*page).movedNext},
	"sure":        {"the probability that the next point's value lies below the best so far", true, (*page).sure},
	"lowest-mean": {"the distance of the next point from the lowest mean, as a share of the domain", true, func(p *page) float64 { return p.away(p.lowest(p.image.Mean)) }},
	"lowest-used": {"the distance of the next point from the minimum of the curve that chooses, as a share of the domain", true, func(p *page) float64 { return p.away(p.lowest(p.image.Used)) }},
	"regret":      {"the simple regret", true, (*page).regret},
	"gained":      {"by how much the last step lowered the simple regret", true, (*page).gained},
	"warnings":    {"warnings in the status line", true, (*page).warned},

	"front":    {"points of the front", false, func(p *page) float64 { return float64(len(p.outcomes.Front)) }},
	"aim":      {"the probability that the prior over weights puts on the front inside of its boxes", false, (*page).aim},
	"inside":   {"the share of the last four outcomes that lie inside of the prior's boxes", false, (*page).inside},
	"outcomes": {"outcomes drawn", false, func(p *page) float64 { return float64(len(p.state.Iterations)) }},
	"alerts":   {"warnings in the status line", false, (*page).warned},
}

func init() { maps.Copy(quantities, severalObjectives) }

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func greatest(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return slices.Max(v)
}

// cells is a distance along the y axis in rows.
func (p *page) cells(dy float64) float64 {
	return dy / (p.chart.Y.Max - p.chart.Y.Min) * float64(p.rows)
}

// shown is a value kept within the y axis.
func (p *page) shown(y float64) float64 { return min(max(y, p.chart.Y.Min), p.chart.Y.Max) }

func (p *page) points() (n int) {
	for _, it := range p.state.Iterations {
		for i := range it.X {
			if !it.Failed[i] && p.shown(it.Y[i][0]) == it.Y[i][0] {
				n++
			}
		}
	}
	return n
}

// observed are the inputs where the function is known.
func (p *page) observed() (x []float64) {
	for _, it := range p.state.Iterations {
		for i := range it.X {
			if !it.Failed[i] {
				x = append(x, it.X[i][0])
			}
		}
	}
	return x
}

// heights are those of the band at inputs, in rows, as far as it is inside of the plot.
func (p *page) heights(at []float64) (rows []float64) {
	b := p.d.Picture
	if len(b.Lower) == 0 {
		return nil
	}
	for _, x := range at {
		rows = append(rows, p.cells(p.shown(b.At(b.Upper, x))-p.shown(b.At(b.Lower, x))))
	}
	return rows
}

func (p *page) spread() float64 {
	most := 0.0
	for i := range p.d.Picture.Grid {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range p.d.Picture.Samples {
			lo, hi = min(lo, p.shown(s[i])), max(hi, p.shown(s[i]))
		}
		if hi > lo {
			most = max(most, p.cells(hi-lo))
		}
	}
	return most
}

func (p *page) moved() float64 {
	if p.before == nil || p.before.outcomes != nil {
		return 0
	}
	most, a, b := 0.0, p.before.image, p.image
	for _, x := range b.Grid {
		for _, c := range [][2][]float64{{a.Mean, b.Mean}, {a.Lower, b.Lower}, {a.Upper, b.Upper}} {
			if d := math.Abs(p.shown(a.At(c[0], x)) - p.shown(b.At(c[1], x))); d > 0 {
				most = max(most, p.cells(d))
			}
		}
	}
	return most
}

func (p *page) outside() float64 {
	out := 0
	for i, x := range p.image.Truth.X {
		if y := p.image.Truth.Y[i]; y < p.image.At(p.image.Lower, x) || y > p.image.At(p.image.Upper, x) {
			out++
		}
	}
	return float64(out) / float64(len(p.image.Truth.X))
}

// width is that of the domain.
func (p *page) width() float64 {
	v := p.state.Problem.Domain[0]
	return v.High - v.Low
}

func (p *page) last() sessions.Iteration {
	if n := len(p.state.Iterations); n > 0 {
		return p.state.Iterations[n-1]
	}
	return sessions.Iteration{}
}

func (p *page) span(batch [][]float64) float64 {
	if len(batch) == 0 {
		return 0
	}
	lo, hi := batch[0][0], batch[0][0]
	for _, x := range batch {
		lo, hi = min(lo, x[0]), max(hi, x[0])
	}
	return (hi - lo) / p.width()
}

// away is the distance of the next point from an input, as a share of the domain.
func (p *page) away(x float64) float64 {
	if len(p.image.Next) == 0 {
		return math.NaN()
	}
	return math.Abs(p.image.Next[0][0]-x) / p.width()
}

func (p *page) gap() float64 {
	least := math.Inf(1)
	for _, x := range p.observed() {
		least = min(least, p.away(x))
	}
	return least
}

func (p *page) movedNext() float64 {
	if p.before == nil || p.before.outcomes != nil || len(p.before.image.Next) == 0 {
		return math.NaN()
	}
	return p.away(p.before.image.Next[0][0])
}

// lowest is where a curve of the picture is best.
func (p *page) lowest(curve []float64) float64 {
	g, at := p.state.Problem.Objectives[0].Gauge(), 0
	for i, y := range curve {
		if g.Counted(y) < g.Counted(curve[at]) {
			at = i
		}
	}
	if len(curve) == 0 {
		return math.NaN()
	}
	return p.image.Grid[at]
}

func (p *page) sure() float64 {
	mean, sd, best, ok := lesson.Expected(p.state, p.image.Picture, p.image.Next[0][0])
	if !ok {
		return math.NaN()
	}
	return math.Erfc((mean-best)/sd/math.Sqrt2) / 2
}

func (p *page) regret() float64 {
	t := report.TracesOf(p.state)
	if len(t.Simple) == 0 {
		return math.NaN()
	}
	return t.Simple[len(t.Simple)-1]
}

func (p *page) gained() float64 {
	t := report.TracesOf(p.state)
	if n := len(t.Simple); n > 1 {
		return t.Simple[n-2] - t.Simple[n-1]
	}
	return math.NaN()
}

func (p *page) warned() float64 {
	return one(len(p.told.Legend.Warnings) > 0 || p.warning != "")
}

// boxed reports whether an outcome, in the problem's units, lies in one of the prior's boxes.
func (p *page) boxed(y []float64) bool {
	o, in := p.outcomes, p.state.Input()
	return o.Prior.Inside(p.state.Outcome(y, o.Lo, o.Hi), weights.OutcomesOf(in))
}

func (p *page) aim() (chance float64) {
	o := p.outcomes
	for i, y := range o.Front {
		if o.Chance != nil && p.boxed(y) {
			chance += o.Chance[i]
		}
	}
	return chance
}

func (p *page) inside() float64 {
	last := p.state.Iterations[max(len(p.state.Iterations)-4, 0):]
	in, count := 0.0, 0.0
	for _, it := range last {
		for _, y := range it.Judged() {
			in, count = in+one(p.boxed(y)), count+1
		}
	}
	return in / count
}
