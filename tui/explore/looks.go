package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/belief"
)

// known is what the latest picture tells beside its curves, whatever its kind.
type known struct {
	head, note       string
	legend           optimizers.Legend
	next             [][]float64
	byStart, partial bool
	enough           bool // to step on, where steps are as fast as they go
	theory           *optimizers.Theory
}

// looking is how the picture that is shown is computed.
func (m *Model) looking() looking {
	switch {
	case m.steering:
		return m.lookOutcomes()
	case m.planar:
		return m.lookPlane()
	}
	return m.lookLine()
}

// take takes a picture.
func (m *Model) take(i image) tea.Cmd {
	switch i := i.(type) {
	case lineImage:
		m.tookLine(i)
	case *belief.Plane:
		return m.tookPlane(i)
	case outcomesImage:
		return m.tookOutcomes(i)
	}
	return nil
}

// lineImage is a picture along a variable.
type lineImage struct {
	*belief.Picture
	truth belief.Truth
}

// lookLine looks along a variable.
func (m *Model) lookLine() looking {
	view, truth := m.view, m.truth
	return func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress, show func(image)) (image, error) {
		st := at.State()
		if st.Problem.Dim() > 1 {
			truth = belief.TruthAlong(st, view.Variable, belief.Anchor(st))
		}
		p, rest, err := belief.Look(ctx, at, view, progress)
		if err == nil && rest != nil {
			show(lineImage{p, truth})
			o := <-rest
			p, err = o.Picture, o.Err
		}
		return lineImage{p, truth}, err
	}
}

func (m *Model) tookLine(p lineImage) {
	m.pic, m.truth = p.Picture, p.truth
	m.known = &known{p.Head, p.Note, p.Legend, p.Next, p.ByStart, p.Partial, true, p.Theory}
}
