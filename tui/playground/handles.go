package playground

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"
	"gonum.org/v1/gonum/floats/scalar"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// nudgeFactor is how much a key changes a handle.
const nudgeFactor = 1.1

// handleName is the name of a handle, and of its box.
func handleName(h optimizers.Handle) string { return h.Name }

// bracket is the bracket of a handle; it is not drawn if the handle has no place on the plot.
type bracket struct {
	chart.Bracket
	label chart.Label
	drawn bool
}

// brackets are those of the handles of the active belief, in a plot of w×h cells: lengths from the left, one above the
// other from the bottom; standard deviations up from the middle of the range, beside each other from the right.
func (m *Model) brackets(w, h int) []bracket {
	st := m.Style
	xlo, xhi := m.xSpan()
	ylo, yhi := m.ySpan()
	rows, cols := float64(max(h-1, 1)), float64(max(w-gutter, 1))
	bottom, right := 0.0, 2.0 // rows from the bottom and columns from the right that are taken
	list := make([]bracket, len(m.handles()))
	for i, hd := range m.handles() {
		selected := m.isChosen(i)
		color := st.Dim
		if selected {
			color = st.Accent
		}
		b := bracket{Bracket: chart.Bracket{Color: color, Selected: selected, Name: hd.Name}, drawn: true}
		switch hd.Kind {
		case optimizers.HandleLength:
			if bottom > rows/3 {
				continue
			}
			b.From = xlo + 0.03*(xhi-xlo)
			b.To, b.At = b.From+hd.Value*(xhi-xlo), ylo+(bottom+0.5)/rows*(yhi-ylo)
			b.label = chart.Label{X: b.From - 1.5/cols*(xhi-xlo), Y: b.At, Text: hd.Symbol, Color: color}
			bottom++
		case optimizers.HandleSignal, optimizers.HandleNoise:
			if right > cols/3 {
				continue
			}
			b.Vertical = true
			b.From = m.middle()
			b.To = m.middle() + hd.Value
			b.At = xhi - (right-0.5)/cols*(xhi-xlo)
			b.label = chart.Label{X: b.At, Y: m.middle() - 1.1/rows*(yhi-ylo), Text: hd.Symbol, Color: color}
			right += 3
		default:
			continue
		}
		list[i] = b
	}
	return list
}

// setHandle previews a value of a handle, with three significant digits.
func (m *Model) setHandle(h optimizers.Handle, value float64) tea.Cmd {
	value = min(max(value, h.Min), h.Max)
	if value > 0 {
		value = min(max(scalar.Round(value, 2-int(math.Floor(math.Log10(value)))), h.Min), h.Max)
	}
	if value == h.Value && !h.Fitted {
		return nil
	}
	if err := m.tune(h, value); err != nil {
		m.Status.Fail(err)
		return nil
	}
	return m.compute()
}

// nudge changes the selected handle by one step.
func (m *Model) nudge(delta int) tea.Cmd {
	handles := m.handles()
	if m.chosen.handle >= len(handles) {
		return nil
	}
	h := handles[m.chosen.handle]
	value := max(h.Value, h.Min) * math.Pow(nudgeFactor, float64(delta))
	if moved := m.moved(); moved > 0 { // steps add up before the picture comes
		value = moved * math.Pow(nudgeFactor, float64(delta))
	}
	cmd := m.setHandle(h, value)
	m.draft.value = min(max(value, h.Min), h.Max)
	m.Notify(fmt.Sprintf("%s: %s", h.Name, widget.Number(m.draft.value)))
	return tea.Batch(cmd, m.settle())
}

// moved is the value to which keys have moved the selected handle in this draft; 0 if they have not.
func (m *Model) moved() float64 {
	if m.draft.belief == nil {
		return 0
	}
	return m.draft.value
}

// fitOrFix lets the method fit the selected handle, or fixes it where it is.
func (m *Model) fitOrFix() tea.Cmd {
	handles := m.handles()
	if m.chosen.handle >= len(handles) {
		return nil
	}
	return m.setFitted(!handles[m.chosen.handle].Fitted, handles[m.chosen.handle])
}

// setFitted lets the method fit handles, or fixes them where they are.
func (m *Model) setFitted(fitted bool, handles ...optimizers.Handle) tea.Cmd {
	var done []string
	for _, h := range handles {
		if h.Fitted == fitted || fitted && h.Fit == nil {
			continue
		}
		err := m.previewChange(func(p param.Set) []optimizers.Setting {
			if fitted {
				return h.Fit(p)
			}
			return h.Set(p, min(max(h.Value, h.Min), h.Max))
		})
		if err != nil {
			m.cancel()
			m.Status.Fail(err)
			return nil
		}
		done = append(done, h.Name)
	}
	if done == nil {
		m.Notify("the method cannot fit this")
		return nil
	}
	m.Notify(strings.Join(done, ", ") + map[bool]string{true: " fitted to the results", false: " fixed"}[fitted])
	return tea.Batch(m.commit(), m.compute())
}

func (m *Model) noHandles() string {
	return widget.Why(len(m.handles()) == 0, "this belief has no hyperparameters to fit")
}

// fitAll lets the method fit all handles or, if all of them are fitted, fixes them.
func (m *Model) fitAll() tea.Cmd {
	all := true
	for _, h := range m.handles() {
		all = all && (h.Fitted || h.Fit == nil)
	}
	return m.setFitted(!all, m.handles()...)
}
