package modes

import (
	"fmt"
	"strings"

	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Status tells what is known at the cursor, or what is typed.
func (c *PointMode) Status(s mode.Scene, w int) *layout.Box {
	if c.field.Open() {
		return layout.Text(w, " "+c.entry(s.Style)).Describe(layout.Number, "your point", "acquisition", c.typed)
	}
	return layout.Text(w, " "+c.place(s, w-2)).
		Describe(layout.Number, "your point", "acquisition", func() string { return c.here(s) })
}

// entry is the point that is typed.
func (c *PointMode) entry(st theme.Style) string {
	line := st.Paint(st.Accent, "query at: ") + c.field.View(0)
	if reason := c.field.Reason(); reason != "" {
		return line + "  " + st.Paint(st.Error, reason)
	}
	return line + st.Paint(st.Dim, "  enter puts the cursor there")
}

// place is the point with what the picture says of it, in at most w columns.
func (c *PointMode) place(s mode.Scene, w int) string {
	st := s.Style
	entries := []string{st.Paint(st.Accent, "query at ") +
		st.PaintBold(st.Text, widget.Point(s.State.Problem.Domain, c.at))}
	if err := s.State.Problem.CheckConstraints(c.at); err != nil {
		entries = append(entries, st.PaintBold(st.Error, st.Plain("breaks "+err.Error())))
	}
	for _, r := range s.ReadingsAt(c.at) {
		entries = append(entries, st.Paint(st.Dim, r.Name+" ")+st.Paint(st.Text, widget.Number(r.Value)))
	}
	return layout.FitEntries(entries, "  ", w)
}

// typed tells the point that is typed.
func (c *PointMode) typed() string {
	text := fmt.Sprintf("A point is typed, “%s”: one value moves the cursor along the axis, one of each variable to "+
		"anywhere. Enter puts it there.", layout.Excerpt(c.field.Text(), 8))
	if reason := c.field.Reason(); reason != "" {
		text += " It is none yet: " + layout.Excerpt(reason, 14) + "."
	}
	return text
}

// here tells what the picture says at the cursor.
func (c *PointMode) here(s mode.Scene) string {
	text := "The point that enter would evaluate, " + layout.Excerpt(widget.Point(s.State.Problem.Domain, c.at), 10)
	if err := s.State.Problem.CheckConstraints(c.at); err != nil {
		return text + ": it breaks " + layout.Excerpt(err.Error(), 16) + ", so nothing is evaluated there."
	}
	var parts []string
	better := ""
	for _, r := range s.ReadingsAt(c.at) {
		parts = append(parts, r.Name+" "+widget.Number(r.Value))
		if r.Name == "z" && r.Value > 0 {
			better = fmt.Sprintf(" z says by how many standard deviations the mean there is better than the best "+
				"result: it is, by %s.", widget.Number(r.Value))
		} else if r.Name == "z" {
			better = " z says by how many standard deviations the mean there is better than the best result: it is " +
				"not, so only the uncertainty could bring an improvement."
		}
	}
	if len(parts) == 0 {
		return text + ": nothing is believed there that could be told."
	}
	return text + ": there is " + strings.Join(parts, ", ") + "." + better
}
