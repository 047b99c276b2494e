package modelcheck

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
)

// dependenceRows are the rows of the panel, one for each variable; none where the sensitivity is not known.
func (m *CheckPage) dependenceRows(h int) layout.Rule {
	o := m.objective()
	if o == nil || o.First == nil && o.Lengthscales == nil && m.tooFew() == "" {
		return layout.Rule{}
	}
	rows := len(m.state.Problem.Domain) + 3
	if m.tooFew() != "" {
		rows = 2 + tooFewLines
	}
	return layout.Fixed(min(rows, (h-min(max(h*2/5, 9), 14))/2))
}

// tooFewLines are the lines of tooFew in the panel.
const tooFewLines = 3

// tooFew says that there are too few results to say which variables matter; empty if there are enough, and if the model
// says nothing of it anyway.
func (m *CheckPage) tooFew() string {
	if m.report.Unavailable != "" && !m.report.Refittable {
		return ""
	}
	return diagnostics.TooFewForImportances(m.state)
}

// dependenceColumns are the widths of the columns of the panel: the name, the bar, the shares and the lengthscale.
type dependenceColumns struct{ name, bar, share, total, length int }

// dependenceColumns divides a width among the columns.
func (m *CheckPage) dependenceColumns(w int) (c dependenceColumns) {
	o := m.objective()
	c.name = 4
	for j, v := range m.state.Problem.Domain {
		c.name = min(max(c.name, ansi.StringWidth(v.Name)), w/4)
		if o.Lengthscales != nil {
			c.length = max(c.length, ansi.StringWidth(o.Lengthscales[j]))
		}
	}
	c.bar = w - 2 - c.name - 3
	if c.length > 0 {
		c.bar -= c.length + 3
	}
	switch {
	case o.Importances != nil:
		c.share, c.total = len("100 % (10–100)"), 7
		if c.bar < c.share+c.total+6 {
			c.total = 0 // which the description has
		}
	case o.First != nil:
		c.share, c.total = 6, 7
	}
	c.bar = max(c.bar-c.share-c.total, 0)
	return c
}

// dependence draws the sensitivity to each variable, with intervals over functions that the model draws.
func (m *CheckPage) dependence(w, h int) *layout.Box {
	st := m.Style
	o := m.objective()
	domain := m.state.Problem.Domain
	title := "sensitivity of the mean"
	if o.Importances != nil {
		title = "importance of the variables"
	}
	if few := m.tooFew(); few != "" {
		return layout.EmptyPanel(st, title, few, w, h, "Sobol' index", "How sensitive the model is to each variable.", few)
	}
	body, c := layout.New(w-2, 0), m.dependenceColumns(w)
	if o.First != nil {
		head := layout.Fit("", c.name+1+c.bar) + " first"
		if o.Importances != nil {
			head = layout.Fit("", c.name+1+c.bar) + layout.Fit("  alone (90 %)", c.share)
		}
		if c.total > 0 {
			head += "  total"
		}
		if c.length > 0 {
			head += "  length"
		}
		body.Below(layout.Text(w-2, " "+st.Paint(st.Dim, st.Plain(head))).
			Prose("first, total", "Sobol' index", m.describeColumns()))
	}
	for j, v := range domain {
		body.Below(layout.Text(w-2, m.dependenceLine(j, c)).Number(v.Name, "Sobol' index",
			"The influence of "+v.Name+": "+m.dependsOn(j)))
	}
	first := 0
	for j := range domain {
		if o.First != nil && o.First[j] > o.First[first] {
			first = j
		}
	}
	return layout.Panel(st, title, body, w, h, false).
		Section(title, "Sobol' index", fmt.Sprintf("How sensitive the model of %s is to %s. For %s: %s", o.Name,
			map[bool]string{true: "its variable", false: "each of its variables"}[len(domain) == 1],
			domain[first].Name, m.dependsOn(first)))
}

// describeColumns describes the shares.
func (m *CheckPage) describeColumns() string {
	if m.objective().Importances == nil {
		return "The columns: the first-order and the total Sobol' index of each variable, its share of the mean's variance without (heavy bar) and with interactions (thin bar)."
	}
	return "The columns: the share of the variance that each variable explains alone, as the median (●) and an interval of 90 % (━) over functions that the model draws; and the total Sobol' index, its share of the mean's variance with interactions."
}

// dependenceLine is the line of a variable.
func (m *CheckPage) dependenceLine(j int, c dependenceColumns) string {
	st, o := m.Style, m.objective()
	line := " " + st.Paint(st.Text, layout.Fit(layout.ShortenIn(st, st.Plain(sanitize.Text(m.state.Problem.Domain[j].Name)),
		c.name), c.name)) + " "
	total := 0.0
	if o.First != nil {
		total = o.First[j]
		if o.Total != nil {
			total = max(o.Total[j], total)
		}
	}
	switch {
	case o.First == nil:
	case o.Importances != nil:
		i := o.Importances[j]
		if c.bar > 4 {
			line += chart.Bar{Low: i.Low, High: i.High, Mark: i.Median, Scale: chart.Scale{To: 1}}.Text(st, c.bar, st.Acquisition)
		}
		line += st.Paint(st.Dim, layout.Fit(st.Plain(fmt.Sprintf("%4.0f %% (%.0f–%.0f)", 100*i.Median, 100*i.Low, 100*i.High)),
			c.share))
		if c.total > 0 {
			line += st.Paint(st.Dim, fmt.Sprintf(" %4.0f %%", 100*total))
		}
	default:
		a, b := int(math.Round(o.First[j]*float64(c.bar))), int(math.Round(total*float64(c.bar)))
		bar := st.Paint(st.Acquisition, strings.Repeat(st.Plain("━"), a)) +
			st.Paint(st.Faint, strings.Repeat(st.Plain("─"), max(b-a, 0)))
		line += layout.Fit(bar, c.bar) + st.Paint(st.Dim, fmt.Sprintf("%4.0f %% %4.0f %%", 100*o.First[j], 100*total))
	}
	if c.length > 0 {
		line += st.Paint(st.Text, "  "+st.Plain(map[bool]string{true: "ℓ "}[o.First == nil]+o.Lengthscales[j]))
	}
	return line
}

// dependsOn describes how much the model depends on a variable.
func (m *CheckPage) dependsOn(j int) string {
	o := m.objective()
	var texts []string
	if o.Importances != nil {
		texts = append(texts, fmt.Sprintf("alone it explains %s of the variance of functions that the model draws",
			o.Importances[j]))
	}
	if o.First != nil {
		text := fmt.Sprintf("alone it explains %.0f %% of the variance of the mean", 100*o.First[j])
		if o.Total != nil {
			text += fmt.Sprintf(", with interactions %.0f %%", 100*max(o.Total[j], o.First[j]))
		}
		texts = append(texts, text)
	}
	if o.Lengthscales != nil && o.Lengthscales[j] != "" {
		texts = append(texts, fmt.Sprintf("its lengthscale is %s, the distance over which the function changes",
			o.Lengthscales[j]))
	}
	if texts == nil {
		return "it is not known."
	}
	return strings.Join(texts, "; ") + "."
}
