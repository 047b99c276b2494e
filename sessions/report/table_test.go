package report

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"bandscope/sessions"
)

func TestRead(t *testing.T) {
	cfg := sessions.Config{Problem: "branin", Optimizer: "random"}
	s, err := ReadTable(t.Context(), cfg, strings.NewReader("\ufefff,x2, x1,comment\n1.5,2,3,\"a, b\"\n,0,0,failed\n"))
	if err != nil {
		t.Fatal(err)
	}
	its := s.State().Iterations
	if len(its) != 2 || its[0].Points[0].X[0] != 3 || its[0].Points[0].X[1] != 2 || its[0].Points[0].Y[0] != 1.5 ||
		!its[1].Points[0].Failed || math.IsNaN(its[1].Points[0].Truth[0]) {
		t.Errorf("%+v", its)
	}
	for text, want := range map[string]string{
		"":                         "the CSV is empty",
		"x1,f\n1,2\n":              `no column "x2"`,
		"x1,x2,f,x1\n1,2,3,4\n":    `two columns "x1"`,
		"x1;x2;f\n1;2,5;3\n":       "separated by semicolons",
		"x1,x2,f\n1,\"2,5\",3\n":   "write it with a decimal point: 2.5",
		"x1,x2,f\n1,2,\"3,5\"\n":   "write it with a decimal point: 3.5",
		"x1,x2,f\n1,2\n":           "wrong number of fields",
		"x1,x2,f\n1,b,3\n":         `row 2: x2 must be a number, got "b"`,
		"x1,x2,f\n1,2,3\n1,20,3\n": "row 3",
		"x1,x2,f\n1,2,\x1b[31m\n":  `f is "␛[31m"`,
	} {
		if _, err := ReadTable(t.Context(), cfg, strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Standard errors, reasons, and values that are known later come in with the rest.
func TestReadWithMore(t *testing.T) {
	cfg := sessions.Config{Problem: "branin-currin", Optimizer: "random"}
	p, err := cfg.FindProblem()
	if err != nil {
		t.Fatal(err)
	}
	a, b := p.Objectives[0].Name, p.Objectives[1].Name
	s, err := ReadTable(t.Context(), cfg, strings.NewReader("x1,x2,"+a+","+b+","+b+
		"_se,reason\n0.5,0.5,1,2,0.1,\n0.5,0.5,1,,,\n0.5,0.6,,,,burnt\n"))
	if err != nil {
		t.Fatal(err)
	}
	st := s.State()
	if len(st.Iterations) != 2 || st.Iterations[0].Points[0].SE[1] != 0.1 ||
		!math.IsNaN(st.Iterations[0].Points[0].SE[0]) || st.Iterations[1].Points[0].Reason != "burnt" {
		t.Errorf("%+v", st.Iterations)
	}
	if len(st.Pending) != 1 || st.Pending[0].Points[0].Y[0] != 1 || st.Pending[0].Points[0].Missing[0] != b {
		t.Errorf("out is %+v", st.Pending)
	}
	if _, err := ReadTable(t.Context(), cfg, strings.NewReader("x1,x2,"+a+","+b+","+b+"_se\n0.5,0.5,1,2,z\n")); err ==
		nil || !strings.Contains(err.Error(), `row 2: `+b+`_se is "z"`) {
		t.Error(err)
	}
}

// A CSV without rows is no beginning, whatever stands before the names.
func TestWithoutRows(t *testing.T) {
	for _, text := range []string{"x1,x2,f", "x1,x2,f\n", "\ufeffx1,x2,f\r\n\r\n"} {
		if _, err := ReadTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
			strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "no rows") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("x1,x2,f,step\n1,2,3,1\n0,0,NaN,1\n")
	f.Add("f,x2,x1\n,1,2\n\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
			strings.NewReader(text))
		if err != nil {
			return
		}
		s.State().Input()
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	})
}

// A table is given up soon after its context ends.
func TestReadHeeds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rest := strings.NewReader("x1,x2,f\n" + strings.Repeat("0.5,1,1\n", 50_000))
	first := io.LimitReader(rest, 1000)
	r := io.MultiReader(first, readerFunc(func(p []byte) (int, error) { cancel(); return rest.Read(p) }))
	if _, err := ReadTable(ctx, sessions.Config{Problem: "branin", Optimizer: "random"}, r); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := 50_000*8 - rest.Len(); n > 16<<10 {
		t.Errorf("%d bytes were read", n)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
