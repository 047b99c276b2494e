package open

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/scale"
	"bandscope/tui/screen"
)

// formWidth is how wide the form is, and labelEnd where the values begin in it.
const formWidth, labelEnd = 34, 15

// previewFrom is the width of the window from which on there is a preview beside the list.
const previewFrom = 110

// Render draws the screen: the form at the left, the list of the current field in the middle, a preview at the right where
// there is room.
func (m *Model) Render() []string {
	preview := 0
	if m.Width >= previewFrom {
		preview = m.Width / 3
	}
	list := m.Width - formWidth - preview
	height := m.Height - 1
	lists := m.listPanel
	if m.field == fieldLessons {
		lists = m.lessonsPanel
	}
	blocks := [][]string{m.formPanel(formWidth, height), lists(list, height)}
	if preview > 0 {
		blocks = append(blocks, m.previewPanel(preview, height))
	}
	return append(screen.Beside(blocks...), m.hints())
}

func (m *Model) formPanel(w, h int) []string {
	st := m.Style
	var body []string
	for f := range fieldCount {
		for len(body) < formRow(f) {
			body = append(body, "")
		}
		mark := "  "
		label := st.Paint(st.Dim, fields[f].name)
		if f == m.field {
			mark = st.PaintBold(st.Accent, st.Pointer()+" ")
			label = st.PaintBold(st.Text, fields[f].name)
		}
		line := " " + mark + layout.Fit(label, 12) + m.fieldValue(f)
		if f == fieldStart || apart(f) {
			line = " " + mark + label + m.fieldValue(f)
		}
		body = append(body, line)
	}
	if said, bad := m.Status.Said(); said != "" {
		body = append(body, "")
		color := st.Text
		if bad {
			color = st.Error
		}
		for _, l := range layout.Wrap(said, w-4) {
			body = append(body, " "+st.PaintBold(color, l))
		}
	}
	return screen.Panel(st, "new session", body, w, h, true)
}

// formRow is the row of the form that a field has: a blank one is above what begins a group.
func formRow(f field) int {
	row := int(f)
	for _, first := range []field{fieldStart, fieldExperiment} {
		if f >= first {
			row++
		}
	}
	return row
}

// fieldValue is what a row of the form shows beside its name.
func (m *Model) fieldValue(f field) string {
	st := m.Style
	switch {
	case f == fieldStart:
		return st.Paint(st.Dim, "  enter explores it")
	case f == fieldSessions && f != m.field && m.folder.failed != "":
		return st.Paint(st.Error, "  cannot be read")
	case f == fieldSessions && f != m.field && !m.folder.read:
		return st.Paint(st.Dim, st.Plain("  …"))
	case f == fieldExperiment && f != m.field:
		return ""
	case apart(f) && f != m.field:
		return st.Paint(st.Dim, fmt.Sprintf("  %d", len(m.lists[f])))
	case f == m.field && (!fields[f].list || m.inputs[f].Value() != ""):
		return m.typed(f, formWidth-2-labelEnd-1)
	case fields[f].list && !apart(f):
		if name, err := m.chosen(f); err == nil {
			return st.Paint(st.Accent, name)
		}
		return st.Paint(st.Error, m.inputs[f].Value())
	case m.inputs[f].Value() == "":
		return st.Paint(st.Dim, m.inputs[f].Placeholder)
	}
	return st.Paint(st.Accent, m.inputs[f].Value())
}

// typed is a field while it is typed into: of what is longer than it, the part around the cursor.
func (m *Model) typed(f field, w int) string {
	in := m.inputs[f]
	if ansi.StringWidth(in.Value()) >= w {
		in.SetWidth(w - 1)
		in.SetCursor(in.Position())
	}
	return in.View()
}

// listPanel shows the entries of the current field, filtered by what was typed.
func (m *Model) listPanel(w, h int) []string {
	st := m.Style
	if !fields[m.field].list {
		about := append([]string{""}, layout.Paragraph(st, st.Text, fields[m.field].about, w-4)...)
		return screen.Panel(st, fields[m.field].name, about, w, h, false)
	}
	found := m.matches(m.field)
	room := h - 2
	at := min(m.selected[m.field], max(len(found)-1, 0))
	top := min(max(at-room/2, 0), max(len(found)-room, 0))
	var body []string
	for i := top; i < len(found) && len(body) < room; i++ {
		it := found[i]
		line := " "
		name, about := it.value, it.about
		if m.field == fieldSessions {
			name, about = it.about, ""
		}
		if i == at {
			line += st.PaintBold(st.Accent, st.Pointer()+" "+name)
		} else {
			line += st.Paint(st.Text, "  "+name)
		}
		if about != "" {
			line = layout.Fit(line, max(22, ansi.StringWidth(line)+2)) + st.Paint(st.Dim, about)
		}
		body = append(body, line)
	}
	if len(body) == 0 {
		why, color := "nothing fits what was typed", st.Dim
		if unlisted := m.unlisted(); m.field == fieldSessions && unlisted != "" {
			why = unlisted
		}
		if m.field == fieldSessions && m.folder.failed != "" {
			color = st.Error
		}
		body = append(body, layout.Paragraph(st, color, why, w-4)...)
	}
	title := fields[m.field].name + ": type to filter"
	return screen.Panel(st, title, body, w, h, false)
}

// previewPanel tells more of the selected entry.
func (m *Model) previewPanel(w, h int) []string {
	var body []string
	if it, ok := m.on(m.field); ok && fields[m.field].list {
		if m.field == fieldSessions {
			return screen.Panel(m.Style, "preview", m.peekLines(it.value, w-3, h-2), w, h, false)
		}
		if m.field == fieldStudies {
			return screen.Panel(m.Style, "preview", m.peekLines(studyPath(it.value), w-3, h-2), w, h, false)
		}
		for i, text := range it.more {
			color := m.Style.Dim
			if i == 0 {
				color = m.Style.Text
			}
			body = append(body, layout.Paragraph(m.Style, color, text, w-4)...)
		}
		if m.field == fieldFunction {
			body = append(append(body, ""), m.sketch(it.value, w-3, min(12, h-3-len(body)))...)
		}
	}
	return screen.Panel(m.Style, "preview", body, w, h, false)
}

// sketch draws a function along its first variable, the others at the optimum, or in the middle where that is not known.
func (m *Model) sketch(name string, w, h int) []string {
	p, err := functions.Find(name, m.config.Seed)
	if err != nil || p.Truth == nil || h < 4 {
		return nil
	}
	u := slices.Repeat([]float64{0.5}, p.Dim())
	if p.Optimum() != nil && len(p.Optimum().X) > 0 {
		u = p.Domain.ToUnit(p.Optimum().X[0])
	}
	n := 4 * w
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range xs {
		u[0] = float64(i) / float64(n-1)
		x := p.Domain.FromUnit(u)
		xs[i], ys[i] = x[0], p.Truth.Value(x)[0]
	}
	lo, hi := scale.Pad(scale.Span(ys))
	return plot.Chart{X: plot.Axis{Label: p.Domain[0].Name, Min: xs[0], Max: xs[n-1]}, Y: plot.Axis{Min: lo, Max: hi}, Gutter: 8,
		Layers: []plot.Layer{plot.Curve{X: xs, Y: ys, Color: m.Style.Mean}}}.Draw(w, h, m.Style).Lines()
}

func (m *Model) hints() string {
	st := m.Style
	if m.Status.Open() {
		return m.Status.View(st)
	}
	if m.folder.jobs.Late() {
		return " " + st.Paint(st.Accent, m.folder.jobs.Status(st.ASCII))
	}
	bindings := Groups()[0].Bindings
	switch kept := Groups()[1].Bindings; m.field {
	case fieldSessions:
		bindings = append(slices.Clone(kept), bindings...)
	case fieldStudies:
		bindings = append(slices.Clone(kept[len(kept)-2:]), bindings...) // to delete, and to bring back
	}
	return " " + screen.Footer(st, bindings, m.Width-2)
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }
