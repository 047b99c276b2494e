package query

import (
	"fmt"
	"strings"

	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// Elements tells the status line: the point that would be evaluated, and what is believed there, or what is typed.
func (c *Cursor) Elements(s mode.Scene, seen mode.Seen) []explain.Element {
	if seen.Status < 0 {
		return nil
	}
	e := explain.Element{Kind: explain.Number, Name: "your point", Term: "acquisition", Says: c.typed(), Where: seen.Line()}
	if !c.field.Open() {
		e.Says = c.here(s)
	}
	return []explain.Element{e}
}

// typed tells the point that is typed.
func (c *Cursor) typed() string {
	text := fmt.Sprintf("A point is typed, “%s”: one value moves the cursor along the axis, one of each variable to anywhere. Enter puts it there.", explain.Brief(c.field.Text(), 8))
	if reason := c.field.Reason(); reason != "" {
		text += " It is none yet: " + explain.Brief(reason, 14) + "."
	}
	return text
}

// here tells what the picture says at the cursor.
func (c *Cursor) here(s mode.Scene) string {
	text := "The point that enter would evaluate, " + explain.Brief(screen.Point(s.State.Problem.Domain, c.at), 10)
	if err := s.State.Problem.Allows(c.at); err != nil {
		return text + ": it breaks " + explain.Brief(err.Error(), 16) + ", so nothing is evaluated there."
	}
	var parts []string
	better := ""
	for _, r := range s.Tell(c.at) {
		parts = append(parts, r.Name+" "+screen.Number(r.Value))
		if r.Name == "z" && r.Value > 0 {
			better = fmt.Sprintf(" z says by how many standard deviations the mean there is better than the best result: it is, by %s.", screen.Number(r.Value))
		} else if r.Name == "z" {
			better = " z says by how many standard deviations the mean there is better than the best result: it is not, so only the uncertainty could bring an improvement."
		}
	}
	if len(parts) == 0 {
		return text + ": nothing is believed there that could be told."
	}
	return text + ": there is " + strings.Join(parts, ", ") + "." + better
}
