package modes

import (
	"fmt"
	"strings"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Width keeps the width of the side panels.
func (e *ParameterMode) Width(_, side int) int { return side }

// Whole reports that the traces stay below the panel.
func (e *ParameterMode) Whole() bool { return false }

// Panel shows the parameters around the selected one, and below them its help.
func (e *ParameterMode) Panel(s mode.Scene, w, h int) *layout.Box {
	st, decls := s.Style, s.Params.Decls()
	whole := func(body *layout.Box) *layout.Box {
		return layout.Panel(st, s.Params.Name, body, w, h, true).Section("the editor", "surrogate",
			fmt.Sprintf(
				"The editor of the parameters of %s. Each change updates the model at once and is recorded; b undoes it.",
				s.Params.Title))
	}
	if len(decls) == 0 {
		return whole(nil)
	}
	help := e.help(s, w-4)
	list := make([]*layout.Box, len(decls))
	for i, d := range decls {
		list[i] = entry(st, s.Params, d, w, nil)
		if i == e.selected {
			list[i] = entry(st, s.Params, d, w, e).
				Describe(layout.Number, label(d), term(d), func() string { return e.says(s.Params, d) })
		}
		list[i].Focus = func() {
			if !e.field.Open() {
				e.selected = i
			}
		}
		list[i].Actions = []layout.Action{{Key: "enter"}, {Key: "delete"}, {Key: "b"}}
		list[i].Wheel = [2]string{"right", "left"}
	}
	below := min(1+len(help), max(h-2-max(list[e.selected].H, 2), 0)) // with an empty line
	room := max(h-2-below, 0)
	top, end := window(list, e.selected, room)
	shown := layout.New(w-2, 0)
	for _, b := range list[top:end] {
		shown.Below(b.Filled(min(b.H, max(room, 1))))
	}
	if shown.H > room {
		shown.Filled(room)
	}
	body := layout.Column(shown.
		Describe(layout.Number, "parameters", "", func() string { return listed(s.Params, top, end) }))
	if below > 1 {
		text, d := layout.New(w-2, 0), e.decl(s.Params)
		for _, l := range help[:below-1] {
			text.Below(row(w, l))
		}
		body.Below(layout.Space(w-2, 1)).Below(
			text.Describe(layout.Prose, "parameter help", term(d), func() string { return about(s, d) }))
	}
	return whole(body)
}

// window is which of the boxes are shown in so many rows, around the selected one.
func window(list []*layout.Box, selected, room int) (top, end int) {
	top, end = selected, selected+1
	for used := list[selected].H; ; {
		before, after := top > 0 && used+list[top-1].H <= room, end < len(list) && used+list[end].H <= room
		switch {
		case before && (!after || selected-top <= end-1-selected):
			top--
			used += list[top].H
		case after:
			used += list[end].H
			end++
		default:
			return top, end
		}
	}
}

// listed describes all parameters, of which those from top to end are visible.
func listed(p mode.Params, top, end int) string {
	n := len(p.Decls())
	text := fmt.Sprintf("The %s of %s, all at the default", widget.Count(n, "parameter"), p.Title)
	if changed := changed(p); changed > 0 {
		text = fmt.Sprintf("The %s of %s, %d of them changed from the default and highlighted",
			widget.Count(n, "parameter"), p.Title, changed)
	}
	if end-top < n {
		text += fmt.Sprintf("; %d to %d are visible", top+1, end)
	}
	return text + "."
}

// says describes the selected parameter, or the text typed for it.
func (e *ParameterMode) says(p mode.Params, d param.Decl) string {
	if !e.field.Open() {
		return ValueText(d, p.Value(d.Key))
	}
	text := fmt.Sprintf("The new value of %s, “%s”: enter sets it, esc keeps %s.", label(d),
		layout.Excerpt(e.field.Text(), 10), d.Format(p.Value(d.Key)))
	if reason := e.field.Reason(); reason != "" {
		text += " It is not valid: " + layout.Excerpt(reason, 14) + "."
	}
	return text
}

// about describes the help of the selected parameter.
func about(s mode.Scene, d param.Decl) string {
	text := fmt.Sprintf("The help of the parameter. Valid values: %s", layout.Excerpt(d.Range(), 16))
	if d.Source != "" {
		text += "; source: " + layout.Excerpt(d.Source, 12)
	}
	if scaled := scaled(s); scaled != "" {
		text += ". Fitted values in scaled units: " + layout.Excerpt(scaled, 12)
	}
	return text + "."
}

// help explains the selected parameter in lines of w columns.
func (e *ParameterMode) help(s mode.Scene, w int) []string {
	st, d := s.Style, e.decl(s.Params)
	var lines []string
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
	if scaled := scaled(s); scaled != "" { // before the source, which small windows cut off
		add(st.Paint, st.Text, "scaled: "+scaled)
	}
	if d.Source != "" {
		add(st.Paint, st.Dim, d.Source)
	}
	return lines
}

// scaled formats the fitted values in the units of the parameters: inputs in the unit cube, values with a standard
// deviation of 1. Other panels show them in the units of the problem.
func scaled(s mode.Scene) string {
	var parts []string
	for _, f := range s.Legend.Facts {
		var values []string
		for _, e := range f.Estimates {
			values = append(values, widget.Number(e.Value))
		}
		if values != nil {
			parts = append(parts, f.Name+" "+optimizers.JoinFirst(values))
		}
	}
	return strings.Join(parts, ", ")
}
