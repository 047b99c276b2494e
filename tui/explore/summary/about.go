package summary

import (
	"fmt"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// about is the panel before the first step: the problem and the method, and as much of the variables and the objectives
// as fits.
func about(s view.Scene) *layout.Box {
	st := s.Style
	p := s.State.Problem
	spec := s.State.Spec
	body := layout.New(s.W-2, 0)
	add := func(name, title, text, source string) {
		lines := []string{st.PaintBold(st.Accent, layout.ShortenIn(st, st.Plain(title), s.W-4))}
		paint := func(color theme.Color, text string) {
			for _, l := range layout.Wrap(st.Plain(sanitize.Text(text)), s.W-4) {
				lines = append(lines, st.Paint(color, l))
			}
		}
		if text != "" {
			paint(st.Text, text)
		}
		gap, most := min(body.H, 1), s.H-2-body.H
		if source != "" && gap+len(lines)+len(layout.Wrap(source, s.W-4)) <= most {
			paint(st.Dim, source)
		}
		if gap+len(lines) > most || len(lines) < 2 {
			return
		}
		body.Below(layout.Space(0, gap)).Below(layout.New(s.W-2, len(lines), layout.Text(s.W-4, lines...).At(1, 0)).
			Prose(name, "", fmt.Sprintf("%s: %s.", title, layout.Excerpt(sanitize.Text(text), maxAbout))))
	}
	add("the problem", p.Title, p.About, p.Source)
	add("the method", spec.Title, spec.Summary, spec.Source)
	add("the variables", "Variables", ranges(p.Domain), "")
	add("the objectives", "Objectives", directions(p.Objectives), "")
	return layout.Panel(st, "problem and method", body, s.W, s.H, false).Section("problem and method", "",
		"The problem and the method. After the first step the progress of the search is here.")
}

// maxAbout is how many words of a text about a problem or a method are described.
const maxAbout = 40

// maxListed is how many variables or objectives are listed.
const maxListed = 8

// ranges are the ranges of variables.
func ranges(d functions.Domain) (text string) {
	for i, v := range d {
		if i == maxListed {
			return text + fmt.Sprintf("; and %d more", len(d)-i)
		}
		if i > 0 {
			text += "; "
		}
		text += v.Name
		if v.Kind != functions.Choice {
			text += fmt.Sprintf(" %s to %s", v.Text(v.Low), v.Text(v.High))
			if v.Unit != "" {
				text += " " + v.Unit
			}
		}
	}
	return text
}

// directions are objectives with their directions.
func directions(objectives []functions.Objective) (text string) {
	for i, o := range objectives {
		if i == maxListed {
			return text + fmt.Sprintf("; and %d more", len(objectives)-i)
		}
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s %s", o.Direction, o.Name)
	}
	return text
}
