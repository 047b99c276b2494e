package explore

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/parameters"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/results"
	"bandscope/tui/plot"
)

// Elements tells what is seen: the heading, the picture with the timeline at its edge, what stands beside it, and the lines below.
func (m *Model) Elements() []explain.Element {
	lines, l := m.Render(), m.layout()
	if len(lines) < picture.HeadRows+picture.FootRows || l.height < 2 {
		return nil
	}
	seen, status := explain.See(lines), len(lines)-2
	list := m.heading().Elements()
	list = append(list, m.picture().Elements(m.stage(), 0, picture.HeadRows)...)
	list = append(list, m.bar(l.main).Elements(0, picture.HeadRows+l.height-1)...)
	list = append(list, m.modeElements(lines, l, status)...)
	if p := m.panel(); p == nil || !p.Whole() {
		list = append(list, m.besideElements(seen, l)...)
	}
	if !m.modeSays() && seen.Text(status) != "" {
		list = append(list, m.statusElements(seen, status)...)
	}
	if m.Status.Open() {
		return append(list, explain.Element{Kind: explain.Prose, Name: "keys", Says: "What may be typed: " + explain.Brief(seen.Text(status+1), 40) + ".", Where: seen.Row(status + 1)})
	}
	return append(list, seen.Keys(status+1))
}

// modeSays reports whether the status line is the mode's.
func (m *Model) modeSays() bool {
	said, _ := m.Status.Said()
	_, tells := m.modes.Doing.(mode.Telling)
	return tells && said == "" && !m.Status.Open()
}

// modeElements tells what is seen of the mode that has the keys.
func (m *Model) modeElements(lines []string, l places, status int) []explain.Element {
	doing, ok := m.modes.Doing.(mode.Explaining)
	if !ok {
		return nil
	}
	seen := mode.Seen{Lines: lines, Status: -1}
	if p := m.panel(); p != nil {
		seen.Left, seen.Top, seen.W, seen.H = l.main, picture.HeadRows, l.side, l.params
		if p.Whole() {
			seen.H = l.height
		}
	}
	if m.modeSays() {
		seen.Status = status
	}
	return doing.Elements(m.scene(), seen)
}

// besideElements tells what stands beside the picture, but for the panel of a mode.
func (m *Model) besideElements(seen explain.Seen, l places) (list []explain.Element) {
	from, upper := picture.HeadRows, l.params
	if m.notesShown() {
		upper = m.notesHeight(l)
	}
	standing := seen.Parts()
	parts := func(from, to int) (all []explain.Part) {
		for _, p := range standing {
			if p.Left >= l.main && p.Top >= from && p.Top < to {
				all = append(all, p)
			}
		}
		return all
	}
	if first := parts(from, from+upper); len(first) > 0 && m.panel() == nil {
		if m.notesShown() && m.sheet != nil {
			list = m.sheet.Elements(m.Style, first[0])
		} else if m.notesShown() {
			list = m.beside.Elements(m.Style, m.notes(), m.session.Lesson() != nil, mode.NotesOf(m.state), first[0])
		} else {
			list = parameters.Elements(m.scene(), m.facts(), first[0])
		}
	}
	if l.out > 0 {
		list = append(list, results.Elements(m.outScene(), l.main, from+upper, l.side, l.out)...)
	}
	low := parts(from+upper+l.out, from+l.height)
	if len(low) == 0 {
		return list
	}
	if m.hasOutlook() {
		return append(list, m.outlook.Elements(m.traceScene().Scene, low)...)
	}
	return append(list, m.traces.Elements(m.traceScene(), low)...)
}

// beside are the cells of a warning in a row of the window, behind what was said.
func beside(said, warning string, row int) func() []plot.Span {
	from := 1
	if said != "" {
		from += ansi.StringWidth(said) + 2
	}
	return explain.Rect(from, row, ansi.StringWidth(warning), 1)
}

// mostSaid is how many words of the status line are told.
const mostSaid = 34

// statusElements tells the status line, and the warnings in it.
func (m *Model) statusElements(seen explain.Seen, row int) (list []explain.Element) {
	said, bad := m.Status.Said()
	own, warned := seen.Text(row), ""
	if !m.Status.Open() && m.jobs.Status(m.Style.ASCII) == "" && !bad {
		if own, warned = m.statusParts(); own == "" && warned == "" {
			own = m.advice()
		}
	}
	quoted := explain.Brief(own, mostSaid)
	says := "What to do next: " + quoted + "."
	switch computed := m.jobs.Status(m.Style.ASCII); {
	case m.Status.Open():
		says = "What is asked for here is typed: enter takes it, esc leaves all as it is."
	case computed != "":
		says = "What is computed at the moment: " + quoted + ". esc stops it."
	case bad:
		says = "What could not be done: " + quoted + "."
	case said == "" && m.aside() != "":
		says = "What the method says of the next point: " + quoted + "."
	case said != "":
		says = "What was done last: " + quoted + "."
	}
	if quoted != "" {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "status", Says: says, Where: seen.Row(row)})
	}
	if warned != "" {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "warning", Term: "coverage", Says: "A warning, since something stands against what is drawn: " + explain.Brief(strings.TrimSuffix(strings.TrimPrefix(warned, "! "), ": U"), mostSaid) + ". U tells whether the model can be believed.",
			Where: beside(own, warned, row)})
	}
	return list
}
