package sessions

import (
	"math"
	"strings"
	"testing"
)

func TestImport(t *testing.T) {
	cfg := Config{Problem: "branin", Optimizer: "random"}
	s, err := Import(t.Context(), cfg, strings.NewReader("\ufefff,x2, x1,comment\n1.5,2,3,\"a, b\"\n,0,0,failed\n"))
	if err != nil {
		t.Fatal(err)
	}
	its := s.State().Iterations
	if len(its) != 2 || its[0].X[0][0] != 3 || its[0].X[0][1] != 2 || its[0].Y[0][0] != 1.5 || !its[1].Failed[0] || math.IsNaN(its[1].Truth[0][0]) {
		t.Errorf("%+v", its)
	}
	for text, want := range map[string]string{
		"":                         "the CSV is empty",
		"x1,f\n1,2\n":              `no column "x2"`,
		"x1,x2,f,x1\n1,2,3,4\n":    `two columns "x1"`,
		"x1,x2,f\n1,2\n":           "wrong number of fields",
		"x1,x2,f\n1,b,3\n":         `row 2: x2 is "b"`,
		"x1,x2,f\n1,2,3\n1,20,3\n": "row 3",
		"x1,x2,f\n1,2,\x1b[31m\n":  `f is "␛[31m"`,
	} {
		if _, err := Import(t.Context(), cfg, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A CSV without rows is no beginning, whatever stands before the names.
func TestImportWithoutRows(t *testing.T) {
	for _, text := range []string{"x1,x2,f", "x1,x2,f\n", "\ufeffx1,x2,f\r\n\r\n"} {
		if _, err := Import(t.Context(), Config{Problem: "branin", Optimizer: "random"}, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "no rows") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzImport(f *testing.F) {
	f.Add("x1,x2,f,step\n1,2,3,1\n0,0,NaN,1\n")
	f.Add("f,x2,x1\n,1,2\n\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Import(t.Context(), Config{Problem: "branin", Optimizer: "random"}, strings.NewReader(text))
		if err != nil {
			return
		}
		s.State().Input()
		steps(t, s, 1)
	})
}
