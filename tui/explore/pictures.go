package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/belief"
	"bandscope/tui/explore/aim"
	"bandscope/tui/explore/line"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/outcomes"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/plane"
	"bandscope/tui/explore/question"
	"bandscope/tui/screen"
)

// picturesOf are the kinds of picture that a problem has, in the order in which they follow each other.
func (m *Model) picturesOf() (all []picture.Picture) {
	if m.several() {
		all = append(all, outcomes.New())
	}
	if m.state.Problem.Dim() > 1 {
		all = append(all, plane.New())
	}
	return append(all, line.New(m.state))
}

// picture is the one that is shown.
func (m *Model) picture() picture.Picture { return m.pictures[m.shown] }

// showing reports whether a kind of picture is shown, and which one it is.
func showing[P picture.Picture](m *Model) (p P, ok bool) {
	p, ok = m.picture().(P)
	return p, ok
}

// steering reports whether the space of objectives is shown.
func (m *Model) steering() bool {
	_, ok := showing[*outcomes.Picture](m)
	return ok
}

// objectives is the picture of the space of objectives, nil where there is one objective.
func (m *Model) objectives() *outcomes.Picture {
	p, _ := m.pictures[0].(*outcomes.Picture)
	return p
}

// known is what is known of the space of objectives, nil where nothing is.
func (m *Model) known() *belief.Outcomes {
	if p := m.objectives(); p != nil {
		return p.Shown()
	}
	return nil
}

// fields reports whether the fields of two variables are shown.
func (m *Model) fields() bool {
	_, ok := showing[*plane.Picture](m)
	return ok
}

// line is the picture along a variable, which every problem has.
func (m *Model) line() *line.Picture { return m.pictures[len(m.pictures)-1].(*line.Picture) }

// stage is what the picture sees.
func (m *Model) stage() picture.Scene {
	l := m.layout()
	s := picture.Scene{State: m.state, Style: m.style, W: l.main, H: l.height, View: m.view, Reveal: m.reveal, Lesson: m.session.Lesson() != nil, Asking: m.asking(),
		Late: m.jobs.Late(), Told: m.told, Marks: m.question.Marks(m.page(), m.view.Variable, m.style), Overlay: m.overlay()}
	if low := m.lower(); low != nil {
		around := m.around()
		s.Below = &picture.Below{Titles: low.BelowTitles(around), Lines: func(w, h int) []string { return low.Below(around, w, h) }}
	}
	return s
}

// take takes an image, tells the mode, and computes what moves with the cursor on it.
func (m *Model) take(i picture.Image) tea.Cmd {
	told := m.picture().Take(m.stage(), i)
	if told == nil {
		return m.followCursor()
	}
	m.told = told
	return tea.Batch(m.tell(mode.Looked{}), m.followCursor())
}

// followCursor computes what moves with the cursor, beside whatever else is computed.
func (m *Model) followCursor() tea.Cmd {
	doing, look := m.picture().Follow(m.stage())
	if look == nil {
		return nil
	}
	at := m.at
	return m.following.Start(doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		i, err := look(ctx, at, progress, func(picture.Image) {})
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
	return m.look()
}

// planeKeys are the plane's keys, where it is shown.
func planeKeys() (all []command) {
	turn := func(m *Model) plane.Turn {
		p, _ := showing[*plane.Picture](m)
		return plane.Turn{Picture: p, Turn: &picture.Turn{Scene: m.stage()}}
	}
	for _, c := range plane.Commands() {
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
					m.say(t.Said)
				}
				if t.Again {
					return tea.Batch(cmd, m.look())
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
		unless((*Model).noCoordinates, screen.Bind("p", "all variables, or all outcomes, of the data", "p"), func(m *Model) tea.Cmd {
			m.traces.Coordinates = !m.traces.Coordinates
			return nil
		}))...)
}

// viewKey goes from one kind of picture to the next.
var viewKey = screen.Bind("d", "outcomes, fields, or a slice", "d")

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

// steerCommands aim a search of several objectives.
func steerCommands() []command {
	return []command{
		can(screen.Bind("B", "aim: a box of wanted outcomes", "B"), begins(aim.New)),
		can(screen.Bind("a", "which of two outcomes do you prefer?", "a"), begins(question.New)),
	}
}

// several reports whether the problem has more than one objective.
func (m *Model) several() bool { return len(m.state.Problem.Objectives) > 1 }
