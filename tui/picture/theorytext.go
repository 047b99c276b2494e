package picture

import (
	"fmt"

	"bandscope/optimizers"
	"bandscope/tui/widget"
)

// DescribeTheory describes a plot of the theory of a covariance function, the term of the glossary for it, and its
// axes; t is nil where there is none.
func DescribeTheory(t *optimizers.Theory, kind TheoryKind) (says, term, left, under string) {
	switch {
	case t == nil || kind != Evidence && len(t.Gain) == 0 || kind == Evidence && t.Evidence == nil:
		return "The theory of the covariance function. It is empty before there are data, and for a method without a covariance function.",
			"covariance function", "", ""
	case kind == Eigenvalues:
		v := t.Eigenvalues
		return fmt.Sprintf("The eigenvalues of the kernel matrix of %s, from the largest, %s, to the smallest, %s. The faster they fall, the fewer directions there are in which the results distinguish functions.",
				widget.Count(len(v), "result"), widget.Number(v[0]), widget.Number(v[len(v)-1])),
			"covariance function", "Eigenvalues on a logarithmic axis.",
			fmt.Sprintf("Their rank, 1 to %d.", len(v))
	case kind == Evidence:
		e := t.Evidence
		return fmt.Sprintf(
				"The log evidence of the results for every value of %s. The solid line is the value in use, %s; the dashed line is the best value, %s. The wider the peak, the less the data determine it.",
				e.Name, widget.Number(e.Current), widget.Number(e.Best)),
			"evidence", "The log marginal likelihood: 1 more is more probable by a factor of 2.7.",
			fmt.Sprintf("The decimal logarithm of %s, from %s to %s.", e.Name, widget.Number(e.At[0]),
				widget.Number(e.At[len(e.At)-1]))
	}
	v := t.Gain
	return fmt.Sprintf(
			"The information that the results give about the function, with %s: %s nats after %s. Where the curve flattens, more points like these would add little.",
			t.Noise, widget.Number(v[len(v)-1]), widget.Count(len(v), "result")),
		"information gain", "Information in nats (natural logarithms).",
		fmt.Sprintf("The number of results, 1 to %d.", len(v))
}
