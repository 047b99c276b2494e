package modes

import (
	"fmt"
	"strings"

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
			fmt.Sprintf("The editor of the parameters of %s. Each change updates the model at once and is recorded; "+
				"b undoes it.", s.Params.Title))
	}
	if len(decls) == 0 {
		return whole(nil)
	}
	help := e.help(s, w-4)
	below := min(1+len(help), max(h-4, 0)) // with an empty line
	room, top := max(h-2-below, 0), 0
	if len(decls) > room {
		top = min(max(e.selected-room/2, 0), len(decls)-room)
	}
	list := layout.New(w-2, 0)
	for i, d := range decls[top:min(top+room, len(decls))] {
		r := row(w, line(st, s.Params, d, w-4, nil))
		if top+i == e.selected {
			r = row(w, line(st, s.Params, d, w-4, e)).
				Describe(layout.Number, label(d), term(d), func() string { return e.says(s.Params, d) })
		}
		r.Focus = func() {
			if !e.field.Open() {
				e.selected = top + i
			}
		}
		r.Actions = []layout.Action{{Key: "enter"}, {Key: "delete"}, {Key: "b"}}
		r.Wheel = [2]string{"right", "left"}
		list.Below(r)
	}
	body := layout.Column(list.Filled(room).
		Describe(layout.Number, "parameters", "", func() string { return listed(s.Params, room, top) }))
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

// listed describes all parameters; so many of them are visible, starting at top.
func listed(p mode.Params, room, top int) string {
	n := len(p.Decls())
	text := fmt.Sprintf("The %s of %s, all at the default", widget.Count(n, "parameter"), p.Title)
	if changed := changed(p); changed > 0 {
		text = fmt.Sprintf("The %s of %s, %d of them changed from the default and highlighted",
			widget.Count(n, "parameter"), p.Title, changed)
	}
	if room < n {
		text += fmt.Sprintf("; %d to %d are visible", top+1, top+room)
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
	for _, f := range s.Legend.Scaled {
		parts = append(parts, f.Name+" "+f.Value)
	}
	return strings.Join(parts, ", ")
}
