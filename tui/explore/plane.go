package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/explore/mode"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// planeState is what the explorer shows of two variables.
type planeState struct {
	view        belief.PlaneView
	zooms       []belief.PlaneView // the windows before, to go back to
	picture     *belief.Plane
	big         belief.FieldKind
	contours    bool
	numbers     bool
	own         bool // each field has a colour scale of its own
	colors      int  // which map
	coordinates bool // all variables of the data are shown in place of the regret

	jobs   screen.Jobs // looks along the two lines through the cursor
	slices [2]*belief.Picture
	blank  error // why there are none
}

var colorMaps = []plot.Colormap{plot.Viridis, plot.Cividis, plot.Diverging}

func newPlane() planeState {
	return planeState{view: belief.WholePlane(0, 1), big: belief.MeanField, own: true}
}

// slicesMsg brings the two lines through the cursor.
type slicesMsg struct{ slices [2]*belief.Picture }

// lookPlane looks at the plane, in stages.
func (m *Model) lookPlane() looking {
	view, theory, cursor := m.plane.view, m.view.Theory, m.cursor()
	return func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress, show func(image)) (image, error) {
		held := cursor
		if held == nil {
			held = belief.Anchor(at.State())
		}
		p, err := belief.LookPlane(ctx, at, view, held, progress, func(p *belief.Plane) { show(p) })
		if err == nil && theory {
			p.Theory, err = theoryOf(ctx, at, progress)
		}
		return p, err
	}
}

// theoryOf is the theory of where a session stands; nil if there is none.
func theoryOf(ctx context.Context, s belief.Source, progress sessions.Progress) (*optimizers.Theory, error) {
	b, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, err
	}
	t, ok := b.(optimizers.Theorist)
	if !ok {
		return nil, nil
	}
	theory, err := t.Theory(ctx)
	if errors.Is(err, optimizers.ErrAbsent) {
		return nil, nil
	}
	return &theory, err
}

// tookPlane takes one stage of a picture; the two lines through the cursor follow the whole.
func (m *Model) tookPlane(p *belief.Plane) tea.Cmd {
	m.plane.picture = p
	m.known = &known{p.Head, p.Note, p.Legend, p.Next, p.ByStart, p.Partial, !p.Partial, p.Theory}
	if p.Partial {
		return nil
	}
	return m.lookSlices()
}

// cursor is the point that is being chosen, nil while none is.
func (m *Model) cursor() []float64 {
	if at := m.overlay().Cursor; len(at) == m.state.Problem.Dim() {
		return slices.Clone(at)
	}
	return nil
}

// cursorOrAnchor is where the variables that are not shown are held: at the cursor while there is one, else at the best point.
func (m *Model) cursorOrAnchor() []float64 {
	if at := m.cursor(); at != nil {
		return at
	}
	return belief.Anchor(m.state)
}

// lookSlices looks along the two lines through the cursor, or the best point, beside whatever else is computed.
func (m *Model) lookSlices() tea.Cmd {
	if !m.planar || m.plane.picture == nil {
		return nil
	}
	m.plane.blank = nil
	s, v, at, samples := m.at, m.plane.view, m.cursorOrAnchor(), m.view.Samples
	return m.plane.jobs.Start("looking along the cursor", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		var out slicesMsg
		for k, variable := range [2]int{v.X, v.Y} {
			p, err := belief.LookAlong(ctx, s, belief.View{Variable: variable, Samples: min(samples, 4)}, at, progress)
			if err != nil {
				return failedMsg{err}
			}
			out.slices[k] = p
		}
		return out
	})
}

// planeCommands are those of fields, and those between kinds of picture.
func planeCommands() []command {
	field := command{Binding: screen.Bind("1-6", "which field is large", "1", "2", "3", "4", "5", "6"), Off: (*Model).noFields, Do: (*Model).enlarge}
	return []command{
		field,
		unless((*Model).oneView, viewKey, (*Model).cycleView),
		unless((*Model).noOther, screen.Bind("} {", "the second variable", "}"), func(m *Model) tea.Cmd { return m.turnSecond(+1) }),
		unless((*Model).noOther, screen.Bind("", "the second variable", "{"), func(m *Model) tea.Cmd { return m.turnSecond(-1) }),
		unless((*Model).noFields, screen.Bind("z", "zoom to the cursor, or the best point", "z"), (*Model).zoom),
		unless((*Model).notZoomed, screen.Bind("Z", "zoom back", "Z"), (*Model).zoomBack),
		unless((*Model).noFields, screen.Bind("l", "contour lines", "l"), func(m *Model) tea.Cmd {
			m.plane.contours = !m.plane.contours
			m.say(map[bool]string{true: "contour lines are drawn", false: "no contour lines"}[m.plane.contours])
			return nil
		}),
		unless((*Model).noFields, screen.Bind("#", "number the points", "#"), func(m *Model) tea.Cmd { m.plane.numbers = !m.plane.numbers; return nil }),
		unless((*Model).noFields, screen.Bind("y", "one colour scale, or each its own", "y"), func(m *Model) tea.Cmd {
			m.plane.own = !m.plane.own
			m.say(map[bool]string{true: "each field has a colour scale of its own", false: "truth, mean and sample have one colour scale"}[m.plane.own])
			return nil
		}),
		unless((*Model).noFields, screen.Bind("Y", "colour map", "Y"), func(m *Model) tea.Cmd {
			m.plane.colors = (m.plane.colors + 1) % len(colorMaps)
			m.say("colours: " + colorMaps[m.plane.colors].Name)
			return nil
		}),
		unless((*Model).noCoordinates, screen.Bind("p", "all variables, or all outcomes, of the data", "p"), func(m *Model) tea.Cmd {
			m.plane.coordinates = !m.plane.coordinates
			return nil
		}),
	}
}

// viewKey goes from one kind of picture to the next.
var viewKey = screen.Bind("d", "outcomes, fields, or a slice", "d")

func (m *Model) oneView() string {
	if !m.several() && m.state.Problem.Dim() == 1 {
		return "this problem has one variable: there is no other view"
	}
	return ""
}

func (m *Model) noFields() string {
	switch {
	case m.state.Problem.Dim() == 1:
		return "this problem has one variable; fields are of two"
	case !m.planar:
		return "no fields are shown: d goes to them"
	}
	return ""
}

func (m *Model) noOther() string {
	if off := m.noFields(); off != "" {
		return off
	}
	if m.state.Problem.Dim() == 2 {
		return "both variables are shown"
	}
	return ""
}

func (m *Model) notZoomed() string {
	if off := m.noFields(); off != "" {
		return off
	}
	if len(m.plane.zooms) == 0 {
		return "this is the whole domain"
	}
	return ""
}

func (m *Model) noCoordinates() string {
	switch {
	case m.steering && len(m.state.Problem.Objectives) < 3:
		return "both objectives are shown"
	case !m.steering && m.state.Problem.Dim() == 1:
		return "this problem has one variable"
	case m.view.Theory:
		return "the theory is shown there: i"
	}
	return ""
}

// enlarge makes the field of a digit the large one.
func (m *Model) enlarge(msg tea.KeyPressMsg) tea.Cmd {
	p, kind := &m.plane, belief.FieldKind(msg.Code-'1')
	switch {
	case kind == belief.CostField && m.state.Problem.Cost == nil:
		m.say("all evaluations cost the same here; --cost gives them a cost")
		return nil
	case p.big == kind:
		m.say(fmt.Sprintf("field %s is the large one", msg.Text))
	}
	p.big = kind
	return nil
}

// turnSecond chooses the second variable of the plane.
func (m *Model) turnSecond(by int) tea.Cmd {
	v := &m.plane.view
	*v = belief.WholePlane(v.X, m.otherVariable(v.Y, v.X, by))
	return m.look()
}

// zoomBack shows the window before.
func (m *Model) zoomBack() tea.Cmd {
	p, n := &m.plane, len(m.plane.zooms)
	p.view, p.zooms = p.zooms[n-1], p.zooms[:n-1]
	return m.look()
}

// otherVariable is the next variable that is not the other one of the plane.
func (m *Model) otherVariable(v, other, by int) int {
	d := m.state.Problem.Dim()
	for {
		if v = (v + by + d) % d; v != other {
			return v
		}
	}
}

// turnPlane chooses the first variable of the plane.
func (m *Model) turnPlane(by int) {
	if v := &m.plane.view; m.planar {
		x := m.otherVariable(v.X, -1, by)
		y := v.Y
		if x == y {
			y = v.X
		}
		*v = belief.WholePlane(x, y)
		m.plane.zooms = nil
	}
}

// zoom halves the window around the cursor, or the best point.
func (m *Model) zoom() tea.Cmd {
	v := m.plane.view
	at := m.state.Problem.Domain.ToUnit(m.cursorOrAnchor())
	if v.High[0]-v.Low[0] < 1e-3 {
		m.say("this is as near as it goes")
		return nil
	}
	m.plane.zooms = append(m.plane.zooms, v)
	m.plane.view = v.Zoomed([2]float64{at[v.X], at[v.Y]})
	return m.look()
}

// tellPlane tells what the fields are at an input, and what the acquisition is made of.
func (m *Model) tellPlane(at []float64) (told []mode.Reading) {
	p := m.plane.picture
	if p == nil {
		return nil
	}
	tell := func(name string, v float64) {
		if !math.IsNaN(v) {
			told = append(told, mode.Reading{Name: name, Value: v})
		}
	}
	tell("mean", p.At(m.state, belief.MeanField, at))
	tell("sd", p.At(m.state, belief.SDField, at))
	tell("acquisition", p.At(m.state, belief.AcquisitionField, at))
	if z, ok := p.Improvement(m.state, at); ok {
		tell("best", p.Best)
		tell("z", z)
	}
	return told
}
