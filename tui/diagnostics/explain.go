package diagnostics

import (
	"context"

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
	grid    picture.AcquisitionGrid
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
	return m.ask(m.options)
}

// pairs are the variables that the picture can be over.
func (m *ExplainPage) pairs() (all [][2]int) {
	d := m.state.Problem.Dim()
	if d == 1 {
		return [][2]int{{0, -1}}
	}
	for i := range d {
		for j := i + 1; j < d; j++ {
			all = append(all, [2]int{i, j})
		}
	}
	return all
}

// ask makes a report and a picture off the update loop.
func (m *ExplainPage) ask(o diagnostics.ExplainOptions) tea.Cmd { return m.explain(nil, o) }

// turn draws another picture of the same report.
func (m *ExplainPage) turn(by int) tea.Cmd {
	m.pair = (m.pair + by + len(m.pairs())) % len(m.pairs())
	return m.explain(m.report, m.options)
}

// explain draws a picture of a report off the update loop; where r is nil it makes the report first.
func (m *ExplainPage) explain(r *diagnostics.Explanation, o diagnostics.ExplainOptions) tea.Cmd {
	at, pair := m.at, m.pairs()[m.pair]
	return m.start("explaining the choice", func(ctx context.Context, progress sessions.Progress) (apply func() tea.Cmd,
		err error) {
		if r == nil {
			if r, err = diagnostics.ExplainNext(ctx, at, o, progress); err != nil {
				return nil, err
			}
		}
		g, err := picture.NewAcquisitionGrid(ctx, at, r.Chosen.X, pair[0], pair[1], progress)
		return func() tea.Cmd {
			m.report, m.grid, m.options, m.failed = r, g, o, ""
			m.chosen = min(m.chosen, len(r.RunnersUp))
			return nil
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
