package compare

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"bandscope/optimizers"
	"bandscope/sessions/report"
	"bandscope/tui/belief"
	"bandscope/tui/belief/told"
	"bandscope/tui/explain"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// Elements tells what is seen. Of what stands alike in several panes, as the data do, there is one element for all of them.
func (m *Model) Elements() []explain.Element {
	m.book = &explain.Book{}
	lines := m.Render()
	book := m.book
	m.book = nil
	seen := explain.See(lines)
	all := []paneElement{{Element: explain.Element{Kind: explain.Number, Name: "heading", Says: m.tellHeading(), Where: seen.Row(0)}}}
	for _, p := range seen.Parts() {
		elements, pane := m.tellPart(&p, book.In(&p))
		for _, e := range elements {
			all = append(all, paneElement{e, pane})
		}
	}
	list := m.merged(all)
	foot := m.Height - m.footRows()
	for row := foot; row < m.Height-2; row++ {
		text := seen.Text(row)
		switch {
		case strings.HasPrefix(text, "distance of"):
			list = append(list, explain.Element{Kind: explain.Number, Name: "distance of A from B", Term: "ensemble of networks", Where: seen.Row(row),
				Says: "How far the two beliefs are from each other, root mean square over the axis: " + text + ". What the draws leave is as far as so few of them would be from their own law by chance."})
		case text != "":
			list = append(list, explain.Element{Kind: explain.Prose, Name: "what to look for", Where: seen.Row(row), Says: m.tellAbout()})
		}
	}
	if row := m.Height - 2; seen.Text(row) != "" {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "status", Says: m.tellStatus(), Where: seen.Row(row)})
	}
	if seen.Text(m.Height-1) != "" {
		list = append(list, seen.Keys(m.Height-1))
	}
	return list
}

// mostAbout is how many words of what a comparison is about are told.
const mostAbout = 50

func (m *Model) tellAbout() string {
	words := strings.Fields("What to look for in this comparison: " + strings.TrimSuffix(m.comparison.About, "."))
	if len(words) > mostAbout {
		words = append(words[:mostAbout:mostAbout], "…")
	}
	return strings.Join(words, " ") + "."
}

// ours are words without the keys of another screen.
var ours = strings.NewReplacer(": W explains the choice.", ".", " W explains the choice.", "", " (3)", "", " Each field has a scale of its own, its least and greatest value; y gives truth, mean and sample one.", " All panes have one scale.")

// here are words of a belief as they are told here.
func here(says func(string) (string, string)) func(string) (string, string) {
	return func(name string) (string, string) {
		sentence, term := says(name)
		return ours.Replace(sentence), term
	}
}

// merged has one element for all that are told in the same words, named with the panes that it is of where it is not of all.
func (m *Model) merged(list []paneElement) (whole []explain.Element) {
	at, of := map[string]int{}, [][]string{}
	for _, e := range list {
		key := e.Name + "\n" + e.Says
		if i, ok := at[key]; ok && e.Kind != explain.Panel {
			whole[i].Where, of[i] = explain.Both(whole[i].Where, e.Where), append(of[i], e.pane)
			continue
		}
		at[key] = len(whole)
		whole, of = append(whole, e.Element), append(of, []string{e.pane})
	}
	for i, panes := range of {
		if e := &whole[i]; e.Kind != explain.Panel && panes[0] != "" && len(panes) < len(m.panes) {
			e.Name = strings.Join(panes, ", ") + ": " + e.Name
		}
	}
	return whole
}

// paneElement is an element of a pane, by its letter; empty of what is not a pane's.
type paneElement struct {
	explain.Element
	pane string
}

func (m *Model) tellHeading() string {
	st := m.base.State()
	text := fmt.Sprintf("What is compared: %s, on %s, of %s. ", m.comparison.Title, st.Problem.Name, screen.Counted(len(st.Problem.Domain), "variable"))
	switch m.arranged {
	case racing:
		return text + fmt.Sprintf("In a race each of %s has its own results, after %s from the same beginning.", screen.Counted(len(m.panes), "method"), screen.Counted(len(m.panes[m.selected].racer.State().Iterations), "step"))
	case overlaid:
		return text + fmt.Sprintf("The beliefs of %s lie over each other, after the same %s.", screen.Counted(len(m.panes), "method"), screen.Counted(len(st.Iterations), "step"))
	}
	return text + fmt.Sprintf("Each of %s is one method's belief about the same %s.", screen.Counted(len(m.panes), "pane"), screen.Counted(len(st.Iterations), "step"))
}

func (m *Model) tellStatus() string {
	said, _ := m.Status.Said()
	switch {
	case m.Status.Open():
		return "What is asked for: it is typed here, enter takes it and esc leaves."
	case said != "":
		return "The answer to the last key: " + strings.TrimSuffix(said, ".") + "."
	case m.work.jobs.Busy() || m.deciding.jobs.Busy():
		return "What is computed now; keys are taken meanwhile, esc stops it."
	}
	p := m.panes[m.selected]
	text := fmt.Sprintf("The pane that the keys change, %s: its method as it is named without the screen, %s", letter(m.selected), p.alt.Spec().Name)
	if len(p.Params) > 0 {
		text += ", with " + assignments(p.Params)
	}
	if m.comparison.Source != "" {
		text += "; the comparison is after " + m.comparison.Source
	}
	return strings.TrimSuffix(text, ".") + "."
}

// tellPart tells a panel, and of which pane it is.
func (m *Model) tellPart(p *explain.Part, charts []explain.Shown) (list []explain.Element, pane string) {
	kinds := []struct {
		title string
		tell  func(*explain.Part, []explain.Shown) []explain.Element
	}{
		{"beliefs", m.tellOverlay}, {"fronts that", m.tellFronts}, {"information gain", m.tellTheory}, {"eigenvalues", m.tellTheory}, {"simple regret (log)", m.tellRace}, {"best value", m.tellRace},
		{"hypervolume and", m.tellRace}, {"where ", m.tellAgreement}, {"what separates them", m.tellAgreement},
	}
	for _, k := range kinds {
		if strings.HasPrefix(p.Title, k.title) {
			return k.tell(p, charts), ""
		}
	}
	if strings.Contains(p.Title, "log evidence") {
		return m.tellTheory(p, charts), ""
	}
	for i, pane := range m.panes {
		if strings.HasPrefix(p.Title, letter(i)+" ") {
			return m.tellPane(i, pane, p, charts), letter(i)
		}
	}
	return nil, ""
}

// tellPane tells a pane: what its method believes.
func (m *Model) tellPane(i int, pane *pane, p *explain.Part, charts []explain.Shown) []explain.Element {
	if len(charts) == 0 {
		from := 0
		if m.shown.planar && len(p.Lines) > 1 {
			from = 1 // what is drawn in all panes
		}
		text := strings.Join(strings.Fields(strings.Join(p.Lines[from:], " ")), " ")
		return []explain.Element{p.Panel("", fmt.Sprintf("Pane %s, %s: nothing is drawn of it now.", letter(i), m.paneTitle(pane))),
			p.Prose("what is missing", "", "Why nothing is drawn here: "+strings.TrimRight(text, ".…")+".", 0, len(p.Lines))}
	}
	list := []explain.Element{p.Panel("posterior", fmt.Sprintf("Pane %s: what %s believes of %s. %s", letter(i), pane.alt.Spec().Title, screen.Counted(len(pane.state.Iterations), "step"), m.tellNext(pane)))}
	switch {
	case m.several():
		return append(list, m.tellOutcomes(pane, charts)...)
	case m.shown.planar:
		return append(list, m.tellField(pane, p, charts)...)
	}
	a := told.OfDrawing(m.drawing(pane), nil)
	says, left := here(a.Says), a.Axis(charts[0].Chart.Y)
	if m.shown.acquisition {
		part, area := a.Acquisition()
		says = func(name string) (string, string) {
			switch name {
			case belief.AcquisitionName(pane.picture.Legend):
				return area, "acquisition"
			case pane.picture.Aim.Name():
				return here(a.Says)(name)
			}
			if len(pane.picture.Allowed) == 0 {
				return "", ""
			}
			return a.Allowed(), "acquisition"
		}
		list[0].Term, list[0].Says = "acquisition", fmt.Sprintf("Pane %s, %s. %s", letter(i), m.paneTitle(pane), part)
		left = fmt.Sprintf("Values of the acquisition of pane %s, which has a scale of its own.", letter(i))
	}
	list = append(list, charts[0].Layers(says)...)
	return append(list, charts[0].Axes(left, a.Variable())...)
}

// tellNext tells where a pane's method goes next.
func (m *Model) tellNext(p *pane) string {
	switch {
	case p.picture != nil && len(p.picture.Next) > 0:
		return "Its next point is " + screen.Point(m.base.State().Problem.Domain, p.picture.Next[0]) + "."
	case p.plane != nil && len(p.plane.Next) > 0:
		return "Its next point is " + screen.Point(m.base.State().Problem.Domain, p.plane.Next[0]) + "."
	}
	if p.outcomes != nil && len(p.outcomes.Next) > 0 {
		return "Its next point is " + screen.Point(m.base.State().Problem.Domain, p.outcomes.Next[0]) + "."
	}
	return "Tab goes to the next pane."
}

// tellField tells a pane's field over two variables.
func (m *Model) tellField(pane *pane, p *explain.Part, charts []explain.Shown) []explain.Element {
	kind, d := m.shown.quantity, m.planeDrawing(pane)
	f := told.OfPlane(d, kind, nil)
	scale := m.sharedScale(pane)
	c := charts[0]
	says, term := here(func(string) (string, string) { return f.Field(kind) })("")
	list := []explain.Element{{Kind: explain.Mark, Name: pane.plane.Name(kind), Term: term, Says: says, Where: func() []plot.Span { return append(p.Rows(0, 1)(), c.All()()...) }}}
	list = append(list, c.Layers(here(f.Says))...)
	list = append(list, explain.Element{Kind: explain.Axis, Name: "colours", Term: term, Says: ours.Replace(f.Bar(kind, scale)), Where: c.Beside(true)})
	return append(list, c.Axes(f.Axis(1), f.Axis(0))...)
}

// tellOverlay tells beliefs that are laid over each other.
func (m *Model) tellOverlay(p *explain.Part, charts []explain.Shown) []explain.Element {
	st := m.base.State()
	a := told.OfDrawing(m.drawing(&pane{state: st, picture: m.panes[0].picture}), nil)
	list := []explain.Element{p.Panel("posterior", fmt.Sprintf("What %s believe of the same %s, laid over each other on one axis: where bands part, the methods know something different.", screen.Counted(len(m.panes), "method"), screen.Counted(len(st.Iterations), "step")))}
	for _, c := range charts {
		list = append(list, c.Layers(func(name string) (string, string) {
			for i, p := range m.panes {
				if name == letter(i)+" "+m.paneTitle(p) {
					return m.tellBelief(i, p), "confidence band"
				}
			}
			return here(a.Says)(name)
		})...)
		list = append(list, c.Axes(a.Axis(c.Chart.Y), a.Variable())...)
	}
	return list
}

// tellBelief tells one belief among others: where its mean is best, and its band widest.
func (m *Model) tellBelief(i int, p *pane) string {
	st, pic := m.base.State(), p.picture
	g, v := st.Problem.Objectives[0].Gauge(), st.Problem.Domain[m.shown.view.Variable]
	best, widest, wide := 0, 0, math.Inf(-1)
	for k := range pic.Mean {
		if g.Counted(pic.Mean[k]) < g.Counted(pic.Mean[best]) {
			best = k
		}
		if w := g.Along(pic.Upper[k]) - g.Along(pic.Lower[k]); w > wide {
			widest, wide = k, w
		}
	}
	return fmt.Sprintf("%s, %s: its mean is best at %s = %s, %s; its band is widest at %s, where it goes from %s to %s. %s", letter(i), m.paneTitle(p), v.Name, v.Text(pic.Grid[best]), screen.Number(pic.Mean[best]), v.Text(pic.Grid[widest]),
		screen.Number(pic.Lower[widest]), screen.Number(pic.Upper[widest]), m.tellNext(p))
}

// tellTheory tells a panel of the theory: that of the selected pane in full, and where the courses of the others end.
func (m *Model) tellTheory(p *explain.Part, _ []explain.Shown) []explain.Element {
	kind := belief.Evidence
	switch {
	case strings.HasPrefix(p.Title, "information"):
		kind = belief.Gain
	case strings.HasPrefix(p.Title, "eigenvalues"):
		kind = belief.Eigenvalues
	}
	shown := m.selected
	for i, pane := range m.panes { // the selected one, or one that has it
		t := theoryOf(pane)
		if had := theoryOf(m.panes[shown]); t != nil && (had == nil || kind == belief.Evidence && had.Evidence == nil && t.Evidence != nil) {
			shown = i
		}
	}
	says, term, left, under := told.Theory(theoryOf(m.panes[shown]), kind)
	list := []explain.Element{p.Panel(term, fmt.Sprintf("Of pane %s: %s", letter(shown), strings.ToLower(says[:1])+says[1:]))}
	if left == "" {
		return list
	}
	var ends []string
	for i, pane := range m.panes {
		if t := theoryOf(pane); t != nil && kind != belief.Evidence {
			values := map[belief.TheoryKind][]float64{belief.Gain: t.Gain, belief.Eigenvalues: t.Eigenvalues}[kind]
			if n := len(values); n > 0 {
				ends = append(ends, letter(i)+" "+screen.Number(values[n-1]))
			}
		}
	}
	axes := left + " " + under
	if len(ends) > 0 {
		axes = fmt.Sprintf("The courses of the panes end at their letters: %s. %s", strings.Join(ends, ", "), axes)
	}
	inside := p.Prose("courses", term, axes, 0, len(p.Lines))
	inside.Kind = explain.Axis
	return append(list, inside)
}

// theoryOf is the theory of a pane; nil where it has none.
func theoryOf(p *pane) *optimizers.Theory {
	if p.picture == nil {
		return nil
	}
	return p.picture.Theory
}

// tellRace tells the panel of a race.
func (m *Model) tellRace(p *explain.Part, _ []explain.Shown) []explain.Element {
	what, term := "the simple regret, how much worse than the optimum the best result is", "simple regret"
	switch {
	case m.several():
		what, term = "the hypervolume that the front of each dominates, and its Bayes regret", "hypervolume"
	case strings.HasPrefix(p.Title, "best"):
		what, term = "the best result of each so far", "incumbent"
	}
	list := []explain.Element{p.Panel(term, "How the methods fare, each with results of its own: "+what+", step by step.")}
	last := 0
	for i, pane := range m.panes {
		where := p.Words(regexp.MustCompile(letter(i) + ` ` + regexp.QuoteMeta(m.Style.Plain(m.paneTitle(pane))) + `( and| [-0-9.e]+)*`))
		if where == nil {
			continue
		}
		last = max(last, where()[0].Row-p.Top)
		list = append(list, explain.Element{Kind: explain.Number, Name: letter(i) + " " + m.paneTitle(pane), Term: term, Where: where, Says: m.tellRacer(i, pane)})
	}
	axes := p.Prose("courses", term, fmt.Sprintf("Steps from left to right, values at the left; a course ends at the letter of its pane, and those that are alike at one place: %s.", letters(len(m.panes))), last, len(p.Lines))
	axes.Kind = explain.Axis
	return append(list, axes)
}

// letters are those of the first panes.
func letters(n int) string {
	var all []string
	for i := range n {
		all = append(all, letter(i))
	}
	return strings.Join(all, ", ")
}

// tellRacer tells how a method fares in a race.
func (m *Model) tellRacer(i int, p *pane) string {
	st := p.racer.State()
	t := report.TracesOf(st)
	text := fmt.Sprintf("%s, %s, after %s", letter(i), m.paneTitle(p), screen.Counted(len(st.Iterations), "step"))
	if st.Costly() {
		text += " that cost " + screen.Number(st.Spent())
	}
	switch n := len(t.Best); {
	case m.several() && p.outcomes != nil:
		return text + fmt.Sprintf(": its front dominates a hypervolume of%s, and its Bayes regret is%s.", last(p.outcomes.Traces.Hypervolume), last(p.outcomes.Traces.BayesRegret))
	case n > 0 && len(t.Simple) > 0 && m.shown.reveal:
		return text + fmt.Sprintf(": its best result is %s, %s worse than the optimum.", screen.Number(st.Problem.Objectives[0].Gauge().AllShown(t.Best)[n-1]), screen.Number(t.Simple[len(t.Simple)-1]))
	case n > 0:
		return text + fmt.Sprintf(": its best result is %s.", screen.Number(st.Problem.Objectives[0].Gauge().AllShown(t.Best)[n-1]))
	}
	return text + ": it has no result yet."
}

// tellAgreement tells where two panes agree.
func (m *Model) tellAgreement(p *explain.Part, charts []explain.Shown) []explain.Element {
	if m.deciding.made == nil {
		return []explain.Element{p.Panel("acquisition", "Where the selected pane and the next one agree about what to evaluate next.")}
	}
	return m.deciding.made.Elements(p, charts)
}
