package functions

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"bandscope/functions/expression"
)

// Cost is what an evaluation costs, λ(x) (Paria 2022, thesis, ch. 4): positive and finite everywhere in the domain.
type Cost struct {
	Text string // as it is shown, and of one that a person gave as it was given
	Func func(x []float64) float64
}

// costChecks is the number of inputs at which an expression is tried, in addition to the corners of the domain.
const costChecks = 4096

// ParseCost reads a cost that is an expression of the problem's variables by their names, such as "1 + exp(2*x1)":
// numbers, + - * / ^, comparisons with and, or, not and ? :, pi, exp, log, sqrt, abs, sin, cos, tanh, floor, ceil, min
// and max. There is nothing else in it; a choice is compared with one of its names: solvent == "water". The error says
// where the expression is wrong, or at which input the cost is not positive and finite.
func ParseCost(text string, p *Problem) (*Cost, error) {
	e, err := expression.ParseNumber("cost", text, p.Domain.expressionVariables())
	if err != nil {
		return nil, err
	}
	c := &Cost{Text: text, Func: e.Value}
	return c, c.check(p)
}

// InvalidCost replaces a recorded cost that cannot be read: its text is shown and its value is NaN everywhere, so that
// no more points are evaluated.
func InvalidCost(text string) *Cost {
	return &Cost{Text: strconv.QuoteToASCII(text), Func: func([]float64) float64 { return math.NaN() }}
}

// check tries a cost all over the domain.
func (c *Cost) check(p *Problem) error {
	for x := range p.Domain.trialPoints(costChecks) {
		if v := c.Func(x); !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("the cost %+q is %g at %s; it must be positive and finite everywhere", c.Text, v,
				p.Domain.Text(x))
		}
	}
	return nil
}

// costFamilies are the families whose evaluations do not all cost the same.
var costFamilies = []Family{
	{Name: "forrester-cost", Title: "Forrester with a cost",
		About:  "the global minimum lies where evaluations are expensive",
		Source: "Forrester, Sóbester & Keane 2008; the cost is ours", MinDim: 1, MaxDim: 1, DefaultDim: 1,
		New: func(int, uint64) Problem {
			p := forrester.New(1, 0)
			p.Cost = &Cost{"1 + 9 x^2", func(x []float64) float64 { return 1 + 9*x[0]*x[0] }}
			return p
		}},
	{Name: "branin-cost", Title: "Branin with a cost", About: "three minima of equal depth, one of which is cheap to evaluate",
		Source: library + "; the cost is ours", MinDim: 2, MaxDim: 2, DefaultDim: 2,
		New: func(int, uint64) Problem {
			p := branin.New(2, 0)
			p.Cost = &Cost{"exp((x1 + 5)/5)", func(x []float64) float64 { return math.Exp((x[0] + 5) / 5) }}
			return p
		}},
	{Name: "branin-fidelity", Title: "Branin with a fidelity",
		About:  "longer training lowers the error and costs exponentially more",
		Source: "Paria 2022 (thesis), §4.6; the thesis does not give the range of l, here [0, 5]", MinDim: 3,
		MaxDim: 3, DefaultDim: 3,
		New: func(int, uint64) Problem {
			dom := append(rect(-5, 10, 0, 15), Variable{Name: "l", Low: 0, High: 5})
			p := singleObjective(dom, at(0.39788735772973816-5, []float64{-math.Pi, 12.275, 5},
				[]float64{math.Pi, 2.275, 5},
				[]float64{3 * math.Pi, 2.475, 5}),
				func(x []float64) float64 { return Branin(x[0], x[1]) - x[2] })
			p.Fidelity = &Fidelity{"l", 5}
			p.Cost = &Cost{"exp(l)", func(x []float64) float64 { return math.Exp(x[2]) }}
			return p
		}},
}

// CostColumn is the name of the cost of an evaluation in tables: cost, unless a variable or a measured quantity has
// that name.
func (p *Problem) CostColumn() string {
	if slices.ContainsFunc(p.Domain, func(v Variable) bool { return v.Name == "cost" }) ||
		slices.ContainsFunc(p.Outputs(), func(o Objective) bool { return o.Name == "cost" }) {
		return "evaluation_cost"
	}
	return "cost"
}
