package studyreport

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

func look(methods ...string) MethodStyle {
	return MethodStyle{Style: theme.New(true, theme.TrueColor, false), Methods: methods, Labels: methods, Selected: -1}
}

// of are the layers of a chart of one kind.
func of[L chart.Layer](c chart.Chart) (list []L) {
	for _, l := range c.Layers {
		if l, ok := l.(L); ok {
			list = append(list, l)
		}
	}
	return list
}

func TestLetters(t *testing.T) {
	for n, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA"} {
		assert.Equal(t, want, Letter(n), "%d", n)
	}
	l := look(make([]string, 12)...)
	var seen []string
	for k := range 12 { // a colour and a line are there once
		key := fmt.Sprint(l.Color(k), l.Line(k))
		assert.False(t, slices.Contains(seen, key), "method %d looks like another", k)
		seen = append(seen, key)
	}
}

// Regrets are drawn by factors, with those of zero at the bottom; what is greater is better is turned back, with its
// quartiles.
func TestCurves(t *testing.T) {
	nan := math.NaN()
	regrets := []stats.Band{{At: []float64{1, 2, 3}, Median: []float64{nan, 1, 0}, Low: []float64{nan, 0.5, 0},
		High: []float64{nan, 2, 0.1}, Mean: []float64{nan, 1.5, 0.2}, Student: []float64{nan, 0.5, 0.3}}}
	about := stats.Problem{Name: "branin", Measure: study.SimpleRegret, Quantity: "simple regret", Sign: 1,
		Axis: stats.Evaluations, End: 5}
	prints := look("a").Prints([]study.PublishedNumber{{Problem: "branin", Method: "a", Value: 7},
		{Problem: "branin", Method: "a", Value: 8, Evaluations: 2}, {Method: "theirs", Value: 1},
		{Method: "a", Measure: study.BestValue, Value: 1}, {Problem: "ackley:2", Method: "a"}}, about)
	if want := []PrintedPoint{{0, 5, 7}, {0, 2, 8}}; !slices.Equal(prints, want) {
		t.Errorf("%v", prints)
	}
	c, ok := look("a").Curves(about, regrets, false, prints, true)
	if !ok || !c.Y.Log || !c.X.Integer || c.X.Max != 5 || c.Y.Min >= 0.1 || c.Y.Max < 8 ||
		c.Y.Label != "simple regret" {
		t.Errorf("%+v", c)
	}
	if y := of[chart.Curve](c)[0].Y; !math.IsNaN(y[0]) || y[1] != 1 || y[2] != c.Y.Min {
		t.Errorf("%v", y)
	}
	if points := of[chart.Points](c); len(points) != 2 || len(of[chart.Band](c)) != 1 ||
		of[chart.Label](c)[0].Text != "A" {
		t.Errorf("%+v", c.Layers)
	}
	if c, _ := look("a").Curves(about, regrets, true, nil, false); of[chart.Curve](c)[0].Y[1] != 1.5 ||
		len(c.Layers) != 1 {
		t.Errorf("%+v", c.Layers)
	}
	about.Measure, about.Sign = study.Hypervolume, -1
	volumes := []stats.Band{{At: []float64{1, 2}, Median: []float64{-3, -4}, Low: []float64{-3.5, -5},
		High: []float64{-2, -3}, Mean: []float64{-3, -4}, Student: []float64{nan, nan}}}
	c, ok = look("a").Curves(about, volumes, false, nil, true)
	if b := of[chart.Band](c)[0]; !ok || c.Y.Log || !slices.Equal(b.Lo, []float64{2, 3}) ||
		!slices.Equal(b.Hi, []float64{3.5, 5}) || !slices.Equal(of[chart.Curve](c)[0].Y, []float64{3, 4}) {
		t.Errorf("%+v", c)
	}
	if _, ok := look("a").Curves(about, []stats.Band{{}}, false, nil, true); ok {
		t.Error("nothing is drawn")
	}
}

// Of many methods the chosen one has a band; where none is chosen, each has bars.
func TestManyMethods(t *testing.T) {
	l := look("a", "b", "c", "d", "e")
	bands := slices.Repeat([]stats.Band{{At: []float64{1, 2, 3}, Median: []float64{3, 2, 1}, Low: []float64{2, 1, 0.5},
		High: []float64{4, 3, 2}}}, 5)
	about := stats.Problem{Name: "branin", Measure: study.SimpleRegret, Quantity: "simple regret", Sign: 1,
		Axis: stats.Evaluations, End: 3}
	c, _ := l.Curves(about, bands, false, nil, true)
	if len(of[chart.Band](c)) != 0 || len(of[chart.Errors](c)) != 5 {
		t.Errorf("%+v", c.Layers)
	}
	l.Selected = 2
	c, _ = l.Curves(about, bands, false, nil, true)
	if b := of[chart.Band](c); len(b) != 1 || b[0].Name != "C c" || len(of[chart.Errors](c)) != 0 {
		t.Errorf("%+v", c.Layers)
	}
}

func TestRanks(t *testing.T) {
	c, ok := look("a", "b").Ranks([]stats.Ranking{{Part: 0.5},
		{Part: 1, Blocks: 2, Mean: []float64{1.2, 1.8}, HalfWidth: []float64{0.5, math.NaN()}}})
	curves, bands := of[chart.Curve](c), of[chart.Band](c)
	if !ok || len(curves) != 2 || !slices.Equal(curves[1].X, []float64{100}) || curves[1].Y[0] != 1.2 ||
		bands[1].Lo[0] != 1 || bands[1].Hi[0] != 1.7 || bands[0].Lo[0] != 1.8 {
		t.Errorf("%+v", c)
	}
	if _, ok := look("a").Ranks([]stats.Ranking{{Part: 1, Blocks: 2, Mean: []float64{1}, HalfWidth: []float64{0}}}); ok {
		t.Error("one method is ranked")
	}
}

func TestStaircases(t *testing.T) {
	c, ok := look("a", "b").Staircases([]stats.StepFunction{{Method: 0, At: []float64{1, 4}, Share: []float64{0.5, 1}},
		{Method: 1, At: []float64{2}, Share: []float64{0.25}}}, "across", "share")
	curves := of[chart.Curve](c)
	if !ok || c.X.Min != 1 || c.X.Max != 4 || !c.X.Log || !slices.Equal(curves[1].X, []float64{1, 1, 4, 4, 4}) ||
		!slices.Equal(curves[1].Y, []float64{0, 0.5, 0.5, 1, 1}) ||
		!slices.Equal(curves[0].X, []float64{1, 2, 2, 4}) || !slices.Equal(curves[0].Y, []float64{0, 0, 0.25, 0.25}) {
		t.Errorf("%+v", c)
	}
	if _, ok := look("a").Staircases([]stats.StepFunction{{}}, "", ""); ok {
		t.Error("nothing is drawn")
	}
}
