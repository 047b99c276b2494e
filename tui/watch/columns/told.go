package columns

import (
	"fmt"
	"strings"

	"bandscope/tui/explain"
	"bandscope/tui/watch/picture"
	"bandscope/tui/watch/told"
)

// Elements tells each plot: what is measured there, and how it went.
func (p *Picture) Elements(s picture.Place, seen explain.Seen) (list []explain.Element) {
	across, down := grid(s)
	i := p.first // the plots are in the order of the columns
	for _, part := range seen.Parts() {
		if part.Left >= s.W || i >= min(p.first+across*down, len(s.State.Lab.Columns)) {
			continue
		}
		list = append(list, plotted(s, i, &part)...)
		i++
	}
	return list
}

// plotted tells the plot of a column, which a part of the window shows.
func plotted(s picture.Place, i int, part *explain.Part) []explain.Element {
	c := s.State.Lab.Columns[i]
	var went []string
	for run, r := range s.State.Runs {
		text := told.Course(r, i)
		if len(s.State.Runs) > 1 {
			text += " (" + picture.Name(s.State, run) + ")"
		}
		went = append(went, text)
	}
	scale := "evenly"
	if c.Log {
		scale = "by factors"
	}
	what := c.Label
	if c.Help != "" {
		what += ", " + c.Help
	}
	whole := part.Panel("", fmt.Sprintf("The plot of %s: %s.", what, strings.Join(went, "; ")))
	says := fmt.Sprintf("Nothing is drawn before the first update, which space does; values of %s stand at the left then, %s.", c.Label, scale)
	if s.State.Step > 0 {
		says = fmt.Sprintf("The values of %s from update 1 to %d, %s at the left; the course ends at the mark of its run.", c.Label, s.State.Step, scale)
	}
	axes := part.Prose("course of "+c.Label, "", says, 0, len(part.Lines))
	axes.Kind = explain.Axis
	return []explain.Element{whole, axes}
}
