package functions

import (
	"math"
	"strings"
	"testing"
)

func TestParseCost(t *testing.T) {
	p := find(t, "branin", 0)
	for text, want := range map[string]float64{
		"3":                                3,
		"1 + exp(x1/10) * 2":               1 + 2*math.Exp(0.3),
		"max(x1, x2, 1)^2":                 49,
		"x1 > 0 ? sqrt(abs(x2) + 1) : 0.5": math.Sqrt(8),
		"min(2*pi, 1e9) + log(3) - 1/4":    2*math.Pi + math.Log(3) - 0.25,
		"floor(2.7) + ceil(0.1) + tanh(0)": 3,
	} {
		c, err := ParseCost(text, p)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := c.Func([]float64{3, 7}); math.Abs(got-want) > 1e-12 {
			t.Errorf("%q is %g at (3, 7), want %g", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                        "the cost",
		"1 +":                     "at character",
		"x3 + 1":                  "at character 1",
		"1 + foo(x1)":             "at character 5",
		`"a"`:                     "the cost",
		"x1 > 0":                  "the cost",
		"x1":                      "is -5 at x1 = -5, x2 = 0; it must be positive and finite everywhere",
		"1/(x1 - 10)^2":           "is +Inf at x1 = 10",
		"log(x2)":                 "is -Inf at x1 = -5, x2 = 0",
		"sqrt(x1)":                "is NaN at",
		"0":                       "is 0 at",
		strings.Repeat("1+", 600): "may have 1000 bytes",
		"map([1], #)":             "the cost",
		"(1..100000000)[3] + 1":   "is NaN at", // more memory than an expression may have
		"len(\"abc\")":            "at character",
	} {
		if _, err := ParseCost(text, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseCost(f *testing.F) {
	for _, text := range []string{"1 + exp(x1)", "x1 > 0 ? 1 : 2", "max(1, x2)^2", "1..5", "[1][0]"} {
		f.Add(text)
	}
	p := find(f, "branin", 0)
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseCost(text, p); err == nil {
			if v := c.Func([]float64{-5, 0}); !(v > 0) {
				t.Errorf("%q is accepted, and %g at a corner", text, v)
			}
		}
	})
}

// The costs of the problems are those of their sources, and positive.
func TestCosts(t *testing.T) {
	for name, c := range map[string]struct {
		x    []float64
		want float64
	}{
		"forrester-cost":  {[]float64{0.5}, 3.25},
		"branin-cost":     {[]float64{0, 3}, math.E},
		"branin-fidelity": {[]float64{1, 2, 3}, 20.085536923187668},
	} {
		p := find(t, name, 0)
		if got := p.Cost.Func(c.x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s costs %g at %v, want %g", name, got, c.x, c.want)
		}
		if err := p.Cost.check(p); err != nil {
			t.Error(err)
		}
	}
	p := find(t, "branin-fidelity", 0)
	if y, err := p.Evaluate([]float64{math.Pi, 2.275, 5}); err != nil || math.Abs(y[0]-p.Optimum.Value) > 1e-12 {
		t.Errorf("%v, %v", y, err)
	}
}
