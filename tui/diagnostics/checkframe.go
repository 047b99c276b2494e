package diagnostics

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"

	"bandscope/sessions/safe"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// panel is a panel at the right: how many rows it needs of a height, none where it has nothing to say, and what it draws.
type panel struct {
	rows func(m *CheckPage, h int) layout.Rule
	draw func(m *CheckPage, w, h int) *layout.Box
}

// panels stand at the right, below each other.
var panels = []panel{
	{func(_ *CheckPage, h int) layout.Rule { return layout.Fixed(min(max(h*2/5, 9), 14)) }, (*CheckPage).coverage},
	{func(*CheckPage, int) layout.Rule { return layout.Rule{Min: 3, Flex: 1} }, (*CheckPage).histogram},
	{(*CheckPage).dependenceRows, (*CheckPage).dependence},
}

// Frame is the screen: the residuals and the alternatives at the left, the panels at the right.
func (m *CheckPage) Frame() *layout.Box {
	h := m.Height - 2
	across := layout.Split(m.Width, layout.Rule{Flex: 3}, layout.Rule{Min: 34, Flex: 2, Max: 76})
	left, right := across[0], across[1]
	upper := h * 11 / 20
	if m.report != nil { // what the list does not need is the plot's
		upper = max(upper, h-max(len(m.report.Alternatives)+4, 6))
	}
	rules := make([]layout.Rule, len(panels))
	for i, p := range panels {
		rules[i] = p.rows(m, h)
	}
	side := layout.New(right, 0)
	for i, rows := range layout.Split(h, rules...) {
		if rows > 0 {
			side.Below(panels[i].draw(m, right, rows))
		}
	}
	return layout.Column(layout.Row(layout.Column(m.residuals(left, upper), m.alternatives(left, h-upper)), side),
		m.status(), screen.KeysBox(m.Style, m.hinted(), m.Width))
}

// hinted are the keys that do something at the moment.
func (m *CheckPage) hinted() []key.Binding {
	return screen.Bindings(slices.DeleteFunc(checkCommands(), func(c screen.Command[*CheckPage]) bool { return c.Off != nil && c.Off(m) != "" }))
}

// status says what is asked, what went wrong, or how to read the rest.
func (m *CheckPage) status() *layout.Box {
	st := m.Style
	own := ""
	if o := m.objective(); o != nil && o.Alarm != "" {
		own = st.Paint(st.Warn, st.Plain("! "+o.Alarm))
	} else if m.report != nil && m.report.Unavailable == "" {
		way := "in closed form"
		if m.report.Refit {
			way = "by training again without each"
		}
		own = st.Paint(st.Dim, st.Plain("each result as the others expect it, "+way))
	}
	line := layout.Text(m.Width, m.Status.Line(st, m.jobs.Status(st.ASCII), own))
	if text := m.statusSays(); text != "" {
		line.Describe(layout.Prose, "status", "leave-one-out", layout.Static(text))
	}
	return line
}

// statusSays describes the status line; empty where nothing stands there.
func (m *CheckPage) statusSays() string {
	o := m.objective()
	switch said, _ := m.Status.Said(); {
	case said != "":
		return "The answer to the last key: " + said + "."
	case m.jobs.Busy():
		return "The model is being asked meanwhile; esc stops that, and what is shown stays."
	case o != nil && o.Alarm != "":
		return "A warning, which the explorer shows too while it holds: " + o.Alarm + "."
	case o == nil || m.report.Unavailable != "":
		return ""
	case m.report.Refit:
		return fmt.Sprintf("How the %s were left out: the model was trained again once without each of them.", screen.Counted(len(o.Data), "result"))
	}
	return fmt.Sprintf("How the %s were left out: by a formula from the one fit to all of them, which gives what a fit without each of them would, its parameters kept.", screen.Counted(len(o.Data), "result"))
}

// lacking is why no result was left out; empty where each was.
func (m *CheckPage) lacking() string {
	switch {
	case m.failed != "":
		return safe.Text(m.failed)
	case m.report == nil:
		return "asking the model…"
	case m.report.Refittable:
		return m.report.Unavailable + ": L does"
	}
	return m.report.Unavailable
}

// drawn is a chart in a panel below its legend, with what is told of them.
func (m *CheckPage) drawn(title string, c plot.Chart, w, h int, term, says string, told plot.Description) *layout.Box {
	return layout.Panel(m.Style, m.Style.Plain(title), c.WithLegend(w-2, h-2, 2, m.Style, told), w, h, false).Section(title, term, says)
}
