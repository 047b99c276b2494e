package diagnostics

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
)

// dependenceRows are the rows of the panel, one for each variable; none where the sensitivity is not known.
func (m *CheckPage) dependenceRows(h int) layout.Rule {
	if o := m.objective(); o == nil || o.First == nil && o.Lengthscales == nil {
		return layout.Rule{}
	}
	return layout.Fixed(min(len(m.state.Problem.Domain)+3, (h-min(max(h*2/5, 9), 14))/2))
}

// dependence draws the sensitivity of the mean to each variable.
func (m *CheckPage) dependence(w, h int) *layout.Box {
	st, o := m.Style, m.objective()
	title := "sensitivity of the mean"
	domain := m.state.Problem.Domain
	body := layout.New(w-2, 0)
	name, long := 4, 0
	for j, v := range m.state.Problem.Domain {
		name = min(max(name, len([]rune(v.Name))), w/4)
		if o.Lengthscales != nil {
			long = max(long, len([]rune(o.Lengthscales[j])))
		}
	}
	room := w - 2 - name - 3
	if long > 0 {
		room -= long + 3
	}
	if o.First != nil {
		room -= 13
		body.Below(layout.Text(w-2, " "+st.Paint(st.Dim,
			st.Plain(layout.Fit("", name+1+max(room, 0))+" first total"+map[bool]string{true: "  length"}[long > 0]))).
			Prose("first, total", "Sobol' index",
				"The columns: the first-order and the total Sobol' index of each variable, its share of the mean's "+
					"variance without (heavy bar) and with interactions (thin bar)."))
	}
	for j, v := range m.state.Problem.Domain {
		line := " " + st.Paint(st.Text, layout.Fit(layout.ShortenIn(st, st.Plain(sanitize.Text(v.Name)), name),
			name)) + " "
		if o.First != nil {
			total := o.First[j]
			if o.Total != nil {
				total = max(o.Total[j], total)
			}
			a, b := int(math.Round(o.First[j]*float64(max(room, 0)))), int(math.Round(total*float64(max(room, 0))))
			bar := st.Paint(st.Acquisition, strings.Repeat(st.Plain("━"), a)) +
				st.Paint(st.Faint, strings.Repeat(st.Plain("─"), max(b-a, 0)))
			line += layout.Fit(bar, max(room, 0)) +
				st.Paint(st.Dim, fmt.Sprintf("%4.0f %% %4.0f %%", 100*o.First[j], 100*total))
		}
		if long > 0 {
			line += st.Paint(st.Text, "  "+st.Plain(map[bool]string{true: "ℓ "}[o.First == nil]+o.Lengthscales[j]))
		}
		body.Below(layout.Text(w-2, line).Number(v.Name, "Sobol' index",
			"The influence of "+v.Name+" on the mean: "+m.dependsOn(j)))
	}
	first := 0
	for j := range domain {
		if o.First != nil && o.First[j] > o.First[first] {
			first = j
		}
	}
	return layout.Panel(st, title, body, w, h, false).
		Section(title, "Sobol' index", fmt.Sprintf("How sensitive the model's mean of %s is to %s. For %s: %s", o.Name,
			map[bool]string{true: "its variable", false: "each of its variables"}[len(domain) == 1],
			domain[first].Name, m.dependsOn(first)))
}

// dependsOn describes how much the mean depends on a variable.
func (m *CheckPage) dependsOn(j int) string {
	o := m.objective()
	var text string
	if o.First != nil {
		text += fmt.Sprintf("alone it explains %.0f %% of the variance", 100*o.First[j])
		if o.Total != nil {
			text += fmt.Sprintf(", with interactions %.0f %%", 100*max(o.Total[j], o.First[j]))
		}
	}
	if o.Lengthscales != nil && o.Lengthscales[j] != "" {
		text += map[bool]string{true: "; ", false: ""}[o.First != nil] +
			fmt.Sprintf("its lengthscale is %s, the distance over which the function changes", o.Lengthscales[j])
	}
	if text == "" {
		text = "it is not known"
	}
	return text + "."
}
