package layout

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/numfmt"
)

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
			n := numfmt.Format(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(9)-3)))
			parts = append(parts, n)
			written[n] = true
		}
		written["1"] = true // of x1
		line := strings.Join(parts, " ")
		w := rng.IntN(30)
		for _, got := range []string{shorten(line, w), Fit(line, w), shorten(mono.PaintBold(mono.Text, line), w)} {
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

// Entries are joined as far as they fit: the first ones in one line, or all in rows.
func TestEntries(t *testing.T) {
	entries := []string{"aaa", "bbbbb", "cc"}
	for w, want := range map[int]string{
		0: "", 2: "cc", 3: "aaa", 5: "aaa", 6: "aaa cc", 8: "aaa cc", 9: "aaa bbbbb", 11: "aaa bbbbb",
		12: "aaa bbbbb cc"} {
		if got := FitEntries(entries, " ", w); got != want {
			t.Errorf("in %d columns stands %q, want %q", w, got, want)
		}
	}
	for w, want := range map[int]string{
		1: "aaa|bbbbb|cc", 3: "aaa|bbbbb|cc", 8: "aaa|bbbbb cc", 9: "aaa bbbbb|cc", 11: "aaa bbbbb|cc",
		12: "aaa bbbbb cc"} {
		if got := strings.Join(Flow(entries, " ", w), "|"); got != want {
			t.Errorf("in %d columns the rows are %q, want %q", w, got, want)
		}
	}
	if Flow(nil, " ", 9) != nil || Wrap("text", 0) != nil || Fit("text", 0) != "" || Fit("ab", 4) != "ab  " {
		t.Error("nothing, or no room, is something")
	}
}
