package modelcheck

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
)

// ExplainPage explains why the next point of a session was chosen. Entry 0 of its list is that point, the runners-up
// follow. The lists are rows of boxes, not a table of Lip Gloss: each entry, of one line or two, has its own
// description.
type ExplainPage struct {
	page[diagnostics.Explanation]

	options diagnostics.ExplainOptions // of the report that is shown
	grid    *picture.Posterior
	pair    int // the variables of the picture, an index of pairs

	drawn   *layout.Box // the picture
	drawKey drawKey
}

// NewExplain makes the screen for the current state of a session.
func NewExplain(s *sessions.Session) (*ExplainPage, error) {
	onRecord, err := diagnostics.NextOnRecord(s)
	return &ExplainPage{page: newPage[diagnostics.Explanation](s),
		options: diagnostics.ExplainOptions{Influence: true, OnRecord: onRecord}}, err
}

// Init computes the report.
func (m *ExplainPage) Init() tea.Cmd {
	if m.report != nil {
		return nil
	}
	return m.explain()
}

// pairs are the variables that the picture can be over.
func (m *ExplainPage) pairs() (all [][2]int) {
	p := m.state.Problem
	d := p.Dim()
	if d == 1 {
		return [][2]int{{0, -1}}
	}
	seen := map[string]bool{} // pairs of components may have the same triangle
	for i := range d {
		for j := i + 1; j < d; j++ {
			key := fmt.Sprint(slices.Sorted(slices.Values(picture.PlaneOver(p, i, j).Variables())))
			if !seen[key] {
				seen[key], all = true, append(all, [2]int{i, j})
			}
		}
	}
	return all
}

// explain makes the report off the update loop: first the reason, then the picture, then the slow parts.
func (m *ExplainPage) explain() tea.Cmd {
	snapshot, o := m.at, diagnostics.ExplainOptions{OnRecord: m.options.OnRecord}
	return m.start("explaining the choice", func(ctx context.Context, progress sessions.Progress) (func() tea.Cmd, error) {
		r, err := diagnostics.ExplainNext(ctx, snapshot, o, progress)
		return func() tea.Cmd {
			m.report, m.failed = r, ""
			return m.draw(func() tea.Cmd { return m.add(m.options) })
		}, err
	})
}

// turn draws the picture over other variables.
func (m *ExplainPage) turn(delta int) tea.Cmd {
	m.pair = (m.pair + delta + len(m.pairs())) % len(m.pairs())
	return m.draw(nil)
}

// draw draws the picture off the update loop; then continues.
func (m *ExplainPage) draw(then func() tea.Cmd) tea.Cmd {
	snapshot := m.at
	pair := m.pairs()[m.pair]
	x := m.report.Chosen.X
	return m.start("drawing the acquisition", func(ctx context.Context, progress sessions.Progress) (func() tea.Cmd,
		error) {
		g, err := picture.ComputeAcquisition(ctx, snapshot, x, pair[0], pair[1], progress)
		return func() tea.Cmd {
			m.grid = g
			if then != nil {
				return then()
			}
			return nil
		}, err
	})
}

// add adds slow parts to the report off the update loop.
func (m *ExplainPage) add(o diagnostics.ExplainOptions) tea.Cmd {
	snapshot, r := m.at, m.report
	return m.start("explaining the choice", func(ctx context.Context, progress sessions.Progress) (func() tea.Cmd, error) {
		r, err := r.With(ctx, snapshot, o, progress)
		return func() tea.Cmd {
			m.report, m.options = r, o
			return m.forecast()
		}, err
	})
}

// Update takes a message.
func (m *ExplainPage) Update(msg tea.Msg) tea.Cmd { return update(m, &m.page, explainCommands(), msg) }

// selectedPoint is the chosen point or the selected runner-up.
func (m *ExplainPage) selectedPoint() diagnostics.Candidate {
	if m.chosen > 0 {
		return m.report.RunnersUp[m.chosen-1].Candidate
	}
	return m.report.Chosen
}
