package experiment

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

var draftExamples = []string{"espresso", "reactor", "simulator", "boiler", "coupling", "blend", "recipe"}

func draftExample(t testing.TB, name string) ([]byte, *Declaration) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".toml")
	require.NoError(t, err)
	d, err := Parse(name+".toml", text)
	require.NoError(t, err)
	return text, d
}

func written(t testing.TB, d *Declaration) *DraftFile {
	t.Helper()
	draft, err := NewDraft(d)
	require.NoError(t, err)
	return draft.Write()
}

// The guide's example, written again, is the guide's example.
func TestExampleIsWrittenAsAPersonDoes(t *testing.T) {
	want, d := draftExample(t, "espresso")
	if got := written(t, d).Text; !bytes.Equal(got, want) {
		t.Errorf("it is written as\n%s\nwant\n%s", got, want)
	}
}

// From a file to a declaration, to a file and back it stays the same, to the last digit.
func TestWrittenAndReadBack(t *testing.T) {
	list := map[string]*Declaration{}
	for _, name := range draftExamples {
		_, list[name] = draftExample(t, name)
	}
	list["hard"] = &Declaration{Name: "hard-1", About: `quotes " and ' and \ and a tab's end # no comment`,
		Cost: "x > 1 ? 2 : 1", Budget: 1000000,
		Variables: functions.Domain{{Name: "x", Low: -1e-7, High: 0.1 + 0.2, Unit: `"`},
			{Name: "größe", Low: 1e-300, High: 1e21, Scale: functions.Log, Unit: "'"},
			{Name: "y", Low: -1234567, High: 1e15}},
		Objectives: []functions.Objective{{Name: "z", Direction: functions.Minimize, Unit: `\u0041`,
			Range: &[2]float64{-math.Pi, 1e100}, Noise: 1e-12},
			{Name: "w", Direction: functions.Maximize, Range: &[2]float64{1e-9, 2}, Scale: functions.Log}}}
	for name, d := range list {
		w := written(t, d)
		if w.Faults != nil || !reflect.DeepEqual(w.Declaration, d) {
			t.Errorf("%s is written as\n%s\nand read as %+v, %v", name, w.Text, w.Declaration, w.Faults)
		}
		for n, line := range strings.Split(strings.TrimSuffix(string(w.Text), "\n"), "\n") {
			if position, ok := w.Line(n); ok != (line != "") || position.Key != "" && !strings.HasPrefix(line, position.Key) {
				t.Errorf("%s: line %d, %q, is about %+v", name, n+1, line, position)
			}
		}
	}
}

// What is wrong is told at its field, in the words of the file's checks, and without lines, which a form has not.
func TestFaultsHavePlaces(t *testing.T) {
	d := New()
	d.Root = Row{"name": "branin", "budget": "many", "cost": "2*x"}
	d.Variables = []Row{{"name": "x", "low": "14,5", "high": "20"}, {"name": "x", "low": "3", "high": "2"},
		{"name": "y", "low": "0", "high": `"1"`, "scale": "log"}, {"name": "a b", "low": "[", "high": "nan"}, {}}
	d.Objectives = []Row{{"name": "f", "direction": "max", "range": "24 to 14", "noise": "0"},
		{"name": "g", "direction": "minimize", "range": "14", "noise": "-1"},
		{"name": "h", "direction": "minimize", "range": "a..b"}}
	var got []string
	for _, f := range d.Write().Faults {
		got = append(got, strings.TrimSpace(f.Table+" "+string(rune('1'+f.Index))+" "+f.Key+": "+f.Text))
	}
	want := `1 name: "branin" is the name of a test function; choose another name, such as my-branin
1 budget: budget must be a whole number, such as budget = 40; got "many"
variable 1 low: low must be a number, such as low = 14; got "14,5"
variable 2 name: a variable already has the name "x"; choose another name
variable 2 high: low must be less than high, got low = 3 and high = 2
variable 3 low: low must be above 0 on a logarithmic scale, got 0
variable 3 high: high must be a number, such as high = 20; got '"1"'
variable 4 name: the variable name "a b" contains " "; start with a letter and use only letters, digits and _
variable 4 low: low must be a number, such as low = 14; got "["
variable 4 high: high must be a number, such as high = 20; got "nan"
variable 5 name: this variable has no name; add one: name = "dose"
variable 5 low: this variable has no low; add one: low = 14
variable 5 high: this variable has no high; add one: high = 20
objective 1 direction: unknown value "max" for direction; did you mean maximize?
objective 1 range: range is [24, 14]; give the lower value first, whatever the direction: [14, 24]
objective 1 noise: noise must be a standard deviation above 0, got 0; leave it out if you do not know it
objective 2 range: range must be two numbers: range = [14, 24]
objective 2 noise: noise must be a standard deviation above 0, got -1
objective 3 range: range must be a list of numbers, such as range = [14, 24]; got ["a", "b"]`
	if strings.Join(got, "\n") != want {
		t.Errorf("the faults are\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if d = New(); d.Write().Declaration != nil || len(d.Write().Faults) != 6 {
		t.Errorf("of an empty form the faults are %v", d.Write().Faults)
	}
	d.Variables, d.Objectives = nil, nil
	if faults := d.Write().Faults; len(faults) != 1 || !strings.HasPrefix(faults[0].Text, "the file is empty") {
		t.Errorf("of one without rows %v", faults)
	}
}

// The cost is tried when that is asked for.
func TestCostIsTried(t *testing.T) {
	_, d := draftExample(t, "espresso")
	for cost, want := range map[string]string{
		"1 + dose": "", "dose - 17": "it must be positive and finite everywhere", "1 + does": "does"} {
		d.Cost = cost
		w := written(t, d)
		assert.Nil(t, w.Faults, "%s: untried it is wrong", cost)
		switch w = w.WithFullCheck(); {
		case want == "" && w.Declaration == nil:
			t.Errorf("%s: %v", cost, w.Faults)
		case want != "" && (len(w.Faults) != 1 || w.Faults[0].Place != Place{Key: "cost"} ||
			!strings.Contains(w.Faults[0].Text, want)):
			t.Errorf("%s: %v", cost, w.Faults)
		}
	}
}

// However a range is typed, it is the same.
func TestRangesAreTypedInManyWays(t *testing.T) {
	for _, text := range []string{"14, 24", "14,24", "[14, 24]", "14 24", "14..24", "14 to 24", " 14 ,24, "} {
		assert.Equal(t, "[14, 24]", draftValue(Field{List: true}, strings.TrimSpace(text)), "%q", text)
	}
}

// Drafts that are copied are apart, and drafts that say the same are the same.
func TestClones(t *testing.T) {
	_, d := draftExample(t, "espresso")
	a, err := NewDraft(d)
	require.NoError(t, err)
	b := a.Clone()
	assert.True(t, a.Equal(b), "a clone says something else")
	b.Row(Variables, 1)["low"] = "21"
	if a.Equal(b) || a.Variables[1]["low"] != "20" {
		t.Errorf("a change of a clone is one of the draft: %v", a.Variables[1])
	}
	if a.Row(Variables, 2) != nil || a.Row(Root, 0)["name"] != "espresso" {
		t.Error("other rows than there are")
	}
}

// What is declared at random, as far as it is right, comes back to the last bit.
func TestNumbersComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	draw := func() float64 { return rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20)) }
	for range 200 {
		low, worst := draw(), draw()
		d := &Declaration{Name: "p", Budget: 1 + rng.IntN(1e6),
			Variables: functions.Domain{{Name: "x", Low: low, High: low + math.Abs(low)*(1+rng.Float64())}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Maximize,
				Range: &[2]float64{worst, worst + math.Abs(draw()) + math.Abs(worst)}, Noise: math.Abs(draw())}}}
		if w := written(t, d); !reflect.DeepEqual(w.Declaration, d) {
			t.Fatalf("%+v is written as\n%s\n%v", d, w.Text, w.Faults)
		}
	}
}

// Whatever is read is written so that it is read the same, and written once more it does not change.
func FuzzWrittenAndReadBack(f *testing.F) {
	for _, name := range draftExamples {
		text, _ := draftExample(f, name)
		f.Add(text)
	}
	f.Add([]byte("name = \"a\"\nabout = \"it's \\\"x\\\" \\\\ \\u00e9 # [[variable]]\"\n[[variable]]\nname = \"b\"\n" +
		"low = 1e-5\nhigh = 0x10\nunit = '''a\"'''\n[[objective]]\nname = \"c\"\ndirection = \"minimize\"\n" +
		"range = [-1_0, 2e300]\nnoise = 1e-320\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse("f.toml", text)
		if err != nil {
			return
		}
		w := written(t, d)
		if w.Faults != nil || !reflect.DeepEqual(w.Declaration, d) {
			t.Fatalf("%v: %+v is not %+v:\n%s", w.Faults, w.Declaration, d, w.Text)
		}
		if again := written(t, w.Declaration); !bytes.Equal(again.Text, w.Text) {
			t.Fatalf("written once more it is\n%s\nand was\n%s", again.Text, w.Text)
		}
	})
}

// A name with commas, quotes or = is itself in a file, in a form and in JSON.
func TestNamesOfChoices(t *testing.T) {
	names := []string{"2,6-lutidine", `5" pipe`, `"q"`, "CC(=O)OC", "O=C1CCCO1", "109-99-9", "3'-O-methyl", "7", "0x1", "{a}#"}
	draft := New()
	draft.Root["name"] = "bases"
	var typed []string
	for _, name := range names {
		typed = append(typed, functions.Quote(name))
	}
	draft.Variables[0] = Row{"name": "base", "kind": "choice", "choices": strings.Join(typed, ", ")}
	draft.Objectives[0] = Row{"name": "yield", "direction": "maximize"}
	for range 2 {
		file := draft.Write()
		if len(file.Faults) > 0 || !slices.Equal(file.Declaration.Variables[0].Choices, names) {
			t.Fatalf("%q, %+v", file.Text, file.Faults)
		}
		var err error
		if draft, err = NewDraft(file.Declaration); err != nil {
			t.Fatal(err)
		}
	}
}
