package traces

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions/report"
	"bandscope/tui/belief"
	"bandscope/tui/belief/told"
	"bandscope/tui/explain"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the panel, given the parts of the window that it has: one, or two below each other.
func (p *Panel) Elements(s Scene, parts []explain.Part) (list []explain.Element) {
	for _, part := range parts {
		switch {
		case s.View.Theory:
			list = append(list, p.theoryTold(s, &part)...)
		case s.several() && !p.Coordinates:
			list = append(list, p.objectivesTold(s, &part)...)
		case s.several() && s.Objectives:
			list = append(list, plotted(&part, "Pareto front", fmt.Sprintf("All %d objectives of each of %s: a line a point, from objective to objective, 1 the best of its range. Solid: nothing dominates it; dashed: the newest; dotted: beyond a limit.", len(s.State.Problem.Objectives), results(s)),
				"Outcomes: 1 is the best of an objective's range, 0 the worst.", "The objectives by their numbers: "+names(s)+".")...)
		case p.Coordinates && s.State.Problem.Dim() > 1:
			list = append(list, plotted(&part, "observation", fmt.Sprintf("All %d variables of %s: a line a point, from variable to variable. Solid is the best, dashed the newest; where all lines meet, all points have the same value.", s.State.Problem.Dim(), results(s)),
				"Where a value lies in its variable's range: 0 is the low end, 1 the high one.", "The variables by their numbers: "+variables(s)+".")...)
		default:
			list = append(list, p.regretTold(s, &part)...)
		}
	}
	return list
}

// plotted tells a part with one plot.
func plotted(part *explain.Part, term, says, left, under string) []explain.Element {
	return append([]explain.Element{part.Panel(term, says)}, part.Axes(part.Title, left, under, 0, len(part.Lines))...)
}

func results(s Scene) string {
	n := 0
	for _, it := range s.State.Iterations {
		n += len(it.X)
	}
	return screen.Counted(n, "result")
}

// few are names, the first ones of many.
func few(all []string) string {
	if len(all) > 6 {
		all = append(all[:5:5], "…", all[len(all)-1])
	}
	return strings.Join(all, ", ")
}

func names(s Scene) string {
	var all []string
	for i, o := range s.State.Problem.Objectives {
		all = append(all, fmt.Sprintf("%d is %s", i+1, o.Name))
	}
	return few(all)
}

func variables(s Scene) string {
	var all []string
	for i, v := range s.State.Problem.Domain {
		all = append(all, fmt.Sprintf("%d is %s", i+1, v.Name))
	}
	return few(all)
}

// kindTerms are the terms of the traces of one objective.
var kindTerms = [kinds]string{"simple regret", "cumulative regret", "incumbent", "simple regret"}

// regretTold tells a trace of one objective, which is known by its title.
func (p *Panel) regretTold(s Scene, part *explain.Part) []explain.Element {
	t, k := report.TracesOf(s.State), kinds
	for i, title := range kindTitles {
		if strings.HasPrefix(part.Title, title) {
			k = kind(i)
		}
	}
	if k == kinds {
		return nil
	}
	v := k.values(t)
	if len(v) == 0 {
		return []explain.Element{part.Panel(kindTerms[k], "How the search goes, "+strings.TrimSuffix(kindTitles[k], " (log)")+": a value stands here from the first step on.")}
	}
	first, last := begins(v), screen.Number(v[len(v)-1])
	if math.IsNaN(v[len(v)-1]) {
		return []explain.Element{part.Panel(kindTerms[k], "How the search goes, "+strings.TrimSuffix(kindTitles[k], " (log)")+": there is no value yet, since no result counts.")}
	}
	says := [kinds]string{
		fmt.Sprintf("How far the best point so far is from the optimum, after each step: %s, %s after step %d. It can only fall; flat parts are steps that found nothing better.", first, last, len(v)),
		fmt.Sprintf("The regrets of all steps, added up: %s after step %d, %s a step. It flattens when a method goes on evaluating where it is best, and stays steep while it explores.", last, len(v), screen.Number(v[len(v)-1]/float64(len(v)))),
		fmt.Sprintf("The best result after each step: %s, %s now, found in step %d. It says nothing of how much better there may be.", first, last, since(v)),
		fmt.Sprintf("How far the best point so far is from the optimum, by what was spent: %s after a cost of %s. Where evaluations differ in cost this is what counts.", last, screen.Number(t.Spent[len(t.Spent)-1])),
	}[k]
	left := "Regrets on a logarithmic axis: equal distances are equal factors."
	switch {
	case k == cumulative:
		left = "Sums of regrets, from the first to the last."
	case k == best:
		left = fmt.Sprintf("Values of %s; %s is better.", s.State.Problem.Objectives[0].Name, map[bool]string{true: "more", false: "less"}[s.State.Problem.Objectives[0].Direction == functions.Maximize])
	}
	under := fmt.Sprintf("The steps, 1 to %d.", len(v))
	if k == byCost {
		under = fmt.Sprintf("What was spent, from 0 to %s.", screen.Number(t.Spent[len(t.Spent)-1]))
	}
	return plotted(part, kindTerms[k], says, left, under)
}

// begins tells the first value of a trace.
func begins(v []float64) string {
	i := slices.IndexFunc(v, func(y float64) bool { return !math.IsNaN(y) })
	return fmt.Sprintf("%s after step %d", screen.Number(v[max(i, 0)]), max(i, 0)+1)
}

// since is in which step a trace came to its last value.
func since(v []float64) int {
	i := len(v) - 1
	for i > 0 && v[i-1] == v[len(v)-1] {
		i--
	}
	return i + 1
}

// objectivesTold tells a trace of several objectives.
func (p *Panel) objectivesTold(s Scene, part *explain.Part) []explain.Element {
	k, o := p.objectives, s.Outcomes
	term := [objectiveKinds]string{"hypervolume", "Bayes regret", "box"}[k]
	var v []float64
	if o != nil {
		v = [objectiveKinds][]float64{o.Traces.Hypervolume, o.Traces.BayesRegret, o.Traces.Share}[k]
	}
	if len(v) == 0 || math.IsNaN(v[len(v)-1]) {
		return []explain.Element{part.Panel(term, "How the search goes, by "+objectiveTitles[k]+": it is known when the first points are all there, which say over which range each objective counts.")}
	}
	first, last := begins(v), screen.Number(v[len(v)-1])
	says := [objectiveKinds]string{
		fmt.Sprintf("How much of the space of objectives the results dominate, above the reference point, with every range counted from 0 to 1: %s, %s after step %d. It can only grow.", first, last, len(v)),
		fmt.Sprintf("How far the results are from the best for weights drawn from the prior, on average: %s, %s after step %d. What matters under the prior alone counts.", first, last, len(v)),
		fmt.Sprintf("Which share of the results lies in the boxes of wanted outcomes: %s after step %d.", last, len(v)),
	}[k]
	left := [objectiveKinds]string{"Hypervolumes, of ranges from 0 to 1.", "Regrets of weighted outcomes, of ranges from 0 to 1.", "Shares, of 1."}[k]
	if k == bayes && !o.Traces.Exact {
		says = fmt.Sprintf("How good the results are for weights drawn from the prior, on average and with a minus, since no front is known from which a regret could be counted: %s, %s after step %d. Less is better.", first, last, len(v))
	}
	list := plotted(part, term, says, left, fmt.Sprintf("The steps, 1 to %d, and over which range outcomes are counted: %s.", len(v), o.Traces.Range.Label()))
	if k.resteered(o.Traces) {
		list = append(list, explain.Element{Name: "under the prior that holds", Term: "Bayes regret", Where: part.Marked("*"), Says: fmt.Sprintf("The line that ends at *: under the prior over weights that holds now, %s.", last)},
			explain.Element{Name: "under the first prior", Term: "prior over weights", Where: part.Marked("o"), Says: fmt.Sprintf("The line that ends at o: under the prior with which the search began, %s. Where it is below the other, the change made the aim harder.", screen.Number(o.Traces.Original[len(v)-1]))})
	}
	return list
}

// theoryTold tells a plot of what the covariance function says of the data.
func (p *Panel) theoryTold(s Scene, part *explain.Part) []explain.Element {
	t := belief.Theories{Style: s.Style}
	if s.Told != nil && s.Told.Theory != nil {
		t.Add(s.Told.Theory, s.Style.Used, "", true)
	}
	for kind := range belief.TheoryKinds {
		if title := s.Style.Plain(t.Title(kind)); strings.HasPrefix(title, strings.TrimRight(part.Title, " .…")) || strings.HasPrefix(part.Title, title) {
			var theory *optimizers.Theory
			if s.Told != nil {
				theory = s.Told.Theory
			}
			says, term, left, under := told.Theory(theory, kind)
			return plotted(part, term, says, left, under)
		}
	}
	return nil
}
