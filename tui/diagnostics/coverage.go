package diagnostics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	optdiag "bandscope/optimizers/diagnostics"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// coverage draws how many results lie inside of each band, with the interval of that, against what is promised.
func (m *CheckPage) coverage(w, h int) *layout.Box {
	title, o := "inside of the bands, %", m.objective()
	if o == nil || o.Coverage == nil && o.DomainCoverage == nil {
		return layout.EmptyPanel(m.Style, title,
			"how many results lie inside of the bands of 50, 80 and 95 % stands here when each was left out", w, h,
			"coverage", "How often the bands of 50, 80 and 95 % hold what they promise.",
			"no result was left out yet, and the function itself is not known over the domain")
	}
	inside := func(c optdiag.Coverage) string {
		return fmt.Sprintf("%d of %d in that of %.0f %%", c.Inside, c.Total, 100*c.Nominal)
	}
	whole := "How often the bands hold what they promise"
	if o.Coverage != nil {
		whole += ", each result left out in its turn: " + each(o.Coverage, inside)
	} else {
		whole += " over the domain, at points of a sample: " + each(o.DomainCoverage, inside)
	}
	return m.drawn(title, m.coverageChart(), w, h, "coverage", whole+".", chart.Description{Marks: m.coverageMarks,
		Y: "The bands: " + each(orOver(o), func(c optdiag.Coverage) string {
			return fmt.Sprintf("%.0f", 100*c.Nominal)
		}) + " % are promised to lie inside, one line for each.",
		X: "Percent that lies inside of a band, from 0 to 100."})
}

// coverageMarks describes what the plot of the coverage draws.
func (m *CheckPage) coverageMarks(name string) (sentence, term string) {
	o := m.objective()
	switch name {
	case "results":
		worst := o.Coverage[0]
		for _, c := range o.Coverage {
			if math.Abs(c.Share()-c.Nominal) > math.Abs(worst.Share()-worst.Nominal) {
				worst = c
			}
		}
		verdict := "which so few results make by chance"
		if worst.Nominal < worst.Low || worst.Nominal > worst.High {
			verdict = map[bool]string{true: "too few for chance: it is too narrow",
				false: "too many for chance: it is too wide"}[worst.Share() < worst.Nominal]
		}
		return fmt.Sprintf("Which share of the results lies inside of each band. Farthest from its promise is the "+
			"band of %.0f %%: %.0f %% are inside, %s.", 100*worst.Nominal, 100*worst.Share(), verdict), "coverage"
	case "domain":
		return "How much of the function itself, which is known here, the bands hold over the whole domain: " +
			each(o.DomainCoverage, func(c optdiag.Coverage) string {
				return fmt.Sprintf("%.0f %% in that of %.0f %%", 100*c.Share(), 100*c.Nominal)
			}) + ". The results say this only where they are.", "coverage"
	case "promised":
		return "What the bands promise: " + each(orOver(o), func(c optdiag.Coverage) string {
			return fmt.Sprintf("%.0f %%", 100*c.Nominal)
		}) + ". What stands left of a diamond was promised more than was held: that band is too narrow.", "coverage"
	case "interval":
	default:
		return "", ""
	}
	return "Which shares such counts go with, by chance, at 95 %: " + each(o.Coverage, func(c optdiag.Coverage) string {
		return fmt.Sprintf("%.0f to %.0f %% for the band of %.0f %%", 100*c.Low, 100*c.High, 100*c.Nominal)
	}) + ". A band is wrong, not unlucky, where its promise lies outside.", "coverage"
}

// coverageChart is which share of the results lies inside of each band, and of the truth over the domain, beside what
// the band promises.
func (m *CheckPage) coverageChart() chart.Chart {
	st, o := m.Style, m.objective()
	levels := o.Coverage
	if levels == nil {
		levels = o.DomainCoverage
	}
	n := len(levels)
	bars := chart.Errors{Across: true, Color: st.Data, Name: "interval"}
	inside := chart.Points{Shape: theme.GlyphFilled, Color: st.Data, Name: "results"}
	over := chart.Points{Shape: theme.GlyphSquare, Color: st.Truth, Name: "domain"}
	promised := chart.Points{Shape: theme.GlyphDiamond, Color: st.Next, Name: "promised"}
	var marks []chart.Tick
	for l, c := range levels {
		y := float64(n - l)
		marks = slices.Insert(marks, 0, chart.Tick{Value: y, Label: fmt.Sprintf("%.0f", 100*c.Nominal)})
		promised.X, promised.Y = append(promised.X, 100*c.Nominal), append(promised.Y, y)
		if o.Coverage != nil {
			bars.At, bars.Lo, bars.Hi = append(bars.At, y), append(bars.Lo, 100*c.Low), append(bars.Hi, 100*c.High)
			inside.X, inside.Y = append(inside.X, 100*c.Share()), append(inside.Y, y)
		}
		if o.DomainCoverage != nil {
			over.X, over.Y = append(over.X, 100*o.DomainCoverage[l].Share()), append(over.Y, y)
		}
	}
	return chart.Chart{X: chart.Axis{Min: 0, Max: 100}, Y: chart.Axis{Min: 0.4, Max: float64(n) + 0.4, Marks: marks},
		Gutter: 5, Layers: []chart.Layer{bars, promised, over, inside}}
}

// each tells something of every level of coverage.
func each(levels []optdiag.Coverage, tell func(c optdiag.Coverage) string) string {
	parts := make([]string, len(levels))
	for i, c := range levels {
		parts[i] = tell(c)
	}
	return strings.Join(parts, ", ")
}

// orOver are the levels that are drawn.
func orOver(o *diagnostics.ObjectiveCheck) []optdiag.Coverage {
	if o.Coverage != nil {
		return o.Coverage
	}
	return o.DomainCoverage
}
