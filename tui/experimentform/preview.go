package experimentform

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// filePanel shows the resulting file, with marks at the current field and at lines with errors.
func (m *Model) filePanel(w, h int) *layout.Box {
	st := m.Style
	name := strings.TrimSpace(m.draft.Root["name"])
	if name == "" {
		name = "experiment"
	}
	lines := strings.Split(strings.TrimSuffix(string(m.written.Text), "\n"), "\n")
	body := make([]string, len(lines))
	here := 0
	place := m.place(m.at)
	for i, text := range lines {
		mark := "  "
		line, known := m.written.Line(i)
		wrong := known && line.Key != "" && len(m.wrong(line)) > 0
		switch {
		case known && line == place && line.Key != "":
			mark, here = st.PaintBold(st.Accent, st.Pointer()+" "), i
		case wrong:
			mark = st.PaintBold(st.Error, st.Glyph(theme.GlyphCross)+" ")
		}
		if line.Table == place.Table && line.Index == place.Index && here == 0 {
			here = i
		}
		body[i] = " " + mark + m.painted(st.Plain(sanitize.Text(text)), w-6, wrong)
	}
	room := h - 2
	top := max(min(here-room/3, len(body)-room), 0)
	title := st.Plain(sanitize.Text(name) + ".toml")
	text := layout.Text(w-2, body[top:min(top+room, len(body))]...).
		Number("file", "", fmt.Sprintf("The text of the file, %s, without empty fields. The pointer is at the current field, a cross at an error.",
			widget.Count(strings.Count(string(m.written.Text), "\n"), "line")))
	return layout.Panel(st, title, text, w, h, false).
		Section(title, "", fmt.Sprintf(
			"The file of the form, %s. It declares the whole experiment; you can keep, send and edit it.",
			title))
}

// painted is a line of the file in colours.
func (m *Model) painted(text string, w int, wrong bool) string {
	st := m.Style
	key, rest, ok := strings.Cut(text, "=")
	switch {
	case wrong:
		return st.Paint(st.Error, layout.ShortenIn(st, text, w))
	case !ok:
		return st.PaintBold(st.Title, text)
	}
	value, comment := rest, ""
	if i := strings.LastIndex(rest, " # "); i >= 0 {
		value, comment = rest[:i], rest[i:]
	}
	if ansi.StringWidth(text) > w { // the comment is in the file all the same
		value, comment = strings.TrimRight(value, " "), ""
	}
	return layout.ShortenIn(st, st.Paint(st.Dim, key+"=")+st.Paint(st.Text, value)+st.Paint(st.Faint, comment), w)
}
