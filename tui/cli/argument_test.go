package cli

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"bandscope/sessions/acts"
)

// An argument of an act is read from words as its type says, and repeated flags add to lists and maps.
func TestArguments(t *testing.T) {
	for _, c := range []struct {
		act   *acts.Act
		flag  string
		texts []string
		want  string // in JSON, or a part of the error
	}{
		{acts.Tell.Act, "point", []string{"7.2"}, `"7.2"`},
		{acts.Tell.Act, "point", []string{"12"}, `12`},
		{acts.Tell.Act, "point", []string{"7.0"}, "a point has a number"},
		{acts.Tell.Act, "at", []string{"solvent=1,4-dioxane,dose=3", "time=2"}, `{"dose":3,"solvent":"1,4-dioxane","time":2}`},
		{acts.Tell.Act, "values", []string{"a=1", "b=2.5"}, `{"a":1,"b":2.5}`},
		{acts.Tell.Act, "values", []string{"a=1,5"}, `"1,5" is not a finite number`},
		{acts.Tell.Act, "values", []string{"a=1", "a=2"}, "a is given twice"},
		{acts.Tell.Act, "note", []string{"16"}, `"16"`},
		{acts.Ask.Act, "fixed", []string{"x=1,y=2", "x=3,y=4"}, `[{"x":1,"y":2},{"x":3,"y":4}]`},
		{acts.Ask.Act, "shared", []string{"x,y", "z"}, `["x","y","z"]`},
		{acts.Ask.Act, "plate", []string{"8X12"}, `"8X12"`},
		{acts.Set.Act, "parameters", []string{"kernel=se", "width=64"}, `{"kernel":"se","width":64}`},
		{acts.Set.Act, "narrow", []string{"x=10..60,2.5", "y=free"}, `{"x":"10..60,2.5","y":"free"}`},
		{acts.Set.Act, "at-most", []string{"none"}, `"none"`},
		{acts.Set.Act, "range", []string{"0"}, "a range is two numbers"},
		{acts.Steer.Act, "box", []string{"yield=60%..80%,cost=1..3"}, `{"cost":"1..3","yield":"60%..80%"}`},
		{acts.Steer.Act, "prefer", []string{"3.2:7"}, `"3.2:7"`},
		{acts.Steer.Act, "prefer", []string{"3"}, "two steps"},
		{acts.Predict.Act, "quantiles", []string{"0.1,0.9"}, `[0.1,0.9]`},
	} {
		_, d := actCommand(c.act, "")
		g := d.flags[c.flag]
		var err error
		for _, text := range c.texts {
			if err == nil {
				err = g.Set(text)
			}
		}
		got, _ := json.Marshal(g.value)
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && string(got) != c.want {
			t.Errorf("%s --%s %q is %s, %v; want %s", c.act.Name, c.flag, c.texts, got, err, c.want)
		}
	}
}

// Every argument of an act has a flag or a word of its own, with a help text and words that exist.
func TestEveryArgumentHasAFlag(t *testing.T) {
	for _, a := range acts.All() {
		seen := map[string]bool{}
		for _, g := range argumentsOf(a.Arguments(), "") {
			if seen[g.flag] || g.help == "" || g.completion != "" && wordsOf[g.completion] == nil {
				t.Errorf("%s --%s: twice %v, help %q, completion %q", a.Name, g.flag, seen[g.flag], g.help, g.completion)
			}
			seen[g.flag] = true
		}
		if fields := reflect.VisibleFields(a.Arguments()); len(fields) > 0 && len(seen) == 0 {
			t.Errorf("%s has no flags", a.Name)
		}
	}
}
