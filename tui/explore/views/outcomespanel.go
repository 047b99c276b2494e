package views

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// Drawing declares the content of the plots.
func (p *Front) Drawing(s view.Scene) front.Drawing {
	i, j := p.Pair(s)
	shown, fitting := p.visibleOutcomes(s)
	if s.Bare {
		bare := *shown
		bare.Chance, bare.Weights = nil, nil
		shown = &bare
	}
	d := front.Drawing{Style: s.Style, State: s.State, Outcomes: shown, I: i, J: j, Reveal: s.Reveal,
		Previous:   p.previous,
		Fitting:    fitting,
		Attainable: p.attainable,
		Question:   s.Overlay.Question, Boxes: s.Overlay.Boxes, Moving: s.Overlay.MovingBox,
		Marks: s.OutlierMarks(func(r diagnostics.Outlier) (x, y float64, shown bool) {
			return r.Y[i], r.Y[j], true
		}, false)}
	if d.Boxes == nil {
		d.Moving = -1
		if !s.Bare && shown.Prior != nil {
			d.Boxes = front.Sides(shown.Prior, s.State, i, j)
		}
	}
	return d
}

// visibleOutcomes are the outcomes to draw. Before the first computation they have no model, which is being fitted.
func (p *Front) visibleOutcomes(s view.Scene) (o *front.Outcomes, fitting bool) {
	switch {
	case p.outcomes == nil:
		return front.Unfitted(s.State), true
	case p.stale(s) != "": // its next points may be evaluated
		old := *p.outcomes
		old.NextPoints = picture.NextPoints{}
		old.Expected = nil
		old.ExpectedSD = nil
		return &old, false
	}
	return p.outcomes, false
}

// stale marks outcomes of another place in the session.
func (p *Front) stale(s view.Scene) string {
	if p.outcomes == nil {
		return ""
	}
	return s.Stale(p.outcomes.Head, p.outcomes.Step)
}

func (p *Front) key(s view.Scene) string {
	return s.Key(p.outcomes, p.stale(s), fmt.Sprintf("%p", p.previous), p.first, fmt.Sprintf("%p", p.attainable),
		s.Below != nil)
}

// frontLayout is where the parts of the panel are, in cells inside of its frame.
type frontLayout struct {
	outcomes int // width of the objective space
	inputs   int // width of the input space, 0 if it is not shown
	upper    int // height of both
	density  int // width of the prior's density
	along    int // width of the probability along the front, 0 if it is not shown
	lower    int // height of both
}

func (p *Front) layout(s view.Scene) frontLayout {
	w := s.W - 2
	l := frontLayout{lower: layout.Split(s.H, layout.Rule{Flex: 3}, layout.Rule{Min: 5, Flex: 1, Max: 14})[1],
		outcomes: w, density: w}
	if weightsHidden(s) {
		l.lower = -1 // without a dividing line
	}
	l.upper = s.H - 4 - l.lower // below the legend
	if inputsShown(s) {
		l.inputs = w * 2 / 5
		l.outcomes -= l.inputs
	}
	if p.showsPreference(s) {
		l.along = w / 2
		l.density -= l.along
	}
	return l
}

// inputsShown reports whether the inputs are drawn beside the outcomes.
func inputsShown(s view.Scene) bool { return s.State.Problem.Dim() <= 2 && s.W-2 >= 88 }

// weightsHidden reports whether there is nothing below the outcomes.
func weightsHidden(s view.Scene) bool { return s.Bare && s.Below == nil }

// showsPreference reports whether the probability along the front is drawn.
func (p *Front) showsPreference(s view.Scene) bool {
	o, _ := p.visibleOutcomes(s)
	return !s.Bare && o.Chance != nil && (s.Reveal || !o.Known)
}

// Panel has the outcomes, and below them the prior or the part that a mode draws.
func (p *Front) Panel(s view.Scene) *layout.Box {
	l := p.layout(s)
	plots := p.cache.Box("plots", p.key(s), func() *layout.Box { return p.plots(s, l) })
	parts, described := []*layout.Part{{Title: p.title(s), Body: plots.Children[0]}}, plots.Children[1]
	if s.Below != nil {
		described = s.Below.Box(s.W-2, l.lower)
	}
	if !weightsHidden(s) {
		body := *described // its description describes the part
		body.Kind = layout.Group
		body.Name = ""
		body.Description = nil
		parts = append(parts, &layout.Part{Title: p.belowTitle(s), Body: &body})
	}
	panel := layout.SplitPanel(s.Style, s.W, s.H, s.Overlay.Boxes != nil, parts...)
	for i, part := range panel.Children {
		part.Describe(layout.Section, described.Name, described.Term, described.Description)
		if i == 0 {
			part.Describe(layout.Section, "the outcomes", "objective", func() string { return p.about(s) })
		}
	}
	return panel
}

func (p *Front) title(s view.Scene) string {
	i, j := p.Pair(s)
	objectives := s.State.Problem.Objectives
	title := fmt.Sprintf("%s and %s", objectives[i].Name, objectives[j].Name)
	stale := p.stale(s)
	titles := []string{"outcomes" + stale + " · " + title, title + stale, "outcomes" + stale}
	if len(objectives) > 2 {
		titles = slices.Insert(titles, 0, titles[0]+" ([ ] other pair)")
	}
	return layout.FirstFit(s.Style, s.W-layout.TitleRoom, titles...)
}

// belowTitle is the title of the part below the outcomes: the longest that fits.
func (p *Front) belowTitle(s view.Scene) string {
	var titles []string
	warnings := p.unreached(s)
	switch {
	case s.Below != nil:
		titles = s.Below.Titles
	case s.Overlay.Boxes != nil && warnings != nil:
		titles = warnings
	default:
		titles = p.priorTitles(s)
	}
	return layout.FirstFit(s.Style, s.W-layout.TitleRoom, titles...)
}

// priorTitles are titles of the prior over the weights, the longest first. The shortest still has the effective sample
// size after the answers.
func (p *Front) priorTitles(s view.Scene) []string {
	title, short := "prior over λ", "prior over λ"
	if n := len(s.State.Input().Answers); n > 0 {
		title, short = "prior over λ after "+widget.Count(n, "answer"), "λ after "+widget.Count(n, "answer")
		if p.outcomes != nil && p.outcomes.Particles > 0 {
			effective := fmt.Sprintf(", N_eff %.0f", p.outcomes.Effective) // of the particles
			title, short = title+effective, short+effective
		}
	}
	titles := []string{title, short}
	long := title
	if !s.State.Spec.UsesWeightPrior() {
		long += " (not used by this method)"
		titles = slices.Insert(titles, 0, long)
	}
	if p.showsPreference(s) {
		titles = slices.Insert(titles, 0, long+" and preferred part of the front")
	}
	return titles
}

// Warning says in w columns which box is not reached or exceeded, unless the title below the outcomes says so.
func (p *Front) Warning(s view.Scene, w int) string {
	if texts := p.unreached(s); s.Overlay.Boxes == nil && texts != nil {
		return layout.FirstFit(s.Style, w, texts...)
	}
	return ""
}

// unreached says which box no sampled front reaches, or which box the fronts exceed, and where: the longest text first;
// nil if there is none.
func (p *Front) unreached(s view.Scene) []string {
	o := p.outcomes
	if o == nil {
		return nil
	}
	which := func(box int) string {
		if len(o.Prior.Boxes()) > 1 {
			return fmt.Sprintf("box %d", box+1)
		}
		return "the box"
	}
	valueAt := func(y []float64) string {
		parts := make([]string, len(y))
		for k, v := range y {
			parts[k] = s.State.Problem.Objectives[k].Name + " " + widget.Number(v)
		}
		return strings.Join(parts, ", ")
	}
	switch {
	case len(o.Unreached) > 0:
		gap := o.Unreached[0]
		short := "no sampled front reaches " + which(gap.Box)
		return []string{short + "; the nearest point is " + valueAt(gap.Nearest), short, which(gap.Box) + " is not reached"}
	case len(o.Exceeded) > 0:
		low := o.Exceeded[0]
		short := fmt.Sprintf("better outcomes than %s are possible", which(low.Box))
		where := short + ": " + valueAt(low.At)
		return []string{fmt.Sprintf("%s, in %d of %d sampled fronts", where, low.Fronts, len(o.FrontSamples)), where,
			short, "better outcomes are possible", "more is possible"}
	}
	return nil
}

// about describes the panel.
func (p *Front) about(s view.Scene) string {
	i, j := p.Pair(s)
	objectives := s.State.Problem.Objectives
	text := fmt.Sprintf("The outcomes after %s with %s; the axes are %s and %s.",
		widget.Count(len(s.State.Iterations), "step"), s.State.Spec.Title, objectives[i].Name, objectives[j].Name)
	if n := len(objectives) - 2; n > 0 {
		text += fmt.Sprintf(" These are two of %d objectives; press [ or ] for another pair.", n+2)
	} else {
		text += " Outcomes that cannot improve in one objective without loss in the other form the Pareto front."
	}
	if p.outcomes != nil {
		text += s.DescribeStale(p.outcomes.Head, p.outcomes.Step)
	}
	return sanitize.Text(text)
}
