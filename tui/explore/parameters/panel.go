package parameters

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Panel shows the parameters while none is edited, and below them facts, a line each, for which a third of the panel is kept.
func Panel(s mode.Scene, facts []string, w, h int) []string {
	st := s.Style
	list := lines(st, s.Params, w-4, nil)
	a := arranged(len(list), len(facts), h-2)
	body := list[:a.params:a.params]
	if a.more > 0 {
		body = append(body, st.Paint(st.Faint, st.Plain(fmt.Sprintf("  … %d more: e", a.more))))
	}
	if a.facts > 0 {
		body = append(append(body, ""), facts[:a.facts]...)
	}
	return framed(s, body, w, h, false)
}

// arrangement is what there is room for in the panel: so many parameters, and a line that tells of how many more, if any; below them so many facts, from a line on.
type arrangement struct{ params, more, facts, from int }

// arranged arranges parameters and facts in so many lines.
func arranged(params, facts, room int) (a arrangement) {
	a.facts = min(facts, max(room/3, 0))
	space := room - a.facts
	if a.facts > 0 {
		space--
	}
	a.params = min(params, max(space, 0))
	a.from = a.params + 1
	if a.params > 0 && a.params < params {
		a.params--
		a.more = params - a.params
	}
	return a
}

// Width leaves the side as wide as it is.
func (e *Editor) Width(_, side int) int { return side }

// Whole leaves the traces below the panel.
func (e *Editor) Whole() bool { return false }

// Panel shows the parameters around the selected one, and below them what that is.
func (e *Editor) Panel(s mode.Scene, w, h int) []string {
	help, room, top := e.parted(s, w, h)
	body := lines(s.Style, s.Params, w-4, e)[top:]
	for len(body) < room {
		body = append(body, "")
	}
	return framed(s, append(body[:room:room], help...), w, h, true)
}

// parted is what stands below the parameters in a panel of w×h cells, how many lines these have, and which is the first that is shown.
func (e *Editor) parted(s mode.Scene, w, h int) (help []string, room, top int) {
	help = e.help(s, w-4)
	help = help[:min(len(help), max(h-4, 0))]
	room = max(h-2-len(help), 0)
	if n := len(s.Params.Decls()); n > room {
		top = min(max(e.selected-room/2, 0), n-room)
	}
	return help, room, top
}

func framed(s mode.Scene, body []string, w, h int, focused bool) []string {
	for i := range body {
		body[i] = " " + body[i]
	}
	return screen.Panel(s.Style, s.Params.Name, body, w, h, focused)
}

// lines are the parameters with their values, a line of w columns each; e is the editor at work, nil if none is.
func lines(st theme.Style, p mode.Params, w int, e *Editor) []string {
	decls := p.Decls()
	list := make([]string, len(decls))
	for i, d := range decls {
		v := p.Value(d.Key)
		mark, text, color := "  ", layout.ShortenIn(st, d.Format(v), max(w-8, 8)), st.Text
		if v != d.Default {
			color = st.Accent
		}
		if e != nil && i == e.selected {
			mark = st.PaintBold(st.Accent, st.Pointer()+" ")
			if e.field.Open() {
				text = e.field.View(max(w*2/3, 8))
			}
		}
		value := st.Paint(color, text)
		label := st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(d.Label), max(w-3-ansi.StringWidth(text), 4)))
		list[i] = layout.Fit(mark+label, w-ansi.StringWidth(value)) + value
	}
	return list
}

// help explains the selected parameter in lines of w columns.
func (e *Editor) help(s mode.Scene, w int) []string {
	st, d := s.Style, e.decl(s.Params)
	lines := []string{""}
	add := func(paint func(theme.Color, string) string, color theme.Color, text string) {
		for _, l := range layout.Wrap(text, w) {
			lines = append(lines, paint(color, l))
		}
	}
	if reason := e.field.Reason(); reason != "" {
		add(st.PaintBold, st.Error, reason)
	}
	add(st.Paint, st.Text, d.Help)
	add(st.Paint, st.Dim, fmt.Sprintf("%s; default %s", d.Range(), d.Format(d.Default)))
	if s.Params.Effect != nil {
		add(st.Paint, st.Accent, s.Params.Effect(d))
	}
	if scaled := scaled(s); scaled != "" { // before the source, which small windows have no room for
		add(st.Paint, st.Text, scaled)
	}
	if d.Source != "" {
		add(st.Paint, st.Dim, d.Source)
	}
	return lines
}

// scaled tells what the fit found in the model's own units, inputs scaled to the unit cube and values to a standard deviation of 1, in which
// parameters are given; elsewhere it stands in those of the problem.
func scaled(s mode.Scene) string {
	var parts []string
	for _, f := range s.Legend.Scaled {
		parts = append(parts, f.Name+" "+f.Value)
	}
	if parts == nil {
		return ""
	}
	return "scaled: " + strings.Join(parts, ", ")
}
