package explore

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/summary"
	"bandscope/tui/explore/view"
	"bandscope/tui/explore/views"
	"bandscope/tui/layout"
	"bandscope/tui/lesson"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// looks is what is looked at.
type looks struct {
	pictures  []view.Picture // that the problem has, in the order in which they follow each other
	shown     int            // which of them is shown
	told      *view.Told     // by the latest, nil while there was none
	alarm     string         // what is wrong with the data or with its band, empty where nothing is seen to be
	following widget.Jobs    // computes what moves with the cursor
	view      picture.View
	reveal    bool // the true function is shown
	traces    summary.Traces
	outlook   summary.Summary // in the place of the traces where no truth is shown
	away      bool            // the traces are shown all the same
	judging   widget.Jobs     // asks what the model says
}

// looksAt has the pictures of a problem, none of them computed.
func looksAt(st sessions.State) looks {
	l := looks{view: picture.View{Samples: 8}}
	if len(st.Problem.Objectives) > 1 {
		l.pictures = append(l.pictures, views.NewFront())
	}
	if st.Problem.Dim() > 1 {
		l.pictures = append(l.pictures, views.NewPlane(st))
	}
	l.pictures = append(l.pictures, views.NewLine(st))
	return l
}

// Refresh takes where the session stands.
func (m *Model) Refresh() { m.stand(m.snapshot()) }

// stand takes where the session stands. Where the objectives are others than before, the pictures of those give way,
// with the modes that computed something of them.
func (m *Model) stand(at sessions.Snapshot) {
	before := m.state.Problem
	m.standing.stand(at)
	m.Player.Stand(lesson.Page{Note: m.state.LastNote(), Line: at.Timeline(), State: m.state}, m.state.Saved)
	defer m.see()
	if before == nil || before == m.state.Problem ||
		slices.EqualFunc(before.Objectives, m.state.Problem.Objectives, sameObjective) {
		return
	}
	m.following.Stop()
	view, reveal := m.view, m.reveal
	m.looks = looksAt(m.state)
	m.view, m.reveal = view, reveal
	m.view.Theory = false
	m.Modes.Forget(func(begun mode.Mode) bool {
		w, works := begun.(mode.Working)
		if works {
			w.Stop()
		}
		return works
	})
}

// sameObjective reports whether values of two objectives mean the same.
func sameObjective(a, b functions.Objective) bool {
	return a.Name == b.Name && a.Unit == b.Unit && a.Direction == b.Direction
}

// picture is the one that is shown.
func (l *looks) picture() view.Picture { return l.pictures[l.shown] }

// outcomes is the picture of the space of objectives, nil where there is one objective; plane that of two variables,
// nil where there is one; along that of one variable, which every problem has.
func (l *looks) outcomes() *views.Front { return kind[*views.Front](l) }
func (l *looks) plane() *views.Plane    { return kind[*views.Plane](l) }
func (l *looks) along() *views.Line     { return kind[*views.Line](l) }

// kind is the picture of a kind, nil where the problem has none.
func kind[P view.Picture](l *looks) (none P) {
	for _, p := range l.pictures {
		if p, ok := p.(P); ok {
			return p
		}
	}
	return none
}

// steering reports whether the space of objectives is shown, and fields whether the fields of two variables are.
func (l *looks) steering() bool { return l.picture() == view.Picture(l.outcomes()) }
func (l *looks) fields() bool   { return l.picture() == view.Picture(l.plane()) }

// known is what is known of the space of objectives, nil where nothing is.
func (l *looks) known() *front.Outcomes {
	if p := l.outcomes(); p != nil {
		return p.Shown()
	}
	return nil
}

// stage is what the picture sees.
func (m *Model) stage() view.Scene {
	l := m.layout()
	s := view.Scene{State: m.state, Style: m.Style, W: l.main, H: l.height, View: m.view,
		Reveal: m.reveal && !m.asking(), Lesson: m.paged(), Steady: lesson.Steady(m.session.Lesson(), m.state.Problem),
		Asking: m.asking(), Quiz: m.session.Lesson() != nil && m.Reader.Choosing(m.Page()),
		Bare: m.session.Task().Hides("acquisition") || m.session.Lesson().Hides("weights") ||
			m.session.Lesson().Hides("acquisition") && !m.weighing && m.NotesShown(),
		Late: m.Jobs.Late(), Told: m.told, Marks: m.marks(), Overlay: m.overlay(), Strange: m.strangers()}
	if low := m.lower(); low != nil {
		around := m.around()
		s.Below = &view.Below{Titles: low.BelowTitles(around), Box: func(w, h int) *layout.Box {
			return low.Below(around, w, h)
		}}
	}
	return s
}

// marks are the reader's point, where they were asked for one, on the picture that is shown.
func (m *Model) marks() []chart.Layer {
	if m.fields() {
		x, y := m.plane().Variables()
		return m.Reader.Point.MarksOver(m.Page(), x, y)
	}
	return m.Reader.Point.Marks(m.Page(), m.view.Variable, m.Style)
}

// take takes an image, tells the mode, and computes what moves with the cursor on it.
func (m *Model) take(i view.Image) tea.Cmd {
	told := m.picture().Take(m.stage(), i)
	if told == nil {
		return m.followCursor()
	}
	m.told = told
	return tea.Batch(m.Give(mode.Looked{}), m.followCursor())
}

// followCursor computes what moves with the cursor, beside whatever else is computed.
func (m *Model) followCursor() tea.Cmd {
	doing, look := m.picture().Follow(m.stage())
	if look == nil {
		return nil
	}
	at := m.at
	return m.following.Start(doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		i, err := look(ctx, at, progress, func(view.Image) {})
		return stageMsg{image: i, err: err}
	})
}

// followed takes what moves with the cursor.
func (m *Model) followed(msg tea.Msg) {
	m.following.Finish()
	if s, ok := msg.(stageMsg); ok && s.err == nil {
		m.picture().Take(m.stage(), s.image)
	}
}

// cycleView goes to the next kind of picture.
func (m *Model) cycleView() tea.Cmd {
	m.shown = (m.shown + 1) % len(m.pictures)
	m.following.Stop()
	return m.Look()
}

// planeKeys are the plane's keys, where it is shown.
func planeKeys() (all []command) {
	turn := func(m *Model) views.Turn {
		return views.Turn{Plane: m.plane(), Turn: &view.Turn{Scene: m.stage()}}
	}
	for _, c := range views.Commands() {
		all = append(all, command{Binding: c.Binding, About: c.About,
			Off: func(m *Model) string {
				if why := m.noFields(); why != "" || c.Off == nil {
					return why
				}
				return c.Off(turn(m))
			},
			Do: func(m *Model, msg tea.KeyPressMsg) tea.Cmd {
				t := turn(m)
				cmd := c.Do(t, msg)
				if t.Said != "" {
					m.Tell(t.Said)
				}
				if t.Again {
					return tea.Batch(cmd, m.Look())
				}
				return cmd
			}})
	}
	return all
}

// planeCommands are the plane's, and those between kinds of picture.
func planeCommands() []command {
	keys := planeKeys()
	return append([]command{keys[0], unless((*Model).oneView, viewKey, (*Model).cycleView)}, append(keys[1:],
		unless((*Model).noCoordinates, widget.Bind("p", "all variables, or all outcomes, of the data", "p"),
			func(m *Model) tea.Cmd {
				m.traces.Coordinates = !m.traces.Coordinates
				return nil
			}))...)
}

// viewKey goes from one kind of picture to the next.
var viewKey = widget.Bind("d", "outcomes, fields, or a slice", "d")

func (m *Model) oneView() string {
	if len(m.pictures) == 1 {
		return "this problem has one variable: there is no other view"
	}
	return ""
}

func (m *Model) noFields() string {
	switch {
	case m.state.Problem.Dim() == 1:
		return "this problem has one variable; fields are of two"
	case !m.fields():
		return "no fields are shown: d goes to them"
	}
	return ""
}

func (m *Model) noCoordinates() string {
	switch {
	case m.steering() && len(m.state.Problem.Objectives) < 3:
		return "both objectives are shown"
	case !m.steering() && m.state.Problem.Dim() == 1:
		return "this problem has one variable"
	case m.view.Theory:
		return "the theory is shown there: i"
	}
	return ""
}

// several reports whether the problem has more than one objective.
func (m *Model) several() bool { return len(m.state.Problem.Objectives) > 1 }
