package published

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

// The studies are those that are asked for, in order; each is what its file is called, and stands the checks that a
// file of anybody's does.
func TestEveryStudyIsReadByItsName(t *testing.T) {
	names := Names()
	want := []string{"bbob", "dai-1d", "dai-rover", "defaults-several", "defaults-single", "nadigatla-5.1",
		"nadigatla-5.2", "neuralbo-synthetic",
		"paria-gamma", "paria-noiseless", "paria-noisy", "thesis-2.11", "thesis-2.6", "thesis-4.1"}
	if !slices.Equal(names, want) {
		t.Errorf("the built-in studies are %v, want %v", names, want)
	}
	for _, name := range names {
		d, ok := Find(name)
		if !ok || d.Name != name {
			t.Fatalf("%s: found %v, called %q", name, ok, d.Name)
		}
		text, _ := declarations.ReadFile("studies/" + name + ".toml")
		if read, err := study.Parse(t.Context(), name+".toml", text); err != nil || !reflect.DeepEqual(read, d) {
			t.Errorf("%s is read as %+v, %v; want %+v", name, read, err, d)
		}
		for label, text := range map[string]string{"title": d.Title, "source": d.Source, "note": d.Note} {
			assert.NotEqual(t, "", strings.TrimSpace(text), "%s has no %s", name, label)
		}
		if !strings.HasSuffix(d.Title, "?") || strings.Contains(d.Title, "\n") {
			t.Errorf("%s: the title %q is no question in a line", name, d.Title)
		}
	}
	if _, ok := Find("no-such-study"); ok {
		t.Error("a study that is not there was found")
	}
	if _, ok := Find("../published"); ok {
		t.Error("a path was taken for a name")
	}
}

// The study of honest bands is no table of runs: it says what command runs it, and what came of that.
func TestBandsAreElsewhere(t *testing.T) {
	e, ok := FindExternal("bands")
	if !ok || !strings.HasPrefix(e.Command, "bandscope check method ") ||
		!strings.Contains(e.Table, "posterior  42 ± 4   64 ± 5   77 ± 5") {
		t.Errorf("the bands are %+v, %v", e, ok)
	}
	if _, ok := Find("bands"); ok {
		t.Error("a declaration has what is no table of runs")
	}
	if _, ok := FindExternal("bbob"); ok {
		t.Error("a table of runs is elsewhere")
	}
}

// Every study makes its cells: so many problems, methods and seeds.
func TestEveryStudyMakesItsCells(t *testing.T) {
	for name, want := range map[string]int{
		"bbob": 24 * 3 * 5 * 8, "dai-1d": 12 * 10, "dai-rover": 11 * 5, "defaults-several": 5 * 6 * 5, "defaults-single": 12 * 5 * 5, "nadigatla-5.1": 8 * 3 * 10,
		"nadigatla-5.2": 8 * 3 * 10, "neuralbo-synthetic": 12 * 9 * 10,
		"paria-gamma": 7 * 6, "paria-noiseless": 7 * 7 * 10, "paria-noisy": 7 * 7 * 10, "thesis-2.11": 2 * 6 * 5,
		"thesis-2.6": 8 * 8 * 10, "thesis-4.1": 8 * 10,
	} {
		d, _ := Find(name)
		cells, err := d.Cells()
		if err != nil || len(cells) != want {
			t.Errorf("%s has %d cells, %v; want %d", name, len(cells), err, want)
		}
		owners := map[study.Cell]bool{}
		for _, c := range cells {
			owners[c] = true
		}
		assert.Equal(t, len(cells), len(owners), "%s: %d of %d cells are different", name, len(owners), len(cells))
	}
}

// Every number that a paper prints is of cells of its study, and says where it stands.
func TestEveryPrintedNumberIsOfCells(t *testing.T) {
	numbers := 0
	for _, name := range Names() {
		d, _ := Find(name)
		cells, err := d.Cells()
		require.NoError(t, err)
		for _, p := range d.Published {
			numbers++
			if !slices.ContainsFunc(cells, func(c study.Cell) bool {
				return c.Problem == p.Problem && c.Method == p.Method
			}) {
				t.Errorf("%s: no cell of %q by %q", name, p.Problem, p.Method)
			}
			if p.Source == "" || p.Statistic == "" || math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
				t.Errorf("%s: %+v does not say what it is, and where", name, p)
			}
		}
	}
	if want := 2 * 8 * 2 * 2; numbers != want {
		t.Errorf("%d numbers are printed, want %d", numbers, want)
	}
}

// Results are of the cells of their study, in their order; each that was run says by which version, has a value of the
// measure at its end, and is not large.
func TestResultsAreOfTheirCells(t *testing.T) {
	together := 0
	files, err := results.ReadDir("results")
	require.NoError(t, err)
	for _, f := range files {
		name, text := strings.CutSuffix(f.Name(), ".json.gz")
		if !text {
			continue
		}
		info, _ := f.Info()
		together += int(info.Size())
		table, ok := Results(name)
		if !ok {
			t.Fatalf("%s: there are results of no study", f.Name())
		}
		cells, _ := table.Declaration.Cells()
		if info.Size() > int64(max(300<<10, 256*len(cells))) {
			t.Errorf("the results of %s take %d bytes", name, info.Size())
		}
		ran := 0
		for i, r := range table.Rows {
			require.Equal(t, cells[i], r.Cell, "%s: row %d is of", name, i)
			if r.Status == study.Waiting {
				continue
			}
			if ran++; r.Status == study.Failed {
				continue
			}
			values := r.Trace.Values(study.MeasureFor(table.Declaration, r.Problem))
			if r.Program == "" || len(values) == 0 || math.IsNaN(values[len(values)-1]) {
				t.Errorf("%s: %v ended without a version or a value: %q, %v", name, r.Cell, r.Program, values)
			}
		}
		rows, _ := storedRows(name)
		if ran == 0 || len(rows) != ran {
			t.Errorf("%s: %d cells were run, of %d that are kept: another default may have given a text another form",
				name, ran, len(rows))
		}
	}
	if together > 2<<20 {
		t.Errorf("all results take %d bytes", together)
	}
}
