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

// Descriptions of preferences: boxes, weights, their prior, and the part of the front that it prefers.

// describePreference describes an entry of the legend of boxes and weights.
func (t Description) describePreference(name string) (sentence, term string) {
	switch name {
	case "preferred":
		return t.describeFrontProbability(), "prior over weights"
	case "target box":
		return t.describeBoxes(), "box"
	case "other boxes":
		return t.describeOtherBoxes(), "box"
	case "nearest to the box":
		return t.describeUnreached(), "box"
	case "more is possible":
		return t.describeExceeded(), "box"
	case "λ now":
		return t.describeWeights(), "weights"
	case "previous prior":
		return t.describePreviousPrior(), "prior over weights"
	case "a weight of 1/2":
		return "Three lines, on each of which one weight is 1/2. In the corner that a line cuts off, its objective counts more than the two others together.",
			"weights"
	}
	for k, o := range t.State.Problem.Objectives {
		if name == "λ of "+o.Name {
			return t.weight(k), "weights"
		}
	}
	return "", ""
}

// describeFrontProbability describes where on the front the prior puts its probability.
func (t Description) describeFrontProbability() string {
	o := t.Outcomes
	if len(o.Chance) == 0 {
		return ""
	}
	peak := 0
	for i, c := range o.Chance {
		if c > o.Chance[peak] {
			peak = i
		}
	}
	likely := 0.0
	for _, c := range o.Chance {
		if c > o.Chance[peak]/3 {
			likely += c
		}
	}
	drawn := "points of the heavy line"
	switch {
	case t.shadesFront() && len(t.State.Problem.Objectives) > 2:
		drawn = "brightest parts"
	case t.marksPreferred():
		drawn = "squares"
	}
	return fmt.Sprintf("The part of the front that the prior over weights prefers. Each draw of the weights makes one point the best. The %s are the best for %.0f %% of the draws; the most frequent, with %.0f %%, is %s.",
		drawn, 100*likely, 100*o.Chance[peak], t.outcome(o.Front[peak]))
}

// box writes the sides of a box.
func (t Description) box(b [4]float64) string {
	var parts []string
	for n, k := range [2]int{t.I, t.J} {
		if b[2*n] <= MinBox && b[2*n+1] >= MaxBox {
			parts = append(parts, "any "+sanitize.Text(t.objective(k).Name))
			continue
		}
		from, end := t.Value(k, b[2*n]), t.Value(k, b[2*n+1])
		parts = append(parts, fmt.Sprintf("%s %s to %s", sanitize.Text(t.objective(k).Name),
			widget.Number(min(from, end)), t.value(k, max(from, end))))
	}
	return strings.Join(parts, ", ")
}

// inside counts the results in a box, by the objectives along the axes.
func (t Description) inside(b [4]float64) (count, all int) {
	for _, r := range t.results(t.counts) {
		u, v := t.Outcome(t.I, r.y()[t.I]), t.Outcome(t.J, r.y()[t.J])
		all++
		if u >= b[0] && u <= b[1] && v >= b[2] && v <= b[3] {
			count++
		}
	}
	return count, all
}

// describeBoxes describes the boxes, or the one that is being moved.
func (t Description) describeBoxes() string {
	var parts []string
	for n, b := range t.Boxes {
		if (t.Moving < 0 || n == t.Moving) && len(parts) < 2 {
			count, all := t.inside(b)
			parts = append(parts, fmt.Sprintf("%s (%d of %d results are inside)", t.box(b), count, all))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := "The target box: " + parts[0]
	if len(parts) > 1 {
		text = fmt.Sprintf("%d target boxes: %s", len(t.Boxes), strings.Join(parts, "; "))
	}
	text += ". The prior prefers weights for which an outcome inside is the best."
	if t.Moving >= 0 {
		text += " The arrow keys move it; enter takes it."
	}
	return text
}

// describeOtherBoxes describes the boxes that are not being moved.
func (t Description) describeOtherBoxes() string {
	for n, b := range t.Boxes {
		if n != t.Moving {
			return fmt.Sprintf(
				"Another target box: %s. The arrow keys do not move it; tab selects the next box.",
				t.box(b))
		}
	}
	return ""
}

// describeUnreached describes the point that is nearest to a box that no front reaches.
func (t Description) describeUnreached() string {
	if len(t.Outcomes.Unreached) == 0 {
		return ""
	}
	return fmt.Sprintf(
		"The nearest outcome to the box: %s. None of the %d sampled fronts reaches the box, so the model considers it impossible.",
		t.outcome(t.Outcomes.Unreached[0].Nearest), len(t.Outcomes.FrontSamples))
}

// describeExceeded describes the point that is better than a box.
func (t Description) describeExceeded() string {
	if len(t.Outcomes.Exceeded) == 0 {
		return ""
	}
	low := t.Outcomes.Exceeded[0]
	return fmt.Sprintf(
		"An outcome that is better than the whole box: %s. %d of %d sampled fronts have such a point, so the box asks for less than is possible.",
		t.outcome(low.At), low.Fronts, len(t.Outcomes.FrontSamples))
}

// weights writes weights with the names of their objectives.
func (t Description) weights(w []float64) string {
	parts := make([]string, len(w))
	for k, v := range w {
		parts[k] = fmt.Sprintf("%s %.2g", sanitize.Text(t.objective(k).Name), v)
	}
	return strings.Join(parts, ", ")
}

// scalarization is the kind of scalarization; empty where that is not a parameter.
func (t Description) scalarization() string {
	name, _ := t.State.Params.ValueByRole(optimizers.RoleScalarization).(string)
	return name
}

// describeWeights describes the weights of this step.
func (t Description) describeWeights() string {
	w := t.Outcomes.Weights
	if w == nil {
		return ""
	}
	text := fmt.Sprintf(
		"The scalarization weights of this step, drawn from the prior: %s. They combine the objectives into one value",
		t.weights(w))
	if s := t.scalarization(); s != "" {
		text += " (" + s + ")"
	}
	return text + ", and the next point is where that value is best. The next step draws other weights."
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

// describePreviousPrior describes the prior before the last change.
func (t Description) describePreviousPrior() string {
	if t.Previous == nil || len(t.Previous.Scalarizations) == 0 || len(t.Outcomes.Scalarizations) == 0 {
		return ""
	}
	_, a, b := mean(t.Previous, 0)
	_, c, d := mean(t.Outcomes, 0)
	return fmt.Sprintf("Dotted: the prior before its last change or the last answer. The weight of %s was between %.2g and %.2g in 8 of 10 draws; now it is between %.2g and %.2g.",
		sanitize.Text(t.objective(0).Name), a, b, c, d)
}

// weight describes the distribution of one weight.
func (t Description) weight(k int) string {
	m, lo, hi := mean(t.Outcomes, k)
	if math.IsNaN(m) {
		return ""
	}
	return fmt.Sprintf("The probability density of the weight of %s. Its mean is %.2g; 8 of 10 draws are between %.2g and %.2g.",
		sanitize.Text(t.objective(k).Name), m, lo, hi)
}

// DescribeDensity describes the prior over the weights as a whole, or says why there is none.
func (t Description) DescribeDensity() string {
	o := t.Outcomes
	if o.Scalarizations == nil {
		return fmt.Sprintf("The place of the prior over weights. %s has none.", t.State.Spec.Title)
	}
	n, law := len(t.State.Problem.Objectives), ""
	if o.Prior != nil {
		law = " (" + brief(o.Prior.String()) + ")"
	}
	text := fmt.Sprintf("The prior over the weights%s: how important each objective is to you.", law)
	if m, lo, hi := mean(o, 0); n <= maxObjectives && !math.IsNaN(m) {
		text += fmt.Sprintf(" The weight of %s is %.2g on average, and between %.2g and %.2g in 8 of 10 draws.",
			sanitize.Text(t.objective(0).Name), m, lo, hi)
	}
	switch {
	case o.Particles > 0:
		text += fmt.Sprintf(" It is learned from %s; the effective sample size of its %d draws is %.0f.",
			widget.Count(len(t.State.Input().Answers), "answer"), o.Particles, o.Effective)
	case n == 3:
		text += " In a corner only one objective counts; in the middle all count equally."
	}
	if !t.State.Spec.UsesWeightPrior() {
		text += " It rates results, but this method does not use it to choose points."
	}
	return text
}

// DescribeAlong describes the part of the front that the prior prefers, along the objective of the x axis.
func (t Description) DescribeAlong() string {
	o := t.Outcomes
	order := make([]int, len(o.Front))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(o.Front[a][t.I], o.Front[b][t.I]) })
	sum := 0.0
	from := math.NaN()
	end := math.NaN()
	for _, i := range order {
		sum += o.Chance[i]
		if sum >= 0.1 && math.IsNaN(from) {
			from = o.Front[i][t.I]
		}
		end = o.Front[i][t.I]
		if sum >= 0.9 {
			break
		}
	}
	return fmt.Sprintf("The part of the front that the weights prefer, along %s: for 8 of 10 draws the best point has %s between %s and %s. The wider this range, the less is known about your preferences.",
		sanitize.Text(t.objective(t.I).Name), sanitize.Text(t.objective(t.I).Name), t.value(t.I, from),
		t.value(t.I, end))
}

// maxBrief is how many characters of a text that a person wrote are shown.
const maxBrief = 40

// brief is the beginning of a text that a person wrote.
func brief(text string) string {
	if r := []rune(sanitize.Text(text)); len(r) > maxBrief {
		return strings.TrimSpace(string(r[:maxBrief])) + "…"
	}
	return sanitize.Text(text)
}
