package modes

import (
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"

	"bandscope/model/preference"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// Keys move the peak of the prior, raise it and widen it; a Dirichlet prior is taken as it is, and another one is taken
// by its mean.
func TestKeysDrawThePrior(t *testing.T) {
	for _, c := range []struct{ problem, prior, keys, want string }{
		{"thesis-xy", "", "", "flat"},
		{"thesis-xy", "", "right", "dirichlet(4.3, 3.7)"},
		{"thesis-xy", "", "left shift+left", "dirichlet(3.6, 4.4)"},
		{"thesis-xy", "dirichlet(16, 8)", "", "dirichlet(16, 8)"},
		{"thesis-xy", "dirichlet(3)", "", "dirichlet(3, 3)"},
		{"thesis-xy", "dirichlet(3)", "]", "dirichlet(4, 4)"},
		{"thesis-xy", "dirichlet(3)", "up down down", "dirichlet(2.3, 2.3)"},
		{"thesis-xy", "dirichlet(1.4)", "[ [", "flat"},
		{"thesis-xy", "0.5 dirichlet(30, 10) + 0.5 dirichlet(30, 10)", "", "dirichlet(30, 10)"},
		{"dtlz2-k3", "", "up", "dirichlet(2.9, 2.9, 3.3)"},
		{"dtlz2-k3", "", "right right", "dirichlet(2.4, 3.6, 3)"},
		{"dtlz2-k4", "", "tab right", "dirichlet(2.4, 2.8, 2.4, 2.4)"},
	} {
		_, s := boxScene(t, c.problem, c.prior)
		m := &WeightMode{}
		modetest.Start(m, s)
		modetest.Press(m, s, strings.Fields(c.keys)...)
		got := m.prior.String()
		if len(m.prior) == 1 && strings.Contains(c.prior, "+") { // from draws
			alpha := m.prior[0].Alpha
			assert.InDelta(t, 3, alpha[0]/alpha[1], 0.3, "%s is taken as %s", c.prior, got)
			assert.InDelta(t, 40, alpha[0]+alpha[1], 8, "%s is taken as %s", c.prior, got)
		} else if got != c.want {
			t.Errorf("%s, %s after %q: the prior is %s, want %s", c.problem, c.prior, c.keys, got, c.want)
		}
		m.Stop()
	}
	_, s := boxScene(t, "thesis-xy", "")
	m := &WeightMode{}
	modetest.Start(m, s)
	actions := modetest.Press(m, s, "right", "enter")
	set, ok := actions[len(actions)-2].(SetPrior)
	if !ok || set.Text != "dirichlet(4.3, 3.7)" {
		t.Errorf("enter requests %+v", actions)
	}
	s.Outcomes = nil
	assert.Equal(t, []widget.Action{mode.Say{Text: "a prior over weights needs several objectives and the outcomes view (d)"}},
		modetest.Start(NewWeightMode(), s))
	single := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 2))
	single.Outcomes = &mode.Outcomes{}
	if text := modetest.Start(NewWeightMode(), single); len(text) != 1 {
		t.Errorf("with one objective it starts with %+v", text)
	}
}

// priorHit is a place of the plot of a prior, in 60×20 cells.
func priorHit(s mode.Scene, c chart.Chart, message func(tea.Mouse) tea.MouseMsg, col, row int) widget.Hit {
	plot := c.Box(60, 20, s.Style, chart.Description{})
	plot.Name = front.PriorName
	return widget.Hit{MouseMsg: message(tea.Mouse{X: col, Y: row}), Path: layout.Arrange(plot, 60, 20).PathAt(col, row)}
}

// The mouse draws the peak of two weights where it is on the plot: its place and its height are those of the density.
func TestMouseDrawsThePrior(t *testing.T) {
	click := func(m tea.Mouse) tea.MouseMsg { return tea.MouseClickMsg(m) }
	motion := func(m tea.Mouse) tea.MouseMsg { return tea.MouseMotionMsg(m) }
	_, s := boxScene(t, "thesis-xy", "")
	c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 5}}
	m := &WeightMode{}
	modetest.Start(m, s)
	for _, place := range [][2]int{{20, 10}, {45, 4}, {30, 1}} {
		at := priorHit(s, c, motion, place[0], place[1])
		if place[0] == 20 {
			modetest.Take(m, s, priorHit(s, c, click, place[0], place[1]))
		} else {
			modetest.Take(m, s, at)
		}
		_, want := at.Value()
		assert.InDelta(t, want[0], m.peak[0], 1e-9, "the peak")
		got := preference.Prior{{Share: 1, Distribution: preference.Dirichlet, Alpha: m.alpha()}}.Density(m.peak, false, nil)
		assert.InDelta(t, want[1], got, 0.05*want[1], "the height of %s", m.prior)
	}
	modetest.Take(m, s, widget.Hit{MouseMsg: tea.MouseReleaseMsg{}})
	before := m.prior.String()
	modetest.Take(m, s, priorHit(s, c, motion, 10, 10))
	assert.Equal(t, before, m.prior.String(), "the mouse draws without its button")
	m.Stop()

	_, s = boxScene(t, "dtlz2-k3", "")
	m = &WeightMode{}
	modetest.Start(m, s)
	c = chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}}
	at := priorHit(s, c, click, 30, 12)
	modetest.Take(m, s, at)
	_, v := at.Value()
	for k, want := range front.TriangleWeights(v[0], v[1]) {
		if math.Abs(m.peak[k]-want) > 0.02 {
			t.Errorf("weight %d of the peak is %g, want %g", k, m.peak[k], want)
		}
	}
	m.Stop()
}
