package front

import (
	"testing"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/theme"
)

// The axis shows all that it must, what is near to that, and not what is far; with few observations all of them.
func TestFocus(t *testing.T) {
	o := functions.Objective{Name: "f"}
	must, others := []float64{2, 12}, []float64{0.5, 14, 90}
	for _, c := range []struct {
		observed int
		lo, hi   float64 // what the axis must hold
		most     float64 // and its greatest extent
	}{
		{20, 0.5, 14, 17}, {3, 0.5, 90, 120},
	} {
		a := focus(o, must, others, c.observed)
		if a.Min > c.lo || a.Max < c.hi || a.Max-a.Min > c.most {
			t.Errorf("after %d observations the axis goes from %g to %g", c.observed, a.Min, a.Max)
		}
	}
	if a := focus(o, []float64{3}, others, 20); a.Min > 0.5 || a.Max < 90 {
		t.Errorf("one value alone gives an axis from %g to %g", a.Min, a.Max)
	}
}

// The axes show both outcomes of a question, also one that is far from the others.
func TestAxesShowTheQuestion(t *testing.T) {
	d := outcomeDrawing(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 1}, 12)
	for _, far := range [][]float64{{1e4, 1}, {1, 1e4}} {
		d.Question = [][]float64{{1, 2}, far}
		c := d.Chart()
		if c.X.Max < far[0] || c.Y.Max < far[1] {
			t.Errorf("the axes end at %g and %g, and the question is about %v", c.X.Max, c.Y.Max, far)
		}
	}
}

// An outcome beyond an edge has an arrow at this edge, the vertical axis after the horizontal one; one within has none.
func TestBeyondSide(t *testing.T) {
	for _, c := range []struct {
		u, v float64
		want theme.Glyph
		ok   bool
	}{
		{-0.1, 0.5, theme.GlyphLeft, true}, {1.1, 0.5, theme.GlyphRight, true}, {0.5, -0.1, theme.GlyphDown, true},
		{0.5, 1.1, theme.GlyphTriangle, true}, {1.5, 1.5, theme.GlyphRight, true}, {0, 1, 0, false},
	} {
		if got, ok := beyondSide(c.u, c.v); got != c.want || ok != c.ok {
			t.Errorf("the arrow to %g, %g is %v, %v", c.u, c.v, got, ok)
		}
	}
}
