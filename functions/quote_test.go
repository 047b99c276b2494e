package functions

import (
	"slices"
	"testing"
)

// Names of chemicals survive being listed, whatever they contain.
func TestQuotedLists(t *testing.T) {
	names := []string{"2,6-lutidine", `5" pipe`, `"quoted"`, "CC(=O)OC", "K₃PO₄", "109-99-9", `",`, `a""b`, "3'-O-methyl",
		`"2,6"-x`, "x"}
	var text, pairs string
	for i, name := range names {
		if i > 0 {
			text, pairs = text+", ", pairs+","
		}
		text += Quote(name)
		pairs += "v=" + Quote(name)
	}
	for _, list := range [][]string{SplitList(text, ','), SplitPairs(pairs)} {
		for i, item := range list {
			if list[i] = Unquote(item); len(item) > 2 && item[:2] == "v=" {
				list[i] = Unquote(item[2:])
			}
		}
		if !slices.Equal(list, names) {
			t.Errorf("%q, want %q", list, names)
		}
	}
	if got := SplitPairs("base=2,6-lutidine,n=3"); !slices.Equal(got, []string{"base=2,6-lutidine", "n=3"}) {
		t.Errorf("%q", got)
	}
	if got := SplitList(`5", 6", 7`, ','); len(got) != 3 {
		t.Errorf("inches: %q", got)
	}
}

func FuzzQuotedLists(f *testing.F) {
	f.Add("a,b", `"`)
	f.Add(`"",`, ` x"`)
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = Unquote(Quote(a)), Unquote(b)
		items := SplitList(Quote(a)+","+Quote(b), ',')
		if len(items) != 2 || Unquote(items[0]) != Unquote(a) && Unquote(items[0]) != a {
			t.Errorf("%q, %q: %q", a, b, items)
		}
	})
}

// An integer with many values stays one, without a list of its values.
func TestWideIntegers(t *testing.T) {
	v := Variable{Name: "seed", Kind: Integer, Low: 3, High: 3_999_999_979, Scale: Log}
	for _, u := range []float64{0, 0.1234567, 0.5, 0.987654321, 1} {
		x := v.FromUnit(u)
		if err := v.Check(x); err != nil || v.Levels() != 0 {
			t.Errorf("at %g: %v, %d levels", u, err, v.Levels())
		}
	}
	if v.Snap(1234567.4) != 1234567 || v.Text(7654321) != "7654321" {
		t.Errorf("%g, %s", v.Snap(1234567.4), v.Text(7654321))
	}
	if _, err := ParseConstraint("seed <= 70", Domain{v, {Name: "a", High: 1}}); err == nil {
		t.Error("a constraint uses a wide integer")
	}
	if v := (Variable{Kind: Integer, High: MaxLevels - 1}); v.Levels() != MaxLevels {
		t.Errorf("%d levels", v.Levels())
	}
}
