package param

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var decls = []Decl{
	{Key: "gamma", Kind: Number, Default: 2.0, Min: 0.1, Max: 20},
	{Key: "width", Kind: Integer, Default: 5000, Min: 8, Max: 20000},
	{Key: "prior", Kind: Switch, Default: true},
	{Key: "kernel", Kind: Choice, Default: "se", Choices: []string{"se", "matern52"}},
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		key, text string
		want      any
		wrong     string
	}{
		{"gamma", " 3.5 ", 3.5, ""}, {"gamma", "1e1", 10.0, ""},
		{"gamma", "-1", nil, "gamma must be in [0.1, 20], got -1"},
		{"gamma", "NaN", nil, "[0.1, 20]"}, {"gamma", "+Inf", nil, "[0.1, 20]"}, {"gamma", "two", nil, `"two"`},
		{"width", "8", 8, ""}, {"width", "7", nil, "an integer in [8, 20000]"}, {"width", "8.5", nil, "integer"},
		{"prior", "off", false, ""}, {"prior", "YES", true, ""}, {"prior", "maybe", nil, "on or off"},
		{"kernel", "Matern52", "matern52", ""}, {"kernel", "rbf", nil, "one of se, matern52"},
	} {
		s, err := Defaults(decls).WithText(c.key, c.text)
		if c.wrong != "" {
			assert.ErrorContains(t, err, c.wrong, "%s=%s: got %v, want a mention of %q", c.key, c.text, err, c.wrong)
			continue
		}
		if err != nil || s.Value(c.key) != c.want {
			t.Errorf("%s=%s: got %v, %v; want %v", c.key, c.text, s.Value(c.key), err, c.want)
		}
	}
}

// A default that follows the inputs is that of so many; until it is known how many there are, a value that is asked for
// is kept, whatever it is.
func TestDefaultByInputs(t *testing.T) {
	open := []Decl{{Key: "gamma", Kind: Number, Default: 2.0, Min: 0.1, Max: 20, Log: true, Zero: true,
		ByInputs: func(inputs int) any {
			if inputs > 2 {
				return 0.0
			}
			return 2.0
		}}}
	for inputs, want := range map[int]float64{1: 2, 2: 2, 3: 0, 40: 0} {
		decls := ForInputs(open, inputs)
		if s := Defaults(decls); s.Number("gamma") != want || decls[0].DefaultText() != decls[0].Format(want) {
			t.Errorf("of %d inputs γ is %g, told as %s", inputs, s.Number("gamma"), decls[0].DefaultText())
		}
		asked, err := Defaults(open).WithText("gamma", "2")
		require.NoError(t, err)
		if s, err := Defaults(decls).WithAll(asked.Changed()); err != nil || s.Number("gamma") != 2 ||
			(len(s.Changed()) == 0) != (want == 2) {
			t.Errorf("of %d inputs γ = 2 is %v, %v", inputs, s.Changed(), err)
		}
	}
	if open[0].ByInputs == nil || open[0].DefaultText() != "2, depends on the number of inputs" ||
		open[0].Range() != "0 or in [0.1, 20]" {
		t.Errorf("the declaration is %q, %q", open[0].DefaultText(), open[0].Range())
	}
	if other := ForInputs(WithDefaults(open, "elsewhere", map[string]any{"gamma": 1.0}), 3); other[0].Default != 1.0 {
		t.Errorf("a default that another paper has is %v", other[0].Default)
	}
	for text, ok := range map[string]bool{
		"0": true, "0.1": true, "20": true, "0.05": false, "-1": false, "NaN": false, "21": false} {
		if _, err := open[0].Parse(text); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, c := range []struct {
		from float64
		by   int
		to   float64
	}{{0, 1, 0.1}, {0, -1, 0}, {0.1, -1, 0}, {0.1, 1, 0.15}, {0.12, -1, 0.1}, {20, 1, 20}} {
		if got := open[0].Nudge(c.from, c.by); got != c.to {
			t.Errorf("a step of %d from %g is %v, want %g", c.by, c.from, got, c.to)
		}
	}
}

func TestSetIsImmutable(t *testing.T) {
	a := Defaults(decls)
	b, err := a.With("gamma", 5.0)
	if err != nil || a.Number("gamma") != 2 || b.Number("gamma") != 5 {
		t.Errorf("%v: %v and %v", err, a.Number("gamma"), b.Number("gamma"))
	}
	c, _ := b.With("gamma", 2.0)
	if len(c.Changed()) != 0 || len(b.Changed()) != 1 {
		t.Errorf("changed: %v, %v", b.Changed(), c.Changed())
	}
	if a.Int("width") != 5000 || !a.Switch("prior") || a.Choice("kernel") != "se" {
		t.Error("the defaults are not there")
	}
}

// What a session file holds comes back through JSON as it was.
func TestJSONRoundTrip(t *testing.T) {
	a, _ := Defaults(decls).With("width", 64)
	text, err := json.Marshal(a)
	require.NoError(t, err)
	var values map[string]any
	require.NoError(t, json.Unmarshal(text, &values))
	b, err := Defaults(decls).WithAll(values)
	if err != nil || !reflect.DeepEqual(a.Changed(), b.Changed()) {
		t.Errorf("%s comes back as %v, %v", text, b.Changed(), err)
	}
}

func TestUnknownNamesTheNearest(t *testing.T) {
	for name, want := range map[string]string{
		"gama": "gamma", "kern": "kernel", "zzzzzzzz": "gamma, width, prior, kernel"} {
		if _, err := Defaults(decls).With(name, 1.0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want a mention of %s", name, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "-1e400", "on", "se", "\x1b[2J", "0x1p-2", " 9 "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range decls {
			v, err := d.Parse(text)
			if err != nil {
				continue
			}
			if x, ok := v.(float64); ok && (math.IsNaN(x) || x < d.Min || x > d.Max) {
				t.Errorf("%s takes %q as %v", d.Key, text, v)
			}
			if again, err := d.Parse(d.Format(v)); err != nil || again != v {
				t.Errorf("%s: %v is written as %q and read as %v, %v", d.Key, v, d.Format(v), again, err)
			}
		}
	})
}

func TestNudges(t *testing.T) {
	for _, c := range []struct {
		v    float64
		by   int
		want float64
	}{{1, 1, 1.5}, {2, 1, 3}, {7, 1, 10}, {10, 1, 15}, {1, -1, 0.7}, {2, -1, 1.5}, {0.05, 1, 0.07}, {1234, 1, 1500}} {
		if got := nextRound(c.v, c.by); got != c.want { // to the last digit: 0.7 and not 0.7000000000000001
			t.Errorf("after %v by %d: %v, want %v", c.v, c.by, got, c.want)
		}
	}
	plain := Decl{Key: "a", Kind: Number, Default: 0.1, Min: 0, Max: 2}
	for v, want := any(0.0), 1; want <= 20; want++ {
		if v = plain.Nudge(v, 1); v != float64(want)/10 ||
			plain.Format(v) != strconv.FormatFloat(float64(want)/10, 'g', -1, 64) {
			t.Errorf("nudged %d times: %v, written as %s", want, v, plain.Format(v))
		}
	}
}

// A number is written as it was typed, and what arithmetic left behind the fifteenth digit is not.
func TestNumbersAreWrittenAsTyped(t *testing.T) {
	d := Decl{Key: "a", Kind: Number, Default: 1.0, Min: 0, Max: 1e6}
	for text, want := range map[string]string{
		"0.7": "0.7", "0.7000000000000001": "0.7", "1e-6": "1e-6", "0.000001": "1e-6", "123456.789": "123456.789",
		"0.123456789012345": "0.123456789012345"} {
		v, err := d.Parse(text)
		if err != nil || d.Format(v) != want {
			t.Errorf("%s is written as %s, %v; want %s", text, d.Format(v), err, want)
		}
	}
	assert.Equal(t, "0.7", d.Format(7*0.1), "seven tenths are written as")
}
