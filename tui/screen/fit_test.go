package screen

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

var plainStyle = theme.New(true, theme.NoColor, false)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		line string
		w    int
		want string
	}{
		{"true function", 13, "true function"},
		{"true function", 12, "true..."},
		{"true function", 5, "tr..."},
		{"±2 sd of the posterior", 12, "±2 sd of…"},
		{"hypervolume 5.137", 16, "hypervolume..."},
		{"lengthscale 0.796 0.772 1.44", 24, "lengthscale 0.796 ..."},
		{"5.137", 4, "..."},
		{"−5.137", 4, "…"},
		{"a · b", 4, "a…"},
		{"f = 5.137 at x = 1", 8, "f..."},
		{"", 3, ""}, {"word", 0, ""}, {"word", 2, ".."},
		{"\x1b[0;1mtrue function\x1b[0m", 9, "true..."},
	} {
		if got := ansi.Strip(shorten(c.line, c.w)); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.line, c.w, got, c.want)
		}
	}
}

// numbers are the numbers of a text, as a reader sees them.
var numbers = regexp.MustCompile(`[-−]?\d+(\.\d+)?(e-?\d+)?`)

// No line is ever cut so that another number stands there than was written, and none is wider than it may be.
func TestNoNumberIsCutToAnother(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"step", "lengthscale", "of", "(x1,", "·", "hypervolume", "to"}
	for range 3000 {
		var parts []string
		written := map[string]bool{}
		for range 1 + rng.IntN(6) {
			if rng.IntN(2) == 0 {
				parts = append(parts, words[rng.IntN(len(words))])
				continue
			}
			n := Number(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(9)-3)))
			parts = append(parts, n)
			written[n] = true
		}
		written["1"] = true // of x1
		line := strings.Join(parts, " ")
		w := rng.IntN(30)
		for _, got := range []string{shorten(line, w), layout.Fit(line, w), shorten(plainStyle.PaintBold(plainStyle.Text, line), w)} {
			got = ansi.Strip(got)
			if ansi.StringWidth(got) > w {
				t.Fatalf("%q in %d columns is %q", line, w, got)
			}
			for _, n := range numbers.FindAllString(got, -1) {
				if !written[n] {
					t.Fatalf("%q in %d columns is %q: %s was not written", line, w, got, n)
				}
			}
		}
	}
}

// What is shown of a number parses to it, within half a unit of the last digit that is shown, however narrow its place is.
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
		if err != nil {
			t.Fatalf("%v in %d columns is %q", v, w, s)
		}
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
	for v, want := range map[float64]string{5.137: "5.14", 12345: "1e4", -0.133: "-0.1", 1e9: "1e9", math.Inf(1): "+Inf"} {
		if got := NumberIn(v, 4); got != want {
			t.Errorf("%v is %q in four columns, want %q", v, got, want)
		}
	}
}

// A legend keeps every entry whatever the width is, its names differ, and it has no more rows than asked for where shorter names do it.
func TestLegendLosesNothing(t *testing.T) {
	entries := []plot.Entry{{Mark: "▔:▁", Name: "±2 sd of the Gaussian-process posterior"}, {Mark: "⠒⠒", Name: "posterior mean"}, {Mark: "+", Name: "true function"},
		{Mark: "◆", Name: "next"}, {Mark: "◉", Name: "newest"}, {Mark: "★", Name: "best"}, {Mark: "⠒", Name: "8 posterior samples"}}
	for w := 12; w < 160; w++ {
		for most := 1; most < 4; most++ {
			rows := Legend(plainStyle, entries, w, most)
			all := strings.Join(rows, "\n")
			for _, e := range entries {
				if !strings.Contains(all, e.Mark+" ") {
					t.Fatalf("in %d columns and %d rows the legend lacks %s %s:\n%s", w, most, e.Mark, e.Name, all)
				}
			}
			for _, r := range rows {
				if ansi.StringWidth(r) > max(w, 20) {
					t.Fatalf("in %d columns a row is %q", w, r)
				}
			}
			if w >= 74 && most > 1 && len(rows) > most {
				t.Errorf("in %d columns it takes %d rows", w, len(rows))
			}
		}
	}
	if rows := Legend(plainStyle, entries, 200, 1); len(rows) != 1 || !strings.Contains(rows[0], "Gaussian-process") {
		t.Errorf("where there is room, names are whole: %q", rows)
	}
}

func TestFooterKeepsWhatOneNeeds(t *testing.T) {
	bindings := []key.Binding{Bind("space", "step", "space"), Bind("b", "back", "b"), Bind("x", "choose a point and evaluate it there", "x"), Bind("o", "open", "o"),
		Bind("e", "edit", "e"), Bind("?", "help", "?"), Bind("q", "quit", "q"), Bind("esc", "stop", "esc")}
	for w := 40; w < 120; w++ {
		got := ansi.Strip(Footer(plainStyle, bindings, w))
		for _, want := range []string{"? help", "o open", "q quit", "esc stop"} {
			if !strings.Contains(got, want) {
				t.Errorf("in %d columns there is no %q: %s", w, want, got)
			}
		}
		if ansi.StringWidth(got) > w {
			t.Errorf("in %d columns: %s", w, got)
		}
	}
	if got := ansi.Strip(Footer(plainStyle, bindings, 120)); strings.Index(got, "x ") > strings.Index(got, "o open") {
		t.Errorf("the order changes: %s", got)
	}
}
