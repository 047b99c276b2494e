package lessonpage

import (
	"math"
	"slices"

	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/tui/picture/front"
)

// objectiveQuantities are the quantities of pages about several objectives.
var objectiveQuantities = map[string]quantity{
	"hypervolume": {"the hypervolume of the outcomes", onOutcomes, func(p *claimPage) float64 {
		return final(p.outcomes.Traces.Hypervolume)
	}},
	"gained-volume": {"the increase of the hypervolume since the previous page", onOutcomes,
		(*claimPage).gainedVolume},
	"bayes": {"the Bayes regret under the prior", onOutcomes, func(p *claimPage) float64 {
		return final(p.outcomes.Traces.BayesRegret)
	}},
	"nondominated": {"nondominated outcomes", onOutcomes, func(p *claimPage) float64 {
		return float64(p.dominated(false))
	}},
	"dominated": {"dominated outcomes", onOutcomes, func(p *claimPage) float64 {
		return float64(p.dominated(true))
	}},
	"next-f1": {"the posterior mean of the first objective at the next point", onOutcomes,
		func(p *claimPage) float64 { return p.expected(0) }},
	"next-f2": {"the posterior mean of the second objective at the next point", onOutcomes,
		func(p *claimPage) float64 { return p.expected(1) }},
	"newest-f1": {"the first objective of the newest outcome", onOutcomes, (*claimPage).newest},
	"queried":   {"outcomes of points that the reader chose", onOutcomes, (*claimPage).queried},
	"front-samples": {"samples of the front", onOutcomes, func(p *claimPage) float64 {
		return float64(len(p.outcomes.FrontSamples))
	}},
	"front-gap": {"the longest part of the front without an outcome, as a share of the front", onOutcomes,
		(*claimPage).frontGap},
	"reached": {"tenths of the front that the prior prefers", onOutcomes, (*claimPage).reached},
	"end-probability": {"the probability that the prior gives to the first and the last twentieth of the front",
		onOutcomes, (*claimPage).ends},
	"mean-preferred": {"the mean first objective of the preferred outcomes", onOutcomes, (*claimPage).lean},
	"mean-last":      {"the mean first objective of the last four outcomes", onOutcomes, (*claimPage).lastLean},
	"balanced": {"the share of the last four outcomes that are better by a tenth of the front's range than its worst in every objective",
		onOutcomes, (*claimPage).between},
	"moved-prior": {"how much of the probability that the prior puts on the front lies elsewhere than on the page before",
		onOutcomes, (*claimPage).movedAim},
	"answers": {"answers that count", onOutcomes, func(p *claimPage) float64 {
		return float64(len(p.state.Input().Answers))
	}},
	"tchebyshev": {"the probability of a Tchebyshev scalarization, rather than a linear one",
		onOutcomes, (*claimPage).tchebyshev},
	"question-outcomes": {"outcomes that are marked as a question", onOutcomes, func(p *claimPage) float64 {
		return float64(len(p.scene.Overlay.Question))
	}},
	"unreached": {"boxes of the prior that no sample of the front reaches", onOutcomes,
		func(p *claimPage) float64 { return float64(len(p.outcomes.Unreached)) }},
	"exceeded": {"boxes of the prior that most samples of the front exceed", onOutcomes,
		func(p *claimPage) float64 { return float64(len(p.outcomes.Exceeded)) }},
}

func final(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return v[len(v)-1]
}

// expected is where the next point is drawn.
func (p *claimPage) expected(objective int) float64 {
	if len(p.outcomes.Expected) == 0 {
		return math.NaN()
	}
	return p.outcomes.Expected[0][objective]
}

func (p *claimPage) newest() float64 {
	if len(p.last().Points) == 0 {
		return math.NaN()
	}
	return p.last().Points[0].Y[0]
}

func (p *claimPage) gainedVolume() float64 {
	if p.previous == nil || p.previous.outcomes == nil {
		return math.NaN()
	}
	was, now := final(p.previous.outcomes.Traces.Hypervolume), final(p.outcomes.Traces.Hypervolume)
	return now - was
}

// dominated counts the outcomes that are, or are not.
func (p *claimPage) dominated(yes bool) (n int) {
	dominated := front.Drawing{State: p.state, Outcomes: p.outcomes}.Dominated()
	for i, it := range p.state.Iterations {
		for b := range it.Points {
			if p.state.Feasible(it, b) && dominated[i][b] == yes {
				n++
			}
		}
	}
	return n
}

func (p *claimPage) queried() (n float64) {
	for _, it := range p.state.Iterations {
		if it.By == sessions.ByPerson {
			n++
		}
	}
	return n
}

// outcome is what values of all objectives are as outcomes, by the range of the picture.
func (p *claimPage) outcome(y []float64) []float64 {
	return p.state.Outcome(y, p.outcomes.Lo, p.outcomes.Hi)
}

// lineQuantities are the places of the points of a front of two objectives lineQuantities its length, from 0 to 1, in
// order of the first objective, and which points they are.
func (p *claimPage) along() (positions []float64, order []int) {
	front := p.outcomes.Front
	u := make([][]float64, len(front))
	order = make([]int, len(front))
	for i, y := range front {
		u[i], order[i] = p.outcome(y), i
	}
	slices.SortFunc(order, func(a, b int) int {
		if u[a][0] < u[b][0] {
			return -1
		}
		return 1
	})
	positions = make([]float64, len(front))
	for i := 1; i < len(order); i++ {
		a, b := u[order[i-1]], u[order[i]]
		positions[i] = positions[i-1] + math.Hypot(a[0]-b[0], a[1]-b[1])
	}
	for i := range positions {
		positions[i] /= positions[len(positions)-1]
	}
	return positions, order
}

// share is the probability that the prior puts on a part of the front's length.
func (p *claimPage) share(from, end float64) (chance float64) {
	if p.outcomes.Chance == nil {
		return math.NaN()
	}
	positions, order := p.along()
	for i, place := range positions {
		if from <= place && (place < end || end == 1) {
			chance += p.outcomes.Chance[order[i]]
		}
	}
	return chance
}

// reached counts the tenths of the front's length on each of which the prior puts a hundredth of its probability or
// more.
func (p *claimPage) reached() (tenths float64) {
	for k := range 10 {
		tenths += one(p.share(float64(k)/10, float64(k+1)/10) >= 0.01)
	}
	return tenths
}

func (p *claimPage) ends() float64 { return p.share(0, 0.05) + p.share(0.95, 1) }

func (p *claimPage) lean() (mean float64) {
	for i, y := range p.outcomes.Front {
		mean += p.outcomes.Chance[i] * p.outcome(y)[0]
	}
	return mean
}

func (p *claimPage) lastLean() float64 {
	return p.ofLast(func(u []float64) float64 { return u[0] })
}

// ofLast is a mean over the outcomes of the last four iterations.
func (p *claimPage) ofLast(measure func(u []float64) float64) float64 {
	sum, count := 0.0, 0.0
	for _, it := range p.state.Iterations[max(len(p.state.Iterations)-4, 0):] {
		for _, pt := range it.Points {
			sum, count = sum+measure(p.outcome(pt.Judged())), count+1
		}
	}
	return sum / count
}

func (p *claimPage) tchebyshev() (share float64) {
	for _, s := range p.outcomes.Scalarizations {
		share += one(s.Kind != weights.Linear)
	}
	return share / float64(len(p.outcomes.Scalarizations))
}

func (p *claimPage) movedAim() (moved float64) {
	if p.previous == nil || p.previous.outcomes == nil || len(p.previous.outcomes.Chance) != len(p.outcomes.Chance) {
		return math.NaN()
	}
	for i, c := range p.outcomes.Chance {
		moved += math.Abs(c-p.previous.outcomes.Chance[i]) / 2
	}
	return moved
}

// frontGap finds for each nondominated outcome the point of the front that is nearest to it, and the longest way
// between two such.
func (p *claimPage) frontGap() float64 {
	positions, order := p.along()
	places := []float64{0, 1}
	isDominated := front.Drawing{State: p.state, Outcomes: p.outcomes}.Dominated()
	for i, it := range p.state.Iterations {
		for b, pt := range it.Points {
			if isDominated[i][b] || !p.state.Feasible(it, b) {
				continue
			}
			u := p.outcome(pt.Y)
			nearest := math.Inf(1)
			place := 0.0
			for k, front := range order {
				v := p.outcome(p.outcomes.Front[front])
				if distance := math.Hypot(u[0]-v[0], u[1]-v[1]); distance < nearest {
					nearest, place = distance, positions[k]
				}
			}
			places = append(places, place)
		}
	}
	slices.Sort(places)
	gap := 0.0
	for i := 1; i < len(places); i++ {
		gap = max(gap, places[i]-places[i-1])
	}
	return gap
}

func (p *claimPage) between() float64 {
	return p.ofLast(func(u []float64) float64 { return one(slices.Min(u) > 0.1) })
}
