package tree

import (
	"fmt"

	"bandscope/functions/hierarchy/theory"
	"bandscope/tui/explain"
)

// example is the theory at the β that is shown; false where it cannot be.
func (d drawing) example() (*theory.TwoLevel, bool) {
	two, err := theory.Example(d.beta)
	return two, err == nil && !d.asking
}

func (d drawing) tellRisks(p *explain.Part, charts []explain.Shown) []explain.Element {
	two, ok := d.example()
	if !ok {
		return waits(p)
	}
	mean := two.MeanRisk(two.LambdaE(d.beta))
	list := []explain.Element{p.Panel("embedding regularizer", fmt.Sprintf("Two levels of linear regressions: the risk of a child that is drawn to its root, %.4f at β = %s, beside least squares, %.4f. The nearer children are to the root, the more it helps.", mean, digitsShort(d.beta), two.OLS()))}
	list = append(list, explain.Together(charts, func(name string) (string, string) {
		switch name {
		case "root":
			return fmt.Sprintf("The risk of taking the root's own coefficients for a child that equals it, %.4f: what the risk goes to where children are the root.", two.Root()), "embedding regularizer"
		case "least squares":
			return fmt.Sprintf("The risk of least squares for each child by itself, %.4f, which knows nothing of the root.", two.OLS()), "embedding regularizer"
		case "with 6":
			return fmt.Sprintf("The bound of Theorem 6.1 with its proof mended, constants 6 and 6: %.3f at this β.", two.Bound(theory.Safe, d.beta)), "embedding regularizer"
		case "with 3":
			return fmt.Sprintf("The bound of Theorem 6.1 as it is printed, constants 3 and 6: %.3f at this β.", two.Bound(theory.Thesis, d.beta)), "embedding regularizer"
		case "regularized":
			return fmt.Sprintf("The risk with the weight that the theorem chooses for each β: %.4f at %s, where the dot is.", mean, digitsShort(d.beta)), "embedding regularizer"
		case "bound with 2 and 1":
		default:
			return "", ""
		}
		return fmt.Sprintf("The bound that the exact risk has, constants 2 and 1: %.3f at this β.", two.Bound(theory.Proven, d.beta)), "embedding regularizer"
	})...)
	for i, c := range charts {
		under := fmt.Sprintf("β, how far children are from the root, by factors; the line stands at %s, [ and ] move it.", digitsShort(d.beta))
		if i > 0 {
			under = fmt.Sprintf("λ_E, the weight of the regularizer, by factors; the line stands at %.4g, which the theorem chooses for β = %s.", two.LambdaE(d.beta), digitsShort(d.beta))
		}
		list = append(list, c.Axes("The risk of a child, by factors.", under)...)
	}
	return list
}

func (d drawing) tellTheory(p *explain.Part, _ []explain.Shown) []explain.Element {
	two, ok := d.example()
	if !ok {
		return waits(p)
	}
	text := p.Prose("the theory in numbers", "embedding regularizer", fmt.Sprintf("The risk, its bounds by Theorem 6.1 with several constants, where its proof fails, and what drawing the example %d times gives beside the formula: %.4f.", draws, two.MeanRisk(two.LambdaE(d.beta))), 0, len(p.Lines))
	text.Kind = explain.Number
	return []explain.Element{p.Panel("embedding regularizer", fmt.Sprintf("What the curves say at β = %s, in numbers.", digitsShort(d.beta))), text}
}
