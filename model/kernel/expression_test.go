package kernel

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions/didyoumean"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"se":                              "se",
		" Matern52 ":                      "matern52",
		"se+linear":                       "se + linear",
		"0.5 * se":                        "0.5*se",
		"se*0.5":                          "0.5*se",
		"2*0.25*se":                       "0.5*se",
		"periodic * se":                   "periodic*se",
		"SE(Length=.2)":                   "se(length=0.2)",
		"rq( alpha = 2e0 , length=0.1 )":  "rq(length=0.1, alpha=2)",
		"((se))":                          "se",
		"(se + linear)":                   "se + linear",
		"se + (linear + rq)":              "se + linear + rq",
		"(se*rq)*linear":                  "se*rq*linear",
		"2*(3*se)":                        "6*se",
		"(se + linear)*periodic":          "(se + linear)*periodic",
		"0.5*(se + linear)":               "0.5*(se + linear)",
		"se + 0.3":                        "se + 0.3",
		"1e-1":                            "0.1",
		"periodic(period=0.25)*(se+1)":    "periodic(period=0.25)*(se + 1)",
		"(se*(rq+linear)) + ((matern12))": "se*(rq + linear) + matern12",
	} {
		e, err := Parse(text)
		if err != nil || e.String() != want {
			t.Errorf("%q is read as %q, want %q: %v", text, e, want, err)
		}
		if again, err := Parse(e.String()); err != nil || again.String() != e.String() {
			t.Errorf("%q is read again as %q: %v", e, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              `the expression "" ends where a kernel, a number or "(" is missing`,
		"se +":                          `ends where a kernel, a number or "(" is missing`,
		"se linear":                     `at character 4 of the kernel expression: want "+", "*" or the end, got "linear"`,
		"se - linear":                   `at character 4`,
		"+ se":                          `at character 1 of the kernel expression: want a kernel, a number or "(", got "+ se"`,
		"(se + linear":                  `ends where "+", "*" or ")" is missing`,
		"se)":                           `at character 3`,
		"rbf":                           `no kernel "rbf"`,
		"matern":                        "did you mean matern52, matern32, matern12?; the kernels are se, matern52",
		"se()":                          "want length=VALUE, got",
		"se(0.2)":                       "want length=VALUE, got",
		"rq(0.2)":                       "want length=VALUE or alpha=VALUE, got",
		"se(length)":                    `want "=" and the value of length`,
		"se(length=":                    "ends where a number is missing",
		"se(length=x)":                  `want a number, got "x)"`,
		"se(length=0.2":                 `ends where "," or ")" is missing`,
		"se(period=0.2)":                `no hyperparameter of se "period"`,
		"se(length=20)":                 "length of se must be in [0.01, 10], got 20",
		"se(length=0)":                  "length of se must be in [0.01, 10], got 0",
		"rq(alpha=1,alpha=2)":           "alpha of rq is given twice",
		"0*se":                          "a number in the expression must be above 0, got 0",
		"1e9*se":                        "the variance of a term must be in [0.0001, 400], got 1e9",
		"1e999*se":                      "want a number",
		"1..2*se":                       "want a number",
		"1e-9*se":                       "the variance of a term must be in",
		"se\x00":                        "at character 3",
		"σ*se":                          "at character 1",
		strings.Repeat("se+", 8) + "se": "has 9 kernels; at most 8 are allowed",
		strings.Repeat("(", 9) + "se":   "more than 8 parentheses",
		strings.Repeat(" ", maxExpression) + "se": "has 202 characters; at most 200 are allowed",
		"1e-300*1e-300*se":                        "the variance of a term must be in",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := Parse("rbf + se"); !errors.Is(err, didyoumean.ErrUnknown) {
		t.Errorf("the error is no error about a name: %v", err)
	}
}

func TestFormOfAnExpression(t *testing.T) {
	for text, want := range map[string]Form{"se": SE, "matern52": Matern52, "(matern12)": Matern12, "se(length=0.2)": nil,
		"0.5*se": nil, "rq": nil, "se + se": nil, "se*se": nil, "linear": nil, "0.5": nil} {
		e, err := Parse(text)
		require.NoError(t, err)
		if got, ok := e.Form(); got != want || ok != (want != nil) {
			t.Errorf("the form of %s is %v, want %v", text, got, want)
		}
	}
}

// Every fitted hyperparameter can be fixed and released, and the expression says so.
func TestWith(t *testing.T) {
	for text, want := range map[string][]string{
		"se":           {"0.25*se", "se(length=0.5)"},
		"0.5*periodic": {"0.25*periodic", "0.5*periodic(length=0.5)", "0.5*periodic(period=0.5)"},
		"se + rq(alpha=2)": {"0.25*se + rq(alpha=2)", "se(length=0.5) + rq(alpha=2)", "se + 0.25*rq(alpha=2)",
			"se + rq(length=0.5, alpha=2)", "se + rq(alpha=0.5)"},
		"(se + linear)*periodic": {"(0.25*se + linear)*periodic", "(se(length=0.5) + linear)*periodic",
			"(se + 0.25*linear)*periodic", "(se + linear(bias=0.5))*periodic", "(se + linear)*periodic(length=0.5)",
			"(se + linear)*periodic(period=0.5)"},
		"(se + rq)*(linear + 1)": {"(0.25*se + rq)*(linear + 1)", "(se(length=0.5) + rq)*(linear + 1)",
			"(se + 0.25*rq)*(linear + 1)", "(se + rq(length=0.5))*(linear + 1)", "(se + rq(alpha=0.5))*(linear + 1)",
			"(se + rq)*(linear(bias=0.5) + 1)", "(se + rq)*(linear + 0.25)"},
		"0.5": {"0.25"},
	} {
		e, err := Parse(text)
		require.NoError(t, err)
		hypers := e.Family(1, nil, 0).Hyperparameters()
		if len(hypers) != len(want) {
			t.Fatalf("%s has %d hyperparameters, want %d: %+v", text, len(hypers), len(want), hypers)
		}
		for i, h := range hypers {
			fixed, err := e.With(h, 0.5)
			if err != nil || fixed.String() != want[i] {
				t.Errorf("%s with hyperparameter %d fixed is %s, want %s: %v", text, i, fixed, want[i], err)
			}
			if again, err := Parse(fixed.String()); err != nil || again.String() != fixed.String() {
				t.Errorf("%s is not read again: %v", fixed, err)
			}
			if got := fixed.Family(1, nil, 0).Hyperparameters()[i]; got.Fixed != 0.5 || got.Kind != h.Kind {
				t.Errorf("%s: hyperparameter %d is %+v, want 0.5", fixed, i, got)
			}
			if h.Fixed == 0 {
				if back, err := fixed.With(h, 0); err != nil || back.String() != text {
					t.Errorf("%s with hyperparameter %d released is %s, want %s: %v", fixed, i, back, text, err)
				}
			}
		}
	}
	se, _ := Parse("se")
	if _, err := se.With(Hyperparameter{Kind: Period, Leaf: 3}, 1); err == nil {
		t.Error("a hyperparameter of another expression is taken")
	}
}

// Whatever the text, Parse returns an error, or an expression that is read back from its own text and has a finite,
// positive variance.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"se", "0.5*(se + linear)*periodic(period=0.3, length=2) + 3", "((rq(alpha=1e-1)))",
		"matern12*matern32*matern52", "1e", "se(", "+", "2*3*0.1", "(1+2)*(3+4)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != e.String() {
			t.Fatalf("%q is written as %q and read as %q: %v", text, e, again, err)
		}
		family := e.Family(2, nil, 0)
		values := make([]float64, len(family.Hyperparameters()))
		for i := range values {
			values[i] = 1
		}
		if v := family.Kernel(values).At([]float64{0.2, 0.9}, []float64{0.2, 0.9}); !(v > 0) || math.IsInf(v, 0) {
			t.Fatalf("%q has the variance %g", text, v)
		}
	})
}
