package explore

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
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// A page of a lesson says what the picture beside it shows. What of that can be measured stands with the page as claims, "band > 2":
// a quantity of the picture, as it is drawn in the smallest window, a comparison and a number.

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

// Claims are the quantities that the claims of a lesson may be about, by name, each in a sentence.
func Claims() map[string]string {
	all := map[string]string{}
	for name, q := range quantities {
		all[name] = q.about
	}
	return all
}

// The window that claims are about: the smallest that the explorer works in.
const claimWidth, claimHeight = 80, 24

// CheckClaims goes through the pages of a lesson, and returns how many claims they make and those that are not true. The session is
// left where it stood.
func CheckClaims(ctx context.Context, s *sessions.Session, progress sessions.Progress) (checked int, broken []Broken, err error) {
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
			for _, claim := range p.m.state.LastNote().Claims {
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
	m      *Model
	d      belief.Drawing // as it is drawn, without what is hidden
	chart  plot.Chart
	rows   int             // of the plot
	whole  *belief.Picture // with what is hidden; nil where outcomes are shown
	before *page
}

// turnTo draws the page at which a session stands.
func turnTo(ctx context.Context, s *sessions.Session, before *page) (*page, error) {
	m := New(s, "")
	m.Resize(claimWidth, claimHeight)
	m.Restyle(theme.New(true, theme.TrueColor, false))
	p := &page{m: m, before: before}
	whole, err := m.picture().Look(m.stage())(ctx, m.at, func(string, int, int) {}, func(picture.Image) {})
	if err != nil {
		return nil, err
	}
	m.take(whole)
	if m.several() {
		return p, nil
	}
	scene := m.stage()
	p.whole, p.d = m.line().Image().Picture, m.line().Drawing(scene)
	p.chart, p.rows = p.d.Chart(), m.line().Rows(scene)
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
	if (p.whole == nil) == q.plotted {
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
	"next-spread": {"how much of the domain the points of the next batch span", true, func(p *page) float64 { return p.span(p.whole.Next) }},
	"last-spread": {"how much of the domain the points of the last batch span", true, func(p *page) float64 { return p.span(p.last().X) }},
	"gap":         {"the distance of the next point from the nearest observation, as a share of the domain", true, (*page).gap},
	"moved-next":  {"the distance of the next point from that of the page before, as a share of the domain", true, (*page).movedNext},
	"sure":        {"the probability that the next point's value lies below the best so far", true, (*page).sure},
	"lowest-mean": {"the distance of the next point from the lowest mean, as a share of the domain", true, func(p *page) float64 { return p.away(p.lowest(p.whole.Mean)) }},
	"lowest-used": {"the distance of the next point from the minimum of the curve that chooses, as a share of the domain", true, func(p *page) float64 { return p.away(p.lowest(p.whole.Used)) }},
	"regret":      {"the simple regret", true, (*page).regret},
	"gained":      {"by how much the last step lowered the simple regret", true, (*page).gained},
	"warnings":    {"warnings in the status line", true, (*page).warned},

	"front":    {"points of the front", false, func(p *page) float64 { return float64(len(p.m.known().Front)) }},
	"aim":      {"the probability that the prior over weights puts on the front inside of its boxes", false, (*page).aim},
	"inside":   {"the share of the last four outcomes that lie inside of the prior's boxes", false, (*page).inside},
	"outcomes": {"outcomes drawn", false, func(p *page) float64 { return float64(len(p.m.state.Iterations)) }},
	"alerts":   {"warnings in the status line", false, (*page).warned},
}

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
	for _, it := range p.m.state.Iterations {
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
	for _, it := range p.m.state.Iterations {
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
	if p.before == nil || p.before.whole == nil {
		return 0
	}
	most, a, b := 0.0, p.before.whole, p.whole
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
	for i, x := range p.m.line().Image().Truth.X {
		if y := p.m.line().Image().Truth.Y[i]; y < p.whole.At(p.whole.Lower, x) || y > p.whole.At(p.whole.Upper, x) {
			out++
		}
	}
	return float64(out) / float64(len(p.m.line().Image().Truth.X))
}

// width is that of the domain.
func (p *page) width() float64 {
	v := p.m.state.Problem.Domain[0]
	return v.High - v.Low
}

func (p *page) last() sessions.Iteration {
	if n := len(p.m.state.Iterations); n > 0 {
		return p.m.state.Iterations[n-1]
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
	if len(p.whole.Next) == 0 {
		return math.NaN()
	}
	return math.Abs(p.whole.Next[0][0]-x) / p.width()
}

func (p *page) gap() float64 {
	least := math.Inf(1)
	for _, x := range p.observed() {
		least = min(least, p.away(x))
	}
	return least
}

func (p *page) movedNext() float64 {
	if p.before == nil || p.before.whole == nil || len(p.before.whole.Next) == 0 {
		return math.NaN()
	}
	return p.away(p.before.whole.Next[0][0])
}

// lowest is where a curve of the picture is best.
func (p *page) lowest(curve []float64) float64 {
	sign, at := p.m.state.Problem.Objectives[0].Direction.Sign(), 0
	for i, y := range curve {
		if sign*y < sign*curve[at] {
			at = i
		}
	}
	if len(curve) == 0 {
		return math.NaN()
	}
	return p.whole.Grid[at]
}

func (p *page) sure() float64 {
	mean, sd, best, ok := lesson.Expected(p.m.state, p.whole, p.whole.Next[0][0])
	if !ok {
		return math.NaN()
	}
	return math.Erfc((mean-best)/sd/math.Sqrt2) / 2
}

func (p *page) regret() float64 {
	t := report.TracesOf(p.m.state)
	if len(t.Simple) == 0 {
		return math.NaN()
	}
	return t.Simple[len(t.Simple)-1]
}

func (p *page) gained() float64 {
	t := report.TracesOf(p.m.state)
	if n := len(t.Simple); n > 1 {
		return t.Simple[n-2] - t.Simple[n-1]
	}
	return math.NaN()
}

func (p *page) warned() float64 {
	return one(p.m.warnings("") != "")
}

// boxed reports whether an outcome, in the problem's units, lies in one of the prior's boxes.
func (p *page) boxed(y []float64) bool {
	o, in := p.m.known(), p.m.state.Input()
	return o.Prior.Inside(p.m.state.Outcome(y, o.Lo, o.Hi), weights.OutcomesOf(in))
}

func (p *page) aim() (chance float64) {
	o := p.m.known()
	for i, y := range o.Front {
		if o.Chance != nil && p.boxed(y) {
			chance += o.Chance[i]
		}
	}
	return chance
}

func (p *page) inside() float64 {
	last := p.m.state.Iterations[max(len(p.m.state.Iterations)-4, 0):]
	in, count := 0.0, 0.0
	for _, it := range last {
		for _, y := range it.Judged() {
			in, count = in+one(p.boxed(y)), count+1
		}
	}
	return in / count
}
