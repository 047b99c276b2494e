package expression

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr/vm"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var two = []Variable{{Name: "x1"}, {Name: "x2"}}

// bounded checks that a compiled expression never goes back, and calls nothing but the functions on the list: so no
// instruction runs twice.
func bounded(t *testing.T, text string) {
	t.Helper()
	e, err := ParseNumber("cost", text, two)
	require.NoError(t, err)
	for _, op := range e.program.Bytecode {
		switch op {
		case vm.OpJumpBackward, vm.OpBegin, vm.OpRange, vm.OpArray, vm.OpMap, vm.OpMethod, vm.OpSlice, vm.OpMatches:
			t.Errorf("%q compiles to %s", text, e.program.Disassemble())
		}
	}
	if len(e.program.Bytecode) > 2*len(text)+8 {
		t.Errorf("%d bytes compile to %d instructions", len(text), len(e.program.Bytecode))
	}
}

// What is accepted runs over its own length once.
func TestBounded(t *testing.T) {
	for _, text := range []string{
		"3", "x1 > 0 and x2 < 1 or not (x1 == 2) ? 1 : 2 + x1^2", "max(1, x1, x2) + min(2, 1) + exp(-x1) + abs(x2)",
		strings.Repeat("exp(", 190) + "x1" + strings.Repeat(")", 190)} {
		bounded(t, text)
	}
}

func FuzzNumber(f *testing.F) {
	for _, text := range []string{
		"1 + exp(x1)", "x1 > 0 ? 1 : 2", "max(1, x2)^2", "1..5", "[1][0]", `x1 == "a" ? 1 : 2`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseNumber("cost", text, two); err == nil {
			bounded(t, text)
		}
	})
}

// shop has numbers and a choice, a name of which is also that of a variable.
var shop = []Variable{{Name: "dose"}, {Name: "ratio"}, {Name: "water"},
	{Name: "solvent", Choices: []string{"water", "ethanol", "none at all"}}}

// A relation holds where the same comparison, written in Go, does, and a linear one is known with its numbers.
func TestRelate(t *testing.T) {
	truth := func(holds bool) float64 {
		if holds {
			return 0
		}
		return 1
	}
	for _, c := range []struct {
		text     string
		want     func(dose, ratio, water, solvent float64) float64
		linear   []float64
		constant float64
	}{
		{"dose * ratio <= 40", func(d, r, w, s float64) float64 { return d*r - 40 }, nil, 0},
		{"dose / 2 - 3*(ratio - 1) >= water", func(d, r, w, s float64) float64 {
			return w - (d/2 - 3*(r-1))
		}, []float64{0.5, -3, -1, 0}, 3},
		{"40 > -dose + sqrt(4)*ratio", func(d, r, w, s float64) float64 {
			return -d + 2*r - 40
		}, []float64{1, -2, 0, 0}, 40},
		{"dose + ratio + water == 1", func(d, r, w, s float64) float64 {
			return math.Abs(d + r + w - 1)
		}, []float64{1, 1, 1, 0}, -1},
		{"dose^1 + ratio < 2^3", func(d, r, w, s float64) float64 { return d + r - 8 }, nil, 0},
		{"dose * ratio - ratio * dose + water <= 1", func(d, r, w, s float64) float64 { return w - 1 }, nil, 0},
		{"dose * 0 + ratio <= 1", func(d, r, w, s float64) float64 { return r - 1 }, []float64{0, 1, 0, 0}, -1},
		{"abs(dose - ratio) <= 2", func(d, r, w, s float64) float64 { return math.Abs(d-r) - 2 }, nil, 0},
		{`solvent == "water"`, func(d, r, w, s float64) float64 { return truth(s == 0) }, nil, 0},
		{"solvent == water", func(d, r, w, s float64) float64 { return truth(s == 0) }, nil, 0},
		{"'none at all' != solvent", func(d, r, w, s float64) float64 { return truth(s != 2) }, nil, 0},
		{`solvent != "ethanol" or dose <= 2.5`, func(d, r, w, s float64) float64 {
			return truth(s != 1 || d <= 2.5)
		}, nil, 0},
		{"not (solvent == ethanol and dose > 1)", func(d, r, w, s float64) float64 {
			return truth(!(s == 1 && d > 1))
		}, nil, 0},
		{"dose <= (solvent == ethanol ? 1 : 3)", func(d, r, w, s float64) float64 {
			return d - 1 - 2*truth(s == 1)
		}, nil, 0},
		{"dose != ratio", func(d, r, w, s float64) float64 { return truth(d != r) }, nil, 0},
	} {
		rel, err := ParseRelation("constraint", c.text, shop)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if !slices.Equal(rel.Linear, c.linear) || math.Abs(rel.Constant-c.constant) > 1e-15 {
			t.Errorf("%s: linear as %v + %g, want %v + %g", c.text, rel.Linear, rel.Constant, c.linear, c.constant)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 50 {
			x := []float64{5 * rng.Float64(), 5 * rng.Float64(), 5 * rng.Float64(), float64(rng.IntN(3))}
			if got, want := rel.Excess(x), c.want(x[0], x[1], x[2], x[3]); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s at %v: %g, want %g", c.text, x, got, want)
			}
		}
	}
}

// What is wrong is told with its place and what would be right.
func TestRelationsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "the constraint",
		"dsoe * ratio <= 40":          `at character 1: "dsoe" (did you mean dose?) is not allowed in a constraint; use numbers, the variables (dose, ratio, water, solvent)`,
		"dose * ratio":                "is a number; a constraint must be a comparison, such as dose * ratio <= 40",
		"dose = 3":                    "at character 6: use == to compare",
		`solvent = "water"`:           "at character 9: use == to compare",
		"dose === 3":                  "at character 6: use == to compare",
		"dose => 3":                   "at character 6: write >= for at least",
		"dose =< 3":                   "at character 6: write <= for at most",
		"dose <> ratio":               "at character 6: use != for values that differ",
		"dose ≤ 3":                    "at character 6: '≤' is not allowed in an expression; write <=",
		"dose < 3 & ratio < 4":        `at character 10: write "and"`,
		"dose < 3 | ratio < 4":        `at character 10: write "or"`,
		"2dose <= 3":                  "at character 1: write * between a number and a variable, such as 2*x",
		"2exp(dose) <= 3":             "at character 1: write * between",
		"(dose)(ratio) <= 3":          "at character 7: write * between factors",
		"1e5 + <= dose":               `at character 7: "<=" is not expected here`,
		"1e <= dose":                  "this is not a number",
		"dose ratio <= 3":             "at character 6: an operator is missing before ratio",
		"(dose <= 3":                  "the brackets do not match, there are 1 ( and 0 )",
		"dose <= 3 and":               "at character 13: something is missing after this",
		`solvent == "water`:           "a quote is not closed",
		`solvent == "=" ratio`:        "an operator is missing before ratio",
		"dose and ratio":              "and needs comparisons such as x > 1, not numbers",
		"exp <= 3":                    "the constraint",
		"3 < 4":                       "does not contain a variable",
		"dose <= 3 and ratio <= 4":    "combines two conditions; write each one as a separate constraint",
		"1 <= dose <= 3":              "combines two conditions",
		`solvent == "wter"`:           `solvent is a choice; compare it by == or != with one of its names, such as solvent == "water" (water, ethanol, none at all)`,
		"solvent <= 2":                "solvent is a choice",
		"solvent + 1 <= 2":            "solvent is a choice",
		"solvent == 1":                "solvent is a choice",
		"solvent == solvent":          "solvent is a choice",
		`dose == "water"`:             "is not allowed",
		`solvent == "\\u0077ater"`:    "is not allowed in an expression",
		"solvent == \"\x1b[2Jwater\"": `'\x1b' is not allowed`,
		"let a = 1; a <= dose":        "is not allowed",
		"map([1], #) <= dose":         "is not allowed",
		"dose in 1..3":                "is not allowed",
		"true or dose <= 1":           "is not allowed",
	} {
		if _, err := ParseRelation("constraint", text, shop); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Many may evaluate an expression at once.
func TestValuesAtOnce(t *testing.T) {
	e, err := ParseNumber("cost", "x1 + 10*x2", two)
	require.NoError(t, err)
	done := make(chan float64)
	for i := range 4 {
		go func() {
			worst := 0.0
			for n := range 500 {
				worst = max(worst, math.Abs(e.Value([]float64{float64(i), float64(n)})-float64(i+10*n)))
			}
			done <- worst
		}()
	}
	for range 4 {
		assert.Equal(t, 0.0, <-done, "off by")
	}
}
