package trust

import (
	"fmt"
	"math"
	"strings"

	"bandscope/optimizers/insight/calibration"
	"bandscope/sessions/trust"
	"bandscope/tui/explain"
	"bandscope/tui/screen"
)

// Elements tells what is seen.
func (m *Model) Elements() []explain.Element {
	lines := m.Render()
	seen, st := explain.See(lines), m.Style
	var list []explain.Element
	for _, part := range []struct {
		title string
		tell  func(*explain.Part) []explain.Element
	}{
		{"residuals", m.tellResiduals}, {"inside of", m.tellCoverage}, {"PIT", m.tellHistogram}, {"what the mean", m.tellDependence}, {"other assumptions", m.tellAlternatives}, {"better: ", m.tellAlternatives},
	} {
		if p := seen.Part(st, part.title); p != nil {
			list = append(list, part.tell(p)...)
		}
	}
	if row := len(lines) - 2; seen.Text(row) != "" {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "status", Term: "leave-one-out", Says: m.tellStatus(), Where: seen.Row(row)})
	}
	return append(list, seen.Keys(len(lines)-1))
}

func (m *Model) tellStatus() string {
	o := m.objective()
	switch said, _ := m.Status.Said(); {
	case said != "":
		return "The answer to the last key: " + said + "."
	case m.jobs.Busy():
		return "The model is being asked meanwhile; esc stops that, and what is shown stays."
	case o != nil && o.Alarm != "":
		return "A warning, which the explorer shows too while it holds: " + o.Alarm + "."
	case m.report != nil && m.report.Retrain:
		return fmt.Sprintf("How the %s were left out: the model was trained again once without each of them.", screen.Counted(len(o.Data), "result"))
	}
	return fmt.Sprintf("How the %s were left out: by a formula from the one fit to all of them, which gives what a fit without each of them would, its parameters kept.", screen.Counted(len(o.Data), "result"))
}

// empty tells a part in which nothing is drawn: what would be, and why it is not.
func empty(p *explain.Part, term, what, why string) []explain.Element {
	list := []explain.Element{p.Panel(term, what)}
	if missing := p.Prose("what is missing", "", "Why nothing is drawn here: "+why+".", 0, len(p.Lines)); len(missing.Where()) > 0 {
		list = append(list, missing)
	}
	return list
}

func (m *Model) tellResiduals(p *explain.Part) []explain.Element {
	if why := m.lacking(); why != "" {
		return empty(p, "leave-one-out", "How far each result is from what the others expect of it, in standard deviations of that: how wrong a model was where it could not know.", why)
	}
	o := m.objective()
	n, inside, above := len(o.Data), 0, 0
	for _, d := range o.Data {
		if math.Abs(d.Z) <= 1.96 {
			inside++
		}
		if d.Z > 0 {
			above++
		}
	}
	c := m.residualsChart()
	frame := p.Chart(m.Style, c)
	list := []explain.Element{p.Panel("leave-one-out", fmt.Sprintf("Each of the %s of %s as the model would have expected it from all others, in standard deviations of that expectation. Their root mean square is %s; a band of the right width has 1, more is too narrow, less too wide.",
		screen.Counted(n, "result"), o.Name, screen.Number(o.RMSZ)))}
	list = append(list, explain.Layers(c, frame, func(name string) (string, string) {
		switch {
		case name == "result":
			d := o.Data[n-1]
			for i := n - 1; d.Strange && i >= 0; i-- {
				d = o.Data[i]
			}
			return "A result that the others foresaw. " + m.datum(d), "standardized residual"
		case name == "95 %":
			return fmt.Sprintf("From −1.96 to 1.96 standard deviations, where 95 %% of the results belong if the band is right: %d of %d are inside, %.0f %%.", inside, n, 100*float64(inside)/float64(n)), "coverage"
		case name == "expected":
			return fmt.Sprintf("What the others expect: a result on this line came just so. %d of %d came higher and %d lower; much more of one kind is a mean that lies beside the data.", above, n, n-above), "standardized residual"
		}
		if !strings.HasPrefix(name, "not understood") {
			return "", ""
		}
		worst := o.Data[0]
		for _, d := range o.Data {
			if math.Abs(d.Z) > math.Abs(worst.Z) {
				worst = d
			}
		}
		return "A result that the model cannot have foreseen: an error of measurement, a rare accident, or a function that it cannot follow. " + m.datum(worst), "stranger"
	})...)
	left := fmt.Sprintf("Standard deviations by which a result is above or below what is expected, from %s to %s here", screen.Number(c.Y.Min), screen.Number(c.Y.Max))
	if c.Y.Max >= mostZ {
		left += fmt.Sprintf("; one beyond %d stands at the edge", mostZ)
	}
	return append(list, frame.Axes(c, left+".", fmt.Sprintf("The results in the order in which they came, 1 to %d; a run of them on one side of 0 would say that the model misses something.", n))...)
}

// datum tells a result with what the others expect of it.
func (m *Model) datum(d trust.Datum) string {
	return fmt.Sprintf("Result %s, %s at %s: the others expect %s ± %s there, so it came %s standard deviations %s.", d.Label, screen.Number(d.Value), screen.Point(m.state.Problem.Domain, d.X),
		screen.Number(d.Expected.Mean), screen.Number(d.Expected.SD), screen.Number(math.Abs(d.Z)), map[bool]string{true: "lower", false: "higher"}[d.Z < 0])
}

// each tells something of every level of coverage.
func each(levels []calibration.Coverage, tell func(c calibration.Coverage) string) string {
	parts := make([]string, len(levels))
	for i, c := range levels {
		parts[i] = tell(c)
	}
	return strings.Join(parts, ", ")
}

func (m *Model) tellCoverage(p *explain.Part) []explain.Element {
	o := m.objective()
	if o == nil || o.Coverage == nil && o.Over == nil {
		return empty(p, "coverage", "How often the bands of 50, 80 and 95 % hold what they promise.", "no result was left out yet, and the function itself is not known over the domain")
	}
	inside := func(c calibration.Coverage) string {
		return fmt.Sprintf("%d of %d in that of %.0f %%", c.Inside, c.Of, 100*c.Promised)
	}
	whole := "How often the bands hold what they promise"
	if o.Coverage != nil {
		whole += ", each result left out in its turn: " + each(o.Coverage, inside)
	} else {
		whole += " over the domain, at points of a sample: " + each(o.Over, inside)
	}
	c := m.coverageChart()
	frame := p.Chart(m.Style, c)
	list := append([]explain.Element{p.Panel("coverage", whole+".")}, explain.Layers(c, frame, func(name string) (string, string) {
		switch name {
		case "results":
			worst := o.Coverage[0]
			for _, c := range o.Coverage {
				if math.Abs(c.Share()-c.Promised) > math.Abs(worst.Share()-worst.Promised) {
					worst = c
				}
			}
			verdict := "which so few results make by chance"
			if worst.Promised < worst.Low || worst.Promised > worst.High {
				verdict = map[bool]string{true: "too few for chance: it is too narrow", false: "too many for chance: it is too wide"}[worst.Share() < worst.Promised]
			}
			return fmt.Sprintf("Which share of the results lies inside of each band. Farthest from its promise is the band of %.0f %%: %.0f %% are inside, %s.", 100*worst.Promised, 100*worst.Share(), verdict), "coverage"
		case "domain":
			return "How much of the function itself, which is known here, the bands hold over the whole domain: " + each(o.Over, func(c calibration.Coverage) string {
				return fmt.Sprintf("%.0f %% in that of %.0f %%", 100*c.Share(), 100*c.Promised)
			}) + ". The results say this only where they are.", "coverage"
		case "promised":
			return "What the bands promise: " + each(orOver(o), func(c calibration.Coverage) string { return fmt.Sprintf("%.0f %%", 100*c.Promised) }) + ". What stands left of a diamond was promised more than was held: that band is too narrow.", "coverage"
		case "interval":
		default:
			return "", ""
		}
		return "Which shares such counts go with, by chance, at 95 %: " + each(o.Coverage, func(c calibration.Coverage) string {
			return fmt.Sprintf("%.0f to %.0f %% for the band of %.0f %%", 100*c.Low, 100*c.High, 100*c.Promised)
		}) + ". A band is wrong, not unlucky, where its promise lies outside.", "coverage"
	})...)
	return append(list, frame.Axes(c, "The bands: "+each(orOver(o), func(c calibration.Coverage) string { return fmt.Sprintf("%.0f", 100*c.Promised) })+" % are promised to lie inside, one line for each.", "Percent that lies inside of a band, from 0 to 100.")...)
}

// orOver are the levels that are drawn.
func orOver(o *trust.Objective) []calibration.Coverage {
	if o.Coverage != nil {
		return o.Coverage
	}
	return o.Over
}

func (m *Model) tellHistogram(p *explain.Part) []explain.Element {
	o := m.objective()
	if o == nil || o.Histogram == nil {
		return empty(p, "probability integral transform", "Of each result, the probability that the others gave to less than it: even from 0 to 1 where bands are right, high at the ends where they are too narrow.", "no result was left out yet")
	}
	n, ends := len(o.Data), o.Histogram[0]+o.Histogram[trust.Bins-1]
	even := float64(n) / trust.Bins
	shape := "about as many as a right band leaves there"
	switch chance := 2 * even; {
	case float64(ends) > chance+2*math.Sqrt(chance):
		shape = "many more than a right band leaves there: it is too narrow"
	case float64(ends) < chance-2*math.Sqrt(chance):
		shape = "many fewer than a right band leaves there: it is too wide"
	}
	c := m.histogramChart()
	frame := p.Chart(m.Style, c)
	most, at := 0, 0
	for b, count := range o.Histogram {
		if count > most {
			most, at = count, b
		}
	}
	list := append([]explain.Element{p.Panel("probability integral transform", fmt.Sprintf("Of each result, the probability that was given to less than it: it is even from 0 to 1 if the bands are right. Of %s %d fell into the two outer of %d bins, %s.",
		screen.Counted(n, "result"), ends, trust.Bins, shape))}, explain.Layers(c, frame, func(name string) (string, string) {
		if name == "promised" {
			return fmt.Sprintf("How many of %d a bin would have if every probability were right: %s. Bins of so few results differ from it by chance.", n, screen.Number(even)), "probability integral transform"
		}
		if name != "results" {
			return "", ""
		}
		return fmt.Sprintf("How many results fell into each of %d bins. The fullest, from %.1f to %.1f, has %d: the others had given that much probability to less than what came.", trust.Bins, float64(at)/trust.Bins, float64(at+1)/trust.Bins, most), "probability integral transform"
	})...)
	return append(list, frame.Axes(c, fmt.Sprintf("Results of a bin, from 0 to %d.", most), "The probability of less than the result, from 0, lower than all that was expected, to 1, higher.")...)
}

func (m *Model) tellDependence(p *explain.Part) []explain.Element {
	o, domain := m.objective(), m.state.Problem.Domain
	of := func(j int) string {
		var text string
		if o.First != nil {
			text += fmt.Sprintf("alone it makes %.0f %% of how the mean varies", 100*o.First[j])
			if o.Total != nil {
				text += fmt.Sprintf(", with what it does together with others %.0f %%", 100*max(o.Total[j], o.First[j]))
			}
		}
		if o.Lengths != nil && o.Lengths[j] != "" {
			text += map[bool]string{true: "; ", false: ""}[o.First != nil] + fmt.Sprintf("its lengthscale is %s, in its own unit: over that far the function changes", o.Lengths[j])
		}
		if text == "" {
			text = "nothing is known of what it does"
		}
		return text + "."
	}
	first := 0
	for j := range domain {
		if o.First != nil && o.First[j] > o.First[first] {
			first = j
		}
	}
	list := []explain.Element{p.Panel("Sobol' index", fmt.Sprintf("How the model's mean of %s depends on %s. Of %s: %s", o.Name, map[bool]string{true: "its variable", false: "each of its variables"}[len(domain) == 1], domain[first].Name, of(first)))}
	row := 0
	if o.First != nil {
		list, row = append(list, p.Prose("alone, in all", "Sobol' index", "The columns: the share of the mean's variance that is a variable's alone (the heavy piece of its bar), and with all its interactions (up to the end of the thin one).", 0, 1)), 1
	}
	for j := range domain {
		if row+j < len(p.Lines) && strings.TrimSpace(p.Lines[row+j]) != "" {
			e := p.Prose(domain[j].Name, "Sobol' index", "How much the mean depends on "+domain[j].Name+": "+of(j), row+j, row+j+1)
			e.Kind = explain.Number
			list = append(list, e)
		}
	}
	return list
}

func (m *Model) tellAlternatives(p *explain.Part) []explain.Element {
	r := m.report
	switch {
	case r == nil || r.Lacking != "":
		return empty(p, "log predictive density", "Whether other values of the method's parameters explain the results better.", "they are held against results that were left out, and none was yet")
	case !r.Tried:
		return empty(p, "log predictive density", "Whether other values of the method's parameters explain the results better.", "H tries them. Now the "+m.scores())
	case len(r.Alternatives) == 0:
		return empty(p, "log predictive density", "Whether other values of the method's parameters explain the results better.", "none says anything else of these results")
	}
	better := 0
	for _, a := range r.Alternatives {
		if a.Better {
			better++
		}
	}
	list := []explain.Element{p.Panel("log predictive density", fmt.Sprintf("%s of the method, each held against the results that were left out; %d of them explain the results better by more than their uncertainty. Now the %s.",
		screen.Counted(len(r.Alternatives), "other assumption"), better, m.scores())),
		p.Prose("gain in log density", "log predictive density", "By how much the log predictive density of all results, left out, is greater with an assumption; after ± the standard error of that. A gain of less than twice its error can be chance.", 0, 1)}
	from, to := m.listed(p.H)
	for i := from; i < to; i++ {
		a, row := r.Alternatives[i], 1+i-from
		verdict := "which can be chance"
		switch {
		case a.Better:
			verdict = "more than chance would make: enter takes it"
		case a.Gain < 0:
			verdict = "so it explains the results less well"
		}
		text := fmt.Sprintf("With %s %s the results are %s in log density, ± %s: %s.", a.Label, a.Value, trust.Gain(a.Gain), strings.TrimPrefix(trust.Gain(a.SE), "+"), verdict)
		if !math.IsNaN(a.Evidence) {
			text += " The evidence of all results together gains " + trust.Gain(a.Evidence) + "."
		}
		e := p.Prose(a.Label+" "+a.Value, "evidence", text, row, row+1)
		e.Kind = explain.Number
		list = append(list, e)
	}
	return list
}
