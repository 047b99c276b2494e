package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/sample"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/library"
)

// listed is what a list says.
func listed(t *testing.T, subject, name string, asJSON bool) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, listKind(context.Background(), &b, subject, name, t.TempDir(), asJSON), "%s %s", subject, name)
	return b.String()
}

// A list of one function is of that one, with its variables, objectives, optimum and what else it declares; the list of
// all names every one.
func TestOneFunctionIsListed(t *testing.T) {
	all := listed(t, "functions", "", false)
	for _, e := range functions.Catalog() {
		p, err := functions.Find(e.Name, 0)
		require.NoError(t, err)
		if !strings.Contains(all, "\n"+e.Name+" ") && !strings.HasPrefix(all, e.Name+" ") {
			t.Errorf("%s is not in the list", e.Name)
		}
		var entries []map[string]any
		if err := json.Unmarshal([]byte(listed(t, "functions", e.Name, true)), &entries); err != nil ||
			len(entries) != 1 || entries[0]["name"] != e.Name {
			t.Errorf("%s: %d entries, %v", e.Name, len(entries), err)
		}
		shown := listed(t, "functions", e.Name, false)
		for _, v := range p.Domain {
			if !strings.Contains(shown, shortRange(v)) || !strings.Contains(shown, "\n"+v.Name+" ") {
				t.Errorf("%s is listed without %s:\n%s", e.Name, v.Name, shown)
			}
		}
		for _, o := range p.Objectives {
			if !strings.Contains(shown, "\n"+o.Name+" ") || !strings.Contains(shown, string(o.Direction)) {
				t.Errorf("%s is listed without %s:\n%s", e.Name, o.Name, shown)
			}
		}
		if strings.Count(shown, "source: ") != 1 ||
			strings.Contains(shown, "\noptimum ") != (p.Optimum() != nil && !e.Seeded) ||
			strings.Contains(shown, "\ncost ") != (e.Cost != "") ||
			strings.Contains(shown, "\nfidelity ") != (e.Fidelity != nil) ||
			strings.Count(shown, "\nregion ") != len(p.Regions) ||
			strings.Count(shown, "\nconstraint ") != len(p.Constraints) {
			t.Errorf("%s is listed as\n%s", e.Name, shown)
		}
	}
	for _, dims := range []string{"hartmann  3 or 6-D", "ackley  1…"} {
		if !strings.Contains(strings.Join(strings.Fields(all), "  "), strings.Join(strings.Fields(dims), "  ")) {
			t.Errorf("the list does not say %q:\n%s", dims, all)
		}
	}
}

// A list of one method, lesson or comparison is of that one; methods with every parameter, its default, and what it
// does.
func TestOneOfEverythingIsListed(t *testing.T) {
	all := listed(t, "optimizers", "", false)
	for _, s := range registry.All() {
		if !strings.Contains(all, "\n  "+s.Name+" ") || strings.Count("\n"+all, "\n"+s.Family+"\n") != 1 {
			t.Errorf("%s of %s is not in the list:\n%s", s.Name, s.Family, all)
		}
	}
	for _, s := range sample.Of(registry.All(), 4, 2) {
		var entries []map[string]any
		if err := json.Unmarshal([]byte(listed(t, "optimizers", s.Name, true)), &entries); err != nil ||
			len(entries) != 1 || entries[0]["name"] != s.Name {
			t.Errorf("%s: %d entries, %v", s.Name, len(entries), err)
		}
		shown := listed(t, "optimizers", s.Name, false)
		for _, d := range s.ParamsFor(2) {
			if !strings.Contains(shown, "\n"+d.Key+" ") || strings.Count(shown, d.Help) < 1 {
				t.Errorf("%s is listed without %s:\n%s", s.Name, d.Key, shown)
			}
		}
	}
	names := map[string][]string{}
	for _, l := range library.Lessons() {
		names["lessons"] = append(names["lessons"], l.Name)
	}
	for _, c := range library.Comparisons() {
		names["comparisons"] = append(names["comparisons"], c.Name)
	}
	for subject, list := range names {
		for _, name := range sample.Of(list, 4, 3) {
			var entries []map[string]any
			if err := json.Unmarshal([]byte(listed(t, subject, name, true)), &entries); err != nil || len(entries) != 1 {
				t.Errorf("%s %s: %d entries, %v", subject, name, len(entries), err)
			}
			if shown := listed(t, subject, name, false); subject == "comparisons" &&
				(strings.Count(shown, "\n") != 1 || !strings.HasPrefix(shown, name+" ")) ||
				subject == "lessons" && !strings.HasSuffix(shown, "\nbandscope lesson "+name+"\n") {
				t.Errorf("%s %s:\n%s", subject, name, shown)
			}
		}
		shown, lines := listed(t, subject, "", false), 0
		for line := range strings.Lines(shown) {
			if subject == "comparisons" || strings.HasPrefix(line, "  ") { // rather than a part of the course
				lines++
			}
		}
		if lines != len(list) || len(list) < 2 {
			t.Errorf("%s:\n%s", subject, shown)
		}
	}
}

// What is asked for wrongly is an error of usage, whatever is asked.
func TestWrongNames(t *testing.T) {
	ctx := context.Background()
	for name, err := range map[string]error{
		"list things":             listKind(ctx, io.Discard, "things", "", "", false),
		"list functions forester": listKind(ctx, io.Discard, "functions", "forester", "", false),
		"list optimizers gp-ie":   listKind(ctx, io.Discard, "optimizers", "gp-ie", "", false),
		"list lessons x":          listKind(ctx, io.Discard, "lessons", "x", "", true),
		"list comparisons x":      listKind(ctx, io.Discard, "comparisons", "x", "", false),
		"list sessions x":         listKind(ctx, io.Discard, "sessions", "x", t.TempDir(), false),
		"eval forester":           evaluate(t.Context(), io.Discard, io.Discard, "forester", "0.5", 0),
		"eval at a":               evaluate(t.Context(), io.Discard, io.Discard, "forrester", "a", 0),
		"eval at two":             evaluate(t.Context(), io.Discard, io.Discard, "forrester", "0.1,0.2", 0),
		"run forester": runSession(ctx, io.Discard, io.Discard,
			runOptions{settings: settings{Function: "forester"}}),
		"run --noise": runSession(ctx, io.Discard, io.Discard,
			runOptions{settings: settings{Function: "forrester", Noise: -1}}),
		"run --set": runSession(ctx, io.Discard, io.Discard,
			runOptions{settings: settings{Function: "forrester", Optimizer: "gp-ei", Set: []string{"kernel=none"}}}),
		"predict --format":        predictGrid(ctx, io.Discard, "none.jsonl", gridOptions{Format: "xml"}, nil),
		"predict --samples -1":    predictGrid(ctx, io.Discard, "none.jsonl", gridOptions{Format: "csv"}, map[string]int{"samples": -1}),
		"predict --samples 10001": predictGrid(ctx, io.Discard, "none.jsonl", gridOptions{Format: "csv"}, map[string]int{"samples": 10001}),
	} {
		var usage statusError
		if err == nil || !errors.As(err, &usage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for samples := range map[int]bool{0: true, 10000: true} { // these are allowed; the file is what is wrong
		var usage statusError
		if err := predictGrid(ctx, io.Discard, "none.jsonl", gridOptions{Format: "csv"}, map[string]int{"samples": samples}); err == nil || errors.As(err, &usage) {
			t.Errorf("%d samples: %v", samples, err)
		}
	}
}

// predictGrid prints a model as numbers, with values of flags.
func predictGrid(ctx context.Context, out io.Writer, path string, o gridOptions, values map[string]int) error {
	_, d := actCommand(acts.Predict.Act, "")
	for name, v := range values {
		d.flags[name].value = v
	}
	return o.print(ctx, out, io.Discard, d, path)
}

// A belief is the same numbers as a table and as JSON: each column what its name says, each row an input.
func TestPredictGridInBothFormats(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ts", Seed: 3})
	require.NoError(t, err)
	for range 5 {
		_, err = s.Step(ctx, nil)
		require.NoError(t, err)
	}
	require.NoError(t, errors.Join(s.SaveAs(path), s.Close()))
	written := func(format string, index int) []byte {
		var b bytes.Buffer
		values := map[string]int{"samples": 2}
		if index >= 0 {
			values["step"] = index
		}
		require.NoError(t, predictGrid(ctx, &b, path, gridOptions{Grid: 11, Format: format}, values))
		return b.Bytes()
	}
	rows, err := csv.NewReader(bytes.NewReader(written("csv", -1))).ReadAll()
	if err != nil || len(rows) != 12 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var report struct {
		Inputs     [][]float64 `json:"inputs"`
		Objectives []struct {
			Mean, SD, Used, Truth []float64
			Samples               [][]float64
		} `json:"objectives"`
		Acquisition struct{ Values []float64 } `json:"acquisition"`
	}
	require.NoError(t, json.Unmarshal(written("json", -1), &report))
	o := report.Objectives[0]
	columns := map[string][]float64{"f_mean": o.Mean, "f_sd": o.SD, "f_used": o.Used, "f_truth": o.Truth,
		"f_sample1": o.Samples[0], "f_sample2": o.Samples[1], "acquisition": report.Acquisition.Values}
	for j, name := range rows[0] {
		want := columns[name]
		if j == 0 {
			want = nil
			for _, x := range report.Inputs {
				want = append(want, x[0])
			}
		}
		require.Equal(t, 11, len(want), "column %q of %v has %d values in JSON", name, rows[0], len(want))
		for i, v := range want {
			if got, err := strconv.ParseFloat(rows[i+1][j], 64); err != nil || got != v {
				t.Errorf("%s of row %d is %s, in JSON %g", name, i, rows[i+1][j], v)
			}
		}
	}
	assert.Equal(t, 8, len(rows[0]), "the columns are %v", rows[0])
	for i, x := range report.Inputs { // Forrester et al. 2008
		if want := math.Pow(6*x[0]-2, 2) * math.Sin(12*x[0]-4); math.Abs(o.Truth[i]-want) > 1e-12 ||
			math.Abs(x[0]-float64(i)/10) > 1e-12 {
			t.Errorf("the truth at %g is %g, want %g", x[0], o.Truth[i], want)
		}
	}
	if bytes.Equal(written("csv", 4), written("csv", -1)) || !bytes.Equal(written("csv", 5), written("csv", -1)) {
		t.Error("the last of five steps is not step 5, or step 4 is it too")
	}
	for _, index := range []int{-2, 6} {
		var usage statusError
		if err := predictGrid(ctx, io.Discard, path, gridOptions{Grid: 3, Format: "csv"}, map[string]int{"step": index}); !errors.As(err, &usage) {
			t.Errorf("--step %d: %v", index, err)
		}
	}
}
