package lessonpage

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/picture"
)

// commonQuantities are the quantities of all pictures, or of all pictures of the inputs.
var commonQuantities = map[string]quantity{
	"regret":   {"the simple regret", onAny, (*claimPage).regret},
	"gained":   {"the decrease of the simple regret in the last step", onAny, (*claimPage).gained},
	"best":     {"the best value of the first objective so far", onAny, (*claimPage).best},
	"steps":    {"iterations", onAny, func(p *claimPage) float64 { return float64(len(p.state.Iterations)) }},
	"cost":     {"the cost of all evaluations", onAny, (*claimPage).cost},
	"warnings": {"warnings in the status line", onAny, (*claimPage).warned},
	"alerts":   {"warnings in the status line", onOutcomes, (*claimPage).warned},
	"truth": {"1 if the true function is drawn, else 0", onLine | onPlane, func(p *claimPage) float64 {
		return one(p.scene.Reveal)
	}},

	"points": {"results on the plot", onLine | onPlane, func(p *claimPage) float64 {
		return float64(p.points())
	}},
	"acquisition": {"1 if the acquisition is drawn, else 0", onLine | onPlane, func(p *claimPage) float64 {
		return one(p.acquires())
	}},
	"lowest-mean": {"the distance of the next point from the best posterior mean, as a share of the domain",
		onLine | onPlane, func(p *claimPage) float64 { return p.away(picture.MeanField) }},

	"next": {"next points on the plot", onLine | onPlane, func(p *claimPage) float64 {
		return float64(len(p.next()))
	}},
	"next-spread": {"the spread of the next batch, as a share of the domain", onLine | onPlane,
		func(p *claimPage) float64 { return p.span(p.next()) }},
	"last-spread": {"the spread of the last batch, as a share of the domain", onLine | onPlane,
		func(p *claimPage) float64 { return p.span(p.last().Inputs()) }},
	"gap": {"the distance of the next point from the nearest observation, as a share of the domain",
		onLine | onPlane, (*claimPage).gap},
	"moved-next": {"the distance of the next point from that of the previous page, as a share of the domain",
		onLine | onPlane, (*claimPage).movedNext},
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// next returns the next points on the plot; none if they are hidden.
func (p *claimPage) next() [][]float64 {
	if p.visible == nil {
		return nil
	}
	return p.visible.Next
}

// acquires reports whether the acquisition is shown.
func (p *claimPage) acquires() bool { return !p.visible.Fields[picture.AcquisitionField].Empty() }

// chosen returns the next point, shown or hidden; nil if there is none.
func (p *claimPage) chosen() []float64 {
	if len(p.report.Next) == 0 {
		return nil
	}
	return p.report.Next[0]
}

// observed returns the inputs of all results.
func (p *claimPage) observed() (x [][]float64) {
	for _, it := range p.state.Iterations {
		for _, pt := range it.Points {
			if !pt.Failed {
				x = append(x, pt.X)
			}
		}
	}
	return x
}

func (p *claimPage) last() sessions.Iteration {
	if n := len(p.state.Iterations); n > 0 {
		return p.state.Iterations[n-1]
	}
	return sessions.Iteration{}
}

// distance is the distance of two points as a share of the domain; in the unit cube for several variables.
func (p *claimPage) distance(a, b []float64) float64 {
	return floats.Distance(p.state.Problem.Domain.ToUnit(a), p.state.Problem.Domain.ToUnit(b), 2)
}

// span is the greatest distance of two points of a batch.
func (p *claimPage) span(batch [][]float64) (most float64) {
	for i, a := range batch {
		for _, b := range batch[:i] {
			most = max(most, p.distance(a, b))
		}
	}
	return most
}

func (p *claimPage) gap() float64 {
	next, least := p.chosen(), math.Inf(1)
	if next == nil || len(p.observed()) == 0 {
		return math.NaN()
	}
	for _, x := range p.observed() {
		least = min(least, p.distance(next, x))
	}
	return least
}

func (p *claimPage) movedNext() float64 {
	if p.previous == nil || p.previous.chosen() == nil || p.chosen() == nil {
		return math.NaN()
	}
	return p.distance(p.chosen(), p.previous.chosen())
}

func (p *claimPage) regret() float64 {
	t := report.TracesFor(p.state)
	if len(t.SimpleRegret) == 0 {
		return math.NaN()
	}
	return t.SimpleRegret[len(t.SimpleRegret)-1]
}

func (p *claimPage) gained() float64 {
	t := report.TracesFor(p.state)
	if n := len(t.SimpleRegret); n > 1 {
		return t.SimpleRegret[n-2] - t.SimpleRegret[n-1]
	}
	return math.NaN()
}

func (p *claimPage) best() float64 {
	if len(p.state.Problem.Objectives) > 1 {
		return math.NaN()
	}
	_, y, _, ok := p.state.Best()
	if !ok {
		return math.NaN()
	}
	return y
}

func (p *claimPage) cost() float64 { return p.state.TotalCost() }

func (p *claimPage) warned() float64 {
	return one(len(p.report.Legend.Warnings) > 0 || p.warning != "")
}
