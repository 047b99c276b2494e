package playground

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// row is the row of the kernel at one input: the covariances of the value there with those along the variable.
type row struct {
	shown   bool
	joint   bool    // in its place is the joint distribution of the values at its input and at a second one
	second  float64 // the second input
	jobs    widget.Jobs
	hovered *[2]float64 // the input and the value under the mouse; nil after a key or a click
	covariances
	reason string // why there are none
}

// covariances are those of an input with others.
type covariances struct {
	picture          *beliefPicture // that they are of
	x                float64
	prior, posterior []float64 // nil if there are none
	pair             *joint    // nil unless it is shown
}

// rowMsg has the covariances of an input.
type rowMsg struct {
	covariances
	err error
}

// rowInput is the input whose covariances are shown: that under the mouse, of the selected result, or of the cursor.
func (m *Model) rowInput() float64 {
	if m.row.hovered != nil {
		return m.row.hovered[0]
	}
	return m.cursor[0]
}

// toggleRow shows the row of the kernel, then the joint distribution of two values, then neither.
func (m *Model) toggleRow() tea.Cmd {
	switch {
	case m.row.joint:
		m.row.shown, m.row.joint = false, false
		m.choose(selection{})
		m.row.jobs.Stop()
		return nil
	case m.row.shown:
		m.beginJoint()
	default:
		m.row.shown = true
		m.pointing = m.pointing || m.chosen.kind != result
	}
	return m.computeRow()
}

// computeRow computes the covariances if they are shown and not up to date.
func (m *Model) computeRow() tea.Cmd {
	p, x := m.beliefs[m.active].picture, m.rowInput()
	joint := m.row.joint
	if !m.row.shown || p == nil || p == m.row.picture && x == m.row.x && (!joint || m.jointComputed()) {
		return nil
	}
	st, second := m.state, m.row.second
	var matrix chart.Field
	if old := m.row.pair; old != nil && p == m.row.picture {
		matrix = old.matrix
	}
	return m.row.jobs.Start("computing covariances", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		msg := rowMsg{covariances: covariances{picture: p, x: x}}
		covariant, ok := p.belief.(optimizers.Covariant)
		if !ok {
			msg.err = fmt.Errorf("covariance function: %w", optimizers.ErrUnsupported)
			return msg
		}
		msg.prior, msg.posterior, msg.err = covariant.Covariances(ctx, st.Problem.Domain.ToUnit([]float64{x}),
			unitGrid(st, p.Grid()))
		if msg.err == nil && joint {
			msg.pair, msg.err = newJoint(ctx, st, p, x, second, matrix)
		}
		return msg
	})
}

// rowDone takes the covariances.
func (m *Model) rowDone(msg tea.Msg) tea.Cmd {
	m.row.jobs.Finish()
	switch msg := msg.(type) {
	case widget.PanicMsg:
		m.panicked(msg)
	case rowMsg:
		r := &m.row
		if errors.Is(msg.err, context.Canceled) {
			return nil
		}
		r.covariances, r.reason = msg.covariances, ""
		switch {
		case errors.Is(msg.err, optimizers.ErrUnsupported):
			r.reason = "this method has no covariance function"
		case msg.err != nil:
			r.reason = sanitize.Text(msg.err.Error())
		}
	}
	return nil
}
