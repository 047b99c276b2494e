package explore

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/results"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// maxSaid is how many words of the status line a description quotes.
const maxSaid = 34

// statusLine is the line above the footer: the prompt, the running job, the last reply, or what to do next.
func (m *Model) statusLine() *layout.Box {
	st, w := m.Style, m.Width
	message, bad := m.Status.Message()
	if t, ok := m.Modes.Active.(mode.StatusDrawer); ok && message == "" && !m.Status.Open() {
		return t.Status(m.Scene(), w)
	}
	quoted := func(text string) string { return layout.Excerpt(text, maxSaid) + "." }
	computed := m.Jobs.Status(st.ASCII)
	if waiting := m.Waiting(); waiting != "" && computed != "" {
		computed += " · " + waiting
	}
	line := m.Status.Box(st, w, computed, "")
	switch {
	case m.Status.Open():
		return line.Prose("status", "", "The prompt: type the requested text. enter accepts it, esc cancels.")
	case computed != "":
		return line.Prose("status", "", "The computation that is running: "+quoted(computed+" "+message)+" esc stops it.")
	case bad:
		if lines := m.longError(); lines != nil {
			line = layout.Text(w, lines...)
		}
		return line.Prose("status", "", "The last command failed: "+quoted(message))
	}
	subject := "The reply to the last command: "
	if message == "" {
		subject = "The method's comment on the next point: "
	}
	reply, warning := m.statusParts()
	color := st.Text
	if reply == "" && warning == "" {
		reply = layout.ShortenIn(st, m.advice(), w-2)
		subject = "What you can do next: "
		color = st.Dim
	}
	row := layout.Row(layout.Space(1, 1))
	if reply != "" {
		row.Beside(layout.Line(st.Paint(color, reply)).Prose("status", "", subject+quoted(reply)))
	}
	if warning != "" {
		if reply != "" {
			row.Beside(layout.Space(2, 1))
		}
		row.Beside(layout.Line(st.Paint(st.Warn, warning)).Prose("warning", "coverage",
			"A warning about the data or the model: "+
				quoted(strings.TrimSuffix(strings.TrimPrefix(warning, "! "), ": u"))+
				" Press u to check the model."))
	}
	return row.Sized(w, 1)
}

// maxErrorRows bounds the rows of an error.
const maxErrorRows = 6

// longError is an error that is too long for the status line, in several rows, for which the panels give up rows; nil for
// any other text.
func (m *Model) longError() []string {
	st, w := m.Style, m.Width
	message, bad := m.Status.Message()
	text := st.Plain(st.Glyph(theme.GlyphCross) + " " + message)
	if !bad || m.Status.Open() || m.Jobs.Status(st.ASCII) != "" || ansi.StringWidth(text) <= w-2 {
		return nil
	}
	lines := layout.Wrap(text, w-2)
	if len(lines) > maxErrorRows {
		rest := strings.Join(lines[maxErrorRows-1:], " ")
		lines = append(lines[:maxErrorRows-1], layout.ShortenIn(st, rest, w-2))
	}
	for i, l := range lines {
		lines[i] = " " + st.PaintBold(st.Error, l)
	}
	return lines
}

// minReply is the number of cells from which a shortened reply is of use.
const minReply = 20

// statusParts are the last reply with the reason for the next point, and the warning. If they do not fit, they are
// shortened: the warning keeps at least two thirds of the line, and the reason goes before the reply to a step.
func (m *Model) statusParts() (text, warning string) {
	text, _ = m.Status.Message()
	if waiting := m.Waiting(); waiting != "" {
		return waiting, ""
	}
	warning = m.warnings()
	room := m.Width - 2
	width := room
	if text != "" && warning != "" {
		width = max(room/3, room-2-ansi.StringWidth(warning))
	}
	if reason := m.nextReason(); text != "" && reason != "" {
		rest := width - 2 - ansi.StringWidth(reason)
		switch {
		case text != m.stepReply || rest >= ansi.StringWidth(text):
			text += "  " + reason
		case rest >= minReply:
			text = layout.ShortenIn(m.Style, text, rest) + "  " + reason
		default:
			text = reason
		}
	}
	text = layout.ShortenIn(m.Style, text, width)
	if text != "" {
		room -= 2 + ansi.StringWidth(text)
	}
	return text, layout.ShortenIn(m.Style, warning, room)
}

// nextReason is the method's comment on the next point or, without one, why it was chosen, with its mark; empty while a
// lesson or an exercise hides it.
func (m *Model) nextReason() string {
	if m.report == nil || m.report.Head != m.state.Head || m.stage().Bare || m.asking() ||
		m.session.Lesson() != nil && m.Reader.Asks(m.Page()) {
		return ""
	}
	why := cmp.Or(m.report.Note, m.report.Reason)
	if why == "" {
		return ""
	}
	return m.Style.Plain(m.Style.Glyph(m.report.Mark()) + " " + why)
}

// warnings are the warnings of the fit, the data and the picture; empty for none.
func (m *Model) warnings() string {
	var all []string
	switch {
	case m.report == nil:
	case m.report.Unknown != "": // which is also why the legend warns
		all = append(all, m.report.Unknown)
	default:
		all = append(all, m.report.Legend.Warnings...)
	}
	if m.warning != "" {
		all = append(all, m.warning)
	}
	if warning := m.picture().Warning(m.stage(), m.Width-2-len("! ")); warning != "" {
		all = append(all, warning)
	}
	if len(all) == 0 {
		return ""
	}
	return "! " + strings.Join(all, "; ")
}

// advice tells a new user which key to press next.
func (m *Model) advice() string {
	if a, ok := m.Modes.Active.(mode.Adviser); ok {
		return a.Advice()
	}
	if text := m.lessonAdvice(); text != "" {
		return text
	}
	waiting := results.Sentence(m.state)
	switch n := len(m.state.Iterations); {
	case m.session.ManualEvaluation() && waiting != "":
		return waiting
	case m.asking():
		return "which point would you evaluate next? press x to choose it"
	case m.NoQuestion() == "":
		return "press a number to answer the question"
	case m.session.Task() != nil && !m.Running: // some exercises forbid a step
		return "follow the exercise; its goals are checked after each step and edit"
	case m.Reads() && m.Ahead():
		return "press space for the next page, b for the previous one, r to play"
	case m.session.Lesson() != nil && m.state.LastNote().Text == "":
		return "press n to write a lesson page for this step, space for the next step"
	case m.noTakeOver() == "":
		return "another program evaluates the pending points; the command \"take over the pending points\" evaluates them here"
	case n == 0 && m.Last != nil:
		first := "press space for the first step"
		if m.stepAsks() {
			first = "press space for the first point"
		}
		return first + " · ctrl+l resumes " + m.LastSessionLabel()
	case n == 0 && m.stepAsks():
		return "this is the prior; press space for the first point, or x to choose one"
	case m.stepAsks():
		return "press space for the next point, or x to choose one"
	case n == 0:
		return "this is the prior, without any data; press space to evaluate the first point"
	case m.Running:
		return "running, " + m.Speed.String() + "; press r to pause, , or . to change the speed"
	case m.nextReason() != "":
		known, why := "the model knows "+widget.Count(n, "result"), m.nextReason()
		return layout.FirstFit(m.Style, m.Width-2, known+"; it wants to look at "+why+" · press space",
			known+"; next "+why+": space", "next "+why)
	case n < 6:
		return "press space to evaluate the next point, e to edit the method's parameters"
	}
	return ""
}
