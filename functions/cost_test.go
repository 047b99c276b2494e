package functions

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	long := strings.Repeat("exp(0*x1)+", 99) + "1"
	if c, err := ParseCost(long, p); err != nil || c.Func([]float64{3, 7}) != 100 {
		t.Errorf("a long expression: %v", err)
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
		strings.Repeat("1+", 600): "has 1200 bytes; the maximum is 1000",
		"map([1], #)":             "the cost",
		"(1..9)":                  `at character 3: ".." is not allowed`,
		"len(x1)":                 `"len" is not allowed in a cost; use numbers, the variables (x1, x2)`,
		"count(1..900, {all(1..900, {# > 0})}) + 1": `at character 15: '{' is not allowed`,
		"1 + sum(x1..x2)":      "is not allowed",
		"reduce(1..9, x1)":     "is not allowed",
		"let a = 1; a":         `';' is not allowed`,
		"$env":                 "is not allowed",
		"x1.y":                 "is not allowed",
		"exp(exp)":             "at character",
		"nil ?: 1":             "is not allowed",
		"true ? 1 : 2":         `"true" is not allowed`,
		"x1 in x2 ? 1 : 2":     "is not allowed",
		"1 // \x1b[2J":         `'\x1b' is not allowed`,
		"1 // x":               "comments are not allowed",
		"1 /* x */":            "comments are not allowed",
		`x1 == "\x1b" ? 1 : 2`: "is not allowed",
		"1 + \u200bx1":         `'\u200b' is not allowed`,
	} {
		if _, err := ParseCost(text, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// An input with the names of its variables, of many the first four.
func TestInputsAreNamed(t *testing.T) {
	for d, want := range map[int]string{
		1: "x = 1", 4: "x1 = 1, x2 = 2, x3 = 3, x4 = 4", 5: "x1 = 1, x2 = 2, x3 = 3, x4 = 4, x5 = 5",
		6: "x1 = 1, x2 = 2, x3 = 3, x4 = 4, …"} {
		assert.Equal(t, want, Box(d, 0, 9).Text([]float64{1, 2, 3, 4, 5, 6}[:d]), "%d variables", d)
	}
}

// A cost is tried in every corner and at many inputs between: a small hole is found.
func TestCostsAreTriedAllOver(t *testing.T) {
	p := find(t, "hartmann:3", 0)
	for _, text := range []string{
		"x1 > 0.999 and x2 > 0.999 and x3 < 0.001 ? 0 : 1", "x1 > 0.5 and x1 < 0.51 ? -1 : 1",
		"abs(x2 - 0.3) + abs(x3 - 0.8) < 0.05 ? 0 : 1", "1/(x3 > 0.999 and x1 < 0.001 ? 0 : 1)"} {
		if _, err := ParseCost(text, p); err == nil || !strings.Contains(err.Error(), "must be positive and finite") {
			t.Errorf("%q is taken: %v", text, err)
		}
	}
	if c := InvalidCost("x\x1b"); c.Text != `"x\x1b"` || !math.IsNaN(c.Func(nil)) {
		t.Errorf("a cost that cannot be read is %s, %g", c.Text, c.Func(nil))
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
			if regexp.MustCompile(`[^\pL\pN _.,()+*/^<>=!&|?:-]`).MatchString(c.Text) {
				t.Errorf("%q is accepted", c.Text)
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
		assert.NoError(t, p.Cost.check(p))
	}
	for _, f := range families { // a fidelity is a variable, which can be full and costs most there
		p := f.New(f.DefaultDim, 0)
		if p.Fidelity == nil {
			continue
		}
		i := p.FidelityIndex()
		if i < 0 {
			t.Errorf("%s has no variable %q", f.Name, p.Fidelity.Variable)
			continue
		}
		low, full := slices.Clone(p.Optimum().X[0]), slices.Clone(p.Optimum().X[0])
		low[i], full[i] = p.Domain[i].Low, p.Fidelity.Full
		if err := p.Domain.Check(full); err != nil || !(p.Cost.Func(full) > p.Cost.Func(low)) ||
			!slices.Equal(full, p.Optimum().X[0]) {
			t.Errorf("%s is full at %v, which costs %g and below %g; the optimum is at %v (%v)", f.Name, full,
				p.Cost.Func(full), p.Cost.Func(low), p.Optimum().X[0], err)
		}
	}
	assert.Equal(t, -1, find(t, "branin-cost", 0).FidelityIndex(), "without a fidelity its variable")
	p := find(t, "branin-fidelity", 0)
	if y, err := p.TrueValues([]float64{math.Pi, 2.275, 5}); err != nil || math.Abs(y[0]-p.Optimum().Value) > 1e-12 {
		t.Errorf("%v, %v", y, err)
	}
}
