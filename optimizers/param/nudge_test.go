package param

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A step of a number is a power of ten, at most a twentieth of the range and more than a two-hundredth; of an integer
// it is 1, or a thousandth of the range.
func TestNudgeStep(t *testing.T) {
	for _, width := range []float64{0.019, 0.021, 1, 1.9, 2, 19.5, 20, 20.5, 150, 9999} {
		d := Decl{Kind: Number, Min: -width / 2, Max: width / 2}
		step := d.Nudge(0.0, 1).(float64)
		if exponent := math.Log10(step); step > width/20*(1+1e-12) || step <= width/200*(1+1e-12) ||
			math.Abs(exponent-math.Round(exponent)) > 1e-9 {
			t.Errorf("over a range of %g a step is %g", width, step)
		}
		assert.Equal(t, -step, d.Nudge(0.0, -1).(float64), "over a range of %g a step up is %g, one down", width, step)
		if between := d.Nudge(0.3*step, 1).(float64); math.Abs(between-step) > 1e-12*step {
			t.Errorf("from %g one comes to %g, not to a multiple of %g", 0.3*step, between, step)
		}
	}
}

func TestNudgeOfEveryKind(t *testing.T) {
	kernel := Decl{Kind: Choice, Choices: []string{"a", "b", "c"}}
	small, large := Decl{Kind: Integer, Min: 1, Max: 900}, Decl{Kind: Integer, Min: 0, Max: 5000}
	below := Decl{Kind: Integer, Min: 0, Max: 2999}
	factor := Decl{Kind: Integer, Min: 1, Max: 4000, Log: true}
	signed := Decl{Kind: Number, Min: 0, Max: 2, Log: true}
	for i, c := range []struct {
		d       Decl
		v, up   any
		down    any
		comment string
	}{
		{Decl{Kind: Switch}, true, false, false, "the other state"},
		{kernel, "a", "b", "c", "around the end"},
		{kernel, "c", "a", "b", "around the end"},
		{kernel, "none of them", "a", "c", "the first or the last"},
		{small, 7, 8, 6, "by 1"},
		{small, 900, 900, 899, "not beyond the greatest"},
		{small, 1, 2, 1, "not below the least"},
		{large, 100, 105, 95, "by a thousandth of the range"},
		{below, 100, 102, 98, "by at most a thousandth of the range"},
		{factor, 100, 150, 70, "in the series"},
		{factor, 4000, 4000, 3000, "not beyond the greatest"},
		{signed, 0.5, 0.7, 0.3, "in the series"},
		{signed, 0.0, 0.1, 0.0, "from 0, which is in no series, by differences"},
	} {
		if up, down := c.d.Nudge(c.v, 1), c.d.Nudge(c.v, -1); up != c.up || down != c.down {
			t.Errorf("%d: from %v to %v and %v, want %v and %v: %s", i, c.v, up, down, c.up, c.down, c.comment)
		}
	}
}

// The values of every kind: what is taken from a session file, and what is refused with the range.
func TestCheckOfEveryKind(t *testing.T) {
	even := func(text string) error {
		if len(text)%2 == 1 {
			return errors.New("an odd length")
		}
		return nil
	}
	every := []Decl{
		{Key: "number", Kind: Number, Default: 1.0, Min: -1, Max: 2},
		{Key: "count", Kind: Integer, Default: 3, Min: 2, Max: 5},
		{Key: "flag", Kind: Switch, Default: false},
		{Key: "choice", Kind: Choice, Default: "a", Choices: []string{"a", "b"}},
		{Key: "text", Kind: Text, Default: "aa", Choices: []string{"aa", "bb"}, Validate: even},
	}
	for _, c := range []struct {
		key   string
		v     any
		want  any
		wrong string
	}{
		{"number", -1.0, -1.0, ""}, {"number", 2.0, 2.0, ""}, {"number", 2, 2.0, ""},
		{"number", math.NaN(), nil, "number must be in [-1, 2], got NaN"},
		{"number", -1.01, nil, "in [-1, 2]"}, {"number", 3, nil, "in [-1, 2]"}, {"number", "1", nil, "in [-1, 2]"},
		{"count", 2, 2, ""}, {"count", 5, 5, ""}, {"count", 2.0, 2, ""}, {"count", 5.0, 5, ""},
		{"count", 1, nil, "an integer in [2, 5], got 1"}, {"count", 6, nil, "[2, 5]"},
		{"count", 1.0, nil, "[2, 5]"}, {"count", 6.0, nil, "[2, 5]"}, {"count", 2.5, nil, "[2, 5]"},
		{"count", true, nil, "[2, 5]"},
		{"flag", true, true, ""}, {"flag", 1, nil, "on or off"}, {"flag", "on", nil, "on or off"},
		{"choice", "b", "b", ""}, {"choice", "B", nil, "one of a, b"}, {"choice", 1, nil, "one of a, b"},
		{"text", "abcd", "abcd", ""}, {"text", "abc", nil, "text: an odd length"}, {"text", 5, nil, "such as aa, bb"},
		{"cuont", 3, nil, "did you mean count"},
	} {
		s, err := Defaults(every).WithAll(map[string]any{c.key: c.v})
		if c.wrong != "" {
			assert.ErrorContains(t, err, c.wrong, "%s = %v: %v, want a mention of %q", c.key, c.v, err, c.wrong)
			continue
		}
		if err != nil || s.Value(c.key) != c.want {
			t.Errorf("%s = %v: %v, %v", c.key, c.v, s.Value(c.key), err)
		}
		d, err := s.Decl(c.key)
		require.NoError(t, err)
		if again, err := Defaults(every).WithText(c.key, d.Format(c.want)); err != nil || again.Value(c.key) != c.want {
			t.Errorf("%s = %v is written as %q and read as %v, %v", c.key, c.want, d.Format(c.want),
				again.Value(c.key), err)
		}
	}
	s := Defaults(every)
	if s.Text("text") != "aa" || !s.Has("text") || s.Has("txet") {
		t.Error("a text is not found by its key")
	}
	for text, want := range map[string]string{"abc": "an odd length", " abcd ": ""} {
		if _, err := s.WithText("text", text); want == "" && err != nil || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("the text %q: %v, want %q", text, err, want)
		}
	}
	if _, err := s.WithText("txet", "aa"); err == nil {
		t.Error("an unknown key is taken")
	}
	for text, want := range map[string]bool{
		"on": true, "True": true, "yes": true, "1": true, "OFF": false, "false": false, "no": false, "0": false} {
		if s, err := s.WithText("flag", text); err != nil || s.Switch("flag") != want {
			t.Errorf("%s is %v (%v)", text, s.Switch("flag"), err)
		}
	}
	defer func() {
		assert.NotNil(t, recover(), "a key that is not declared has a value")
	}()
	s.Value("txet")
}
