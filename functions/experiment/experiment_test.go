package experiment

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/golden"
)

var examples = []string{"espresso", "reactor", "simulator", "boiler", "coupling", "blend"}

func example(t testing.TB, name string) *Declaration {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".toml")
	require.NoError(t, err)
	d, err := Parse(name+".toml", text)
	require.NoError(t, err)
	return d
}

// The examples are read as their golden JSON says, and read from it again they are the same.
func TestExamples(t *testing.T) {
	for _, name := range examples {
		d := example(t, name)
		got, err := json.MarshalIndent(d, "", "  ")
		require.NoError(t, err)
		golden.File(t, "testdata/"+name+".json", string(got)+"\n", nil)
		var again Declaration
		if err := json.Unmarshal(got, &again); err != nil || !reflect.DeepEqual(&again, d) || again.Check() != nil {
			t.Errorf("%s read from JSON: %v, %+v", name, err, again)
		}
		assert.Nil(t, d.Differences(&again), "%s differs from itself", name)
	}
}

// A file as other editors write it, with a byte order mark and line ends of two characters, is read the same.
func TestOtherEditors(t *testing.T) {
	text, err := os.ReadFile("testdata/reactor.toml")
	require.NoError(t, err)
	d, err := Parse("", []byte("\ufeff"+strings.ReplaceAll(string(text), "\n", "\r\n")))
	if err != nil || !reflect.DeepEqual(d, example(t, "reactor")) {
		t.Errorf("%v: %+v", err, d)
	}
	if _, err := Parse("", []byte(strings.ReplaceAll(good, "\n", "\r\n")+"lo = 1\r\n")); err == nil ||
		!strings.HasPrefix(err.Error(), "line 11, column 1: ") {
		t.Errorf("%v", err)
	}
}

// The guide to experiments shows two of them.
func TestGuidesExamples(t *testing.T) {
	guide, err := os.ReadFile("../../tui/guide/own-experiment.md")
	require.NoError(t, err)
	for _, file := range []string{"espresso.toml", "coupling.toml"} {
		want, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		if !strings.Contains(string(guide), "```toml "+file+"\n"+string(want)+"```") {
			t.Errorf("the guide shows another experiment than %s", file)
		}
	}
}

// A declaration is a problem without a truth, which is measured by its ranges where all objectives have one.
func TestProblem(t *testing.T) {
	p := example(t, "espresso").Problem()
	if p.Name != "espresso" || p.Dim() != 2 || p.Truth != nil || p.Evaluator() != nil || p.Domain[0].Unit != "g" ||
		p.Objectives[0].Noise != 0.3 {
		t.Errorf("the problem is %+v", p)
	}
	if want := (&functions.Range{Ideal: []float64{24, 0}, Nadir: []float64{14, 10}}); !reflect.DeepEqual(p.Range,
		want) {
		t.Errorf("its range is %+v, want %+v", p.Range, want)
	}
	d := example(t, "espresso")
	d.Objectives[1].Range = nil
	if p := d.Problem(); p.Range != nil {
		t.Errorf("without one range the problem is measured by %+v", p.Range)
	}
	if p := example(t, "reactor").Problem(); p.Domain[1].Scale != functions.Log ||
		math.Abs(p.Domain.FromUnit([]float64{0, 0.5, 0})[1]-5) > 1e-12 {
		t.Errorf("the domain is %+v", p.Domain)
	}
}

// good is a file without a fault, into which faults are put.
const good = `name = "p"

[[variable]]
name = "x"
low = 1
high = 2

[[objective]]
name = "y"
direction = "minimize"
`

// Every fault is told with its line, and says what would be right.
func TestFaults(t *testing.T) {
	long := strings.Repeat("a", 65)
	for _, c := range []struct{ from, to, want string }{
		{`name = "p"`, ``, `p.toml: line 1: the experiment has no name; add one: name = "espresso"`},
		{`name = "p"`, `name = 3`, `p.toml: line 1, column 8: name must be text in quotes, such as name = "espresso"; got 3`},
		{`name = "p"`, `name = espresso`, `p.toml: line 1, column 8: name must be text in quotes, such as name = "espresso"; got espresso`},
		{`name = "p"`, `name =`, `p.toml: line 1, column 7: name must be text in quotes, such as name = "espresso"; it has no value`},
		{`name = "p"`, `name = "branin"`,
			`p.toml: line 1: "branin" is the name of a test function; choose another name, such as my-branin`},
		{`name = "p"`, `name = ""`,
			`p.toml: line 1: the experiment name is empty; start with a letter and use only letters, digits, _ and -`},
		{`name = "p"`, `name = "../p"`,
			`p.toml: line 1: the experiment name "../p" begins with "."; start with a letter and use only letters, digits, _ and -`},
		{`name = "p"`, `name = "` + long + `"`,
			`p.toml: line 1: the experiment name has 65 bytes; the maximum is 64`},
		{`name = "p"`, "name = \"p\"\nabout = \"a\\u0007\"", `p.toml: line 2: about contains the control character U+0007; remove it`},
		{`name = "p"`, "name = \"p\"\nabout = \"\u202egnp\"", `p.toml: line 2: about contains the control character U+202E; remove it`},
		{`name = "p"`, "name = \"p\"\nabout = \"" + strings.Repeat("é", 2001) + `"`,
			`p.toml: line 2: about has 2001 characters; the maximum is 2000`},
		{`name = "p"`, "name = \"p\"\nabuot = \"a\"", `p.toml: line 2, column 1: unknown key "abuot"; did you mean about?`},
		{`name = "p"`, "name = \"p\"\nxyzzy = \"a\"",
			`p.toml: line 2, column 1: unknown key "xyzzy"; the keys are name, about, cost, constraints, budget, failures, duration, variable, objective, limit, mixture, table`},
		{`name = "p"`, "name = \"p\"\nname = \"q\"", `p.toml: line 2, column 1: name is given twice, first in line 1`},
		{`name = "p"`, "name = \"p\"\nseed = 3",
			`p.toml: line 2, column 1: unknown key "seed"; the keys are name, about, cost, constraints, budget, failures, duration, variable, objective, limit, mixture, table`},
		{`name = "p"`, "name = \"p\"\nexec = \"rm\"",
			`p.toml: line 2, column 1: unknown key "exec"; the keys are name, about, cost, constraints, budget, failures, duration, variable, objective, limit, mixture, table`},
		{`name = "p"`, "name = \"p\"\nbudget = 2.5",
			`p.toml: line 2, column 10: budget must be a whole number, such as budget = 40; got 2.5`},
		{`name = "p"`, "name = \"p\"\nbudget = 0",
			`p.toml: line 2: budget must be a whole number of iterations from 1 to 1000000, got 0`},
		{`name = "p"`, "name = \"p\"\ncost = \"1 + z\"",
			`p.toml: line 2: the cost "1 + z", at character 5: "z" is not allowed in a cost; use numbers, the variables (x), pi, + - * / ^, comparisons, and, or, not, ? : and abs, ceil, cos, exp, floor, log, sin, sqrt, tanh, max, min`},
		{`name = "p"`, "name = \"p\"\ncost = \"x - 1\"",
			`p.toml: line 2: the cost "x - 1" is 0 at x = 1; it must be positive and finite everywhere`},
		{`name = "p"`, "name = \"p\"\ncost = 3", `p.toml: line 2, column 8: cost must be text in quotes, such as cost = "1 + dose/10"; got 3`},
		{`name = "p"`, "name = \"p\"\nconstraints = \"x <= 1\"",
			`p.toml: line 2, column 15: constraints must be a list of texts in quotes, such as constraints = ["dose * ratio <= 40"]; got "x <= 1"`},
		{`name = "p"`, "name = \"p\"\nconstraints = []",
			`p.toml: line 2: constraints is empty; leave it out or add a constraint: constraints = ["dose * ratio <= 40"]`},
		{`name = "p"`, "name = \"p\"\nconstraints = [\n  \"x <= 1.5\",\n  \"x >= z\",\n  \"x <= 9\",\n\"x <= 1.5\"]", `p.toml: line 4: the constraint "x >= z", at character 6: "z" is not allowed in a constraint; use numbers, the variables (x), pi, + - * / ^, comparisons, and, or, not, ? : and abs, ceil, cos, exp, floor, log, sin, sqrt, tanh, max, min
p.toml: line 5: the constraint "x <= 9" holds everywhere between the bounds of its variables; check its numbers or leave it out
p.toml: line 6: the constraint "x <= 1.5" is given twice`},
		{`name = "p"`, "name = \"p\"\n[[constraint]]\nexpr = \"x < 1\"",
			`p.toml: line 2, column 3: unknown key "constraint"; did you mean constraints?`},
		{`name = "p"`, "name = \"p\"\njunk", `p.toml: line 2, column 5: invalid TOML: expected '=' after key`},
		{`name = "p"`, "name = \"p\"\nx.y = 1",
			`p.toml: line 2, column 1: unknown key "x.y"; the keys are name, about, cost, constraints, budget, failures, duration, variable, objective, limit, mixture, table`},
		{`[[variable]]`, "[variable]\nname = \"z\"\nlow = 0\nhigh = 1\n[variable]",
			`p.toml: line 7, column 2: variable must be tables; each begins with [[variable]], in double brackets, on its own line`},
		{`[[variable]]`, `[[variable]`, `p.toml: line 3, column 11: invalid TOML: expected ']]' to close array table name`},
		{`[[variable]]`, `[[varable]]`, "p.toml: line 1: there are no variables; begin each variable with [[variable]]\n" +
			"p.toml: line 3, column 3: unknown key \"varable\"; did you mean variable?"},
		{`name = "x"`, ``, `p.toml: line 3: this variable has no name; add one: name = "dose"`},
		{`name = "x"`, `name =`, `p.toml: line 4, column 7: name must be text in quotes, such as name = "dose"; it has no value`},
		{`name = "y"`, `name = # the yield`, `p.toml: line 9, column 8: name must be text in quotes, such as name = "yield"; it has no value`},
		{`name = "x"`, `name = "2x"`,
			`p.toml: line 4: the variable name "2x" begins with "2"; start with a letter and use only letters, digits and _`},
		{`name = "x"`, `name = "a-b"`,
			`p.toml: line 4: the variable name "a-b" contains "-"; start with a letter and use only letters, digits and _`},
		{`name = "x"`, `name = "a b"`,
			`p.toml: line 4: the variable name "a b" contains " "; start with a letter and use only letters, digits and _`},
		{`name = "x"`, `name = "exp"`,
			`p.toml: line 4: the variable name "exp" has another meaning in expressions and tables; choose another name, such as exp_1`},
		{`name = "x"`, `name = "y"`,
			`p.toml: line 9: a variable in line 4 already has the name "y"; choose another name`},
		{`high = 2`, "high = 2\n[[variable]]\nname = \"x\"\nlow = 0\nhigh = 1",
			`p.toml: line 8: a variable in line 4 already has the name "x"; choose another name`},
		{`low = 1`, `lo = 1`, "p.toml: line 5, column 1: unknown key \"lo\"; did you mean low?"},
		{`low = 1`, `low = "1"`, `p.toml: line 5, column 7: low must be a number, such as low = 14; got "1"`},
		{`low = 1`, `low = "a bit"`, `p.toml: line 5, column 7: low must be a number, such as low = 14; got "a bit"`},
		{`low = 1`, `low = one`, `p.toml: line 5, column 7: low must be a number, such as low = 14; got one`},
		{`low = 1`, `low = 1,5`, `p.toml: line 5, column 8: low must be a number, such as low = 14; got 1,5`},
		{`low = 1`, `low = [1]`, `p.toml: line 5, column 7: low must be a number, such as low = 14; got [1]`},
		{`low = 1`, `low = true`, `p.toml: line 5, column 7: low must be a number, such as low = 14; got true`},
		{`low = 1`, `low = nan`, `p.toml: line 5: low must be a finite number, got NaN`},
		{`low = 1`, `low = -inf`, `p.toml: line 5: low must be a finite number, got -Inf`},
		{`low = 1`, `low = -1e999`, `p.toml: line 5, column 7: low must be a number, such as low = 14; got -1e999`},
		{`low = 1`, `low = 2`,
			`p.toml: line 6: low and high are both 2; low must be less than high (leave out a variable that never changes)`},
		{`low = 1`, `low = 3`, `p.toml: line 6: low must be less than high, got low = 3 and high = 2`},
		{`low = 1`, `low = -1.7e308` + "\nhigh = 1.7e308 #",
			`p.toml: line 7, column 1: high is given twice, first in line 6`},
		{"low = 1\nhigh = 2", "low = -1.7e308\nhigh = 1.7e308",
			`p.toml: line 6: the interval from -1.7e+308 to 1.7e+308 cannot be searched numerically; use another unit or a closer origin`},
		{`low = 1`, "low = 0\nscale = \"log\"", `p.toml: line 5: low must be above 0 on a logarithmic scale, got 0`},
		{`low = 1`, "low = -3\nscale = \"log\"", `p.toml: line 5: low must be above 0 on a logarithmic scale, got -3`},
		{`low = 1`, "low = 1\nscale = \"logarithm\"",
			`p.toml: line 6: unknown value "logarithm" for scale; did you mean log?`},
		{`low = 1`, "low = 1\nscale = \"\"", `p.toml: line 6: scale is empty; use "linear" or "log"`},
		{`low = 1`, "low = 1\nkind = \"intger\"", `p.toml: line 6: unknown value "intger" for kind; did you mean integer?`},
		{`low = 1`, "low = 1\nkind = \"\"",
			`p.toml: line 6: kind is empty; use real, integer, ordered or choice`},
		{`low = 1`, "low = 1.5\nkind = \"integer\"", `p.toml: line 5: low of an integer must be a whole number, got 1.5`},
		{`low = 1`, "low = -9007199254740994\nkind = \"integer\"",
			`p.toml: line 5: low of an integer must be at most 2^53 in size, got -9.007199254740994e+15; use a real variable`},
		{`low = 1`, "low = 1\nvalues = [1, 2]",
			`p.toml: line 6: values does not apply to kind = "real", only to kind = "ordered"`},
		{`low = 1`, "low = 1\nkind = \"integer\"\nchoices = [\"a\", \"b\"]",
			`p.toml: line 7: choices does not apply to kind = "integer", only to kind = "choice"`},
		{`low = 1`, "kind = \"ordered\"\nvalues = [1, 2]",
			`p.toml: line 7: high does not apply to kind = "ordered"; remove it`},
		{"low = 1\nhigh = 2", "kind = \"ordered\"",
			`p.toml: line 3: an ordered variable needs 2 or more values in ascending order: values = [0.1, 0.3, 1, 3]`},
		{"low = 1\nhigh = 2", "kind = \"ordered\"\nvalues = [1, 3, 3]",
			`p.toml: line 6: values must be in ascending order without repeats, got 3 after 3`},
		{"low = 1\nhigh = 2", "kind = \"ordered\"\nvalues = [1, \"3\"]",
			`p.toml: line 6, column 14: values must be a list of numbers, such as values = [0.1, 0.3, 1, 3]; got [1, "3"]`},
		{"low = 1\nhigh = 2", "kind = \"ordered\"\nvalues = 3",
			`p.toml: line 6, column 10: values must be a list of numbers, such as values = [0.1, 0.3, 1, 3]; got 3`},
		{"low = 1\nhigh = 2", "kind = \"ordered\"\nscale = \"log\"\nvalues = [0, 3]",
			`p.toml: line 7: values must be above 0 on a logarithmic scale, got 0`},
		{"low = 1\nhigh = 2", "kind = \"choice\"",
			`p.toml: line 3: a choice needs 2 or more names: choices = ["water", "ethanol"]`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nchoices = [\"a\", \"a\"]", `p.toml: line 6: choices contains "a" twice`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nchoices = [\"a\", 3]",
			`p.toml: line 6, column 17: choices must be a list of texts in quotes, such as choices = ["water", "ethanol"]; got ["a", 3]`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nchoices = [\" a\", \"c\"]",
			`p.toml: line 6: choices contains " a"; a name must not be empty, and must not begin or end with a space`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nscale = \"log\"\nchoices = [\"a\", \"c\"]",
			`p.toml: line 6: scale does not apply to kind = "choice", because choices have no order`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nchoices = [\"a\", \"c\"]\ndescriptors = { b = [1] }",
			`p.toml: line 7: b has 1 number for 2 choices; give one number per choice, in the same order`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nchoices = [\"a\", \"c\"]\ndescriptors = { b = [1, 1] }",
			`p.toml: line 7: b is 1 for every choice; a property must differ between choices`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nchoices = [\"a\", \"c\"]\ndescriptors = [1, 1]",
			`p.toml: line 7, column 15: descriptors must be a table in braces, such as descriptors = { boiling = [100, 78] }; got [1, 1]`},
		{"low = 1\nhigh = 2", "kind = \"choice\"\nchoices = [\"a\", \"c\", \"d\"]\ndescriptors = { b = [1, 2, 1] }",
			`p.toml: line 7: a and d have the same descriptors; add a property that differs between them`},
		{`low = 1`, "low = 1\nabout = \"a\"",
			`p.toml: line 6, column 1: about applies to the whole file; put it before the first table`},
		{`low = 1`, "low = 1\nunit = \"" + strings.Repeat("m", 33) + `"`,
			`p.toml: line 6: unit has 33 characters; the maximum is 32`},
		{`direction = "minimize"`, ``,
			`p.toml: line 8: this objective has no direction; add one: direction = "maximize"`},
		{`direction = "minimize"`, `direction = "max"`,
			`p.toml: line 10: unknown value "max" for direction; did you mean maximize?`},
		{`direction = "minimize"`, `direction = "down"`,
			`p.toml: line 10: unknown value "down" for direction; use minimize or maximize`},
		{`direction = "minimize"`, "direction = \"minimize\"\nrange = [3, 1]",
			`p.toml: line 11: range is [3, 1]; give the lower value first, whatever the direction: [1, 3]`},
		{`direction = "minimize"`, "direction = \"minimize\"\nrange = [1, 1]",
			`p.toml: line 11: range must be the least and the greatest value that you expect, got [1, 1]`},
		{`direction = "minimize"`, "direction = \"minimize\"\nrange = [1, 2, 3]",
			`p.toml: line 11: range must be two numbers: range = [14, 24]`},
		{`direction = "minimize"`, "direction = \"minimize\"\nrange = \"1 to 2\"",
			`p.toml: line 11, column 9: range must be a list of numbers, such as range = [14, 24]; got "1 to 2"`},
		{`direction = "minimize"`, "direction = \"minimize\"\nrange = [1, inf]",
			`p.toml: line 11: range must be two finite numbers, got [1, +Inf]`},
		{`direction = "minimize"`, "direction = \"minimize\"\nscale = \"log\"",
			`p.toml: line 8: a logarithmic scale needs a range with a lower value above 0: range = [0.01, 100]; results below that value are clipped to it`},
		{`direction = "minimize"`, "direction = \"minimize\"\nscale = \"log\"\nrange = [0, 3]",
			`p.toml: line 12: the lower value of range must be above 0 on a logarithmic scale, got [0, 3]; results below it are clipped to it`},
		{`direction = "minimize"`, "direction = \"minimize\"\nrange = [3, 1]\nscale = \"log\"",
			`p.toml: line 11: range is [3, 1]; give the lower value first, whatever the direction: [1, 3]`},
		{`direction = "minimize"`, "direction = \"minimize\"\nrange = [0.1, 3]\nscale = \"log\"\nat_most = 0.1",
			`p.toml: line 13: at_most must be above 0.1, the lower value of range, on a logarithmic scale, got 0.1`},
		{`direction = "minimize"`, "direction = \"minimize\"\nscale = \"logs\"",
			`p.toml: line 11: unknown value "logs" for scale; did you mean log?`},
		{`direction = "minimize"`, "direction = \"minimize\"\nscale = \"\"",
			`p.toml: line 11: scale is empty; use "linear" or "log"`},
		{`direction = "minimize"`, "direction = \"minimize\"\nnoise = 0",
			`p.toml: line 11: noise must be a standard deviation above 0, got 0; leave it out if you do not know it`},
		{`direction = "minimize"`, "direction = \"minimize\"\nnoise = -1",
			`p.toml: line 11: noise must be a standard deviation above 0, got -1`},
		{`direction = "minimize"`, "direction = \"minimize\"\nat_most = \"3\"",
			`p.toml: line 11, column 11: at_most must be a number, such as at_most = 10; got "3"`},
		{`direction = "minimize"`, "direction = \"minimize\"\nat_most = inf",
			`p.toml: line 11: at_most must be a finite number, got +Inf`},
		{`direction = "minimize"`, "direction = \"minimize\"\nat_least = 4\nat_most = 3",
			`p.toml: line 12: at_least must be less than at_most, got at_least = 4 and at_most = 3`},
		{`direction = "minimize"`, "direction = \"minimize\"\n[[limit]]\nname = \"t\"",
			`p.toml: line 11: a limit needs at_most, at_least or both: at_most = 80 (to maximize or minimize a quantity, declare an [[objective]])`},
		{`direction = "minimize"`, "direction = \"minimize\"\n[[limit]]\nat_most = 3",
			`p.toml: line 11: this limit has no name; add one: name = "temperature"`},
		{`direction = "minimize"`, "direction = \"minimize\"\n[[limit]]\nname = \"y\"\nat_most = 3",
			`p.toml: line 12: an objective in line 9 already has the name "y"; choose another name`},
		{`direction = "minimize"`, "direction = \"minimize\"\n[[limit]]\nname = \"t\"\nat_most = 3\n" +
			"direction = \"minimize\"",
			`p.toml: line 14, column 1: unknown key "direction"; the keys of limit are name, at_most, at_least, unit, range, noise`},
		{`direction = "minimize"`, "direction = \"minimize\"\nlimit = 3",
			`p.toml: line 11, column 1: limit applies to the whole file; put it before the first table`},
		{good, "", `p.toml: the file is empty`},
		{good, "# nothing", "p.toml: line 1: the experiment has no name; add one: name = \"espresso\"\n" +
			"p.toml: line 1: there are no variables; begin each variable with [[variable]]\n" +
			"p.toml: line 1: there are no objectives; begin each objective with [[objective]]"},
		{`name = "p"`, "name = \"p\xff\"",
			`p.toml: line 1, column 10: invalid TOML: invalid UTF-8 character in basic string`},
		{`low = 1`, "low = 1 # \x1b[31m", `p.toml: line 5, column 11: invalid TOML: control characters are not allowed in comments`},
		{`name = "p"`, "name = \"p\" #" + strings.Repeat("x", MaxFile),
			`p.toml: the file has 1048680 bytes; the maximum is 1048576`},
		{`high = 2`, "high = 2\n" + many("variable", "v", "low = 0\nhigh = 1\n", 1000),
			`p.toml: line 4003: there are 1001 variables; the maximum is 1000`},
		{`high = 2`, "high = 2\n" + many("objective", "o", "direction = \"minimize\"\n", 10),
			`p.toml: line 39: there are 11 objectives; the maximum is 10`},
	} {
		text := strings.Replace(good, c.from, c.to, 1)
		d, err := Parse("p.toml", []byte(text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%.60q in place of %.40q:\n%v\nwant\n%s", c.to, c.from, err, c.want)
		}
		if err != nil && d != nil {
			t.Errorf("%q is read all the same", c.to)
		}
	}
}

func many(table, prefix, rest string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("[[" + table + "]]\nname = \"" + prefix + strings.Repeat("a", i%20) + string(rune('a'+i/20%26)) +
			string(rune('a'+i/520)) + "\"\n" + rest)
	}
	return b.String()
}

// All faults are reported at once, in the order of their lines; behind invalid syntax nothing is read.
func TestAllFaultsAtOnce(t *testing.T) {
	const text = `about = 3
[[variable]]
name = "x"
lo = 14
high = [
  "20",
]
scale = "lgo"
[[variable]]
name = "x"
low = 5
high = 1
[[objective]]
name = "x"
direction = "max"
`
	const want = `p.toml: line 1, column 9: about must be text in quotes, such as about = "extraction of espresso"; got 3
p.toml: line 1: the experiment has no name; add one: name = "espresso"
p.toml: line 4, column 1: unknown key "lo"; did you mean low?
p.toml: line 5, column 8: high must be a number, such as high = 20
p.toml: line 8: unknown value "lgo" for scale; did you mean log?
p.toml: line 10: a variable in line 3 already has the name "x"; choose another name
p.toml: line 12: low must be less than high, got low = 5 and high = 1
p.toml: line 14: a variable in line 3 already has the name "x"; choose another name
p.toml: line 15: unknown value "max" for direction; did you mean maximize?`
	_, err := Parse("p.toml", []byte(text+"[[objective"))
	const syntax = "p.toml: line 16, column 11: invalid TOML: expected ']]' to close array table name"
	if err == nil || !strings.HasSuffix(err.Error(), syntax) || strings.Contains(err.Error(), "direction") {
		t.Errorf("%v\nwant\n%s", err, syntax)
	}
	if _, err := Parse("p.toml", []byte(text)); err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	var b strings.Builder
	for range 200 {
		b.WriteString("[[variable]]\n")
	}
	if _, err := Parse("", []byte(b.String())); err == nil || strings.Count(err.Error(), "\n") != 50 ||
		!strings.HasSuffix(err.Error(), "\nand 552 more") {
		t.Errorf("%v", err)
	}
}

// What stands in the head of a session is checked like a file.
func TestCheckOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"p","variable":[{"name":"x","low":2,"high":1}],"objective":[{"name":"y","direction":"up"}]}`:                                   "low must be less than high, got low = 2 and high = 1\nunknown value \"up\" for direction; use minimize or maximize",
		`{"name":"p","variable":[],"objective":[{"name":"x","direction":"minimize"},{"name":"x","direction":"minimize"}]}`:                      "there are no variables; begin each variable with [[variable]]\nan objective already has the name \"x\"; choose another name",
		`{"name":"p","variable":[{"name":"x","low":1,"high":2,"sort":"integer"}],"objective":[{"name":"y","direction":"minimize"}]}`:            `the declaration of the experiment: json: unknown field "sort"`,
		`{"name":"p","budget":-3,"variable":[{"name":"x","low":0,"high":2,"scale":"log"}],"objective":[{"name":"y","direction":"minimize"}]}`:   "budget must be a whole number of iterations from 1 to 1000000, got -3\nlow must be above 0 on a logarithmic scale, got 0",
		`{"name":"p","variable":[{"name":"x","low":0,"high":2,"scale":"sqrt"}],"objective":[{"name":"y","direction":"minimize","noise":-0.5}]}`: "unknown value \"sqrt\" for scale; use linear or log\nnoise must be a standard deviation above 0, got -0.5",
	} {
		var d Declaration
		err := json.Unmarshal([]byte(text), &d)
		if err == nil {
			err = d.Check()
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n%v\nwant\n%s", text, err, want)
		}
	}
}

func TestDifferences(t *testing.T) {
	a, b := example(t, "espresso"), example(t, "espresso")
	b.Name, b.About, b.Budget = "lever", "", 20
	b.Variables[0].High, b.Variables[1].Scale, b.Variables[1].Unit = 21, functions.Log, ""
	b.Variables[0], b.Variables[1] = b.Variables[1], b.Variables[0]
	b.Objectives[0].Direction, b.Objectives[0].Range, b.Objectives[0].Noise = functions.Minimize, nil, 0.5
	b.Objectives[1].Name = "sourness"
	want := []string{"name is now lever; it was espresso",
		"about is now empty; it was extraction against bitterness on the lever machine", "budget is now 20; it was 24",
		"the variables are in another order", "high of dose is now 21; it was 20", "unit of time is now empty; it was s",
		"scale of time is now log; it was linear",
		"there is no objective bitterness any more", "there is a new objective sourness",
		"direction of extraction is now minimize; it was maximize",
		"range of extraction is now empty; it was 14, 24", "noise of extraction is now 0.5; it was 0.3"}
	if got := a.Differences(b); !reflect.DeepEqual(got, want) {
		t.Errorf("the differences are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Whatever the text, it is read or its faults are told, and what is read is right, survives JSON, and has a place for
// every point of the cube.
func FuzzParse(f *testing.F) {
	for _, name := range examples {
		text, err := os.ReadFile("testdata/" + name + ".toml")
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(good))
	for _, text := range []string{
		"[[variable", "a = '''", "variable = 3", "variable = [{low = [1, {a = 2}]}]",
		"[[variable]]\n[variable.x]\n[variable]\n", "a = 1\r\na.b = 2", "low = 1979-05-27", "\x00", "x = \"\\ud800\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse("f.toml", text)
		if err != nil {
			if d != nil || err.Error() == "" {
				t.Fatalf("%v with %v", err, d)
			}
			return
		}
		require.NoError(t, d.Check(), "it is read, and wrong")
		out, err := json.Marshal(d)
		require.NoError(t, err)
		var again Declaration
		if err := json.Unmarshal(out, &again); err != nil || !reflect.DeepEqual(&again, d) {
			t.Fatalf("%v: %+v is not %+v", err, again, d)
		}
		p := d.Problem()
		for _, u := range []float64{0, 0.25, 1} {
			values := make([]float64, p.Dim())
			for i := range values {
				values[i] = u
			}
			x := p.Domain.FromUnit(values)
			require.NoError(t, p.Domain.Check(x))
			for i, back := range p.Domain.ToUnit(x) {
				if p.Domain[i].Kind != functions.Real { // the nearest level stays itself
					back = u + x[i] - p.Domain[i].FromUnit(back)
				}
				require.InDelta(t, u, back, 1e-6, "%g of %+v comes back as", u, p.Domain[i])
			}
		}
	})
}

// The constraints that the guide shows are those of an example.
func TestGuidesConstraints(t *testing.T) {
	guide, err := os.ReadFile("../../tui/guide/own-experiment.md")
	require.NoError(t, err)
	_, block, _ := strings.Cut(string(guide), "```toml\nconstraints")
	block, _, _ = strings.Cut(block, "```")
	d := example(t, "blend")
	text, err := os.ReadFile("testdata/blend.toml")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "\n\n")
	shown, err := Parse("", []byte("name = \"blend\"\nabout = \""+d.About+"\"\nconstraints"+block+"\n"+rest))
	if err != nil || !reflect.DeepEqual(shown, d) {
		t.Errorf("%v: %+v", err, shown)
	}
}
