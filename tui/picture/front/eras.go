package front

import (
	"fmt"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// era is a run of suggestions under the same prior over weights.
type era struct {
	name  string // "2 dirichlet(16, 8)"
	prior string
	from  int // its first step
	steps int
}

// erasOf are the eras of the results, and the index of that of each iteration; nil if the prior has not changed.
func erasOf(st sessions.State) (list []era, index []int) {
	index = make([]int, len(st.Iterations))
	for i, it := range st.Iterations {
		if n := len(list); n == 0 || it.Prior != list[n-1].prior {
			list = append(list, era{name: fmt.Sprintf("%d %s", n+1, sanitize.Text(it.Prior)), prior: it.Prior, from: it.Step})
		}
		index[i] = len(list) - 1
		list[len(list)-1].steps++
	}
	if len(list) < 2 {
		return nil, nil
	}
	return list, index
}

// eraLayers are the results in the colour of their era, without colours as its number: filled if no other result
// dominates them. The newest has its own mark.
func (d Drawing) eraLayers(list []era, index []int) (layers []chart.Layer) {
	st, dominated := d.Style, d.Dominated()
	short := func(e int) string { return fmt.Sprintf("era %d", e+1) }
	points := make([][2]chart.Points, len(list)) // nondominated, dominated
	for e := range points {
		color := st.Series[e%len(st.Series)]
		points[e][0] = chart.Points{Shape: theme.GlyphFilled, Color: color, Name: list[e].name, Short: short(e)}
		points[e][1] = chart.Points{Shape: theme.GlyphHollow, Color: color, Name: list[e].name, Short: short(e)}
	}
	for i, it := range d.State.Iterations {
		for b, pt := range it.Points {
			if pt.Failed || !d.State.Feasible(it, b) || i == len(d.State.Iterations)-1 {
				continue
			}
			x, y := d.place(pt.Y)
			if st.Tier == theme.NoColor {
				layers = append(layers, chart.Label{X: x, Y: y, Text: fmt.Sprint((index[i] + 1) % 10), Color: st.Data,
					Name: list[index[i]].name, Short: short(index[i])})
				continue
			}
			p := &points[index[i]][0]
			if dominated[i][b] {
				p = &points[index[i]][1]
			}
			p.X, p.Y = append(p.X, x), append(p.Y, y)
		}
	}
	for e := range points { // the nondominated ones in front
		layers = append(layers, points[e][1])
	}
	for e := range points {
		layers = append(layers, points[e][0])
	}
	return layers
}

// describeEra describes the results of an era.
func (t Description) describeEra(name string) string {
	list, _ := erasOf(t.State)
	for _, e := range list {
		if e.name == name {
			return fmt.Sprintf("Results that were chosen under the prior %s: %s from step %d on. Filled marks are not dominated by any other result.",
				strings.TrimSuffix(sanitize.Text(e.prior), "."), widget.Count(e.steps, "step"), e.from)
		}
	}
	return ""
}
