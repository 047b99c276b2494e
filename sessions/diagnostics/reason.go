package diagnostics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// ReasonKind says what decided a choice.
type ReasonKind string

// The kinds of reasons.
const (
	ReasonDesign      ReasonKind = "initial design"
	ReasonPerson      ReasonKind = "chosen by a person"
	ReasonImport      ReasonKind = "imported"
	ReasonRandom      ReasonKind = "drawn at random" // by a method without a model
	ReasonUnknown     ReasonKind = "not known"       // the method has no acquisition function
	ReasonFeasibility ReasonKind = "feasibility"     // no result meets all limits
	ReasonSample      ReasonKind = "sample"          // one drawn function decides
	ReasonWeights     ReasonKind = "weights"         // those of several objectives that were drawn for the step
	ReasonFront       ReasonKind = "front"           // that of several objectives grows
	ReasonLearn       ReasonKind = "learn"           // the evaluation teaches most
	ReasonNothing     ReasonKind = "nothing better expected"
	ReasonExploit     ReasonKind = "exploit"
	ReasonExplore     ReasonKind = "explore"
	ReasonBoth        ReasonKind = "exploit and explore"
	ReasonRefine      ReasonKind = "refine"      // the best result is near
	ReasonAcquisition ReasonKind = "acquisition" // it has the best value
)

// Reason answers why a point is the next one.
type Reason struct {
	Kind ReasonKind
	Text string // one sentence with the number that decides
}

// exploitShare and exploreShare are the shares of the predicted improvement in the expected improvement from which on a
// point is chosen for its mean, and up to which it is chosen for its uncertainty. They are those of a mean 0.77 and 0.3
// standard deviations better than the incumbent.
const (
	exploitShare = 2.0 / 3
	exploreShare = 1.0 / 3
)

// refineDistance is how near in the unit cube the best result is to a point that refines it.
const refineDistance = 0.05

// negligibleImprovement and negligibleSD are the expected improvement and the standard deviation, relative to the range
// of the results, below which nothing better is expected.
const (
	negligibleImprovement = 1e-4
	negligibleSD          = 1e-2
)

// likelyFeasible is the probability of meeting all limits from which on they are no part of the reason.
const likelyFeasible = 0.95

// reason is why the point was chosen.
func (t *explainer) reason() (Reason, error) {
	title, in := t.state.Spec.Title, t.in
	switch amount, step := t.chooser(); {
	case amount == sessions.ByPerson:
		return Reason{ReasonPerson, t.sentence("A person chose it", t.preferred())}, nil
	case amount == sessions.ByImport:
		return Reason{ReasonImport, "It comes from a file of earlier results, so no method chose it."}, nil
	case !t.state.Spec.NoBand && search.HasDesign(in) && step <= search.InitialCount(in):
		return Reason{ReasonDesign, t.sentence(fmt.Sprintf("It is point %d of %d of the initial design", step,
			search.InitialCount(in)), ", which covers the domain before the model is used")}, nil
	case t.r.Unavailable != "" && t.state.Spec.NoBand:
		return Reason{ReasonRandom, t.sentence("It is drawn at random from the whole domain", ": "+title+
			" has no model, and no point is better than another")}, nil
	case t.r.Unavailable != "":
		return Reason{ReasonUnknown, t.sentence(title+" chose it", ", but it has no acquisition function that would say why")}, nil
	}
	feasible, found, err := t.feasibility()
	if err != nil {
		return Reason{}, err
	}
	if !found {
		return Reason{ReasonFeasibility, t.sentence("To find a feasible point", fmt.Sprintf(": no result meets all limits yet, and it does so with a probability of %s", SharePercent(feasible)))}, nil
	}
	kind, lead, rest, err := t.motive()
	if err != nil {
		return Reason{}, err
	}
	if t.belief.Legend().PerCost {
		rest += ", at a cost of " + numfmt.Format(t.state.CostAt(t.r.Chosen.X))
	}
	if feasible < likelyFeasible {
		rest += fmt.Sprintf("; it is feasible with a probability of %s", SharePercent(feasible))
	}
	return Reason{kind, t.sentence(lead, rest)}, nil
}

// chooser is who chose the point, and the step that evaluates it, from 1.
func (t *explainer) chooser() (author string, step int) {
	st := t.state
	switch it := t.onRecord; {
	case it != nil:
		return it.By, it.Step
	case len(st.Pending) > 0:
		i := max(slices.IndexFunc(st.Pending, func(it sessions.Iteration) bool { return !it.HasResults() }), 0)
		return st.Pending[i].By, st.Pending[i].Step
	}
	return st.Spec.Name, t.in.Step + 1
}

// sentence joins the beginning of a sentence, which says whether the point is pending or one of several, and its end.
func (t *explainer) sentence(lead, rest string) string {
	if t.points > 1 {
		lead = fmt.Sprintf("The first of %d points. ", t.points) + lead
	}
	if t.onRecord == nil && len(t.state.Pending) > 0 {
		lead = "Its result is pending. " + lead
	}
	first, second, two := strings.Cut(lead, ". ")
	if two { // one sentence
		lead = first + "; " + strings.ToLower(second[:1]) + second[1:]
	}
	return lead + rest + "."
}

// preferred compares the point that a person chose with the best one of the method.
func (t *explainer) preferred() string {
	r, title := t.r, t.state.Spec.Title
	switch {
	case r.Unavailable != "":
		return ", not a method"
	case len(r.RunnersUp) == 0 || !t.better(r.RunnersUp[0].Acquisition.Value, r.Chosen.Acquisition.Value):
		return fmt.Sprintf(", and %s also finds no better one: the acquisition is %s here", title,
			numfmt.Format(r.Chosen.Acquisition.Value))
	}
	return fmt.Sprintf("; %s prefers %s, where the acquisition is %s instead of %s", title, t.place(r.RunnersUp[0].X),
		numfmt.Format(r.RunnersUp[0].Acquisition.Value), numfmt.Format(r.Chosen.Acquisition.Value))
}

// better reports whether an acquisition value is better than another.
func (t *explainer) better(a, b float64) bool { return a != b && (a < b) == t.r.Lower }

// maxPlaced is how many variables a point has at most that a sentence gives.
const maxPlaced = 3

// place names another point.
func (t *explainer) place(x []float64) string {
	if domain := t.state.Problem.Domain; len(domain) <= maxPlaced {
		return domain.Text(x)
	}
	return "another point"
}

// feasibility is the probability that the point meets all limits, 1 if there are none; found reports whether some
// result does.
func (t *explainer) feasibility() (probability float64, found bool, err error) {
	f := optimizers.FeasibilityFor(t.belief)
	if f == nil {
		return 1, true, nil
	}
	log, err := f.LogProbability(t.ctx, mat.NewDense(1, t.in.Dim, t.x))
	if err != nil {
		return 0, false, err
	}
	return math.Exp(log[0]), slices.Contains(f.FeasibleData(), true), nil
}

// motive is what decided the choice of a method: the kind, the beginning and the end of the sentence.
func (t *explainer) motive() (kind ReasonKind, lead, rest string, err error) {
	l, st := t.belief.Legend(), t.state
	several := len(st.Problem.Objectives) > 1
	switch owner, _ := t.belief.(optimizers.Scalarizer); {
	case t.r.DrawRank != nil:
		return ReasonSample, "A sample decides", t.drawText(l), nil
	case several && owner != nil && len(owner.Weights()) > 0:
		return ReasonWeights, "It is best for the weights that were drawn for this step", ": " +
			t.weightsText(owner.Weights(), numfmt.Format), nil
	case l.Learns:
		return ReasonLearn, "To learn", ": " + t.valueText(), nil
	case several:
		return ReasonFront, "To extend the Pareto front", ": " + t.valueText(), nil
	case len(t.unit.Mean) == 0 || t.in.Data.Len() == 0:
		return ReasonAcquisition, "It has the best acquisition", ": " + t.valueText(), nil
	}
	return t.balance()
}

// drawText says how typical the drawn function is.
func (t *explainer) drawText(l optimizers.Legend) string {
	d, certainty := t.r.DrawRank, ""
	switch {
	case d.Least >= exploitShare:
		certainty = ", so chance matters little"
	case d.Least <= exploreShare:
		certainty = ", so chance matters much"
	}
	return fmt.Sprintf(": the function that picks the point is best here, as %s of %d other %s are%s",
		SharePercent(d.Least), d.Total, l.Samples, certainty)
}

// maxWeights is how many weights a sentence gives.
const maxWeights = 3

// weightsText lists the largest weights.
func (t *explainer) weightsText(weights []float64, number func(float64) string) string {
	order := make([]int, len(weights))
	for k := range order {
		order[k] = k
	}
	if len(weights) > maxWeights {
		slices.SortStableFunc(order, func(a, b int) int {
			return map[bool]int{true: -1, false: 1}[weights[a] > weights[b]]
		})
		order = order[:maxWeights]
	}
	parts := make([]string, len(order))
	for i, k := range order {
		parts[i] = fmt.Sprintf("%s %s", t.state.Problem.Objectives[k].Name, number(weights[k]))
	}
	return joinWords(parts)
}

// valueText compares the acquisition at the point with the next best one.
func (t *explainer) valueText() string {
	name, end := t.r.Acquisition, "highest"
	for _, suffix := range []string{", higher is better", ", lower is better"} {
		name = strings.TrimSuffix(name, suffix)
	}
	if t.r.Lower {
		end = "lowest"
	}
	text := fmt.Sprintf("the %s is %s here, %s", name, end, numfmt.Format(t.r.Chosen.Acquisition.Value))
	if len(t.r.RunnersUp) > 0 {
		text += fmt.Sprintf(", and %s at the next best point", numfmt.Format(t.r.RunnersUp[0].Acquisition.Value))
	}
	return text
}

// balance says whether a point is chosen for its mean or for its uncertainty.
func (t *explainer) balance() (kind ReasonKind, lead, rest string, err error) {
	d, err := t.decide(numfmt.Format)
	if err != nil {
		return "", "", "", err
	}
	predicted := fmt.Sprintf(": the model predicts %s = %s here", t.state.Problem.Objectives[0].Name, d.predicted)
	reference, unsure := d.best+" at the best result", ", but is uncertain"
	switch d.kind {
	case ReasonNothing:
		predicted += ", and " + reference + "; stop, or evaluate it to be sure"
	case ReasonExploit:
		predicted += ", better than the " + reference
	case ReasonRefine:
		predicted += ", and " + reference
	case ReasonExplore:
		predicted += fmt.Sprintf(", %s %s", map[bool]string{true: "hardly better than the",
			false: "not better than the"}[d.better], reference) + unsure
	default:
		predicted += ", better than the " + reference + unsure
	}
	return d.kind, leads[d.kind], predicted, nil
}

// leads are the beginnings of the sentences for the kinds of a decision.
var leads = map[ReasonKind]string{ReasonNothing: "Nothing better is expected", ReasonExploit: "To exploit",
	ReasonRefine: "To refine the best result, which is near", ReasonExplore: "To explore", ReasonBoth: "To exploit and explore"}

// decision is what decides for a point by its prediction and the one at the best result.
type decision struct {
	kind      ReasonKind
	predicted string // with its standard deviation
	best      string // the mean at the best result
	better    bool   // the mean is better than that
}

// decide says whether a point is chosen for its mean or for its uncertainty, by the share of the predicted improvement
// in its expected improvement. The numbers are written by number.
func (t *explainer) decide(number func(float64) string) (d decision, err error) {
	best, apart, err := t.incumbent()
	if err != nil {
		return d, err
	}
	mean, sd := t.unit.Mean[0], t.unit.SD[0]
	expected, share := normdist.ExpectedImprovement(mean, sd, best), 0.0
	if z := (best - mean) / sd; mean < best {
		share = (best - mean) * math.Exp(normdist.LogCDF(z)) / expected
	}
	g := t.state.Problem.Objectives[0].Transform()
	d = decision{kind: ReasonBoth, best: number(g.Invert(best)), better: mean < best,
		predicted: number(g.Invert(mean)) + g.FormatSD(g.Invert(mean), sd, number)}
	switch {
	case expected < negligibleImprovement*t.spread() && sd < negligibleSD*t.spread():
		d.kind = ReasonNothing
	case share >= exploitShare:
		d.kind = ReasonExploit
	case apart <= refineDistance:
		d.kind = ReasonRefine
	case share <= exploreShare:
		d.kind = ReasonExplore
	}
	return d, nil
}

// maxIncumbents is the number of results, those with the best values, of which one has the best mean.
const maxIncumbents = 50

// incumbent is the smallest mean at the results that meet all limits, of the minimized objective, and the distance of
// the point from that result in the unit cube.
func (t *explainer) incumbent() (best, apart float64, err error) {
	var met []bool
	if f := optimizers.FeasibilityFor(t.belief); f != nil {
		met = f.FeasibleData()
	}
	values := t.in.Data.Column(0)
	var rows []int
	for i := range values {
		if i >= len(met) || met[i] {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	rows = rows[:min(len(rows), maxIncumbents)]
	best = math.Inf(1)
	if len(rows) == 0 {
		return best, 0, nil
	}
	x := mat.NewDense(len(rows), t.in.Dim, nil)
	for i, row := range rows {
		x.SetRow(i, t.in.Data.X.RawRowView(row))
	}
	bands, err := t.belief.Predict(t.ctx, x)
	if err != nil {
		return 0, 0, err
	}
	for i, m := range bands[0].Mean {
		if m < best {
			best = m
			apart, _ = inspection.Separation(t.in, t.x, x.RawRowView(i))
		}
	}
	return best, apart, nil
}

// spread is the range of the results, of the minimized objective.
func (t *explainer) spread() float64 {
	values := t.in.Data.Column(0)
	return slices.Max(values) - slices.Min(values)
}
