package claims

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/belief"
	"bandscope/tui/belief/several"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/line"
	"bandscope/tui/explore/outcomes"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/plane"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// page is a page of a lesson with what is drawn beside it: of line, plane and outcomes the one that is seen.
type page struct {
	state   sessions.State
	view    lesson.View
	scene   picture.Scene
	told    *picture.Told
	warning string
	before  *page // nil of the first

	appraised func() *diagnostics.Summary // what the outlook tells, shown or not; nil where the model cannot be asked

	image line.Image     // along one variable, with what is hidden; nothing of it is there elsewhere
	d     belief.Drawing // as it is drawn, without that
	chart plot.Chart
	rows  int // of the plot

	over     *plane.Picture
	plane    *belief.Plane // over two variables, as it is drawn; nil elsewhere
	fronts   *outcomes.Picture
	outcomes *several.Outcomes // of several objectives; nil elsewhere
}

// turnTo draws the page at which a session stands.
func turnTo(ctx context.Context, s *sessions.Session, before *page) (*page, error) {
	return draw(ctx, s.Snapshot(), s.Lesson(), before)
}

// draw draws where a session stood, as a page of a lesson or, where that is nil, of a session that is none.
func draw(ctx context.Context, at sessions.Snapshot, of *sessions.Lesson, before *page) (*page, error) {
	return drawIn(ctx, theme.New(true, theme.TrueColor, false), at, of, before)
}

func drawIn(ctx context.Context, style theme.Style, at sessions.Snapshot, of *sessions.Lesson, before *page) (*page, error) {
	p := &page{state: at.State(), before: before}
	note := p.state.LastNote()
	var err error
	if p.view, err = lesson.ParseView(note.View, p.state.Problem); err != nil {
		return nil, err
	}
	if p.view.Picture == "" {
		p.view.Picture = lesson.Usual(p.state.Problem)
	}
	places := at.Timeline()
	var question lesson.Question
	last := places.At == len(places.Stops)-1 // nothing is asked there, but will be when the lesson goes on
	asking := note.Ask && len(note.Choices) == 0 && (last || of == nil || question.Open(lesson.Page{State: p.state, Line: places}))
	p.scene = picture.Scene{State: p.state, Style: style, Lesson: of != nil || note.Says(), Asking: asking, Bare: of.Hides("weights") || of.Hides("acquisition") && !p.view.Next,
		View:   belief.View{Samples: 8, Variable: p.view.Variable, Theory: p.view.Theory},
		Reveal: p.state.Problem.Truth != nil && !of.Hides("truth") && !asking && !p.view.Outlook}
	if of != beside {
		p.scene.Steady = lesson.Steady(of, p.state.Problem)
	}
	p.scene.Overlay.Asked = lesson.Page{State: p.state, Line: places}.Pair()
	p.scene.W, p.scene.H = Width-picture.Side(Width, p.scene.Lesson), Height-picture.HeadRows-picture.FootRows
	along, over, between := line.New(p.state), plane.New(p.state), outcomes.New()
	shown := map[string]picture.Picture{"line": along, "plane": over, "outcomes": between}[p.view.Picture]
	whole, err := shown.Look(p.scene)(ctx, at, func(string, int, int) {}, func(picture.Image) {})
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
func (p *page) seen() seen {
	return map[string]seen{"line": onLine, "plane": onPlane, "outcomes": onOutcomes}[p.view.Picture]
}

// comparable reports whether the page before shows the same kind of picture.
func (p *page) comparable() bool { return p.before != nil && p.before.seen() == p.seen() }

// quantity is something of a page that can be measured.
type quantity struct {
	about string
	on    seen                // the pictures on which it is
	of    func(*page) float64 // NaN where it is not known
}

// errNotKnown is wrapped by the error of a quantity that is shown, and has no value yet.
var errNotKnown = errors.New("not known on this page")

// measure is a quantity of the page.
func (p *page) measure(name string) (float64, error) {
	q, ok := quantities[name]
	if !ok {
		return 0, unknown(name)
	}
	if q.on&p.seen() == 0 {
		return 0, fmt.Errorf("%s is not shown on this page, where the %s is", name, map[string]string{"line": "belief along one variable", "plane": "belief over two variables",
			"outcomes": "space of objectives"}[p.view.Picture])
	}
	v := q.of(p)
	if math.IsNaN(v) {
		return 0, fmt.Errorf("%s is %w (%s)", name, errNotKnown, q.about)
	}
	return v, nil
}
