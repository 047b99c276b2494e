package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/tomlfile"
)

// declared is a declaration without a fault.
func declared(t testing.TB) *Declaration {
	t.Helper()
	d, err := Parse("", []byte(good))
	require.NoError(t, err)
	return d
}

// names are so many names that differ.
func differing(prefix string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s%d", prefix, i))
	}
	return names
}

// rising are so many numbers that rise from 1.
func rising(n int) (list []float64) {
	for i := range n {
		list = append(list, float64(i+1))
	}
	return list
}

// What is just within a bound has no fault, and what is just beyond has one that names the bound.
func TestBoundsOfADeclaration(t *testing.T) {
	bound := func(v float64) *float64 { return &v }
	between := func(low, high float64) func(*Declaration) {
		return func(d *Declaration) { d.Variables[0].Low, d.Variables[0].High = low, high }
	}
	variable := func(v functions.Variable) func(*Declaration) {
		return func(d *Declaration) { v.Name = "x"; d.Variables[0] = v }
	}
	objective := func(change func(o *functions.Objective)) func(*Declaration) {
		return func(d *Declaration) { change(&d.Objectives[0]) }
	}
	traits := func(n int) []functions.Descriptor {
		var list []functions.Descriptor
		for _, name := range differing("t", n) {
			list = append(list, functions.Descriptor{Name: name, Values: []float64{1, 2}})
		}
		return list
	}
	choice := func(choices []string, traits []functions.Descriptor) functions.Variable {
		v := functions.NewChoice("x", choices...)
		v.Descriptors = traits
		return v
	}
	for name, c := range map[string]struct {
		within, beyond func(*Declaration)
		want           string
	}{
		"budget": {func(d *Declaration) { d.Budget = 1_000_000 }, func(d *Declaration) {
			d.Budget = 1_000_001
		}, "budget must be a whole number of iterations from 1 to 1000000, got 1000001"},
		"no budget": {func(d *Declaration) { d.Budget = 0 }, func(d *Declaration) {
			d.Budget = -1
		}, "iterations from 1 to 1000000, got -1"},
		"name": {func(d *Declaration) { d.Name = strings.Repeat("a", 64) }, func(d *Declaration) {
			d.Name = strings.Repeat("a", 65)
		}, "the experiment name has 65 bytes; the maximum is 64"},
		"about": {func(d *Declaration) { d.About = strings.Repeat("ä", 2000) }, func(d *Declaration) {
			d.About = strings.Repeat("ä", 2001)
		}, "about has 2001 characters; the maximum is 2000"},
		"failures": {func(d *Declaration) { d.Failures = FailuresIgnored }, func(d *Declaration) {
			d.Failures = "ignore"
		}, `unknown value "ignore" for failures; did you mean ignored?`},
		"duration": {func(d *Declaration) { d.Duration = "2d" }, func(d *Declaration) {
			d.Duration = "2 days"
		}, `duration: a duration is a number with min, h, d or w, from 1min to 521w, as in 90min, 36h or 2d; got "2 days"`},
		"unit": {variable(functions.Variable{High: 1, Unit: strings.Repeat("µ", 32)}),
			variable(functions.Variable{High: 1, Unit: strings.Repeat("µ", 33)}),
			"unit has 33 characters; the maximum is 32"},
		"objectives": {func(d *Declaration) { d.Objectives = objectives(10) }, func(d *Declaration) {
			d.Objectives = objectives(11)
		}, "there are 11 objectives; the maximum is 10"},
		"limits": {func(d *Declaration) { d.Limits = limits(10) }, func(d *Declaration) {
			d.Limits = limits(11)
		}, "there are 11 limits; the maximum is 10"},
		"variables": {func(d *Declaration) { d.Variables = variables(1000) }, func(d *Declaration) {
			d.Variables = variables(1001)
		}, "there are 1001 variables; the maximum is 1000"},
		"narrow": {between(1e9-1, 1e9), between(1e9, 1e9+0.999),
			"from 1e+09 to 1.000000000999e+09 cannot be searched"},
		"far away": {between(1e9-1, 1e9), between(1e9, 1e9+1),
			"from 1e+09 to 1.000000001e+09 cannot be searched"},
		"narrow, < 0": {between(-1e9, 1-1e9), between(-1.002e9, 1-1.002e9), "cannot be searched"},
		"tiny":        {between(0, 1e-300), between(0, 1e-301), "from 0 to 1e-301 cannot be searched"},
		"huge": {between(0, math.MaxFloat64), between(-math.MaxFloat64, math.MaxFloat64),
			"cannot be searched"},
		"log": {variable(functions.Variable{Low: 1e-9, High: 1, Scale: functions.Log}),
			variable(functions.Variable{High: 1, Scale: functions.Log}),
			"low must be above 0 on a logarithmic scale, got 0"},
		"integers": {variable(functions.Variable{Low: 0, High: 1 << 53, Kind: functions.Integer}),
			variable(functions.Variable{Low: 0, High: 1<<53 + 2, Kind: functions.Integer}),
			"high of an integer must be at most 2^53 in size"},
		"whole": {variable(functions.Variable{Low: 1, High: 2, Kind: functions.Integer}),
			variable(functions.Variable{Low: 1, High: 2.5, Kind: functions.Integer}),
			"high of an integer must be a whole number, got 2.5"},
		"values": {variable(functions.NewOrdered("x", rising(1000)...)),
			variable(functions.NewOrdered("x", rising(1001)...)), "values has 1001 numbers; the maximum is 1000"},
		"few values": {variable(functions.NewOrdered("x", 1, 2)),
			variable(functions.Variable{Kind: functions.Ordered, Values: []float64{1}, Low: 1, High: 1}),
			"needs 2 or more values"},
		"of values": {variable(functions.NewOrdered("x", 1, 2)),
			variable(functions.Variable{Kind: functions.Ordered, Values: []float64{1, 2}, Low: 1, High: 3}),
			"the bounds of an ordered variable must be its first and its last value"},
		"first value": {variable(functions.NewOrdered("x", 1, 2)),
			variable(functions.Variable{Kind: functions.Ordered, Values: []float64{1, 2}, Low: 0, High: 2}),
			"the bounds of an ordered variable must be its first and its last value"},
		"of choices": {variable(choice([]string{"a", "b"}, nil)),
			variable(functions.Variable{Kind: functions.Choice, Choices: []string{"a", "b"}, High: 2}),
			"the bounds of a choice must be 0 and the number of its choices minus 1"},
		"choices": {variable(choice(differing("c", 1000), nil)), variable(choice(differing("c", 1001), nil)),
			"choices has 1001 names; the maximum is 1000"},
		"few choices": {variable(choice([]string{"a", "b"}, nil)), variable(choice([]string{"a"}, nil)),
			"a choice needs 2 or more names"},
		"a choice": {variable(choice([]string{strings.Repeat("ä", 300), "b"}, nil)),
			variable(choice([]string{strings.Repeat("ä", 301), "b"}, nil)), "has 301 characters; the maximum is 300"},
		"descriptors": {variable(choice([]string{"a", "b"}, traits(100))),
			variable(choice([]string{"a", "b"}, traits(101))), "descriptors must have 1 to 100 properties, got 101"},
		"traits": {variable(choice([]string{"a", "b"},
			[]functions.Descriptor{{Name: "t", Values: []float64{1.6e308, 1.7e308}}})),
			variable(choice([]string{"a", "b"}, []functions.Descriptor{
				{Name: "t", Values: []float64{-1.7e308, 1.7e308}}})), "a property must differ between choices"},
		"none": {variable(choice([]string{"a", "b"}, traits(1))),
			variable(choice([]string{"a", "b"}, []functions.Descriptor{})), "descriptors must have 1 to 100 properties, got 0"},
		"noise": {objective(func(o *functions.Objective) { o.Noise = 0 }),
			objective(func(o *functions.Objective) { o.Noise = math.Inf(1) }),
			"noise must be a standard deviation above 0, got +Inf"},
		"range": {objective(func(o *functions.Objective) { o.Range = &[2]float64{0, math.MaxFloat64} }),
			objective(func(o *functions.Objective) { o.Range = &[2]float64{-math.MaxFloat64, math.MaxFloat64} }),
			"range must be the least and the greatest value that you expect"},
		"NaN": {objective(func(o *functions.Objective) { o.Range = &[2]float64{0, 1} }),
			objective(func(o *functions.Objective) { o.Range = &[2]float64{0, math.NaN()} }),
			"range must be two finite numbers, got [0, NaN]"},
		"limit": {objective(func(o *functions.Objective) { o.AtLeast, o.AtMost = bound(1), bound(1.5) }),
			objective(func(o *functions.Objective) { o.AtLeast, o.AtMost = bound(1), bound(1) }),
			"at_least must be less than at_most, got at_least = 1 and at_most = 1"},
		"factors": {objective(func(o *functions.Objective) {
			o.Scale, o.Range, o.AtLeast = functions.Log, &[2]float64{0.1, 3}, bound(0.11)
		}), objective(func(o *functions.Objective) {
			o.Scale, o.Range, o.AtLeast = functions.Log, &[2]float64{0.1, 3}, bound(0.1)
		}), "at_least must be above 0.1, the lower value of range, on a logarithmic scale, got 0.1"},
	} {
		d := declared(t)
		c.within(d)
		assert.NoError(t, d.Check(), "%s, just within", name)
		d = declared(t)
		c.beyond(d)
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, just beyond: %.200v, want %q", name, err, c.want)
		}
	}
}

func variables(n int) (list functions.Domain) {
	for _, name := range differing("v", n) {
		list = append(list, functions.Variable{Name: name, High: 1})
	}
	return list
}

func objectives(n int) (list []functions.Objective) {
	for _, name := range differing("o", n) {
		list = append(list, functions.Objective{Name: name, Direction: functions.Minimize})
	}
	return list
}

func limits(n int) []functions.Objective {
	list := objectives(n)
	for i := range list {
		most := 1.0
		list[i].Direction, list[i].AtMost = "", &most
	}
	return list
}

// Bounds of a text are those of its bytes, its tables and its constraints.
func TestBoundsOfAFile(t *testing.T) {
	file := func(old, now string) string { return strings.Replace(good, old, now, 1) }
	constraints := func(texts ...string) string {
		return file(`name = "p"`, "name = \"p\"\nconstraints = [\""+strings.Join(texts, "\", \"")+"\"]")
	}
	var many []string
	for i := range 101 {
		many = append(many, fmt.Sprintf("x <= 1.5%02d", i))
	}
	long := "x <= 1.5" + strings.Repeat(" + 0", 248) // of 1000 characters
	limit := func(n int) string {
		text := good
		for _, name := range differing("t", n) {
			text += "[[limit]]\nname = \"" + name + "\"\nat_most = 3\n"
		}
		return text
	}
	for name, c := range map[string]struct{ within, beyond, want string }{
		"bytes": {good + "#" + strings.Repeat("x", MaxFile-len(good)-1),
			good + "#" + strings.Repeat("x", MaxFile-len(good)),
			"the file has 1048577 bytes; the maximum is 1048576"},
		"constraints": {constraints(many[:100]...), constraints(many...),
			"there are 101 constraints; the maximum is 100"},
		"a constraint": {constraints(long), constraints(strings.Replace(long, " ", "  ", 1)),
			"a constraint has 1001 characters; the maximum is 1000"},
		"twice": {constraints("x <= 1.5", "x <= 1.6"), constraints("x <= 1.5", " x <= 1.5 "),
			`line 2: the constraint "x <= 1.5" is given twice`},
		"limits": {limit(10), limit(11), "there are 11 limits; the maximum is 10"},
		"budget": {file(`name = "p"`, "name = \"p\"\nbudget = 1"),
			file(`name = "p"`, "name = \"p\"\nbudget = 0"),
			"budget must be a whole number of iterations from 1 to 1000000, got 0"},
		"most budget": {file(`name = "p"`, "name = \"p\"\nbudget = 1_000_000"),
			file(`name = "p"`, "name = \"p\"\nbudget = 1000001"), "from 1 to 1000000, got 1000001"},
		"whole budget": {file(`name = "p"`, "name = \"p\"\nbudget = 2"),
			file(`name = "p"`, "name = \"p\"\nbudget = 2.5"), "got 2.5"},
	} {
		if _, err := Parse("", []byte(c.within)); err != nil {
			t.Errorf("%s, just within: %.200v", name, err)
		}
		if _, err := Parse("", []byte(c.beyond)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, just beyond: %.200v, want %q", name, err, c.want)
		}
	}
}

// A fault knows its place: of what is missing altogether the table without a number, of a key the number of its table;
// a form shows it there. A cost is tried only where asked for, and where nothing else is wrong.
func TestPlacesOfFaults(t *testing.T) {
	faults := func(text string, cost bool) []string {
		_, err := ParseDraft([]byte(text), cost)
		var all *tomlfile.Faults
		if err == nil {
			return nil
		}
		require.True(t, errors.As(err, &all), "%q: %v", text, err)
		var list []string
		for _, f := range all.List {
			list = append(list, fmt.Sprintf("%s %d %s", f.Table, f.Index, f.Key))
		}
		return list
	}
	for _, c := range []struct {
		from, to string
		cost     bool
		want     []string
	}{
		{"", "", true, nil},
		{good, `name = "p"`, true, []string{"variable -1 ", "objective -1 "}},
		{`name = "p"`, "", true, []string{" 0 name"}},
		{"high = 2", "high = 0", true, []string{"variable 0 high"}},
		{"high = 2", "high = 2\n[[variable]]\nname = \"z\"\nlow = 3\nhigh = 1", true, []string{"variable 1 high"}},
		{`direction = "minimize"`, "direction = \"minimize\"\n[[objective]]\nname = \"z\"\ndirection = \"up\"", true,
			[]string{"objective 1 direction"}},
		{`direction = "minimize"`, "direction = \"minimize\"\n[[limit]]\nname = \"z\"", true,
			[]string{"limit 0 at_most"}},
		{"low = 1\nhigh = 2", "low = 3\nlow = 1\nsort = 2\nhigh = 2\nunit = 3", true,
			[]string{"variable 0 low", "variable 0 sort", "variable 0 unit"}},
		{"low = 1", "lo = 1", true, []string{"variable 0 lo"}},
		{`name = "p"`, "name = \"p\"\ncost = \"z\"", true, []string{" 0 cost"}},
		{`name = "p"`, "name = \"p\"\ncost = \"z\"", false, nil},
		{`name = "p"`, "name = \"p-\u00b5.\"\ncost = \"z\"", true, []string{" 0 name"}},
	} {
		if got := faults(strings.Replace(good, c.from, c.to, 1), c.cost); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.to, got, c.want)
		}
	}
}

// A form has the fields of each table in the order of a file, with what each takes, and those that fit a kind.
func TestFields(t *testing.T) {
	for table, want := range map[string]string{
		Root:       "name* about cost constraints[],  budget# failures duration",
		Variables:  "name* kind low*# high*# unit scale step# values[]# choices[] descriptors{}#",
		Objectives: "name* direction* unit range[]# scale noise# worthwhile# at_most# at_least#",
		Limits:     "name* at_most# at_least# unit range[]# noise#",
		Mixtures:   "components*[] total#",
	} {
		var list []string
		for _, f := range Fields(table) {
			text := f.Key
			for _, mark := range []struct {
				is   bool
				text string
			}{{f.Required, "*"}, {f.List, "[]"}, {f.Commas, ", "}, {f.Table, "{}"}, {!f.Text, "#"}} {
				if mark.is {
					text += mark.text
				}
			}
			list = append(list, text)
			if f.About == "" || f.Example == "" {
				t.Errorf("%s has no example, or nothing about it", f.Key)
			}
		}
		assert.Equal(t, want, strings.Join(list, " "), "%q", table)
	}
	for kind, want := range map[string]string{
		"": "low high scale step", "real": "low high scale step", "integer": "low high scale", "ordered": "scale values",
		"choice": "choices descriptors"} {
		var fit []string
		for _, f := range Fields(Variables) {
			if f.AppliesTo(Variables, kind) && !slices.Contains([]string{"name", "kind", "unit"}, f.Key) {
				fit = append(fit, f.Key)
			}
			assert.True(t, f.AppliesTo(Objectives, kind), "%s does not fit an objective", f.Key)
		}
		assert.Equal(t, want, strings.Join(fit, " "), "of kind %q there", kind)
	}
}

// Constraints are kept without the blanks around them, and a text without those between its words.
func TestTextsAreTrimmed(t *testing.T) {
	d, err := Parse("", []byte(strings.Replace(good, `name = "p"`,
		"name = \"p\"\nabout = \"\"\"\n a\r\n\tb  c \"\"\"\ncost = \" 1 + x \"\nconstraints = [\" x <= 1.5\\t\"]", 1)))
	if err != nil || d.About != "a b c" || d.Cost != "1 + x" || !slices.Equal(d.Constraints, []string{"x <= 1.5"}) {
		t.Errorf("%+v, %v", d, err)
	}
}
