package modes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/functions/transform"
	"bandscope/model/preference"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// box is from and to along x, from and to along y, as outcomes: 1 is the best, 0 the worst.
type box [4]float64

// minSide is the minimum side of a box, as an outcome.
const minSide = 0.015

// shift moves the sides along an axis.
func (b *box) shift(axis int, delta float64) {
	lo, hi := &b[2*axis], &b[2*axis+1]
	delta = min(max(delta, front.MinBox-*lo), front.MaxBox-*hi)
	*lo, *hi = tidy(*lo+delta), tidy(*hi+delta)
}

// grow moves the sides along an axis apart by as much each.
func (b *box) grow(axis int, step float64) {
	lo, hi := b[2*axis]-step, b[2*axis+1]+step
	if hi-lo > minSide {
		b[2*axis], b[2*axis+1] = tidy(max(lo, front.MinBox)), tidy(min(hi, front.MaxBox))
	}
}

func (b box) middle(axis int) float64 { return (b[2*axis] + b[2*axis+1]) / 2 }

// contains reports whether an outcome is between the sides along an axis, with a tolerance of beside.
func (b box) contains(axis int, u, beside float64) bool {
	return u >= b[2*axis]-beside && u <= b[2*axis+1]+beside
}

func tidy(v float64) float64 { return math.Round(v*1000) / 1000 }

// rounded rounds a bound of a box to 5 digits, or to 3 on a logarithmic scale.
func rounded(v float64, g transform.Transform) float64 {
	count := 5
	if g.IsLog() {
		count = 3
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', count, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// gauge is the transform of an objective.
func (t boxTurn) gauge(k int) transform.Transform { return t.State.Problem.Objectives[k].Transform() }

// axes are the objectives along x and y.
func (t boxTurn) axes() [2]int { return [2]int{t.Outcomes.I, t.Outcomes.J} }

// drawing converts outcomes to the objectives' units.
func drawing(s mode.Scene) front.Drawing {
	return front.Drawing{State: s.State, Outcomes: s.Outcomes.Displayed}
}

// selectBox selects a box of the prior for moving.
func (t boxTurn) selectBox(part int) {
	t.index, t.viewIndex = part, 0
	for _, p := range t.prior[:part] {
		if p.Distribution == preference.Box {
			t.viewIndex++
		}
	}
	lo, hi := preference.Span(t.prior[part].Box, weights.OutcomesFor(t.State.Input()))
	for n, k := range t.axes() {
		t.box[2*n], t.box[2*n+1] = tidy(math.Max(lo[k], 0)), tidy(math.Min(hi[k], 1))
		if !t.prior[part].Box[k].Any && t.gauge(k).IsLog() { // exactly as written
			t.box[2*n], t.box[2*n+1] = lo[k], hi[k]
		} else if !t.prior[part].Box[k].Any {
			t.box[2*n], t.box[2*n+1] = tidy(lo[k]), tidy(hi[k])
		}
	}
}

// selectNextBox selects the next box of the prior for moving.
func (t boxTurn) selectNextBox() tea.Cmd {
	for n := 1; n <= len(t.prior); n++ {
		if next := (t.index + n) % len(t.prior); t.prior[next].Distribution == preference.Box {
			t.selectBox(next)
			break
		}
	}
	return nil
}

// add adds a box, with limits around a point of the expected front within them, or else in the middle of the good
// outcomes. If alone is true it replaces a prior of one part, otherwise it
// joins the other parts.
func (t boxTurn) add(alone bool) tea.Cmd {
	sides := make([]preference.Interval, len(t.State.Problem.Objectives))
	for k := range sides {
		sides[k].Any = true
	}
	part := preference.BoxPart(1, sides)
	if alone && len(t.prior) == 1 {
		t.prior = preference.Prior{part}
	} else {
		t.prior = append(t.prior[:len(t.prior):len(t.prior)], part)
	}
	t.selectBox(len(t.prior) - 1)
	y := t.expectedOutcome()
	for n, k := range t.axes() {
		lo, hi := t.feasible(k)
		from := 0.6
		if y != nil {
			from = tidy(drawing(t.Scene).Outcome(k, y[k]) - boxSide/2)
		}
		from = max(min(from, hi-boxSide), lo)
		t.box[2*n], t.box[2*n+1] = from, tidy(min(from+boxSide, hi))
	}
	return t.moved()
}

// boxSide is the side of a new box, as an outcome.
const boxSide = 0.2

// expectedOutcome is a point in the middle of the expected front of a problem with limits, by the first axis, whose
// objectives are within their limits; nil if there is none.
func (t boxTurn) expectedOutcome() []float64 {
	if t.State.Problem.LimitedOutputs() == nil {
		return nil
	}
	var inside [][]float64
	for _, y := range t.Outcomes.Displayed.MeanFront {
		holds := true
		for k, o := range t.State.Problem.Objectives {
			holds = holds && o.Holds(y[k])
		}
		if holds {
			inside = append(inside, y)
		}
	}
	if inside == nil {
		return nil
	}
	i := t.Outcomes.I
	slices.SortFunc(inside, func(a, b []float64) int { return cmp.Compare(a[i], b[i]) })
	return inside[len(inside)/2]
}

// feasible returns the smallest and largest outcome of an objective that a box may have within the objective's limits.
func (t boxTurn) feasible(k int) (lo, hi float64) {
	o := t.State.Problem.Objectives[k]
	lo, hi = front.MinBox, front.MaxBox
	bound := func(limit *float64, better bool) { // better: outcomes on this side of the limit are the better ones
		switch {
		case limit == nil:
		case better:
			lo = max(lo, math.Ceil(1000*drawing(t.Scene).Outcome(k, *limit))/1000)
		default:
			hi = min(hi, math.Floor(1000*drawing(t.Scene).Outcome(k, *limit))/1000)
		}
	}
	bound(o.AtMost, o.Direction == functions.Minimize)
	bound(o.AtLeast, o.Direction == functions.Maximize)
	if hi-lo < minSide { // no box fits
		return front.MinBox, front.MaxBox
	}
	return lo, hi
}

// remove removes the box from the prior; without the only one the prior is flat.
func (t boxTurn) remove() tea.Cmd {
	rest := append(append(preference.Prior(nil), t.prior[:t.index]...), t.prior[t.index+1:]...)
	if len(rest.Boxes()) == 0 {
		return t.flatten()
	}
	t.prior, t.index = rest, 0
	t.selectNextBox()
	return t.preview()
}

// moved writes the box into the new prior, and previews the weights.
func (t boxTurn) moved() tea.Cmd {
	d := drawing(t.Scene)
	old := t.prior[t.index]
	sides := append([]preference.Interval(nil), old.Box...)
	for n, k := range t.axes() {
		a, b := d.Value(k, t.box[2*n]), d.Value(k, t.box[2*n+1])
		sides[k] = preference.Interval{From: preference.Bound{Value: rounded(math.Min(a, b), t.gauge(k))},
			To: preference.Bound{Value: rounded(math.Max(a, b), t.gauge(k))}}
	}
	t.prior = append(preference.Prior(nil), t.prior...)
	t.prior[t.index] = preference.BoxPart(old.Share, sides)
	return t.preview()
}

// Overlay has the boxes over the outcomes.
func (b *BoxMode) Overlay(s mode.Scene) mode.Overlay {
	sides := front.Sides(b.prior, s.State, s.Outcomes.I, s.Outcomes.J)
	if b.viewIndex < len(sides) {
		sides[b.viewIndex] = b.box
	}
	return mode.Overlay{Boxes: sides, MovingBox: b.viewIndex}
}

// Status shows the box in the objectives' units.
func (b *BoxMode) Status(s mode.Scene, w int) *layout.Box {
	if s.Outcomes == nil || s.Outcomes.Displayed == nil {
		return layout.Space(w, 1)
	}
	st, d := s.Style, drawing(s)
	parts, says := []string{st.Paint(st.Accent, "target")}, []string{}
	for n, k := range [2]int{s.Outcomes.I, s.Outcomes.J} {
		o := s.State.Problem.Objectives[k]
		from, end := d.Value(k, b.box[2*n]), d.Value(k, b.box[2*n+1])
		least, most := widget.Number(math.Min(from, end)), widget.Number(math.Max(from, end))
		parts = append(parts, st.Paint(st.Dim, o.Name)+" "+
			st.Paint(st.Text, fmt.Sprintf("%s to %s %s", least, most, o.Unit)))
		says = append(says, sanitize.Text(strings.TrimSpace(
			fmt.Sprintf("%s from %s to %s %s", o.Name, least, most, o.Unit))))
	}
	text := "The target outcomes of the box: " + strings.Join(says, ", ")
	if free := b.free(s.State); free != "" {
		parts = append(parts, st.Paint(st.Dim, "any "+free))
		text += "; any value of " + sanitize.Text(free)
	}
	text += fmt.Sprintf(
		". Along the first objective it covers %.0f %% to %.0f %% of the range; 100 %% is best. The prior below is a preview; enter applies it.",
		100*b.box[0], 100*b.box[1])
	return layout.Text(w, " "+layout.ShortenIn(st, strings.Join(parts, "  "), w-2)).
		Number("target", "box", text)
}

// free names the objectives that the box does not restrict; empty for two objectives, which are both shown.
func (b *BoxMode) free(st sessions.State) string {
	if len(st.Problem.Objectives) < 3 || b.index >= len(b.prior) {
		return ""
	}
	var names []string
	for k, side := range b.prior[b.index].Box {
		if side.Any {
			names = append(names, st.Problem.Objectives[k].Name)
		}
	}
	return strings.Join(names, ", ")
}
