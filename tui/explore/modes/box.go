package modes

import (
	"fmt"
	"math"
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

// The outcomes that a box can have, and the least size of one.
const minSide = 0.015

// shift moves the sides along an axis.
func (b *box) shift(axis int, by float64) {
	lo, hi := &b[2*axis], &b[2*axis+1]
	by = min(max(by, front.MinBox-*lo), front.MaxBox-*hi)
	*lo, *hi = tidy(*lo+by), tidy(*hi+by)
}

// grow moves the sides along an axis apart by as much each.
func (b *box) grow(axis int, by float64) {
	lo, hi := b[2*axis]-by, b[2*axis+1]+by
	if hi-lo > minSide {
		b[2*axis], b[2*axis+1] = tidy(max(lo, front.MinBox)), tidy(min(hi, front.MaxBox))
	}
}

func (b box) middle(axis int) float64 { return (b[2*axis] + b[2*axis+1]) / 2 }

// contains reports whether an outcome lies between the sides along an axis, or so much beside.
func (b box) contains(axis int, u, beside float64) bool {
	return u >= b[2*axis]-beside && u <= b[2*axis+1]+beside
}

func tidy(v float64) float64 { return math.Round(v*1000) / 1000 }

// rounded keeps five digits of an end of a box, or three where factors count, of which outcomes are no round numbers.
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

// gauge is how values of an objective are counted.
func (t boxTurn) gauge(k int) transform.Transform { return t.State.Problem.Objectives[k].Transform() }

// axes are the objectives along x and y.
func (t boxTurn) axes() [2]int { return [2]int{t.Outcomes.I, t.Outcomes.J} }

// drawing says what outcomes are in the objectives' own units.
func drawing(s mode.Scene) front.Drawing {
	return front.Drawing{State: s.State, Outcomes: s.Outcomes.Displayed}
}

// selectBox takes a box of the prior to be moved.
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
		if !t.prior[part].Box[k].Any && t.gauge(k).IsLog() { // as it is written
			t.box[2*n], t.box[2*n+1] = lo[k], hi[k]
		} else if !t.prior[part].Box[k].Any {
			t.box[2*n], t.box[2*n+1] = tidy(lo[k]), tidy(hi[k])
		}
	}
}

// selectNextBox takes the next box of the prior to be moved.
func (t boxTurn) selectNextBox() tea.Cmd {
	for n := 1; n <= len(t.prior); n++ {
		if at := (t.index + n) % len(t.prior); t.prior[at].Distribution == preference.Box {
			t.selectBox(at)
			break
		}
	}
	return nil
}

// add adds a box in the middle of what is good, in place of a prior that aims nowhere or beside the others.
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
	for n, k := range t.axes() {
		lo, hi := t.feasible(k)
		from := max(min(0.6, hi-0.2), lo)
		t.box[2*n], t.box[2*n+1] = from, tidy(min(from+0.2, hi))
	}
	return t.moved()
}

// feasible are the least and the greatest outcome of an objective that a box may have within the objective's limits, in
// steps of a side.
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
	if hi-lo < minSide { // outside of what a box can have
		return front.MinBox, front.MaxBox
	}
	return lo, hi
}

// remove takes the box out of the prior, if it is not the only one.
func (t boxTurn) remove() tea.Cmd {
	rest := append(append(preference.Prior(nil), t.prior[:t.index]...), t.prior[t.index+1:]...)
	if len(rest.Boxes()) == 0 {
		return t.Say("the only box: F makes the prior flat, esc leaves it as it was")
	}
	t.prior, t.index = rest, 0
	t.selectNextBox()
	return t.preview()
}

// moved writes the box into the prior as it would be, and shows what that does to the weights.
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

// Overlay is the boxes over the outcomes.
func (b *BoxMode) Overlay(s mode.Scene) mode.Overlay {
	sides := front.Sides(b.prior, s.State, s.Outcomes.I, s.Outcomes.J)
	if b.viewIndex < len(sides) {
		sides[b.viewIndex] = b.box
	}
	return mode.Overlay{Boxes: sides, MovingBox: b.viewIndex}
}

// Status tells the box in the objectives' own units.
func (b *BoxMode) Status(s mode.Scene, w int) *layout.Box {
	if s.Outcomes == nil || s.Outcomes.Displayed == nil {
		return layout.Space(w, 1)
	}
	st, d := s.Style, drawing(s)
	parts, says := []string{st.Paint(st.Accent, "wanted")}, []string{}
	for n, k := range [2]int{s.Outcomes.I, s.Outcomes.J} {
		o := s.State.Problem.Objectives[k]
		from, to := d.Value(k, b.box[2*n]), d.Value(k, b.box[2*n+1])
		least, most := widget.Number(math.Min(from, to)), widget.Number(math.Max(from, to))
		parts = append(parts, st.Paint(st.Dim, o.Name)+" "+
			st.Paint(st.Text, fmt.Sprintf("%s to %s %s", least, most, o.Unit)))
		says = append(says, sanitize.Text(strings.TrimSpace(
			fmt.Sprintf("%s from %s to %s %s", o.Name, least, most, o.Unit))))
	}
	text := "What the box asks for as it stands: " + strings.Join(says, ", ")
	if free := b.free(s.State); free != "" {
		parts = append(parts, st.Paint(st.Dim, free+" free"))
		text += "; " + sanitize.Text(free) + " may be anything"
	}
	text += fmt.Sprintf(". It is a part from %.0f %% to %.0f %% of the first one's range, 100 %% being best. The "+
		"prior below shows what that would do; only enter makes it hold.", 100*b.box[0], 100*b.box[1])
	return layout.Text(w, " "+layout.ShortenIn(st, strings.Join(parts, "  "), w-2)).
		Number("what is wanted", "box", text)
}

// free names the objectives of which the box asks for nothing, of more than two: those of two are both shown.
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
