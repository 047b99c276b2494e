package decisions

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/appraisal"
	"bandscope/sessions/safe"
	"bandscope/tui/belief/told"
	"bandscope/tui/explain"
	"bandscope/tui/screen"
)

// Elements tells one of the panels, with the charts that were drawn in it.
func (m *Made) Elements(p *explain.Part, charts []explain.Shown) []explain.Element {
	a, b := m.Sides[0].Letter, m.Sides[1].Letter
	said := m.Sentences()
	var list []explain.Element
	if len(charts) == 0 {
		whole := fmt.Sprintf("Whether %s and %s would evaluate the same next, and which result makes the difference.", a, b)
		list = append(list, p.Panel("acquisition", whole))
		apart := p.Find("apart, without")
		if apart < 0 {
			apart = len(p.Lines)
		}
		text := p.Prose("in words", "acquisition", "The two next points and how far they are from each other; how far both rank places alike; and the result without which they come nearest: "+strings.TrimSuffix(said[len(said)-1], ".")+".", 0, apart)
		text.Kind = explain.Number
		if list = append(list, text); apart < len(p.Lines) {
			rows := p.Prose("apart, without", "leave-one-out", fmt.Sprintf("How far from each other the two next points are if one result is left out, the nearest first; with all of them they are %s apart.", screen.Number(m.Beside.Apart)), apart, len(p.Lines))
			rows.Kind = explain.Number
			list = append(list, rows)
		}
		return list
	}
	c, domain := charts[0], m.State.Problem.Domain
	list = append(list, p.Panel("acquisition", fmt.Sprintf("How %s and %s rank places, each by its own acquisition: the share of places that a place is better than, from 0 to 1. %s", a, b, agree(m.Beside.Correlation))))
	list = append(list, c.Layers(func(name string) (string, string) {
		switch name {
		case a + " ranks", b + " ranks":
			k := 0
			if name == b+" ranks" {
				k = 1
			}
			top := 0
			for i, s := range m.shares[k] {
				if s > m.shares[k][top] {
					top = i
				}
			}
			return fmt.Sprintf("How %s, %s, ranks places along %s: highest at %s.", m.Sides[k].Letter, m.Sides[k].Title, domain[m.I].Name, domain[m.I].Text(m.Xs[top])), "acquisition"
		case "best tenth of both":
			return fmt.Sprintf("Places that both have among their best tenth: %.0f %% of the tenth of each is of both.", 100*m.Beside.Shared), "acquisition"
		case "result":
			return fmt.Sprintf("The %s that both know.", screen.Counted(len(appraisal.ResultsOf(m.State)), "result")), "observation"
		case "separates them":
			s := m.Beside.Separates
			return fmt.Sprintf("Result %s: without it the two next points would be %s apart in place of %s.", s.Label, screen.Number(s.Apart), screen.Number(m.Beside.Apart)), "leave-one-out"
		case a + "'s next point":
			return fmt.Sprintf("The next point of %s: %s.", a, safe.Text(screen.Point(domain, m.Report.Chosen.X))), "acquisition"
		case b + "'s next point":
			return fmt.Sprintf("The next point of %s: %s.", b, safe.Text(screen.Point(domain, m.Beside.Other.Chosen.X))), "acquisition"
		}
		return told.Seen{State: m.State}.Says(name)
	})...)
	left, under := "The share of places that a place is better than, from 0 to 1.", told.Variable(domain[m.I])
	if m.J >= 0 {
		left = told.Variable(domain[m.J])
		list = append(list, explain.Element{Kind: explain.Mark, Name: "field", Term: "acquisition", Where: c.All(), Says: fmt.Sprintf("Where %s ranks places higher than %s and where the other does, at each place the difference of their shares: in the middle colour they agree.", a, b)})
		if row := c.Top - p.Top - 2; row >= 0 {
			list = append(list, p.Prose("colours", "acquisition", fmt.Sprintf("The colours, from %s ranking a place higher, −1, to %s doing so, 1.", b, a), row, row+1))
		}
	}
	return append(list, c.Axes(left, under)...)
}

// agree tells a correlation of ranks.
func agree(r float64) string {
	switch {
	case math.IsNaN(r):
		return "How far they agree is not known."
	case r > 0.8:
		return fmt.Sprintf("They agree for the most part: the correlation of their ranks is %.2f.", r)
	case r > 0.3:
		return fmt.Sprintf("They agree in part: the correlation of their ranks is %.2f.", r)
	}
	return fmt.Sprintf("They hardly agree: the correlation of their ranks is %.2f.", r)
}
