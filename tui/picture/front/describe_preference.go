package front

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// What is told of where a person aims: boxes, weights, their prior, and what of the front it is for.

// describePreference tells what stands under a name in the legend of boxes and weights.
func (t Description) describePreference(name string) (sentence, term string) {
	switch name {
	case "aimed at":
		return t.describeFrontProbability(), "prior over weights"
	case "wanted":
		return t.describeBoxes(), "box"
	case "wanted beside":
		return t.describeOtherBoxes(), "box"
	case "nearest to the box":
		return t.describeUnreached(), "box"
	case "more can be had":
		return t.describeExceeded(), "box"
	case "λ now":
		return t.describeWeights(), "weights"
	case "before":
		return t.describePreviousPrior(), "prior over weights"
	case "a weight of 1/2":
		return "Three lines along which one of the weights is a half. In the corner that a line cuts off, its " +
			"objective counts more than the two others together.", "weights"
	}
	for k, o := range t.State.Problem.Objectives {
		if name == "λ of "+o.Name {
			return t.weight(k), "weights"
		}
	}
	return "", ""
}

// describeFrontProbability tells where on the front the prior puts its probability.
func (t Description) describeFrontProbability() string {
	o := t.Outcomes
	if len(o.Chance) == 0 {
		return ""
	}
	at := 0
	for i, c := range o.Chance {
		if c > o.Chance[at] {
			at = i
		}
	}
	likely := 0.0
	for _, c := range o.Chance {
		if c > o.Chance[at]/3 {
			likely += c
		}
	}
	return fmt.Sprintf("Where on the front the prior aims: under any weights drawn from it one point of the front is "+
		"best. The squares, the likeliest, have %.0f %% of the draws; most, %.0f %%, are for %s.", 100*likely,
		100*o.Chance[at], t.outcome(o.Front[at]))
}

// box tells the sides of a box.
func (t Description) box(b [4]float64) string {
	var parts []string
	for n, k := range [2]int{t.I, t.J} {
		if b[2*n] <= MinBox && b[2*n+1] >= MaxBox {
			parts = append(parts, "any "+sanitize.Text(t.objective(k).Name))
			continue
		}
		from, to := t.Value(k, b[2*n]), t.Value(k, b[2*n+1])
		parts = append(parts, fmt.Sprintf("%s %s to %s", sanitize.Text(t.objective(k).Name),
			widget.Number(min(from, to)), t.value(k, max(from, to))))
	}
	return strings.Join(parts, ", ")
}

// inside counts the results in a box, as far as it is seen along the axes.
func (t Description) inside(b [4]float64) (count, all int) {
	for _, r := range t.results(t.counts) {
		u, v := t.Outcome(t.I, r.y()[t.I]), t.Outcome(t.J, r.y()[t.J])
		if all++; u >= b[0] && u <= b[1] && v >= b[2] && v <= b[3] {
			count++
		}
	}
	return count, all
}

// describeBoxes tells the boxes, or of several that are moved the one in front.
func (t Description) describeBoxes() string {
	var parts []string
	for n, b := range t.Boxes {
		if (t.Moving < 0 || n == t.Moving) && len(parts) < 2 {
			count, all := t.inside(b)
			parts = append(parts, fmt.Sprintf("%s (%d of %d results lie in it)", t.box(b), count, all))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := "The box of outcomes that are wanted: " + parts[0]
	if len(parts) > 1 {
		text = fmt.Sprintf("%d boxes of outcomes that are wanted: %s", len(t.Boxes), strings.Join(parts, "; "))
	}
	text += ". The prior is of the weights under which such an outcome is best."
	if t.Moving >= 0 {
		text += " The arrow keys move it, enter takes it."
	}
	return text
}

// describeOtherBoxes tells the boxes that are not moved.
func (t Description) describeOtherBoxes() string {
	for n, b := range t.Boxes {
		if n != t.Moving {
			return fmt.Sprintf("Another box of wanted outcomes, which is not the one that is moved: %s. Tab takes "+
				"the next one.", t.box(b))
		}
	}
	return ""
}

// describeUnreached tells what comes nearest to a box that is out of reach.
func (t Description) describeUnreached() string {
	if len(t.Outcomes.Unreached) == 0 {
		return ""
	}
	return fmt.Sprintf("What comes nearest to the box: %s. None of the %d drawn fronts reaches it, so more is wanted "+
		"than the model holds to be possible.", t.outcome(t.Outcomes.Unreached[0].Nearest),
		len(t.Outcomes.FrontSamples))
}

// describeExceeded tells what is better than a box.
func (t Description) describeExceeded() string {
	if len(t.Outcomes.Exceeded) == 0 {
		return ""
	}
	low := t.Outcomes.Exceeded[0]
	return fmt.Sprintf("Better than all of the box: %s. %d of %d drawn fronts have such a point, so the box asks for "+
		"less than can be had.", t.outcome(low.At), low.Fronts, len(t.Outcomes.FrontSamples))
}

// weights are weights with the names of what they are of.
func (t Description) weights(w []float64) string {
	parts := make([]string, len(w))
	for k, v := range w {
		parts[k] = fmt.Sprintf("%s %.2g", sanitize.Text(t.objective(k).Name), v)
	}
	return strings.Join(parts, ", ")
}

// scalarization is how weights make one value of the objectives; empty where that is not a parameter.
func (t Description) scalarization() string {
	name, _ := t.State.Params.ValueByRole(optimizers.RoleScalarization).(string)
	return name
}

// describeWeights tells the weights of this step.
func (t Description) describeWeights() string {
	w := t.Outcomes.Weights
	if w == nil {
		return ""
	}
	text := fmt.Sprintf("The weights of this step, drawn from what is shaded: %s. They make one value of the "+
		"objectives", t.weights(w))
	if s := t.scalarization(); s != "" {
		text += " (" + s + ")"
	}
	return text + ", and the next point is where that is best; the next step draws others."
}

// mean is the mean of a weight, and the middle 80 % of it, over drawn ones.
func mean(o *Outcomes, k int) (m, lo, hi float64) {
	all := make([]float64, len(o.Scalarizations))
	for i, s := range o.Scalarizations {
		all[i] = s.Weights[k]
		m += s.Weights[k] / float64(len(all))
	}
	if len(all) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	slices.Sort(all)
	return m, all[len(all)/10], all[len(all)*9/10]
}

// describePreviousPrior tells the prior before the last change.
func (t Description) describePreviousPrior() string {
	if t.Previous == nil || len(t.Previous.Scalarizations) == 0 || len(t.Outcomes.Scalarizations) == 0 {
		return ""
	}
	_, a, b := mean(t.Previous, 0)
	_, c, d := mean(t.Outcomes, 0)
	return fmt.Sprintf("Dotted, as it was before the last change of the prior or the last answer: the weight of %s "+
		"was between %.2g and %.2g in 8 of 10 draws, and is between %.2g and %.2g now.",
		sanitize.Text(t.objective(0).Name), a, b, c, d)
}

// weight tells the law of one weight.
func (t Description) weight(k int) string {
	m, lo, hi := mean(t.Outcomes, k)
	if math.IsNaN(m) {
		return ""
	}
	return fmt.Sprintf("How probable each weight of %s is: %.2g on average, in 8 of 10 draws from %.2g to %.2g.",
		sanitize.Text(t.objective(k).Name), m, lo, hi)
}

// DescribeDensity tells the prior over the weights as a whole, or why there is none.
func (t Description) DescribeDensity() string {
	o := t.Outcomes
	if o.Scalarizations == nil {
		return fmt.Sprintf("Here the prior over weights would stand, but %s has none.", t.State.Spec.Title)
	}
	n, law := len(t.State.Problem.Objectives), ""
	if o.Prior != nil {
		law = " (" + brief(o.Prior.String()) + ")"
	}
	text := fmt.Sprintf("The prior over the weights%s: how much each objective may count to you.", law)
	if m, lo, hi := mean(o, 0); n <= maxObjectives && !math.IsNaN(m) {
		text += fmt.Sprintf(" That of %s is %.2g on average, %.2g to %.2g in 8 of 10 draws.",
			sanitize.Text(t.objective(0).Name), m, lo, hi)
	}
	switch {
	case o.Particles > 0:
		text += fmt.Sprintf(" It was learned from %s: of %d drawn weights as if %.0f were left (N_eff).",
			widget.Count(len(t.State.Input().Answers), "answer"), o.Particles, o.Effective)
	case n == 3:
		text += " In a corner one objective alone counts, in the middle all alike."
	}
	if !t.State.Spec.UsesWeightPrior() {
		text += " It judges results, and does not steer this method."
	}
	return text
}

// DescribeAlong tells where on the front the prior aims, along the objective of the x axis.
func (t Description) DescribeAlong() string {
	o := t.Outcomes
	order := make([]int, len(o.Front))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(o.Front[a][t.I], o.Front[b][t.I]) })
	sum, from, to := 0.0, math.NaN(), math.NaN()
	for _, i := range order {
		if sum += o.Chance[i]; sum >= 0.1 && math.IsNaN(from) {
			from = o.Front[i][t.I]
		}
		if to = o.Front[i][t.I]; sum >= 0.9 {
			break
		}
	}
	return fmt.Sprintf("Which parts of the front the weights are for, along %s: 8 of 10 of them are for points with "+
		"%s between %s and %s. The wider that is, the less is known of what you want.",
		sanitize.Text(t.objective(t.I).Name), sanitize.Text(t.objective(t.I).Name), t.value(t.I, from),
		t.value(t.I, to))
}

// maxBrief is how many characters of what a person wrote are told.
const maxBrief = 40

// brief is the beginning of what a person wrote.
func brief(text string) string {
	if r := []rune(sanitize.Text(text)); len(r) > maxBrief {
		return strings.TrimSpace(string(r[:maxBrief])) + "…"
	}
	return sanitize.Text(text)
}
