package lessonpage

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

// claimPage is a page of a lesson with the picture beside it: the line, the plane or the outcomes.
type claimPage struct {
	at       sessions.Snapshot
	state    sessions.State
	view     View
	scene    view.Scene
	report   *view.Report
	warning  string
	previous *claimPage // nil on the first page

	summary func() *diagnostics.Summary // the outlook, shown or not; nil without a model

	posterior *picture.Posterior // of the line with the hidden parts; nil for outcomes
	visible   *picture.Posterior // without the hidden parts
	drawing   picture.Drawing    // of the line
	chart     chart.Chart
	rows      int // rows of the plot

	planeView *views.Plane
	frontView *views.Front
	outcomes  *front.Outcomes // of several objectives; otherwise nil
}

// turnTo draws the current page of a session.
func turnTo(ctx context.Context, s *sessions.Session, before *claimPage) (*claimPage, error) {
	return draw(ctx, s.Snapshot(), s.Lesson(), before)
}

// draw draws a snapshot of a session, as a page of a lesson, or of an ordinary session if the lesson is nil.
func draw(ctx context.Context, snapshot sessions.Snapshot, lesson *sessions.Lesson, before *claimPage) (*claimPage, error) {
	return drawIn(ctx, theme.New(true, theme.TrueColor, false), snapshot, lesson, before)
}

func drawIn(ctx context.Context, style theme.Style, snapshot sessions.Snapshot, lesson *sessions.Lesson,
	before *claimPage) (*claimPage, error) {
	p := &claimPage{at: snapshot, state: snapshot.State(), previous: before}
	note := p.state.LastNote()
	var err error
	p.view, err = ParseView(note.View, p.state.Problem)
	if err != nil {
		return nil, err
	}
	if p.view.Picture == "" {
		p.view.Picture = DefaultPicture(p.state.Problem)
	}
	places := snapshot.Timeline()
	var question Question
	last := places.At == len(places.Stops)-1 // the last page written: the question opens with the next page
	asking := note.Ask && len(note.Choices) == 0 &&
		(last || lesson == nil || question.Open(Page{State: p.state, Line: places}))
	p.scene = view.Scene{State: p.state, Style: style, Lesson: lesson != nil || note.HasDirectives(), Asking: asking,
		Bare:   lesson.Hides("weights") || lesson.Hides("acquisition") && !p.view.Next,
		View:   picture.View{Samples: 8, X: p.view.Variable, Theory: p.view.Theory},
		Reveal: p.state.Problem.Truth != nil && !lesson.Hides("truth") && !asking && !p.view.Summary}
	if lesson != taskLesson {
		p.scene.RangeMode, p.scene.Axes = RangeModeFor(lesson, p.state.Problem), lesson.SharedAxes()
	}
	p.scene.Overlay.Question = Page{State: p.state, Line: places}.Pair()
	p.scene.W, p.scene.H = Width-view.SideWidth(Width, p.scene.Lesson), Height-view.HeadRows-view.FootRows
	along := views.NewLine(p.state)
	over := views.NewPlane(p.state)
	between := views.NewFront()
	shown := map[string]view.Picture{"line": along, "plane": over, "outcomes": between}[p.view.Picture]
	whole, err := shown.Compute(p.scene)(ctx, snapshot, func(string, int, int) {}, func(view.Image) {})
	if err != nil {
		return nil, err
	}
	p.report = shown.SetImage(p.scene, whole)
	p.scene.Report, p.warning = p.report, shown.Warning(p.scene, math.MaxInt)
	p.summary = func() *diagnostics.Summary {
		a, err := diagnostics.Summarize(ctx, snapshot, nil)
		if err != nil {
			return nil
		}
		return a
	}
	switch p.view.Picture {
	case "line":
		p.posterior, p.drawing = along.Posterior(), along.Drawing(p.scene)
		p.visible = p.drawing.Posterior
		p.chart, p.rows = p.drawing.Chart(picture.MeanField), along.Rows(p.scene)
	case "plane":
		over.Enlarge(p.view.Field)
		p.planeView, p.visible = over, over.VisiblePlane(p.scene)
		p.posterior = p.visible
	case "outcomes":
		p.frontView, p.outcomes = between, between.Outcomes()
	}
	return p, nil
}

// pictureKind is a kind of picture, on which a quantity can be measured.
type pictureKind int

const (
	onLine pictureKind = 1 << iota
	onPlane
	onOutcomes

	onAny = onLine | onPlane | onOutcomes
)

// pictureKind returns the kind of the picture.
func (p *claimPage) pictureKind() pictureKind {
	return map[string]pictureKind{"line": onLine, "plane": onPlane, "outcomes": onOutcomes}[p.view.Picture]
}

// comparable reports whether the previous page has the same kind of picture.
func (p *claimPage) comparable() bool {
	return p.previous != nil && p.previous.pictureKind() == p.pictureKind()
}

// quantity is a quantity of a page that can be measured.
type quantity struct {
	about string
	on    pictureKind              // the pictures that have it
	of    func(*claimPage) float64 // NaN if it is unknown
}

// errNotKnown is wrapped if a quantity has no value yet.
var errNotKnown = errors.New("unknown on this page")

// measure measures a quantity of the page.
func (p *claimPage) measure(name string) (float64, error) {
	q, ok := quantities[name]
	if !ok {
		return 0, unknown(name)
	}
	if q.on&p.pictureKind() == 0 {
		return 0, fmt.Errorf("%s is not on this page, which shows %s", name,
			map[string]string{"line": "a function of one variable", "plane": "a function of two variables",
				"outcomes": "objectives"}[p.view.Picture])
	}
	v := q.of(p)
	if math.IsNaN(v) {
		return 0, fmt.Errorf("%s is %w (%s)", name, errNotKnown, q.about)
	}
	return v, nil
}
