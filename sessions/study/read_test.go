package study

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = `name     = "small"
problems = ["branin", "ackley:5", "forrester noise=0.1"]
methods  = ["gp-ei", "gp-ei kernel=se", "random"]
seeds    = 4
budget   = 25
`

func TestParse(t *testing.T) {
	d, err := Parse(t.Context(), "small.toml", []byte(small))
	require.NoError(t, err)
	cells, err := d.Cells()
	require.NoError(t, err)
	require.Equal(t, 3*3*4, len(cells), "%d cells", len(cells))
	if want := (Cell{"branin", "gp-ei", 1, 25}); cells[0] != want {
		t.Errorf("the first cell is %+v, want %+v", cells[0], want)
	}
	if want := (Cell{"forrester noise=0.1", "random", 4, 25}); cells[35] != want {
		t.Errorf("the last cell is %+v, want %+v", cells[35], want)
	}
}

// What is printed has the texts of the cells, and the paper's name of a method that is not known here.
func TestPrinted(t *testing.T) {
	d, err := Parse(t.Context(), "s.toml",
		[]byte(small+"note='n'\n[[published]]\nproblem='forrester noise=0.10'\nmethod='gp-ei kernel=SE'\n"+
			"value=3\nsource='fig. 1'\nmeasure='cumulative regret'\n[[published]]\nmethod='TuRBO'\nvalue=3.5\n"+
			"interval=1\nsource='fig. 1'"))
	require.NoError(t, err)
	a, b := d.Published[0], d.Published[1]
	if a.Problem != "forrester noise=0.1" || a.Method != "gp-ei kernel=se" || a.Measure != CumulativeRegret ||
		a.Value != 3 || d.Note != "n" {
		t.Errorf("%+v", a)
	}
	if b.Problem != "" || b.Method != "TuRBO" || *b.Interval != 1 {
		t.Errorf("%+v", b)
	}
}

// Every fault is told with its line and with what would be right.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "s.toml: the file is empty"},
		{"name = \"a\nseeds = 1", "s.toml: line 1, column 10: invalid TOML: "},
		{"name = \"a\"\nname = \"b\"", "s.toml: line 2, column 1: name is given twice, first in line 1"},
		{"seed = 4\n" + small, `s.toml: line 1, column 1: unknown key "seed"; did you mean seeds?`},
		{small + "\n[[published]]\nvalu = 3",
			"s.toml: line 7: a published number has no value; add one, such as value = 0.02\n" + "s.toml: line 8, column 1: unknown key \"valu\"; did you mean value?"},
		{small + "\n[[published]]\nvalue = 3\nproblem = 'branin'\nmethod = 'TuRBO'",
			"s.toml: line 7: a published number has no source"},
		{small + "\n[[published]]\nvalue = 3\nproblem = 'ackley:6'\nsource='x'",
			`line 7: the problem "ackley:6" is not in the study`},
		{small + "\n[[published]]\nvalue = 3\nmethod = 'gp-ucb'\nsource='x'",
			`line 7: the method "gp-ucb" is not in the study`},
		{small + "\n[[published]]\nvalue = 3\nmethod = 'gp-ei'\nsource='x'\nstatistic = 'mode'",
			`line 11: statistic must be "mean" or "median", got "mode"`},
		{strings.Replace(small, "25", "'x*2'", 1),
			`s.toml: line 5: the budget "x*2", at character 1: "x" is not allowed in a budget`},
		{strings.Replace(small, "25", "'12.25*d'", 1),
			"line 5: the budget 12.25*d is 24.5 for d = 2, but must be a whole number in [1, 1000000]; use floor(…) or ceil(…) to round"},
		{strings.Replace(small, "25", "0", 1), "the budget must be a whole number in [1, 1000000], got 0"},
		{strings.Replace(small, "25", "2.5", 1), "line 5: the budget 2.5 is 2.5 for d = 2, but must be a whole number"},
		{strings.Replace(small, "4\n", "\"4\"\n", 1), `line 4, column 12: seeds must be a whole number; got "4"`},
		{strings.Replace(small, "4\n", "0\n", 1), "the study has no seeds; add their number, such as seeds = 10"},
		{strings.Replace(small, "4\n", "-4\n", 1), "line 4: seeds is their number and must be in [1, 100000], got -4"},
		{strings.Replace(small, "4\n", "100000\n", 1) + "first_seed = 9007199254740990",
			"line 6: the seeds must be in [1, 2^53]"},
		{small + "first_seed = -1", "line 6, column 14: first_seed must be a whole number of at least 0; got -1"},
		{strings.Replace(small, `"branin"`, "\n  # a comment\n  \"brannin\"", 1),
			`line 4: no function "brannin"; did you mean branin`},
		{strings.Replace(small, "ackley:5", "branin noise=0.0", 1),
			`line 2: "branin noise=0.0" is the same problem as "branin"`},
		{strings.Replace(small, "=se", "=matern53", 1), `line 3: gp-ei: kernel: no kernel "matern53"`},
		{strings.Replace(small, "=se", "=matern52", 1), `line 3: "gp-ei kernel=matern52" is the same method as "gp-ei"`},
		{strings.Replace(small, "kernel", "kernl", 1), `line 3: gp-ei: no parameter "kernl"; did you mean kernel`},
		{strings.Replace(small, "noise", "noize", 1),
			`line 2: forrester: no key of a problem "noize"; did you mean noise`},
		{strings.Replace(small, "noise=0.1", "noise 0.1", 1),
			`line 2: "forrester noise 0.1": after the name, key=value is expected, got "noise"`},
		{strings.Replace(small, "noise=0.1", "noise=-1", 1),
			`line 2: forrester: noise must be a number of at least 0, got "-1"`},
		{strings.Replace(small, "noise=0.1", "cost='x - 2'", 1),
			`line 2: forrester cost="x - 2", gp-ei: the cost "x - 2" is `},
		{strings.Replace(small, "noise=0.1", "cost=exp(x)", 1), `a parenthesis is outside of quotes`},
		{strings.Replace(small, "noise=0.1", "initial=7", 1) + "#", ""},
		{strings.Replace(strings.Replace(small, "noise=0.1", "initial=7", 1), "kernel=se", "initial=8", 1),
			`line 3: initial is given by forrester initial=7 and by gp-ei; give it once`},
		{strings.Replace(small, "ackley:5", "branin-currin", 1),
			"line 2: branin-currin, gp-ei: gp-ei optimizes one objective, but branin-currin has 2"},
		{strings.Replace(small, "ackley:5", "branin budget=0", 1),
			"line 2: the budget must be a whole number in [1, 1000000], got 0"},
		{small + "measure = \"regret\"", `line 6: no measure "regret"; did you mean simple regret`},
		{small + "measure = \"hypervolume\"", `line 2: branin, gp-ei: the hypervolume is not known for this problem`},
		{small + "keep = \"all\"", `line 6: keep must be "traces" or "sessions", got "all"`},
		{strings.Replace(small, `"small"`, `"a/b"`, 1), "line 1: a name must have at most 64 letters"},
		{strings.Replace(small, `["branin", "ackley:5", "forrester noise=0.1"]`, `"branin"`, 1),
			`line 2, column 12: problems must be a list of texts in quotes; got "branin"`},
	} {
		_, err := Parse(t.Context(), "s.toml", []byte(c.text))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s\nis wrong: %v", c.text, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s\ngives\n%v\nwant %s", c.text, err, c.want)
		}
	}
}

// What is the same has one form, which is its own.
func TestCanonical(t *testing.T) {
	for _, c := range []struct{ problem, method, wantProblem, wantMethod string }{
		{"ackley", "gp-ei", "ackley:2", "gp-ei"},
		{"branin  noise=0.10   cost_budget=1e1", "gp-ei kernel=SE", "branin cost_budget=10 noise=0.1",
			"gp-ei kernel=se"},
		{"forrester cost='1 +  exp(x)' budget=7", "gp-ei kernel=matern52", `forrester cost="1 + exp(x)"`, "gp-ei"},
		{"bbob-f8:5:i3", "random initial=07", "bbob-f8:5:i3", "random initial=7"},
		{"bbob-f8:5:i1", "random", "bbob-f8:5", "random"},
		{"branin-currin scalarization=linear", "mobo-rs-ts", "branin-currin scalarization=linear", "mobo-rs-ts"},
	} {
		for range 2 {
			d := Declaration{Name: "a", Problems: []string{c.problem}, Methods: []string{c.method}, Seeds: 1, First: 9}
			cells, err := d.Cells()
			require.NoError(t, err)
			if cells[0].Problem != c.wantProblem || cells[0].Method != c.wantMethod || cells[0].Seed != 9 {
				t.Errorf("%q, %q becomes %+v", c.problem, c.method, cells[0])
			}
			c.problem, c.method = cells[0].Problem, cells[0].Method
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(small + "\n[[published]]\nvalue = 1e-3\nsource = 'fig. 1'\nproblem = 'branin'\nmethod = 'TuRBO'\n" +
		"interval = 1"))
	f.Add([]byte("name='a'\nproblems=['forrester cost=\"1 + x\" budget=2*d']\nmethods=['gp-ei']\nseeds=1\n" +
		"budget='2*d'"))
	f.Add([]byte("[problems]\nx=1\n[[name]]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(t.Context(), "x", text)
		if err != nil {
			assert.NotEqual(t, "", strings.TrimSpace(err.Error()), "an error says nothing")
			return
		}
		cells, err := d.Cells()
		require.NoError(t, err, "%s is read, and has no cells", text)
		again := *d
		again.Problems, again.Methods = nil, nil
		for _, c := range cells {
			if !slices.Contains(again.Problems, c.Problem) {
				again.Problems = append(again.Problems, c.Problem)
			}
			if c.Problem == cells[0].Problem && !slices.Contains(again.Methods, c.Method) {
				again.Methods = append(again.Methods, c.Method)
			}
			_, err = c.Config()
			assert.NoError(t, err, "%+v", c)
		}
		second, err := again.Cells()
		if err != nil || len(second) != len(cells) {
			t.Fatalf("%+v has cells and %+v has not: %v", d, again, err)
		}
		for i := range cells { // a problem's own budget has gone into its cells
			second[i].Budget = cells[i].Budget
		}
		if !slices.Equal(cells, second) {
			t.Errorf("%+v is not its own form: %+v", cells, second)
		}
	})
}
