package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// headRows are the lines above the panes.
const headRows = 1

// maxAboutRows is how many lines what to look for has at most, with the distance of two posteriors.
const maxAboutRows = 2

// footRows are the lines below the panes: what to look for, the status and the hints.
func (m *Model) footRows() int {
	rows := len(layout.Wrap(m.Style.Plain(m.comparison.About), m.Width-2))
	if _, ok := m.summaryLine(); ok {
		rows++
	}
	return 2 + min(rows, maxAboutRows)
}

// Frame is the screen: the heading, the posteriors, below them a race, the theory or where two agree, and what to look
// for.
func (m *Model) Frame() *layout.Box {
	room := m.Height - headRows - m.footRows()
	lower := 0
	switch {
	case m.arrangement == racing || m.shown.view.Theory:
		lower = max(room*2/5, 9)
	case m.decision.shown:
		lower = max(room/2, 10)
	}
	beliefs := m.cache.Box("beliefs", m.drawKey(m.Width, room-lower), func() *layout.Box {
		switch {
		case m.several() && m.arrangement != sideBySide:
			return m.fronts(m.Width, room-lower)
		case m.arrangement == overlaid:
			return m.overlay(m.Width, room-lower)
		case m.arrangement == bandWidths && m.shown.planar:
			return m.fieldWidths(m.Width, room-lower)
		case m.arrangement == bandWidths:
			return m.contrast(m.Width, room-lower)
		}
		return m.grid(m.Width, room-lower)
	})
	var below *layout.Box
	switch {
	case lower == 0:
	case m.decision.shown && m.arrangement != racing:
		below = m.agreement(m.Width, lower)
	default:
		below = m.cache.Box("below", m.drawKey(m.Width, lower), func() *layout.Box {
			if m.shown.view.Theory {
				return m.theories(m.Width, lower)
			}
			return m.raceTraces(m.Width, lower)
		})
	}
	return layout.Column(m.header(), beliefs, below, m.about(), m.foot())
}

// drawKey identifies the inputs of the posteriors in w×h cells.
func (m *Model) drawKey(w, h int) string {
	key := fmt.Sprint(w, h, m.Style.Key(), m.arrangement, m.selected, m.tuned, m.base.State().Head,
		m.shown.view, m.shown.window, m.shown.reveal, m.shown.acquisition, m.shown.planar, m.shown.quantity,
		m.shown.first, m.shown.zoom, m.shown.fits)
	for _, p := range m.panes {
		key += fmt.Sprintf("\n%s %p %p %s %s %v", m.paneTitle(p), p.posterior, p.outcomes, p.state.Head,
			p.reason, m.fitting(p))
		if p.racer != nil {
			key += p.racer.State().Head
		}
	}
	return key
}

// header is the heading of the comparison.
func (m *Model) header() *layout.Box {
	st, state := m.Style, m.base.State()
	steps := len(state.Iterations)
	says := fmt.Sprintf("The comparison: %s, on %s, with %s. ", m.comparison.Title, state.Problem.Name,
		widget.Count(len(state.Problem.Domain), "variable"))
	switch m.arrangement {
	case racing:
		steps = len(m.panes[m.selected].racer.State().Iterations)
		says += fmt.Sprintf("In a race each of the %s has its own results, %s after the same start.",
			widget.Count(len(m.panes), "method"), widget.Count(steps, "step"))
	case overlaid, bandWidths:
		says += fmt.Sprintf("The posteriors of %s are overlaid, after the same %s.",
			widget.Count(len(m.panes), "method"), widget.Count(steps, "step"))
	default:
		says += fmt.Sprintf("Each of the %s shows one method's posterior after the same %s.",
			widget.Count(len(m.panes), "pane"), widget.Count(steps, "step"))
	}
	name := state.Problem.Name
	if !strings.Contains(name, ":") {
		name = fmt.Sprintf("%s %d-D", name, state.Problem.Dim())
	}
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	parts := []string{st.PaintBold(st.Accent, " bandscope"), st.PaintBold(st.Text, "compare"),
		st.Paint(st.Text, m.comparison.Title),
		st.Paint(st.Text, name), st.Paint(st.Text, fmt.Sprintf("step %d", steps))}
	right := layout.Line(st.Paint(st.Dim, m.arrangementText()) + " ")
	for drop := 2; drop >= 0; drop-- {
		left := layout.Line(strings.Join(parts, dot))
		if left.W+right.W < m.Width {
			return layout.New(m.Width, 1, left, right.At(m.Width-right.W, 0)).Number("heading", "", says)
		}
		parts = append(parts[:drop:drop], parts[drop+1:]...)
	}
	return layout.Text(m.Width, strings.Join(parts, dot)).Number("heading", "", says)
}

// arrangementText names the arrangement of the panes, and says that their axes are longer than before.
func (m *Model) arrangementText() string {
	text := arrangementNames[m.arrangement]
	if m.lineShown() && m.shown.axis.Extended(m.drawing(m.panes[0])) {
		return "axes extended (0 fits them) " + m.Style.Dot() + " " + text
	}
	return text
}

// lineShown reports whether posteriors along a variable are shown.
func (m *Model) lineShown() bool {
	return !m.several() && !m.shown.acquisition && (!m.shown.planar || m.arrangement == overlaid)
}

// maxAbout is how many words about a comparison are shown.
const maxAbout = 50

// about says what to look for, and the distance of the first two posteriors where the comparison asks for it.
func (m *Model) about() *layout.Box {
	st, all := m.Style, layout.New(m.Width, 0)
	rows := m.footRows() - 2
	if text, ok := m.summaryLine(); ok {
		rows--
		line := layout.Text(m.Width, " "+st.PaintBold(st.Text, layout.ShortenIn(st, st.Plain(text), m.Width-2)))
		if m.arrangement == bandWidths {
			line.Number("widths of two bands", "confidence band", m.widthsSentences()[0])
		} else {
			line.Number("distance of A from B", "ensemble of networks",
				"The distance between the two posteriors, a root mean square along the axis: "+text+
					". With so few draws, a part of it is sampling error.")
		}
		all.Below(line)
	}
	lines := make([]string, rows)
	text := layout.Wrap(st.Plain(m.comparison.About), m.Width-2)
	if values := m.knobValues(); values != "" {
		return all.Below(layout.Text(m.Width, " "+values).Prose("parameters", "",
			"The parameters of the two models. Up and down choose one, left and right change it."))
	}
	for i := range min(rows, len(text)) {
		if i == rows-1 { // with as much of the others as fits
			text[i] = layout.ShortenIn(st, strings.Join(text[i:], " "), m.Width-2)
		}
		lines[i] = " " + st.Paint(st.Text, text[i])
	}
	says := ""
	if m.comparison.About != "" {
		says = layout.Excerpt("What to look for in this comparison: "+m.comparison.About, maxAbout) + "."
	}
	return all.Below(layout.Text(m.Width, lines...).Prose("what to look for", "", says))
}

// foot is the status line, and below it the keys, or what may be typed.
func (m *Model) foot() *layout.Box {
	st := m.Style
	selected := m.panes[m.selected]
	parts := []string{fmt.Sprintf("pane %s: %s", letter(m.selected), selected.alt.Spec().Name)}
	says := fmt.Sprintf("The selected pane is %s. On the command line its method is %s",
		letter(m.selected), selected.alt.Spec().Name)
	if len(selected.Params) > 0 {
		parts[0] += " " + assignments(selected.Params)
		says += ", with " + assignments(selected.Params)
	}
	if m.comparison.Source != "" {
		parts = append(parts, "source: "+m.comparison.Source)
		says += ". The source of the comparison is " + m.comparison.Source
	}
	parts[0] = layout.ShortenIn(st, st.Plain(parts[0]), m.Width-2)
	facts := st.Paint(st.Dim, layout.FitEntries(parts, "   ", m.Width-2))
	line := m.Status.Line(st, cmp.Or(m.work.jobs.Status(st.ASCII), m.decision.jobs.Status(st.ASCII)), facts)
	if m.Status.Open() {
		return layout.Text(m.Width, line, m.Status.Explain(st)).
			Prose("status", "", "The input line: type here, enter accepts and esc cancels.")
	}
	if message, _ := m.Status.Message(); message != "" {
		says = "The answer to the last key: " + message
	} else if m.work.jobs.Busy() || m.decision.jobs.Busy() {
		says = "The running computation. Keys still work; esc stops it"
	}
	return layout.Column(layout.Text(m.Width, line).Prose("status", "", strings.TrimSuffix(says, ".")+"."), m.keys())
}

// keys is the bottom line: as many keys as fit.
func (m *Model) keys() *layout.Box {
	bindings := widget.BindingsFor(commands(), footer)
	for i, b := range bindings {
		switch shown := b.Help().Key; {
		case shown == "left/right" && m.tuned != "":
			bindings[i].SetHelp(shown, m.tunedLabel())
		case shown == "D" && m.arrangement == racing:
			bindings[i].SetHelp(shown, "end the race")
		}
	}
	return widget.KeysBox(m.Style, bindings, m.Width)
}

// assignments writes parameters as --set takes them, "key=value", in the order of their keys.
func assignments(params map[string]any) string {
	parts := make([]string, 0, len(params))
	for _, k := range slices.Sorted(maps.Keys(params)) {
		parts = append(parts, fmt.Sprintf("%s=%v", k, params[k]))
	}
	return sanitize.Text(strings.Join(parts, " "))
}
