package class

import (
	"fmt"

	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// board is the standings of a race, with a plot of the regrets where it fits.
func board(st theme.Style, state classroom.State, race classroom.Race, me string, w, h int) *layout.Box {
	list, err := state.Board(race.Number)
	if err != nil {
		return layout.EmptyPanel(st, "board", sanitize.Text(err.Error()), w, h, "", "The standings of the race.",
			quote(err.Error(), maxQuoted))
	}
	title := layout.FirstFit(st, w-layout.TitleRoom, fmt.Sprintf("board (%s you, %s method)", st.Pointer(), st.Dot()))
	plotHigh := 0
	if h >= 16 {
		plotHigh = min(max(h/2, 9), 16)
	}
	table := standingsBox(st, race, list, me, w-2, h-2-plotHigh)
	if plotHigh == 0 {
		return panel(st, title, table, w, h, "simple regret", boardText)
	}
	return layout.Column(panel(st, title, table, w, h-plotHigh, "simple regret", boardText),
		panel(st, "simple regret", regretPlot(st, race, list, me, w-2, plotHigh-2), w, plotHigh, "simple regret",
			"The simple regret of everybody after each evaluation."))
}

const boardText = "The standings of the race: the simple regret is how far the best value is from the optimum."

// standingsBox is a table of the standings in h rows: the person is always in it.
func standingsBox(st theme.Style, race classroom.Race, list []classroom.Standing, me string, w, h int) *layout.Box {
	names := max(min(w-27, 20), 8)
	all := layout.Column(layout.Text(w, " "+st.Paint(st.Dim, st.Plain(fmt.Sprintf("  %5s  ", "place")+cell(st, "name",
		names)+
		fmt.Sprintf(" %8s %5s", "regret", "used")))))
	mine := -1
	for i, s := range list {
		if s.Person != "" && s.Person == me {
			mine = i
		}
	}
	rows := max(h-1, 1)
	for i, s := range list {
		if i >= rows && i != mine || i == rows-1 && mine >= rows {
			continue
		}
		all.Below(standingLine(st, race, s, s.Person != "" && s.Person == me, names, w))
	}
	return all
}

// standingLine is one line of the board.
func standingLine(st theme.Style, race classroom.Race, s classroom.Standing, mine bool, names, w int) *layout.Box {
	place := "–"
	regret := "–"
	says := fmt.Sprintf("%s has evaluated no point yet.", quote(s.Name, 4))
	if s.Place > 0 {
		place, regret = fmt.Sprint(s.Place), widget.Number(s.Regret[len(s.Regret)-1])
		says = fmt.Sprintf("%s is at place %d with a simple regret of %s after %d of %d evaluations.", quote(s.Name, 4),
			s.Place, regret, len(s.Regret), race.Budget)
	}
	color, mark := st.Text, "  "
	switch {
	case mine:
		color = st.Accent
		mark = st.Pointer() + " "
		says = says + " This is you."
	case s.Person == "":
		color = st.Series[2]
		mark = st.Dot() + " "
		says = says + " It is a method."
	}
	return number(st, w, color, mark+fmt.Sprintf("%5s  ", st.Plain(place))+cell(st, s.Name, names)+
		fmt.Sprintf(" %8s %5s", st.Plain(regret), fmt.Sprintf("%d/%d", len(s.Regret), race.Budget)), s.Name, says)
}

// The names of the lines in the plot of regrets.
const (
	youName     = "you"
	peopleName  = "the class"
	methodsName = "methods"
)

// minRegret is the least regret that is drawn, as a share of the greatest.
const minRegret = 1e-4

// regretPlot draws the regrets over the evaluations, on a logarithmic axis.
func regretPlot(st theme.Style, race classroom.Race, list []classroom.Standing, me string, w, h int) *layout.Box {
	most := 0.0
	for _, s := range list {
		for _, r := range s.Regret {
			most = max(most, r)
		}
	}
	if most == 0 {
		most = 1
	}
	least := most
	clamp := func(r float64) float64 { return max(r, most*minRegret) }
	for _, s := range list {
		for _, r := range s.Regret {
			least = min(least, clamp(r))
		}
	}
	c := chart.Chart{X: chart.Axis{Label: "evaluation", Min: 0.5, Max: float64(race.Budget) + 0.5, Integer: true},
		Y: chart.Axis{Min: least / 1.5, Max: most * 1.5, Log: true}, Gutter: 8, Labels: true}
	for _, s := range list {
		curve := chart.Curve{Color: st.Sample, Line: theme.Fine, Priority: 1, Name: peopleName}
		switch {
		case s.Person == "":
			curve.Color = st.Series[2]
			curve.Line = theme.Dashed
			curve.Priority = 2
			curve.Name = methodsName
		case s.Person == me:
			curve.Color = st.Accent
			curve.Line = theme.Solid
			curve.Priority = 3
			curve.Name = youName
		}
		for i, r := range s.Regret {
			curve.X, curve.Y = append(curve.X, float64(i)+0.75, float64(i)+1.25), append(curve.Y, clamp(r), clamp(r))
		}
		c.Layers = append(c.Layers, curve)
	}
	return c.WithLegend(w, h, 1, st, chart.Description{
		X: fmt.Sprintf("Horizontal axis: the number of the evaluation, 1 to %d.", race.Budget),
		Y: fmt.Sprintf("Vertical axis: the simple regret on a logarithmic scale, up to %s.", widget.Number(most)),
		Marks: func(name string) (string, string) {
			return map[string]string{youName: "Your simple regret after each of your evaluations.",
				peopleName:  "The simple regrets of the others in the class after each evaluation.",
				methodsName: "The simple regrets of the methods after each evaluation."}[name], "simple regret"
		}})
}
