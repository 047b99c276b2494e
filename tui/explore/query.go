package explore

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/tui/belief"
	"bandscope/tui/screen"
)

// query lets the person choose the next point: with a cursor on the plot, or typed.
type query struct {
	at     []float64 // in the problem's units, length d
	typing bool
	input  textinput.Model
	reason string
}

type queryKeyMap struct {
	Left, Right, Up, Down, Next, Type, Go, Done key.Binding
}

var queryKeys = queryKeyMap{
	Left:  screen.Bind("left/right", "move (shift: faster)", "left", "shift+left"),
	Right: screen.Bind("", "move (shift: faster)", "right", "shift+right"),
	Up:    screen.Bind("up/down", "move along the other variable", "up", "shift+up"),
	Down:  screen.Bind("", "move along the other variable", "down", "shift+down"),
	Next:  screen.Bind("tab", "to the next point", "tab"),
	Type:  screen.Bind("0-9", "type a value", digits...),
	Go:    screen.Bind("enter", "evaluate", "enter", "x"),
	Done:  screen.Bind("esc", "leave", "esc"),
}

func (k queryKeyMap) bindings(planar bool) []key.Binding {
	if !planar {
		return []key.Binding{k.Left, k.Next, k.Type, k.Go, k.Done}
	}
	return []key.Binding{k.Left, k.Up, k.Next, k.Type, k.Go, k.Done}
}

func newQuery() query {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 4096
	return query{input: in}
}

// startQuery opens the cursor at the anchor of the slice, or where it was left.
func (m *Model) startQuery() tea.Cmd {
	m.running, m.queued = false, 0
	m.mode = querying
	m.query.typing, m.query.reason = false, ""
	at := belief.Anchor(m.state)
	if m.planar {
		if len(m.query.at) != len(at) || m.state.Problem.Domain.Check(m.query.at) != nil {
			m.query.at = at
		}
		return m.lookSlices()
	}
	if v := m.view.Variable; len(m.query.at) == len(at) && m.state.Problem.Domain.Check(m.query.at) == nil {
		at[v] = m.query.at[v]
	}
	m.query.at = at
	return nil
}

// queryKey takes a key press while a point is chosen.
func (m *Model) queryKey(msg tea.KeyPressMsg) tea.Cmd {
	q := &m.query
	if q.typing {
		return m.queryTypeKey(msg)
	}
	cells := 1.0
	if strings.HasPrefix(msg.String(), "shift+") {
		cells = 10
	}
	switch {
	case key.Matches(msg, queryKeys.Done):
		m.mode = stepping
	case key.Matches(msg, queryKeys.Left):
		return m.moveCursor(0, -cells)
	case key.Matches(msg, queryKeys.Right):
		return m.moveCursor(0, +cells)
	case m.planar && key.Matches(msg, queryKeys.Up):
		return m.moveCursor(1, +cells)
	case m.planar && key.Matches(msg, queryKeys.Down):
		return m.moveCursor(1, -cells)
	case key.Matches(msg, queryKeys.Next):
		if m.asking() {
			m.say("the next point is what is asked for: choose your own")
			return nil
		}
		if m.known != nil && len(m.known.next) > 0 {
			q.at = append([]float64(nil), m.known.next[0]...)
		}
		return m.lookSlices()
	case key.Matches(msg, queryKeys.Go):
		m.mode = stepping
		if m.asking() {
			return m.answerWith(append([]float64(nil), q.at...))
		}
		return m.evaluate(append([]float64(nil), q.at...))
	case key.Matches(msg, queryKeys.Type):
		return m.typeQuery(msg.Text)
	}
	return nil
}

// moveCursor moves the cursor by so many columns of the plot, or of a plane by so many cells along its first or second variable.
func (m *Model) moveCursor(axis int, cells float64) tea.Cmd {
	if m.planar {
		return m.movePlaneCursor(axis, cells)
	}
	v := m.state.Problem.Domain[m.view.Variable]
	step := (v.High - v.Low) / float64(max(m.plotColumns(), 10))
	x := &m.query.at[m.view.Variable]
	before := *x
	if *x = min(max(before+cells*step, v.Low), v.High); *x == before {
		m.say("this is the edge of the domain")
	}
	return nil
}

func (m *Model) typeQuery(text string) tea.Cmd {
	m.query.typing, m.query.reason = true, ""
	m.query.input.SetValue(text)
	m.query.input.CursorEnd()
	return m.query.input.Focus()
}

// queryTypeKey takes a key press while the point is typed.
func (m *Model) queryTypeKey(msg tea.KeyPressMsg) tea.Cmd {
	q := &m.query
	switch msg.String() {
	case "esc", "ctrl+c":
		q.typing, q.reason = false, ""
		q.input.Blur()
		return nil
	case "enter":
		x, err := m.parsePoint(q.input.Value())
		if err != nil {
			q.reason = err.Error()
			return nil
		}
		q.typing, q.reason, q.at = false, "", x
		q.input.Blur()
		return m.lookSlices()
	}
	var cmd tea.Cmd
	q.input, cmd = q.input.Update(msg)
	q.reason = ""
	if x, err := m.parsePoint(q.input.Value()); err != nil {
		q.reason = err.Error()
	} else {
		q.at = x
	}
	return cmd
}

// parsePoint reads one value for the variable on the x axis, or one a variable, separated by commas or spaces.
func (m *Model) parsePoint(text string) ([]float64, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	values := make([]float64, len(fields))
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", f)
		}
		values[i] = v
	}
	x := append([]float64(nil), m.query.at...)
	switch len(values) {
	case len(x):
		x = values
	case 1:
		x[m.view.Variable] = values[0]
	default:
		return nil, fmt.Errorf("type one value for %s, or %d values separated by commas",
			m.state.Problem.Domain[m.view.Variable].Name, len(x))
	}
	return x, m.state.Problem.Domain.Check(x)
}

// click puts the cursor where the mouse was clicked on a plot.
func (m *Model) click(mouse tea.Mouse) tea.Cmd {
	if m.mode != stepping && m.mode != querying && m.mode != boxing {
		return nil
	}
	if cmd, taken := m.clickTimeline(mouse); taken && m.mode == stepping {
		return cmd
	}
	if m.steering {
		return m.clickOutcomes(mouse)
	}
	if m.planar {
		return m.clickPlane(mouse)
	}
	x, ok := m.columnValue(mouse.X, mouse.Y)
	if !ok {
		return nil
	}
	var cmd tea.Cmd
	if m.mode == stepping {
		cmd = m.startQuery()
	}
	m.query.at[m.view.Variable] = x
	return cmd
}
