package modes

import (
	"fmt"
	"strings"

	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Status shows the values at the cursor, or the point that is typed.
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
	return line + st.Paint(st.Dim, "  enter moves the cursor there")
}

// place is the point with the values of the picture, in at most w columns.
func (c *PointMode) place(s mode.Scene, w int) string {
	st := s.Style
	entries := []string{st.Paint(st.Accent, "query at ") +
		st.PaintBold(st.Text, widget.Point(s.State.Problem.Domain, c.at))}
	if err := s.State.Problem.CheckConstraints(c.at); err != nil {
		entries = append(entries, st.PaintBold(st.Error, st.Plain("violates "+err.Error())))
	}
	for _, r := range s.ReadingsAt(c.at) {
		entries = append(entries, st.Paint(st.Dim, r.Name+" ")+st.Paint(st.Text, widget.Number(r.Value)))
	}
	return layout.FitEntries(entries, "  ", w)
}

// typed describes the point that is typed.
func (c *PointMode) typed() string {
	text := fmt.Sprintf(
		"The point that you type, “%s”: one value moves the cursor along the axis, one value per variable moves it anywhere. Press enter to move it.",
		layout.Excerpt(c.field.Text(), 8))
	if reason := c.field.Reason(); reason != "" {
		text += " It is not valid: " + layout.Excerpt(reason, 14) + "."
	}
	return text
}

// here describes the values of the picture at the cursor.
func (c *PointMode) here(s mode.Scene) string {
	text := "The point that enter evaluates, " + layout.Excerpt(widget.Point(s.State.Problem.Domain, c.at), 10)
	if err := s.State.Problem.CheckConstraints(c.at); err != nil {
		return text + ": it violates " + layout.Excerpt(err.Error(), 16) + ", so it cannot be evaluated."
	}
	var parts []string
	better := ""
	for _, r := range s.ReadingsAt(c.at) {
		parts = append(parts, r.Name+" "+widget.Number(r.Value))
		if r.Name == "z" && r.Value > 0 {
			better = fmt.Sprintf(" z is how many standard deviations the mean is better than the best result: %s.",
				widget.Number(r.Value))
		} else if r.Name == "z" {
			better = " z is not positive: the mean is not better than the best result, so an improvement depends on the uncertainty."
		}
	}
	if len(parts) == 0 {
		return text + ": the picture has no values there."
	}
	return text + ". Its values: " + strings.Join(parts, ", ") + "." + better
}
