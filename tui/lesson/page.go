package lesson

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/explore/views"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/theme"
)

// claimedPage is a claimedPage of a lesson with what is drawn beside it: of line, plane and outcomes the one that is
// seen.
type claimedPage struct {
	state   sessions.State
	view    View
	scene   view.Scene
	told    *view.Told
	warning string
	before  *claimedPage // nil of the first

	appraised func() *diagnostics.Summary // what the outlook tells, shown or not; nil where the model cannot be asked

	image views.Image     // along one variable, with what is hidden; nothing of it is there elsewhere
	d     picture.Drawing // as it is drawn, without that
	chart chart.Chart
	rows  int // of the plot

	over     *views.Plane
	plane    *picture.Plane // over two variables, as it is drawn; nil elsewhere
	fronts   *views.Front
	outcomes *front.Outcomes // of several objectives; nil elsewhere
}

// turnTo draws the page at which a session stands.
func turnTo(ctx context.Context, s *sessions.Session, before *claimedPage) (*claimedPage, error) {
	return draw(ctx, s.Snapshot(), s.Lesson(), before)
}

// draw draws where a session stood, as a page of a lesson or, where that is nil, of a session that is none.
func draw(ctx context.Context, at sessions.Snapshot, of *sessions.Lesson, before *claimedPage) (*claimedPage, error) {
	return drawIn(ctx, theme.New(true, theme.TrueColor, false), at, of, before)
}

func drawIn(ctx context.Context, style theme.Style, at sessions.Snapshot, of *sessions.Lesson,
	before *claimedPage) (*claimedPage, error) {
	p := &claimedPage{state: at.State(), before: before}
	note := p.state.LastNote()
	var err error
	if p.view, err = ParseView(note.View, p.state.Problem); err != nil {
		return nil, err
	}
	if p.view.Picture == "" {
		p.view.Picture = Usual(p.state.Problem)
	}
	places := at.Timeline()
	var question Question
	last := places.At == len(places.Stops)-1 // nothing is asked there, but will be when the lesson goes on
	asking := note.Ask && len(note.Choices) == 0 &&
		(last || of == nil || question.Open(Page{State: p.state, Line: places}))
	p.scene = view.Scene{State: p.state, Style: style, Lesson: of != nil || note.Says(), Asking: asking,
		Bare:   of.Hides("weights") || of.Hides("acquisition") && !p.view.Next,
		View:   picture.View{Samples: 8, Variable: p.view.Variable, Theory: p.view.Theory},
		Reveal: p.state.Problem.Truth != nil && !of.Hides("truth") && !asking && !p.view.Outlook}
	if of != beside {
		p.scene.Steady = Steady(of, p.state.Problem)
	}
	p.scene.Overlay.Asked = Page{State: p.state, Line: places}.Pair()
	p.scene.W, p.scene.H = Width-view.Side(Width, p.scene.Lesson), Height-view.HeadRows-view.FootRows
	along, over, between := views.NewLine(p.state), views.NewPlane(p.state), views.NewFront()
	shown := map[string]view.Picture{"line": along, "plane": over, "outcomes": between}[p.view.Picture]
	whole, err := shown.Look(p.scene)(ctx, at, func(string, int, int) {}, func(view.Image) {})
	if err != nil {
		return nil, err
	}
	p.told = shown.Take(p.scene, whole)
	p.scene.Told, p.warning = p.told, shown.Warn(p.scene)
	p.appraised = func() *diagnostics.Summary {
		a, err := diagnostics.Summarize(ctx, at, nil)
		if err != nil {
			return nil
		}
		return a
	}
	switch p.view.Picture {
	case "line":
		p.image, p.d = along.Image(), along.Drawing(p.scene)
		p.chart, p.rows = p.d.Chart(), along.Rows(p.scene)
	case "plane":
		over.Enlarge(p.view.Field)
		p.over, p.plane = over, over.Drawn(p.scene)
	case "outcomes":
		p.fronts, p.outcomes = between, between.Shown()
	}
	return p, nil
}

// seen is a kind of picture of which a quantity is measured.
type seen int

const (
	onLine seen = 1 << iota
	onPlane
	onOutcomes

	onAny = onLine | onPlane | onOutcomes
)

// seen is the kind of the picture.
func (p *claimedPage) seen() seen {
	return map[string]seen{"line": onLine, "plane": onPlane, "outcomes": onOutcomes}[p.view.Picture]
}

// comparable reports whether the page before shows the same kind of picture.
func (p *claimedPage) comparable() bool { return p.before != nil && p.before.seen() == p.seen() }

// quantity is something of a page that can be measured.
type quantity struct {
	about string
	on    seen                       // the pictures on which it is
	of    func(*claimedPage) float64 // NaN where it is not known
}

// errNotKnown is wrapped by the error of a quantity that is shown, and has no value yet.
var errNotKnown = errors.New("not known on this page")

// measure is a quantity of the page.
func (p *claimedPage) measure(name string) (float64, error) {
	q, ok := quantities[name]
	if !ok {
		return 0, unknown(name)
	}
	if q.on&p.seen() == 0 {
		return 0, fmt.Errorf("%s is not shown on this page, where the %s is", name,
			map[string]string{"line": "belief along one variable", "plane": "belief over two variables",
				"outcomes": "space of objectives"}[p.view.Picture])
	}
	v := q.of(p)
	if math.IsNaN(v) {
		return 0, fmt.Errorf("%s is %w (%s)", name, errNotKnown, q.about)
	}
	return v, nil
}
