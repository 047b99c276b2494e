package layout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/numfmt"
	"bandscope/tui/theme"
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
		assert.Equal(t, c.want, ansi.Strip(shorten(c.line, c.w)), "%q in %d columns", c.line, c.w)
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
				require.True(t, written[n], "%q in %d columns is %q: %s was not written", line, w, got, n)
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
		assert.Equal(t, want, FitEntries(entries, " ", w), "in %d columns stands", w)
	}
	for w, want := range map[int]string{
		1: "aaa|bbbbb|cc", 3: "aaa|bbbbb|cc", 8: "aaa|bbbbb cc", 9: "aaa bbbbb|cc", 11: "aaa bbbbb|cc",
		12: "aaa bbbbb cc"} {
		assert.Equal(t, want, strings.Join(Flow(entries, " ", w), "|"), "in %d columns the rows", w)
	}
	if Flow(nil, " ", 9) != nil || Wrap("text", 0) != nil || Fit("text", 0) != "" || Fit("ab", 4) != "ab  " {
		t.Error("nothing, or no room, is something")
	}
}

// Names with the same beginning are shortened to what distinguishes them, in cells; others to their beginnings.
func TestShortenAmong(t *testing.T) {
	halides := []string{"COc1ccc(cc1)Br", "COc1ccc(cc1)Cl", "COc1ccc(cc1)I", "toluene", "water"}
	middle := []string{"dimethyl-A-phosphate", "dimethyl-B-phosphate", "dimethylformamide"}
	wide := []string{"エタノール溶液甲", "エタノール溶液乙"}
	for _, c := range []struct {
		names []string
		w     int
		want  string
	}{
		{halides, 8, "…(cc1)Br …(cc1)Cl …c(cc1)I toluene water"},
		{halides, 5, "…1)Br …1)Cl …c1)I tolu… water"},
		{halides, 3, "…Br …Cl …)I to… wa…"},
		{middle, 9, "…-A-phos… …-B-phos… …ormamide"},
		{wide, 9, "…ル溶液甲 …ル溶液乙"},
		{[]string{"alpha"}, 4, "alp…"},
		{[]string{"ab", "abc", "abd"}, 2, "ab …c …d"},
		{[]string{"ab", "abc"}, 0, " "},
	} {
		var got []string
		for _, name := range c.names {
			label := ShortenAmong(theme.Style{}, name, c.names, c.w)
			if ansi.StringWidth(label) > c.w {
				t.Errorf("%q has more than %d cells", label, c.w)
			}
			got = append(got, label)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "in %d cells the labels", c.w)
	}
}

// Characters are those that a reader counts.
func TestCharacters(t *testing.T) {
	var got []string
	for character, w := range Characters("e\u0301温می\u200cक्षि\u202e👩\u200d👦") {
		got = append(got, fmt.Sprint(character, w))
	}
	if want := "e\u03011 温2 م1 ی\u200c1 क्षि1 \ufffd1 👩2 👦2"; strings.Join(got, " ") != want {
		t.Errorf("the characters are %q, want %q", strings.Join(got, " "), want)
	}
}
