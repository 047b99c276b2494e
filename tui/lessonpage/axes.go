package lessonpage

import (
	"fmt"
	"maps"
	"slices"

	"bandscope/sessions/report"
)

// brokenAxes returns the shared axes that the page extends, because a value is outside the range.
func (p *claimPage) brokenAxes(number int, title string) (broken []FalseClaim) {
	t := report.AllTracesFor(p.state)
	values := map[string][]float64{"simple": t.SimpleRegret, "cumulative": t.CumulativeRegret, "best": t.Best}
	if p.pictureKind() == onLine {
		values["y"] = p.drawing.Values()
	}
	if o := t.Multiobjective; o != nil {
		values["hypervolume"] = o.Hypervolume
		values["bayes"] = o.BayesRegret
		values["share"] = o.BoxShare
	}
	if p.report.Theory != nil && p.report.Theory.Evidence != nil {
		values["evidence"] = []float64{slices.Max(p.report.Theory.Evidence.Log)}
	}
	values["simple"] = slices.DeleteFunc(slices.Clone(values["simple"]), func(v float64) bool { return v <= 0 })
	values["iterations"] = []float64{float64(max(len(p.state.Iterations), 1))}
	for _, name := range slices.Sorted(maps.Keys(p.scene.Axes)) {
		r := p.scene.Axes[name]
		low, high, ok := p.scene.Axes.Range(name, values[name]...)
		if ok && (low != r[0] || high != r[1]) {
			broken = append(broken, FalseClaim{number, title, fmt.Sprintf("axis %s %g..%g", name, r[0], r[1]),
				fmt.Sprintf("the values reach from %.4g to %.4g", low, high)})
		}
	}
	return broken
}
