package picture

import (
	"fmt"

	"bandscope/optimizers"
	"bandscope/tui/widget"
)

// DescribeTheory tells a plot of what a covariance function says of the data, the term of the glossary for it, and its
// axes; t is nil where there is none.
func DescribeTheory(t *optimizers.Theory, kind TheoryKind) (says, term, left, under string) {
	switch {
	case t == nil || kind != Evidence && len(t.Gain) == 0 || kind == Evidence && t.Evidence == nil:
		return "What the covariance function says of the data: there is nothing to tell before there are data, or of " +
			"a method without one.", "covariance function", "", ""
	case kind == Eigenvalues:
		v := t.Eigenvalues
		return fmt.Sprintf("The eigenvalues of the kernel matrix of %s, the greatest first: %s down to %s. The "+
				"faster they fall, the fewer directions there are in which the results can tell functions apart.",
				widget.Count(len(v), "result"), widget.Number(v[0]), widget.Number(v[len(v)-1])),
			"covariance function", "Eigenvalues on a logarithmic axis: equal distances are equal factors.",
			fmt.Sprintf("Their order, 1 to %d.", len(v))
	case kind == Evidence:
		e := t.Evidence
		return fmt.Sprintf("How probable the results are for every value of %s: the solid line is the value in use, "+
				"%s, the broken one the most probable, %s. The wider the peak, the less the data say of it.", e.Name,
				widget.Number(e.Current), widget.Number(e.Best)),
			"evidence", "Logarithms of the marginal likelihood: higher by 1 is more probable by a factor of 2.7.",
			fmt.Sprintf("%s, its decimal logarithm: from %s to %s.", e.Name, widget.Number(e.At[0]),
				widget.Number(e.At[len(e.At)-1]))
	}
	v := t.Gain
	return fmt.Sprintf("How much the results tell of the function, with %s: %s nats after %s. Where the curve "+
			"flattens, more points like these would tell little that is new.", t.Noise, widget.Number(v[len(v)-1]),
			widget.Count(len(v), "result")),
		"information gain", "Information in nats, each the logarithm to the base e.",
		fmt.Sprintf("How many results are taken, 1 to %d.", len(v))
}
