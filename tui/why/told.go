package why

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/appraisal"
	"bandscope/sessions/why"
	"bandscope/tui/belief/told"
	"bandscope/tui/explain"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// Elements tells what is seen.
func (m *Model) Elements() []explain.Element {
	lines := m.Render()
	seen := explain.See(lines)
	parts := seen.Parts()
	if len(parts) == 0 {
		return nil
	}
	list := m.tellPicture(&parts[0])
	for i := range parts[1:] {
		p := &parts[i+1]
		switch {
		case strings.HasPrefix(p.Title, "nearly"):
			list = append(list, m.tellNearly(p)...)
		case strings.HasPrefix(p.Title, "what holds"):
			list = append(list, m.tellHolding(p)...)
		case strings.HasPrefix(p.Title, "what would"):
			list = append(list, m.tellChanges(p)...)
		default:
			list = append(list, m.tellParts(p)...)
		}
	}
	if row := len(lines) - 2; seen.Text(row) != "" {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "status", Says: m.tellStatus(), Where: seen.Row(row)})
	}
	return append(list, seen.Keys(len(lines)-1))
}

func (m *Model) tellStatus() string {
	switch said, _ := m.Status.Said(); {
	case said != "":
		return "The answer to the last key: " + said + "."
	case m.jobs.Busy():
		return "The model is being asked meanwhile; esc stops that, and what is shown stays."
	case m.report == nil:
		return "Nothing is known of a point yet."
	}
	return "The point that all of this is about, " + m.at0() + ", and where it comes from: " + m.report.Origin + "."
}

// at0 is the point as it is told.
func (m *Model) at0() string { return screen.Point(m.state.Problem.Domain, m.report.Chosen.X) }

// empty tells a part in which nothing is listed: what would be, and why it is not.
func empty(p *explain.Part, term, what string) []explain.Element {
	list := []explain.Element{p.Panel(term, what)}
	if text := strings.Join(strings.Fields(strings.Join(p.Lines, " ")), " "); text != "" {
		list = append(list, p.Prose("what is missing", "", "Why nothing is listed here: "+strings.TrimSuffix(text, "…")+".", 0, len(p.Lines)))
	}
	return list
}

// better says which end of the acquisition is better.
func (m *Model) better() string {
	return map[bool]string{true: "lower", false: "higher"}[m.report.Lower]
}

func (m *Model) tellPicture(p *explain.Part) []explain.Element {
	if m.lacking() != "" {
		return empty(p, "acquisition", "What the method weighs to choose the next point, where it weighs anything.")
	}
	r, domain, g := m.report, m.state.Problem.Domain, m.ground
	value := screen.Number(r.Chosen.Whole.Value)
	over := "along " + domain[g.I].Name
	if g.J >= 0 {
		over = "over " + domain[g.I].Name + " and " + domain[g.J].Name
	}
	if len(domain) > 2 || len(domain) == 2 && g.J < 0 {
		over += ", the other variables as they are at the point"
	}
	c := m.chart()
	frame := p.Chart(m.Style, c)
	list := []explain.Element{p.Panel("acquisition", fmt.Sprintf("What the method chooses by: %s. It is drawn %s, and %s at the point, %s, which is as good as was found.", r.Acquisition, over, value, m.at0()))}
	list = append(list, explain.Layers(c, frame, func(name string) (string, string) {
		switch name {
		case "the point":
			return fmt.Sprintf("The point that the method chooses, %s: the acquisition is %s there, and nowhere found to be %s.", m.at0(), value, m.better()), "acquisition"
		case "nearly chosen":
			o := r.Others[0]
			return fmt.Sprintf("Places where the acquisition is better than all around: 1 is the next best, %s, with %s in place of %s. Up and down tell what each is made of.", screen.Point(domain, o.X), screen.Number(o.Whole.Value), value), "acquisition"
		case "result that holds it":
			return fmt.Sprintf("Results without which another point would be chosen: %d of %d.", len(r.Influence)-m.still(), len(r.Influence)), "leave-one-out"
		case "result":
			all := appraisal.ResultsOf(m.state)
			if r.Influence == nil {
				return fmt.Sprintf("Where the %s are; of none is it known whether the choice hangs on it.", screen.Counted(len(all), "result")), "leave-one-out"
			}
			return fmt.Sprintf("Results that could be left out and would leave the choice where it is: %d of %d.", m.still(), len(r.Influence)), "leave-one-out"
		case "acquisition":
			lo, hi := span(g.Values)
			return fmt.Sprintf("The acquisition along %s, from %s to %s here; %s is better.", domain[g.I].Name, screen.Number(lo), screen.Number(hi), m.better()), "acquisition"
		}
		return told.Seen{State: m.state}.Says(name)
	})...)
	for i := range list {
		if list[i].Name == "nearly chosen" { // of which the legend names one
			first, all := list[i].Where, numbered(c)
			list[i].Where = func() []plot.Span {
				return append(first(), explain.Moved(frame.Left, frame.Top, all.Cells(frame.W, frame.H, frame.Style, "nearly chosen"))...)
			}
		}
	}
	left, under := "Values of the acquisition.", "Values of "+domain[g.I].Name+"."
	if g.J >= 0 {
		left = "Values of " + domain[g.J].Name + "."
		lo, hi := span(g.Values)
		list = append(list, explain.Element{Kind: explain.Mark, Name: "field", Term: "acquisition", Where: explain.Rect(frame.Left, frame.Top, frame.W, frame.H-1),
			Says: fmt.Sprintf("The acquisition over both variables, from %s to %s: the brighter, or the denser where there is no colour, the more it promises.", screen.Number(lo), screen.Number(hi))})
	}
	return append(list, frame.Axes(c, left, under)...)
}

// numbered is a chart of whose labels each has the first one's name.
func numbered(c plot.Chart) plot.Chart {
	c.Layers = slices.Clone(c.Layers)
	for i, l := range c.Layers {
		if l, ok := l.(plot.Label); ok {
			l.Name = "nearly chosen"
			c.Layers[i] = l
		}
	}
	return c
}

// still is how many results leave the choice where it is.
func (m *Model) still() (n int) {
	for _, i := range m.report.Influence {
		if i.Same {
			n++
		}
	}
	return n
}

func (m *Model) tellParts(p *explain.Part) []explain.Element {
	const what = "The acquisition at the point, taken apart into what it is made of."
	if m.lacking() != "" {
		return empty(p, "acquisition", what)
	}
	here, there := why.Lines(m.report.Chosen.Whole), why.Lines(m.place().Whole)
	whole := "The acquisition at the point, " + m.at0() + ", taken apart into what it is made of; bars are as long as the parts are great."
	if m.chosen > 0 {
		whole = fmt.Sprintf("The acquisition at the point, and in the second column at place %d, %s, which was nearly chosen: what one has and the other lacks.", m.chosen, screen.Point(m.state.Problem.Domain, m.place().X))
	}
	list := []explain.Element{p.Panel("acquisition", whole)}
	row, drawn := 0, m.partRows(p.W)
	for i, l := range here {
		name, rows := why.Name(m.state, l.Part), len(drawn[i])
		e := p.Prose(name, "acquisition", m.tellPart(l, name, here[0].Value), row, row+rows)
		if m.chosen > 0 && i < len(there) {
			e.Says += fmt.Sprintf(" At place %d it is %s.", m.chosen, screen.Number(there[i].Value))
		}
		e.Kind = explain.Number
		if row += rows; len(e.Where()) > 0 {
			list = append(list, e)
		}
	}
	if d := m.report.Drawn; d != nil && m.chosen == 0 && row < len(p.Lines) {
		e := p.Prose("among other draws", "Thompson sampling", fmt.Sprintf("How usual the drawn function is: of %d drawn from the same law %d are less at the point, and %s would have chosen a place near it.", d.Of, d.Below, why.Percent(d.Least)), row, len(p.Lines))
		e.Kind = explain.Number
		list = append(list, e)
	}
	return list
}

// tellPart tells a part of the acquisition.
func (m *Model) tellPart(l why.Line, name string, whole float64) string {
	value := screen.Number(l.Value)
	switch {
	case l.Depth == 0:
		return fmt.Sprintf("The whole of it, %s: %s at the point; %s is better.", name, value, m.better())
	case l.Binds:
		return fmt.Sprintf("A part of it, %s: %s. Of several it is the least, and the least counts.", name, value)
	case l.Sign == "×":
		return fmt.Sprintf("A factor of it, %s: %s.", name, value)
	case l.Depth == 1 && whole != 0 && !math.IsInf(l.Value/whole, 0) && math.Abs(l.Value/whole) <= 2:
		return fmt.Sprintf("A part of it, %s: %s, %.0f %% of the whole.", name, value, 100*l.Value/whole)
	}
	return fmt.Sprintf("A part of it, %s: %s.", name, value)
}

func (m *Model) tellNearly(p *explain.Part) []explain.Element {
	if m.lacking() != "" || len(m.report.Others) == 0 {
		return empty(p, "acquisition", "Places where the acquisition is better than all around them, and not as good as at the point.")
	}
	list := []explain.Element{p.Panel("acquisition", fmt.Sprintf("The %s that nearly were chosen, the best first: up and down set one beside the point, part by part.", screen.Counted(len(m.report.Others), "place")))}
	from, to := m.listed(p.H)
	for i := from; i < to; i++ {
		o, row := m.report.Others[i], 2*(i-from)
		says := fmt.Sprintf("Place %d, %s: the acquisition is %s there, at the point %s.", i+1, screen.Point(m.state.Problem.Domain, o.X), screen.Number(o.Whole.Value), screen.Number(m.report.Chosen.Whole.Value))
		if name, values, ok := strings.Cut(o.Lacks, ": "); ok {
			says += fmt.Sprintf(" What it lacks most is %s: it has %s.", name, values)
		}
		e := p.Prose(fmt.Sprintf("place %d", i+1), "acquisition", says, row, row+2)
		e.Kind = explain.Number
		list = append(list, e)
	}
	return list
}

func (m *Model) tellHolding(p *explain.Part) []explain.Element {
	r := m.report
	if r == nil || r.Lacking != "" || r.Fixed != "" || len(r.Influence) == 0 || m.still() == len(r.Influence) {
		return empty(p, "leave-one-out", "Which results the choice hangs on: each is left out in its turn, and the choice made again.")
	}
	how := "by the closed form, hyper-parameters kept"
	if r.Refit {
		how = "by a fit of its own to the others"
	}
	list := []explain.Element{p.Panel("leave-one-out", fmt.Sprintf("Which results the choice hangs on: each of %d was left out in its turn, %s, and %d of them move it.", len(r.Influence), how, len(r.Influence)-m.still()))}
	moving := len(r.Influence) - m.still()
	shown := shownOf(moving, len(p.Lines))
	for i, of := range why.Holding(r.Influence)[:moving] {
		if i == shown {
			e := p.Prose("others", "leave-one-out", fmt.Sprintf("The other results that move the choice, %d of them, less far than those above.", moving-i), i, len(p.Lines))
			e.Kind = explain.Number
			list = append(list, e)
			break
		}
		e := p.Prose("without "+of.Label, "leave-one-out", fmt.Sprintf("Without result %s the next point would be %s: %s from where it is, in the unit cube, of which a side is 1.", of.Label, screen.Point(m.state.Problem.Domain, of.Then), screen.Number(of.Moved)), i, i+1)
		e.Kind = explain.Number
		list = append(list, e)
	}
	return list
}

func (m *Model) tellChanges(p *explain.Part) []explain.Element {
	if m.lacking() != "" || m.report.Fixed != "" || !m.report.Tried || len(m.report.Changes) == 0 {
		return empty(p, "acquisition", "The smallest change of every parameter of the method that moves the choice elsewhere.")
	}
	list := []explain.Element{p.Panel("acquisition", fmt.Sprintf("What would change the choice: of %s the smallest change that moves it elsewhere, the others as they are.", screen.Counted(len(m.report.Changes), "parameter")))}
	for i, c := range m.report.Changes {
		if 2*i >= len(p.Lines) {
			break
		}
		e := p.Prose(c.Decl.Label, "acquisition", fmt.Sprintf("With %s the next point would be %s in place of %s.", c.Text(), screen.Point(m.state.Problem.Domain, c.Then), m.at0()), 2*i, 2*i+2)
		e.Kind = explain.Number
		list = append(list, e)
	}
	if from := 2 * len(m.report.Changes); from < len(p.Lines) {
		list = append(list, p.Prose("not tried", "acquisition", "No change was looked for among these: "+why.Untried(m.state)+".", from, len(p.Lines)))
	}
	return list
}
