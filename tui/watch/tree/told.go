package tree

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/tui/explain"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/watch/picture"
)

// Elements tells what is seen, panel by panel.
func (t *tree) Elements(at picture.Place, seen explain.Seen) (list []explain.Element) {
	d, ok := t.drawing(at)
	if ok {
		d.book = &explain.Book{}
		d.view(t.shows(), at.W, at.H)
	}
	tellers := []struct {
		title string
		tell  func(p *explain.Part, charts []explain.Shown) []explain.Element
	}{
		{"forecasts of", d.tellForecasts}, {"test error", d.tellErrors}, {"test days", d.tellTable}, {"attention", d.tellAttention}, {"global basis", d.tellBasis}, {"embeddings", d.tellEmbeddings},
		{"gap to", d.tellGaps}, {"minibatch,", d.tellMinibatch}, {"gap by", d.tellGapsOver}, {"gradients on", d.tellGradients}, {"risk", d.tellRisks}, {"in numbers", d.tellTheory}, {"", d.tellChildren},
	}
	for _, p := range seen.Parts() {
		if p.Left >= at.W {
			continue
		}
		for _, teller := range tellers {
			if strings.HasPrefix(p.Title, teller.title) {
				charts := d.book.In(&p)
				if len(charts) == 0 && (!ok || !slices.Contains([]string{"test days", "gap to", "minibatch,", "in numbers"}, teller.title) || len(p.Lines) > 0 && strings.TrimSpace(p.Lines[0]) == "") {
					list = append(list, waits(&p)...)
					break
				}
				list = append(list, teller.tell(&p, charts)...)
				break
			}
		}
	}
	return list
}

// waits tells a panel in which nothing is drawn yet.
func waits(p *explain.Part) []explain.Element {
	text := strings.Join(strings.Fields(strings.Join(p.Lines, " ")), " ")
	return []explain.Element{p.Panel("", "Nothing is drawn here as the training stands."), p.Prose("what is missing", "", "Why nothing is drawn here: "+strings.TrimSuffix(strings.TrimSuffix(text, "."), "…")+".", 0, len(p.Lines))}
}

// node names a node of the path in a sentence.
func (d drawing) node(level int) string {
	if level == 0 {
		return "the root"
	}
	return "node " + d.name(level)
}

// levels tells something of each level of the tree.
func (d drawing) levels(to int, say func(level int) string) string {
	var parts []string
	for level := range min(to, d.runs[0].panel.Tree.Levels()) {
		parts = append(parts, d.levelName(level)+" "+say(level))
	}
	return strings.Join(parts, ", ")
}

func (d drawing) tellForecasts(p *explain.Part, charts []explain.Shown) []explain.Element {
	s := d.runs[0]
	tr := s.panel.Tree
	path := d.path(tr)
	node := path[d.level]
	list := []explain.Element{p.Panel("WAPE", fmt.Sprintf("Forecasts of %d days that the training does not see, from the root of the tree down to a leaf, a strip for each; %s is chosen, with an error of %s %% of its size.", testDays, d.node(d.level), digitsOf(100*s.errors[node])))}
	low, high := s.errors[0], s.errors[0]
	for _, e := range s.errors {
		low, high = min(low, e), max(high, e)
	}
	if top := charts[0].Top - p.Top - 1; top > tr.Levels() { // the map of the tree stands above the strips
		row := top - tr.Levels()
		list = append(list, explain.Element{Kind: explain.Mark, Name: "map of the tree", Term: "WAPE", Where: explain.Rect(p.Left+1, p.Top+1+row, p.W-2, tr.Levels()),
			Says: fmt.Sprintf("The tree, a row for each level, each of its %d nodes as wide as it has leaves. Colours are errors on the test days, from %s to %s %%; the chosen node is marked, and the way to it.", tr.Size(), digitsOf(100*low), digitsOf(100*high))})
	}
	list = append(list, explain.Together(charts, func(name string) (string, string) {
		day := 0
		switch name {
		case "basis":
			off := 0.0
			for i := range testDays {
				off = max(off, math.Abs(s.total.At(node, i)-s.tvar.At(node, i)))
			}
			return fmt.Sprintf("What the basis of functions of time adds to the autoregression, up to %s for %s.", digitsOf(off), d.node(d.level)), "TVAR and BD"
		case "TVAR":
			return fmt.Sprintf("The part of the forecast that reads the series' own past four weeks, by weights that every node shares: %s on the first day for %s.", digitsOf(s.tvar.At(node, day)), d.node(d.level)), "TVAR and BD"
		case "history":
			return fmt.Sprintf("What was measured in the %d days before, which the forecast reads: %s on the last of them for %s.", -int(charts[0].Chart.X.Min), digitsOf(s.truth(node, -1)), d.node(d.level)), "TVAR and BD"
		case "held out":
			return fmt.Sprintf("What was measured on the test days: %s on the first for %s. The training does not see it.", digitsOf(s.truth(node, day)), d.node(d.level)), "WAPE"
		}
		run := -1
		for i := range d.runs {
			if name == d.runName(i) || len(d.runs) == 1 && name == "forecast" {
				run = i
			}
		}
		if run < 0 {
			return "", ""
		}
		return fmt.Sprintf("The forecast: for %s %s on the first day, where %s was measured; over all test days it is off by %s %% of what was.", d.node(d.level), digitsOf(d.runs[run].total.At(node, day)), digitsOf(s.truth(node, day)), digitsOf(100*d.runs[run].errors[node])), "WAPE"
	})...)
	for i, level := range d.fitting(len(charts)) {
		if i < len(charts) && charts[i].Left > p.Left+1 {
			list = append(list, explain.Element{Kind: explain.Number, Name: d.name(level), Term: "WAPE", Where: charts[i].Beside(false),
				Says: fmt.Sprintf("The strip of %s: its error on the test days is %s %% of its size, and it has %s.", d.node(level), digitsOf(100*s.errors[path[level]]), map[bool]string{true: "no leaves below it", false: fmt.Sprintf("%d leaves", len(tr.Leaves(path[level])))}[len(tr.Leaves(path[level])) == 1])})
		}
	}
	for i, level := range d.fitting(len(charts)) {
		if i < len(charts) && charts[i].Left == p.Left+1 { // too narrow for names beside them
			c, alone := charts[i], nodeOf(charts[i].Chart)
			list = append(list, explain.Element{Kind: explain.Number, Name: d.name(level), Term: "WAPE", Where: func() []plot.Span { return explain.Moved(c.Left, c.Top, alone.Cells(c.W, c.H, c.Style, "node")) },
				Says: fmt.Sprintf("The strip of %s: its error on the test days is %s %% of its size.", d.node(level), digitsOf(100*s.errors[path[level]]))})
		}
	}
	axes := axesOf(charts, fmt.Sprintf("Values in the data's units, of each strip by itself; below, days: from 28 before to %d that are forecast.", testDays))
	return append(list, axes)
}

// nodeOf is a chart with the name of its node alone, which stands in it where there is no room beside it.
func nodeOf(c plot.Chart) plot.Chart {
	layers := c.Layers
	c.Layers = nil
	for _, l := range layers {
		if label, ok := l.(plot.Label); ok {
			label.Name = "node"
			c.Layers = append(c.Layers, label)
		}
	}
	return c
}

// axesOf tells the axes of all charts of a panel together.
func axesOf(charts []explain.Shown, says string) explain.Element {
	return explain.Element{Kind: explain.Axis, Name: "axes", Says: says, Where: func() (spans []plot.Span) {
		for _, c := range charts {
			left, under := c.Chart.Axes(c.W, c.H)
			spans = append(spans, explain.Moved(c.Left, c.Top, append(left, under...))...)
		}
		return spans
	}}
}

func (d drawing) tellChildren(p *explain.Part, charts []explain.Shown) []explain.Element {
	s := d.runs[0]
	level := min(d.level, len(d.child)-1)
	node := d.path(s.panel.Tree)[level]
	gap := 0.0
	for day := range testDays {
		if v := s.total.At(node, day) - s.leaves.At(node, day); math.Abs(v) > math.Abs(gap) {
			gap = v
		}
	}
	list := []explain.Element{p.Panel("coherence", fmt.Sprintf("Whether the forecast of %s is the mean of its leaves' forecasts, as what is measured of them is: on no day it is farther from it than %s.", d.node(level), digitsOf(math.Abs(gap))))}
	for i, c := range charts {
		list = append(list, c.Layers(func(name string) (string, string) {
			switch name {
			case "its children":
				return fmt.Sprintf("Forecasts of the %d children, from %s to %s on the first day.", len(s.panel.Tree.Children[node]), digitsOf(d.childSpan(node, false)), digitsOf(d.childSpan(node, true))), "coherence"
			case "data", "held out":
				return fmt.Sprintf("What was measured on the test days, %s on the first: of a parent it is the mean of its leaves.", digitsOf(s.truth(node, 0))), "coherence"
			case "mean", "mean of its leaves":
				return fmt.Sprintf("The mean of the forecasts of its %d leaves: %s on the first day.", len(s.panel.Tree.Leaves(node)), digitsOf(s.leaves.At(node, 0))), "coherence"
			case "own", "its own forecast":
				return fmt.Sprintf("Its own forecast: %s on the first day, %s from the mean of its leaves'.", digitsOf(s.total.At(node, 0)), digitsOf(s.total.At(node, 0)-s.leaves.At(node, 0))), "coherence"
			case "its own less the mean":
				return fmt.Sprintf("The gap, day by day: at its greatest %s.", digitsOf(gap)), "coherence"
			case "by the embeddings, s.d. · ⟨θ - m, b⟩":
			default:
				return "", ""
			}
			return "The same gap by the embeddings: the data's standard deviation times ⟨θ - m, b⟩, with m the mean of the leaves' embeddings. Where it lies on the line, the gap is all theirs.", "embedding regularizer"
		})...)
		what := "Values in the data's units."
		if i > 0 {
			what = "The gap, above and below 0."
		}
		list = append(list, c.Axes(what, fmt.Sprintf("Test days, 1 to %d.", testDays))...)
	}
	return list
}

// childSpan is the least or the greatest forecast of a node's children on the first test day.
func (d drawing) childSpan(node int, greatest bool) float64 {
	var all []float64
	for _, kid := range d.runs[0].panel.Tree.Children[node] {
		all = append(all, d.runs[0].total.At(kid, 0))
	}
	if greatest {
		return slices.Max(all)
	}
	return slices.Min(all)
}

// tellOver tells curves over the updates, of which the legend has the last values.
func (d drawing) tellOver(p *explain.Part, charts []explain.Shown, term, whole, left string, says func(name, value string) string) []explain.Element {
	list := []explain.Element{p.Panel(term, whole)}
	for _, c := range charts {
		if unnamed := func(l plot.Layer) bool { curve, ok := l.(plot.Curve); return ok && curve.Name == "" }; slices.ContainsFunc(c.Chart.Layers, unnamed) { // a second run's curves
			list = append(list, explain.Element{Kind: explain.Mark, Name: "second run", Term: term, Says: "Broken lines, which end in the numbers of their levels, are of the second run, " + d.runName(1) + ".",
				Where: func() []plot.Span { return explain.Moved(c.Left, c.Top, c.Chart.Cells(c.W, c.H, c.Style, "")) }})
		}
		list = append(list, c.Layers(func(name string) (string, string) {
			if other, ok := strings.CutPrefix(name, "broken: "); ok {
				return "Broken lines are of the second run, " + other + ", in the colours of the first.", term
			}
			if name == "projected" {
				return fmt.Sprintf("What the errors would be with the mean of its leaves' embeddings in place of each parent's: the gap is 0 then, the errors are %s.", d.levels(9, func(l int) string { return digitsOf(100*d.runs[0].scores.WAPE[l]) + " %" })), "embedding regularizer"
			}
			i := strings.LastIndexByte(name, ' ')
			return says(name[:i], name[i+1:]), term
		})...)
		list = append(list, c.Axes(left, fmt.Sprintf("Updates, from 0 to %d, of which %d are done.", d.state.Of, d.state.Step))...)
	}
	return list
}

func (d drawing) tellErrors(p *explain.Part, charts []explain.Shown) []explain.Element {
	return d.tellOver(p, charts, "WAPE", fmt.Sprintf("The error of each level of the tree on the test days, over the training. Sums over many leaves are smoother, and easier to forecast: the root is at %s %%, the leaves at %s %%.",
		digitsOf(100*d.runs[0].scores.WAPE[0]), digitsOf(100*d.runs[0].scores.WAPE[len(d.runs[0].scores.WAPE)-1])), "Absolute errors in percent of absolute values, by factors.", func(name, value string) string {
		return fmt.Sprintf("The error of the nodes at %s: %s %% now.", strings.Replace(name, "root", "the root", 1), value)
	})
}

func (d drawing) tellTable(p *explain.Part, _ []explain.Shown) []explain.Element {
	s := d.runs[0]
	list := []explain.Element{p.Panel("WAPE", "The errors of the test days in numbers, by level and on the mean, beside the gap and what last week's values would have been worth as a forecast."),
		{Kind: explain.Number, Name: "WAPE", Term: "WAPE", Where: p.Rows(0, 1+len(d.runs)), Says: "The error in percent: " + d.levels(9, func(l int) string { return digitsOf(100 * s.scores.WAPE[l]) }) + "; behind them their mean."},
	}
	for i, line := range p.Lines {
		switch text := strings.TrimSpace(line); {
		case i <= len(d.runs):
		case strings.HasPrefix(text, "gap"):
			list = append(list, explain.Element{Kind: explain.Number, Name: "gap to leaves", Term: "coherence", Where: p.Rows(i, i+1), Says: "How far forecasts are from the mean of their leaves', in percent of their size; 0 adds up, and leaves have none."})
		case strings.Contains(text, "last week"):
			list = append(list, explain.Element{Kind: explain.Number, Name: "last week again", Term: "WAPE", Where: p.Rows(i, i+1), Says: "What it costs to know nothing, and forecast last week's values again: " + d.levels(9, func(l int) string { return digitsOf(100*s.naive.WAPE[l]) + " %" }) + "."})
		case text != "":
			list = append(list, explain.Element{Kind: explain.Number, Name: "WAPE", Term: "WAPE", Where: p.Rows(i, i+1), Says: "The same of another run, or of what the exact projection makes of it."})
		}
	}
	return list
}

func (d drawing) tellAttention(p *explain.Part, charts []explain.Shown) []explain.Element {
	a := d.runs[0].attention[d.window]
	best, day := 0.0, 0
	_, n := a.Dims()
	for j := range n {
		if v := a.At(0, j); math.Abs(v) > math.Abs(best) {
			best, day = v, j-n
		}
	}
	all := sums(a)
	list := []explain.Element{p.Panel("TVAR and BD", fmt.Sprintf("The weights with which the autoregression reads the last four weeks, of test window %d: a row for each day of the week that is forecast. They sum to %s up to %s a row.", d.window+1, digitsOf(slices.Min(all)), digitsOf(slices.Max(all))))}
	for _, c := range charts {
		list = append(list, explain.Element{Kind: explain.Mark, Name: "weights", Term: "TVAR and BD", Where: c.All(), Says: fmt.Sprintf("For the first day the greatest weight, %s, is that of day %d: %s.", digitsOf(best), day,
			map[bool]string{true: "the same day of the week", false: "another day of the week"}[day%7 == 0])})
		list = append(list, c.Axes("The day that is forecast, 1 to 7.", "The day whose value is read, from 28 days before to the last, -1.")...)
		list = append(list, explain.Element{Kind: explain.Axis, Name: "colours", Where: c.Beside(true), Says: fmt.Sprintf("The colours of weights, from %s to %s; in the middle is 0.", digitsOf(-abs(a)), digitsOf(abs(a)))})
	}
	return list
}

// abs is the greatest absolute value of a matrix.
func abs(a *mat.Dense) float64 { return max(math.Abs(mat.Max(a)), math.Abs(mat.Min(a))) }

func (d drawing) tellBasis(p *explain.Part, charts []explain.Shown) []explain.Element {
	s := d.runs[0]
	node := d.path(s.panel.Tree)[d.level]
	order := s.heaviest(node)
	list := []explain.Element{p.Panel("TVAR and BD", fmt.Sprintf("The %d functions of time that all nodes share, and of how much of each %s is made: the other part of its forecast.", len(order), d.node(d.level)))}
	for _, c := range charts {
		list = append(list, explain.Element{Kind: explain.Mark, Name: "basis functions", Term: "TVAR and BD", Where: c.All(), Says: fmt.Sprintf("The functions that weigh most in %s over the test days, b%d first: |θ| times its root mean square.", d.node(d.level), order[0]+1)},
			explain.Element{Kind: explain.Number, Name: "θ", Term: "embedding regularizer", Where: c.Beside(true), Says: fmt.Sprintf("The embedding of %s: how much of each function it has, to the left below 0 and to the right above. Of b%d it has %s.", d.node(d.level), order[0]+1, strings.TrimSpace(hundredths(s.theta.At(node, order[0]))))})
		list = append(list, c.Axes("Values of the basis functions.", fmt.Sprintf("Test days, 1 to %d.", testDays))...)
	}
	return list
}

func (d drawing) tellEmbeddings(p *explain.Part, charts []explain.Shown) []explain.Element {
	s := d.runs[0]
	tr := s.panel.Tree
	list := []explain.Element{p.Panel("embedding regularizer", fmt.Sprintf("The embeddings of all %d nodes along the two directions in which they differ most, %.0f %% of their variance. Where parents stand amid their leaves, forecasts add up.", tr.Size(), 100*s.axes.share))}
	list = append(list, explain.Together(charts, func(name string) (string, string) {
		switch name {
		case "to the mean of its leaves":
			return "Lines from each parent to the mean of its leaves: as long as the forecasts of the two must differ.", "coherence"
		case "root":
			return fmt.Sprintf("The root. Leaves are %s from it, root mean square.", digitsOf(s.spread())), "embedding regularizer"
		}
		for level := range tr.Levels() {
			if name == strings.TrimPrefix(d.levelName(level), "level ") {
				n := 0
				for _, l := range tr.Level {
					if l == level {
						n++
					}
				}
				return fmt.Sprintf("The %d embeddings of %s of the tree.", n, map[bool]string{true: "leaves", false: "level " + fmt.Sprint(level)}[level == tr.Levels()-1]), "embedding regularizer"
			}
		}
		if !strings.HasSuffix(name, d.name(d.level)) {
			return "", ""
		}
		return fmt.Sprintf("The chosen node, %s: up and down go to its parent and children.", d.node(d.level)), "embedding regularizer"
	})...)
	axes := axesOf(charts, "Coordinates along the two directions, the same scale both ways and for every run.")
	text := p.Prose("spread, E_reg", "embedding regularizer", fmt.Sprintf("Leaves are %s from the root, root mean square; E_reg, %s, sums the squared distances of parents from the leaves below them.", digitsOf(s.spread()), digitsOf(s.last.Reg)), len(p.Lines)-1, len(p.Lines))
	text.Kind = explain.Number
	return append(list, axes, text)
}

func (d drawing) tellGaps(p *explain.Part, _ []explain.Shown) []explain.Element {
	s := d.runs[0]
	rows := p.Prose("gaps", "coherence", "How far forecasts of a level are from the means of their leaves', in percent of their size: "+d.levels(len(s.gaps.Measured), func(l int) string { return percent(s.gaps.Measured[l]) })+
		". A diamond stands where the embeddings alone put it.", 0, len(p.Lines))
	rows.Kind = explain.Number
	return []explain.Element{p.Panel("coherence", "The gap of each level: forecasts that are made one by one need not add up. It comes from parents whose embeddings are not the means of their leaves'."), rows}
}

func (d drawing) tellMinibatch(p *explain.Part, _ []explain.Shown) []explain.Element {
	s := d.runs[0]
	shares := s.panel.Tree.Shares(s.setting.Alpha)
	levels := min(len(shares), len(p.Lines))
	shown := 0
	for shown < len(p.Lines) && !strings.Contains(p.Lines[shown], "∂") && !strings.Contains(p.Lines[shown], "MAE") {
		shown++
	}
	rows := p.Prose("nodes of each level", "", "How many nodes of each level the last minibatch had, beside what α lets expect, at the diamond: "+d.levels(levels, func(l int) string {
		return fmt.Sprintf("%.0f of %s", s.drawn(l)*float64(s.setting.Nodes), digitsShort(shares[l]*float64(s.setting.Nodes)))
	})+".", 0, shown)
	rows.Kind = explain.Number
	list := []explain.Element{p.Panel("", fmt.Sprintf("What the last minibatch was made of: a node of depth d is drawn with a probability that goes as %s to the −d, so a greater α lets upper levels count more.", digitsShort(s.setting.Alpha))), rows}
	if strings.TrimSpace(strings.Join(p.Lines[shown:], "")) != "" {
		pull := p.Prose("norms of gradients", "embedding regularizer", fmt.Sprintf("How hard the two parts of the loss pull at the embeddings: the error by %s, the regularizer by %s. The longer bar has its way.", screen.Number(s.last.GradData), screen.Number(s.last.GradReg)), shown, len(p.Lines))
		pull.Kind = explain.Number
		list = append(list, pull)
	}
	return list
}

func (d drawing) tellGapsOver(p *explain.Part, charts []explain.Shown) []explain.Element {
	return d.tellOver(p, charts, "coherence", fmt.Sprintf("The gap of each level over the training; the regularizer, of weight λ_E = %s, makes it small.", screen.Number(d.runs[0].setting.LambdaE)), "The gap in percent of the forecasts' size, by factors.", func(name, value string) string {
		return fmt.Sprintf("The gap at %s: %s %% now.", strings.Replace(name, "root", "the root", 1), value)
	})
}

func (d drawing) tellGradients(p *explain.Part, charts []explain.Shown) []explain.Element {
	return d.tellOver(p, charts, "embedding regularizer", "How hard both parts of the loss pulled at the embeddings, update by update; where they are alike, the embeddings rest.", "Norms of gradients, by factors.", func(name, value string) string {
		part := "the regularizer with its weight, towards the means of leaves"
		if strings.Contains(name, "MAE") {
			part = "the error of forecasts"
		}
		return fmt.Sprintf("The pull of %s: %s now.", part, value)
	})
}
