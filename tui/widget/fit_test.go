package widget

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/theme"
)

var plainStyle = theme.New(true, theme.NoColor, false)

// What is shown of a number parses to it, within half a unit of the last digit that is shown, however narrow its place
// is.
func TestNumberIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	shown := 0
	for i := range 20000 {
		v := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(24)-12))
		if i%10 == 0 {
			v = math.Round(v)
		}
		w := 1 + rng.IntN(9)
		s := NumberIn(v, w)
		if ansi.StringWidth(s) > w {
			t.Fatalf("%v in %d columns is %q", v, w, s)
		}
		if s == "…" {
			continue
		}
		shown++
		got, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err, "%v in %d columns is %q", v, w, s)
		mantissa, _, _ := strings.Cut(s, "e")
		digits := strings.TrimRight(strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0"), "0")
		unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(max(len(digits), 1)-1))
		if math.Abs(got-v) > 0.5*unit*(1+1e-9)+1e-300 {
			t.Fatalf("%v in %d columns is %q, off by more than half a unit of its last digit, %g", v, w, s, unit)
		}
	}
	if shown < 10000 {
		t.Errorf("only %d numbers are shown", shown)
	}
	for v, want := range map[float64]string{
		5.137: "5.14", 12345: "1e4", -0.133: "-0.1", 1e9: "1e9", math.Inf(1): "+Inf"} {
		if got := NumberIn(v, 4); got != want {
			t.Errorf("%v is %q in four columns, want %q", v, got, want)
		}
	}
}

func TestFooterKeepsWhatOneNeeds(t *testing.T) {
	bindings := []key.Binding{Bind("space", "step", "space"), Bind("b", "back", "b"),
		Bind("x", "choose a point and evaluate it there", "x"), Bind(":", "find", ":"),
		Bind("e", "edit", "e"), Bind("?", "help", "?"), Bind("q", "quit", "q"), Bind("esc", "stop", "esc")}
	for w := 40; w < 120; w++ {
		got := ansi.Strip(Footer(plainStyle, bindings, w))
		for _, want := range []string{"? help", ": find", "q quit", "esc stop"} {
			assert.Contains(t, got, want, "in %d columns there is no %q: %s", w, want, got)
		}
		if ansi.StringWidth(got) > w {
			t.Errorf("in %d columns: %s", w, got)
		}
	}
	if got := ansi.Strip(Footer(plainStyle, bindings, 120)); strings.Index(got, "x ") > strings.Index(got, ": find") {
		t.Errorf("the order changes: %s", got)
	}
}
