package widget

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// A line of code that is too long goes on in the next line, at any width.
func TestLongCode(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	lines := Markdown(st, "    f(x) = γ/√m Σ v_i u_i + γ c\n         + d", 30)
	want := []string{"  f(x) = gamma/sqrt m Sigma", "      v_i u_i + gamma c", "       + d"}
	if got := strings.Split(ansi.Strip(strings.Join(lines, "\n")), "\n"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	source := "# A *heading*\n\nSome **bold** words and `code`,\nbroken between lines that are long.\n\n* one\n" +
		"* two is so long that it goes on\n\n1. first\n2. second\n\n> quoted\n\n    code block\n\n---\n\n" +
		"[link](http://x) <b>raw</b> \x1b[31mred"
	want := strings.Join([]string{"A heading", "", "Some bold words and", "code, broken between",
		"lines that are long.", "", "• one",
		"• two is so long", "  that it goes on", "", "1. first", "2. second", "", "│ quoted", "", "  code block", "",
		strings.Repeat("─", 20), "",
		"link <b>raw</b>", "␛[31mred"}, "\n")
	lines := Markdown(st, source, 20)
	if got := ansi.Strip(strings.Join(lines, "\n")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, l := range lines {
		if ansi.StringWidth(l) > 20 {
			t.Errorf("%q has %d columns", l, ansi.StringWidth(l))
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("# a\n* b\n> c\n```\nd\n```\n", 10)
	f.Add("\x1b]0;x\a <script>", 3)
	st := theme.New(true, theme.NoColor, false)
	f.Fuzz(func(t *testing.T, source string, w int) {
		for _, l := range Markdown(st, source, min(max(w, 1), 200)) {
			if plain := ansi.Strip(l); strings.ContainsFunc(plain, func(r rune) bool {
				return r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0
			}) {
				t.Errorf("%q is sent to the terminal", l)
			}
		}
	})
}

// The words of a text are those of its beginning, without the marks of Markdown.
func TestWords(t *testing.T) {
	for source, want := range map[string]string{
		"": "", "# The prior\n\nIt *is* a `band`,\nwide.\n\n- one\n- two\n\n" +
			"> a **quote**": "The prior It is a band, wide. one two a quote",
		strings.Repeat("é", 4000): strings.Repeat("é", 512)} {
		assert.Equal(t, want, PlainText(source), "the words of %q", source)
	}
}

// Marked as terms are texts in bold, also in lists, and those of the command that explains them.
func TestMarkedTerms(t *testing.T) {
	got := MarkedTerms("# A **b** c\n\n*d* `e` **f\ng** `bandscope explain h i`\n\n    **k**\n\n- **j**\n")
	if want := []string{"b", "f g", "h i", "j"}; !slices.Equal(got, want) {
		t.Errorf("marked are %q, want %q", got, want)
	}
}
