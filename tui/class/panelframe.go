package class

import (
	"fmt"
	"strings"

	"bandscope/sessions/classroom"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Frame is the people beside the question, the race and the commands.
func (m *Panel) Frame() *layout.Box {
	return m.frame("", func(w, h int) *layout.Box {
		left := layout.Split(w, layout.Rule{Flex: 1}, layout.Rule{Min: 38, Flex: 1, Max: 60})[0]
		now := m.now(w - left - 2)
		high := min(now.H+2, h-5)
		return layout.Row(m.people(left, h), layout.Column(
			panel(m.Style, "now", now, w-left, high, "",
				"What the class does now: the question, the race and the keyboard."),
			m.commands(w-left, h-high)))
	}, keys(&m.page, panelCommands(), "up/down reveal_the_answers close_the_question esc : ? q"))
}

// people is the list of who is there.
func (m *Panel) people(w, h int) *layout.Box {
	st := m.Style
	inner := w - 2
	here := m.teacher.Present()
	connected := 0
	for _, p := range m.state.People {
		if here[p.ID].Connected {
			connected++
		}
	}
	title := fmt.Sprintf("%s: %d here, %d away", quote(m.state.Title, 6), connected, len(m.state.People)-connected)
	if len(m.state.People) == 0 {
		return layout.EmptyPanel(st, quote(m.state.Title, 6), "Nobody has joined yet.", w, h, "",
			"Who is in the class.",
			"nobody has joined yet")
	}
	rows := h - 2
	m.scroll = max(min(m.scroll, m.selected), m.selected-rows+1, 0)
	answered := map[string]bool{}
	q, asked := m.state.CurrentQuestion()
	if asked {
		answered = m.state.Answered(q.Number)
	}
	all := layout.Column(layout.Space(inner, 0))
	for i := m.scroll; i < len(m.state.People) && all.H < rows; i++ {
		p := m.state.People[i]
		all.Below(m.personLine(p, here[p.ID], i == m.selected, asked, answered[p.ID], inner))
	}
	return panel(st, title, all, w, h, "", fmt.Sprintf("Who is in the class: %d people, %d of them connected.",
		len(m.state.People), connected))
}

// personLine is a line of the list.
func (m *Panel) personLine(p classroom.Person, presence Presence, selected, asked, answered bool, w int) *layout.Box {
	st := m.Style
	mark, color := "  ", st.Text
	if selected {
		mark, color = st.Pointer()+" ", st.Accent
	}
	place, dot := "away", theme.GlyphHollow
	if presence.Connected {
		place, dot = "here", theme.GlyphFilled
	} else if !selected {
		color = st.Dim
	}
	name := p.Pseudonym
	if real := m.teacher.Name(p.ID); m.named && real != "" {
		name += " (" + real + ")"
	}
	says := fmt.Sprintf("%s is %s", name, place)
	text := mark + st.Glyph(dot) + " " + cell(st, name, 21)
	if w >= 50 { // otherwise the dot alone tells who is away
		text = mark + st.Glyph(dot) + " " + cell(st, name, 28) + " " + place + " "
	}
	switch {
	case p.Role == classroom.Teacher:
		text, says = text+" teacher", says+", and teaches"
	case asked && answered:
		text, says = text+" "+st.Plain("✓")+" answered", says+", and has answered"
	case asked:
		text, says = text+" not yet", says+", and has not answered"
	}
	if presence.Keyboard {
		text, says = text+" keyboard", says+"; the keyboard is there"
	}
	return number(st, w, color, text, p.Pseudonym, says+".")
}

// now is what the class does now.
func (m *Panel) now(w int) *layout.Box {
	st := m.Style
	all := layout.Column(layout.Space(w, 0))
	line := func(color theme.Color, name, text, says string) { all.Below(number(st, w, color, text, name, says)) }
	if q, ok := m.state.CurrentQuestion(); ok {
		all.Below(prompt(st, q, w))
		n, students := len(m.state.Answered(q.Number)), m.state.Students()
		state := "open"
		if q.Revealed {
			state = "revealed"
		}
		line(st.Accent, "answers", layout.FirstFit(st, w-2, fmt.Sprintf("question %d is %s: %d of %d have answered",
			q.Number,
			state, n, students), fmt.Sprintf("%s: %d of %d have answered", state, n, students)),
			fmt.Sprintf("Question %d is %s. %d of %d students have answered.", q.Number, state, n, students))
		share := 0.0
		if students > 0 {
			share = min(float64(n)/float64(students), 1)
		}
		all.Below(layout.Text(w, " "+st.Paint(st.Accent, bar(st, share, max(w-2, 1)))))
	} else {
		m.joining(all, w)
		line(st.Dim, "question", "no question is open", "No question is open at the moment.")
	}
	if r, running := m.state.RunningRace(); running {
		used, students := 0, r.Budget*m.state.Students()
		for _, p := range m.state.People {
			used += len(m.state.Evaluations(r.Number, p.ID))
		}
		line(st.Text, "race", fmt.Sprintf("race %d on %s: %d of %d evaluations", r.Number, quote(r.Function, 2), used,
			students),
			fmt.Sprintf("Race %d is running. The class has made %d of %d evaluations.", r.Number, used, students))
	}
	if holder := m.holder(); holder != "" {
		line(st.Warn, "keyboard", holder+" has the keyboard",
			holder+" acts on your screen; take the keyboard back when you like.")
	} else {
		line(st.Dim, "keyboard", "you have the keyboard", "Nobody but you acts on your screen.")
	}
	return all
}

// joining is how people join, with a large code.
func (m *Panel) joining(all *layout.Box, w int) {
	st := m.Style
	code, addresses := m.teacher.Joining()
	if code == "" {
		return
	}
	for _, a := range addresses {
		all.Below(number(st, w, st.Text, a, "address", "What people type to join: "+a+"."))
	}
	large := bigText(code, st.ASCII)
	if len(code)*4 > w-2 {
		large = []string{code}
	}
	for i, l := range large {
		large[i] = " " + st.PaintBold(st.Accent, l)
	}
	all.Below(layout.Space(1, 1)).Below(layout.Text(w, large...).Number("join code", "", "The join code: "+code+".")).
		Below(layout.Space(1, 1))
}

// commands is the list of what the teacher can do, each a button.
func (m *Panel) commands(w, h int) *layout.Box {
	st, inner := m.Style, w-2
	all := layout.Column(layout.Space(inner, 0))
	for _, k := range widget.Keys(m, panelCommands()) {
		if !widget.IsNamed(k.Binding) || all.H >= h-2 {
			continue
		}
		color := st.Text
		text := st.Pointer() + " " + k.Help().Desc
		says := "Command: " + k.About + "."
		if k.DisabledReason() != "" {
			color = st.Faint
			text = "  " + k.Help().Desc
			says = strings.TrimSuffix(says,
				".") + ". It does nothing now: " + k.DisabledReason() + "."
		}
		line := number(st, inner, color, text, k.Help().Desc, says)
		line.Press = k.Keys()[0]
		all.Below(line)
	}
	return panel(st, "commands (: finds them by name)", all, w, h, "",
		"What you can do: click a command, or find it with the key :.")
}
