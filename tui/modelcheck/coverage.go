package modelcheck

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/optimizers/inspection"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// coverage draws the share of results inside each band, with its confidence interval, and the nominal coverage.
func (m *CheckPage) coverage(w, h int) *layout.Box {
	title, o := "coverage of the bands (%)", m.objective()
	if o == nil || o.Coverage == nil && o.DomainCoverage == nil {
		return layout.EmptyPanel(m.Style, title,
			"with leave-one-out predictions, this shows the share of results inside the 50, 80 and 95 % bands", w, h,
			"coverage", "How often results are inside the 50, 80 and 95 % bands.",
			"there are no leave-one-out predictions yet, and the true function is not known")
	}
	inside := func(c inspection.Coverage) string {
		return fmt.Sprintf("%d of %d in the %.0f %% band", c.Inside, c.Total, 100*c.Nominal)
	}
	whole := "How often the bands contain"
	if o.Coverage != nil {
		whole += " results that were left out: " + each(o.Coverage, inside)
	} else {
		whole += " the truth over the domain: " + each(o.DomainCoverage, inside)
	}
	whole += "."
	if m.report.Meaning != "" {
		whole += " " + m.report.Meaning
	}
	return m.drawn(title, m.coverageChart(), w, h, "coverage", whole, chart.Description{Marks: m.coverageMarks,
		Y: "The bands, by their nominal coverage: " + each(orOver(o), func(c inspection.Coverage) string {
			return fmt.Sprintf("%.0f", 100*c.Nominal)
		}) + " %.",
		X: "The observed coverage, from 0 to 100 %."})
}

// coverageMarks describes the marks of the coverage.
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
		verdict := "which can be chance with so few results"
		if worst.Nominal < worst.Low || worst.Nominal > worst.High {
			verdict = map[bool]string{true: "too few to be chance, so the band is too narrow",
				false: "too many to be chance, so the band is too wide"}[worst.Share() < worst.Nominal]
		}
		return fmt.Sprintf(
				"The share of the results inside each band. The %.0f %% band differs most from its nominal coverage: %.0f %% of the results are inside, %s.",
				100*worst.Nominal, 100*worst.Share(), verdict),
			"coverage"
	case "domain":
		return "The share of the domain where the bands contain the true function, which is known here: " +
			each(o.DomainCoverage, func(c inspection.Coverage) string {
				return fmt.Sprintf("%.0f %% for the %.0f %% band", 100*c.Share(), 100*c.Nominal)
			}) + ". The results show this only where they are.", "coverage"
	case "nominal":
		return "The nominal coverage of the bands: " + each(orOver(o), func(c inspection.Coverage) string {
			return fmt.Sprintf("%.0f %%", 100*c.Nominal)
		}) + ". If the results are left of the diamond, the band is too narrow.", "coverage"
	case "interval":
	default:
		return "", ""
	}
	return "The 95 % confidence intervals of the coverage: " + each(o.Coverage, func(c inspection.Coverage) string {
		return fmt.Sprintf("%.0f to %.0f %% for the %.0f %% band", 100*c.Low, 100*c.High, 100*c.Nominal)
	}) + ". A band whose nominal coverage is outside of its interval is miscalibrated.", "coverage"
}

// coverageChart are the shares of the results, and of the true function over the domain, inside each band, and the
// nominal coverage of the bands.
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
	nominal := chart.Points{Shape: theme.GlyphDiamond, Color: st.Next, Name: "nominal"}
	var marks []chart.Tick
	for l, c := range levels {
		y := float64(n - l)
		marks = slices.Insert(marks, 0, chart.Tick{Value: y, Label: fmt.Sprintf("%.0f", 100*c.Nominal)})
		nominal.X, nominal.Y = append(nominal.X, 100*c.Nominal), append(nominal.Y, y)
		if o.Coverage != nil {
			bars.At = append(bars.At, y)
			bars.Lo = append(bars.Lo, 100*c.Low)
			bars.Hi = append(bars.Hi, 100*c.High)
			inside.X, inside.Y = append(inside.X, 100*c.Share()), append(inside.Y, y)
		}
		if o.DomainCoverage != nil {
			over.X, over.Y = append(over.X, 100*o.DomainCoverage[l].Share()), append(over.Y, y)
		}
	}
	return chart.Chart{X: chart.Axis{Min: 0, Max: 100, Ends: [2]string{"0", "100"}}, Y: chart.Axis{Min: 0.4, Max: float64(n) + 0.4, Marks: marks},
		Gutter: 5, Layers: []chart.Layer{bars, nominal, over, inside}}
}

// each writes something for every level of coverage.
func each(levels []inspection.Coverage, tell func(c inspection.Coverage) string) string {
	parts := make([]string, len(levels))
	for i, c := range levels {
		parts[i] = tell(c)
	}
	return strings.Join(parts, ", ")
}

// orOver are the levels that are drawn.
func orOver(o *diagnostics.ObjectiveCheck) []inspection.Coverage {
	if o.Coverage != nil {
		return o.Coverage
	}
	return o.DomainCoverage
}
