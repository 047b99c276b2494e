package sessions

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/search"
)

// writeTable writes a table of 18 of 72 combinations, with a second objective, and its declaration with so many objectives.
func writeTable(t *testing.T, objectives int) string {
	t.Helper()
	dir := t.TempDir()
	text := "solvent,solvent.polarity,dose,heat,yield,waste\n"
	for i, solvent := range []string{"water", "CC(=O)O", "DMF"} {
		for dose := range 12 {
			for heat := range 2 {
				if (i+5*dose+3*heat)%4 != 0 {
					continue
				}
				y := 10*i + 3*dose - dose*dose*heat
				text += fmt.Sprintf("%s,%d,%g,%d,%d,%d\n", solvent, i*i, 0.1*float64(dose), 20+heat, y, 7*heat+i+dose)
			}
		}
	}
	declared := "name = \"screen\"\n[table]\nfile = \"screen.csv\"\n[[variable]]\nname = \"solvent\"\n" +
		"[[variable]]\nname = \"dose\"\n[[variable]]\nname = \"heat\"\n[[objective]]\nname = \"yield\"\n" +
		"direction = \"maximize\"\nrange = [0, 40]\n"
	if objectives > 1 {
		declared += "[[objective]]\nname = \"waste\"\ndirection = \"minimize\"\nrange = [0, 20]\n"
	}
	path := filepath.Join(dir, "screen.toml")
	for name, content := range map[string]string{path: declared, filepath.Join(dir, "screen.csv"): text} {
		require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	}
	return path
}

// Every method suggests rows of the table only, none twice, until all are measured; then the search ends with a reason,
// and asking for more is an error. The best row is the optimum.
func TestEveryMethodSearchesATable(t *testing.T) {
	for _, spec := range registry.All() {
		objectives := 1
		if !spec.Supports(1, false) {
			objectives = 2
		}
		t.Run(spec.Name, func(t *testing.T) {
			t.Parallel()
			cfg, err := Config{Optimizer: spec.Name, Seed: 3, Budget: 100}.WithExperiment(writeTable(t, objectives))
			require.NoError(t, err)
			if slices.ContainsFunc(spec.ParamsFor(objectives), func(d param.Decl) bool { return d.Key == "width" }) {
				cfg.Params = map[string]any{"width": 8}
			}
			if slices.ContainsFunc(spec.ParamsFor(objectives), func(d param.Decl) bool { return d.Key == "batch" }) {
				cfg.Params["batch"] = 3
			}
			s, err := New(t.Context(), cfg)
			require.NoError(t, err)
			if objectives == 1 {
				if best := s.State().Problem.Optimum(); best.Value != 50 || len(best.X) != 1 ||
					best.X[0][0] != 2 || best.X[0][2] != 20 {
					t.Errorf("the optimum is %+v", best)
				}
			}
			seen := map[string]bool{}
			for steps := 0; s.State().StopReason() == ""; steps++ {
				it, err := s.Step(t.Context(), nil)
				if err != nil || steps > 18 {
					t.Fatalf("step %d: %v", steps, err)
				}
				assert.False(t, it.IsFallback(), "step %d: %s", it.Step, it.Note)
				for _, pt := range it.Points {
					if row := fmt.Sprint(pt.X); seen[row] || s.State().Problem.Table.Row(pt.X) < 0 {
						t.Fatalf("step %d: %s is suggested twice or no row", it.Step, row)
					} else {
						seen[row] = true
					}
					if pt.Failed {
						t.Errorf("step %d: %+v", it.Step, pt)
					}
				}
			}
			if want := "all 18 rows of the table are measured"; s.State().StopReason() != want || len(seen) != 18 {
				t.Errorf("it ends after %d rows: %s", len(seen), s.State().StopReason())
			}
			if _, err := s.Step(t.Context(), nil); !search.IsExhausted(err) {
				t.Errorf("one more step: %v", err)
			}
		})
	}
}

// A session on a table is one file: it goes on as it would have, after the files of the table are gone.
func TestTableIsInTheSession(t *testing.T) {
	path := writeTable(t, 1)
	cfg, err := Config{Optimizer: "gp-ei", Seed: 3}.WithExperiment(path)
	require.NoError(t, err)
	whole, err := New(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, whole.Run(t.Context(), 12, 1, nil, func(Iteration) error { return nil }))
	part, err := New(t.Context(), cfg)
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err == nil {
		err = errors.Join(part.SaveAs(file), part.Run(t.Context(), 7, 1, nil, func(Iteration) error { return nil }),
			part.Close(), os.Remove(path), os.Remove(strings.TrimSuffix(path, "toml")+"csv"))
	}
	require.NoError(t, err)
	again, err := Open(t.Context(), file)
	require.NoError(t, err)
	defer again.Close()
	again.Last()
	require.NoError(t, again.Run(t.Context(), 5, 1, nil, func(Iteration) error { return nil }))
	for i, it := range whole.State().Iterations {
		if got := again.State().Iterations[i]; !slices.Equal(got.Points[0].X, it.Points[0].X) ||
			!slices.Equal(got.Points[0].Y, it.Points[0].Y) {
			t.Errorf("step %d is %v, not %v", i+1, got.Points, it.Points)
		}
	}
}

// A table that has changed under the same declaration is noticed; the session keeps its own.
func TestTableThatChanged(t *testing.T) {
	path := writeTable(t, 1)
	cfg, err := Config{Optimizer: "random"}.WithExperiment(path)
	require.NoError(t, err)
	s, err := New(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, "", s.CompareDeclaration(path))
	table := strings.TrimSuffix(path, "toml") + "csv"
	text, err := os.ReadFile(table)
	if err == nil {
		err = os.WriteFile(table, []byte(strings.Replace(string(text), "DMF", "DMSO", -1)), 0o600)
	}
	require.NoError(t, err)
	if text := s.CompareDeclaration(path); !strings.Contains(text, "table is now screen.csv (SHA-256 ") {
		t.Error(text)
	}
}

// Asking ahead, narrowed bounds, batches and a person's points stay in the table; a row without a number fails.
func TestTableBoundsWhatIsAsked(t *testing.T) {
	cfg, err := Config{Optimizer: "gp-ei", Seed: 3}.WithExperiment(writeTable(t, 1))
	require.NoError(t, err)
	cfg.Experiment.Table.Rows[5][3] = math.NaN()
	s, err := New(t.Context(), cfg)
	require.NoError(t, err)
	_, err = s.Query(t.Context(), []float64{0, 0.15, 20})
	assert.Error(t, err, "a dose that no row has is taken")
	failed, err := s.Query(t.Context(), cfg.Experiment.Table.Rows[5][:3])
	if err != nil || !failed.Points[0].Failed {
		t.Errorf("a row without a number: %+v, %v", failed, err)
	}
	require.NoError(t, s.Bound(t.Context(), "solvent", 2, 2, ""))
	_, err = s.AskBatch(t.Context(), Batch{Points: 3, Shared: []string{"heat"}}, nil)
	require.NoError(t, err)
	for range 3 {
		_, err = s.Ask(t.Context(), nil)
		require.NoError(t, err)
	}
	seen := map[string]bool{}
	for _, it := range s.State().Pending {
		x := it.Points[0].X
		if seen[fmt.Sprint(x)] || x[0] != 2 || s.State().Problem.Table.Row(x) < 0 {
			t.Errorf("%v is asked for, twice or outside", x)
		}
		seen[fmt.Sprint(x)] = true
	}
	if _, err := s.Ask(t.Context(), nil); !search.IsExhausted(err) || len(seen) != 6 {
		t.Errorf("after %d of 6 rows: %v", len(seen), err)
	}
}

// A table that was changed by hand is refused, not searched.
func TestTableOfABadSession(t *testing.T) {
	cfg, err := Config{Optimizer: "random", Seed: 3}.WithExperiment(writeTable(t, 1))
	require.NoError(t, err)
	for want, change := range map[string]func(*experiment.Table){
		"2 to 10000 rows":             func(x *experiment.Table) { x.Rows = x.Rows[:1] },
		"cells in row 2":              func(x *experiment.Table) { x.Rows[1] = x.Rows[1][:2] },
		"which the variable does not": func(x *experiment.Table) { x.Rows[1][1] = 0.15 },
		"the value 7 of solvent":      func(x *experiment.Table) { x.Rows[1][0] = 7 },
		"same inputs in rows 1 and 4": func(x *experiment.Table) { copy(x.Rows[3], x.Rows[0]) },
		"is not finite in row 1":      func(x *experiment.Table) { x.Rows[0][3] = math.Inf(1) },
		"no column yield":             func(x *experiment.Table) { x.Columns = []string{"solvent", "dose", "heat", "w"} },
		"must begin with the columns": func(x *experiment.Table) { x.Columns = []string{"dose", "heat", "yield"} },
	} {
		d, table := *cfg.Experiment, *cfg.Experiment.Table
		table.Rows = nil
		for _, row := range cfg.Experiment.Table.Rows {
			table.Rows = append(table.Rows, slices.Clone(row))
		}
		change(&table)
		d.Table = &table
		_, err = New(t.Context(), Config{Experiment: &d, Optimizer: "random"})
		assert.ErrorContains(t, err, want, want)
	}
}

// On 225 candidates of Branin's function, gp-ei finds the best one in less than half the evaluations of a random order,
// over ten seeds.
func TestTableSearchFindsTheBestRow(t *testing.T) {
	if testing.Short() {
		t.Skip("its searches run in the tests of optimizers too")
	}
	truth, err := functions.Find("branin", 1)
	require.NoError(t, err)
	text := "a,b,f:min\n"
	for i := range 15 {
		for j := range 15 {
			x := truth.Domain.FromUnit([]float64{float64(i) / 14, float64(j) / 14})
			text += fmt.Sprintf("%g,%g,%g\n", x[0], x[1], truth.Truth.Value(x)[0])
		}
	}
	d, err := experiment.ParseTable("branin-grid.csv", []byte(text))
	require.NoError(t, err)
	needed := map[string]int{}
	for seed := range uint64(10) {
		for _, method := range []string{"gp-ei", "random"} {
			s, err := New(t.Context(), Config{Experiment: d, Optimizer: method, Seed: seed + 1, Budget: 225,
				Params: map[string]any{}})
			require.NoError(t, err)
			for best := s.State().Problem.Optimum().Value; ; needed[method]++ {
				if _, y, _, ok := s.State().Best(); ok && y == best {
					break
				}
				_, err = s.Step(t.Context(), nil)
				require.NoError(t, err)
			}
		}
	}
	t.Logf("evaluations of ten seeds: %v", needed)
	if 2*needed["gp-ei"] >= needed["random"] {
		t.Errorf("gp-ei needs %d evaluations, random %d", needed["gp-ei"], needed["random"])
	}
}

// The results of a table with pending rows are the first data; the other rows are suggested, each once, and evaluated by
// a person.
func TestPendingTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte("id,a,b,y:max,z:min\np,1,u,3,1\nq,2,u,PENDING,\nr,1,v,,2\ns,2,v,failed,\n"), 0o600))
	s := onExperiment(t, path, Config{Optimizer: "random", Seed: 1})
	st := s.State()
	require.Len(t, st.Iterations, 2)
	assert.Equal(t, []float64{3, 1}, st.Iterations[0].Points[0].Y)
	assert.Equal(t, "failed", st.Iterations[1].Points[0].Reason)
	require.Len(t, st.Pending, 1, "a row with a part of its result")
	assert.Equal(t, []string{"y"}, st.Pending[0].Points[0].Missing)
	it, err := s.Ask(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, 1, st.Problem.Table.Row(it.Points[0].X))
	_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{4, 5}})
	require.NoError(t, err)
	_, err = s.Ask(t.Context(), nil)
	assert.True(t, search.IsExhausted(err), "%v", err)
}
