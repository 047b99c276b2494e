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
	parts := seen.Parts()
	for i := p.first; i < min(p.first+across*down, len(s.State.Lab.Columns)); i++ {
		c := s.State.Lab.Columns[i]
		for _, part := range parts {
			if !strings.HasPrefix(part.Title+" ", s.Style.Plain(c.Label)+" ") || part.Left >= s.W {
				continue
			}
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
			list = append(list, part.Panel("", fmt.Sprintf("The plot of %s: %s.", what, strings.Join(went, "; "))))
			says := fmt.Sprintf("Nothing is drawn before the first update, which space does; values of %s stand at the left then, %s.", c.Label, scale)
			if s.State.Step > 0 {
				says = fmt.Sprintf("The values of %s from update 1 to %d, %s at the left; the course ends at the mark of its run.", c.Label, s.State.Step, scale)
			}
			axes := part.Prose("course of "+c.Label, "", says, 0, len(part.Lines))
			axes.Kind = explain.Axis
			list = append(list, axes)
			break
		}
	}
	return list
}
