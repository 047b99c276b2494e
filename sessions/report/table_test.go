package report

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/sheet"
	"bandscope/sessions"
)

func TestRead(t *testing.T) {
	cfg := sessions.Config{Problem: "branin", Optimizer: "random"}
	s, err := readTable(t.Context(), cfg, strings.NewReader("\ufefff,x2, x1,comment\n1.5,2,3,\"a, b\"\n,0,0,failed\n"))
	require.NoError(t, err)
	its := s.State().Iterations
	if len(its) != 2 || its[0].Points[0].X[0] != 3 || its[0].Points[0].X[1] != 2 || its[0].Points[0].Y[0] != 1.5 ||
		!its[1].Points[0].Failed || math.IsNaN(its[1].Points[0].Truth[0]) {
		t.Errorf("%+v", its)
	}
	for text, want := range map[string]string{
		"":                         "the file is empty",
		"x1,f\n1,2\n":              `line 1: no column "x2"`,
		"x1,x2,f,x1\n1,2,3,4\n":    `line 1, column 4: the column has the same name as column 1: "x1"`,
		"x1,x2,f\n1,\"2,5\",3.5\n": "line 2 has 2,5 with a decimal comma, and line 2 has 3.5 with a decimal point",
		"x1,x2,f\n1,2\n":           "line 2: the row has 2 cells, but the header has 3",
		"x1,x2,f\n1,b,3\n":         `line 2, column 2 ("x2"): x2 must be a number, got "b"`,
		"x1,x2,f\n1,2,3\n1,20,3\n": `line 3, column 2 ("x2"): x2 must be in`,
		"x1,x2,f\n1,2,\x1b[31m\n":  `line 2, column 3 ("f"): "\x1b[31m" is not a number`,
	} {
		_, err = readTable(t.Context(), cfg, strings.NewReader(text))
		assert.ErrorContains(t, err, want, "%q: %v, want %q", text, err, want)
	}
}

// Standard errors, reasons, and values that are known later come in with the rest.
func TestReadWithMore(t *testing.T) {
	cfg := sessions.Config{Problem: "branin-currin", Optimizer: "random"}
	p, err := cfg.FindProblem()
	require.NoError(t, err)
	a, b := p.Objectives[0].Name, p.Objectives[1].Name
	s, err := readTable(t.Context(), cfg, strings.NewReader("x1,x2,"+a+","+b+","+b+
		"_se,reason\n0.5,0.5,1,2,0.1,\n0.5,0.5,1,,,\n0.5,0.6,,,,burnt\n"))
	require.NoError(t, err)
	st := s.State()
	if len(st.Iterations) != 2 || st.Iterations[0].Points[0].SE[1] != 0.1 ||
		!math.IsNaN(st.Iterations[0].Points[0].SE[0]) || st.Iterations[1].Points[0].Reason != "burnt" {
		t.Errorf("%+v", st.Iterations)
	}
	if len(st.Pending) != 1 || st.Pending[0].Points[0].Y[0] != 1 || st.Pending[0].Points[0].Missing[0] != b {
		t.Errorf("out is %+v", st.Pending)
	}
	_, err = readTable(t.Context(), cfg, strings.NewReader("x1,x2,"+a+","+b+","+b+"_se\n0.5,0.5,1,2,z\n"))
	assert.ErrorContains(t, err, `line 2, column 5 ("`+b+`_se"): "z" is not a number`)
}

// A CSV without rows is no beginning, whatever stands before the names.
func TestWithoutRows(t *testing.T) {
	for _, text := range []string{"x1,x2,f", "x1,x2,f\n", "\ufeffx1,x2,f\r\n\r\n"} {
		if _, err := readTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
			strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "no rows") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("x1,x2,f,step\n1,2,3,1\n0,0,NaN,1\n")
	f.Add("f,x2,x1\n,1,2\n\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
			strings.NewReader(text))
		if err != nil {
			return
		}
		s.State().Input()
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	})
}

// A table is given up soon after its context ends.
func TestReadHeeds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rest := strings.NewReader("x1,x2,f\n" + strings.Repeat("0.5,1,1\n", 50_000))
	first := io.LimitReader(rest, 1000)
	r := io.MultiReader(first, readerFunc(func(p []byte) (int, error) { cancel(); return rest.Read(p) }))
	if _, err := readTable(ctx, sessions.Config{Problem: "branin", Optimizer: "random"}, r); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := 50_000*8 - rest.Len(); n > 16<<10 {
		t.Errorf("%d bytes were read", n)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A table from a European spreadsheet is read as it is, and how it was read is returned.
func TestReadEuropean(t *testing.T) {
	s, format, err := ReadTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
		strings.NewReader("x1;x2 [mm];F\r\n1,5;2;-3,25\r\n;;\r\n"), sheet.Options{})
	if err != nil || format.String() != "read with ; and decimal comma" {
		t.Fatalf("%v, %s", err, format)
	}
	if pt := s.State().Iterations[0].Points[0]; pt.X[0] != 1.5 || pt.X[1] != 2 || pt.Y[0] != -3.25 {
		t.Errorf("%+v", pt)
	}
}

// readTable is ReadTable with a format that is recognized.
func readTable(ctx context.Context, cfg sessions.Config, r io.Reader) (*sessions.Session, error) {
	s, _, err := ReadTable(ctx, cfg, r, sheet.Options{})
	return s, err
}

// The blocks of results go out and come back.
func TestBlocksOfTables(t *testing.T) {
	s, err := readTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
		strings.NewReader("x1,x2,f,block\n1,2,3,plate 1\n2,3,4,3.11.2026\n3,4,5,\n"))
	require.NoError(t, err)
	var csv, data strings.Builder
	if err := errors.Join(Export(t.Context(), s.State(), &csv, "csv"), Export(t.Context(), s.State(), &data, "json")); err != nil {
		t.Fatal(err)
	}
	again, err := readTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"}, strings.NewReader(csv.String()))
	require.NoError(t, err)
	for i, want := range []string{"plate 1", "2026-11-03", ""} {
		assert.Equal(t, want, again.State().Iterations[i].Points[0].Block, "the block of row %d", i+1)
	}
	assert.Contains(t, data.String(), `"2026-11-03"`, "JSON has no blocks")
	if input := again.State().Input(); len(input.Data.BlockNames) != 2 || input.Data.Blocks[2] != -1 {
		t.Errorf("%v %v", input.Data.BlockNames, input.Data.Blocks)
	}
	if _, err := readTable(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random"},
		strings.NewReader("x1,x2,f,block\n1,2,3,3/11/2026\n")); err == nil || !strings.Contains(err.Error(), "write the date as 2026-MM-DD") {
		t.Error(err)
	}
}
