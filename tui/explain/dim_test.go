package explain

import (
	"strings"
	"testing"

	"bandscope/tui/theme"
)

// What is not told is one faint colour, but for areas: these keep a third of their colours where colours can be mixed, and are left out elsewhere.
func TestDimmed(t *testing.T) {
	line := "\x1b[0;38;2;216;16;116;48;2;16;16;216m▀▀\x1b[0m\x1b[0;1;38;2;255;0;0mdata\x1b[0m \x1b[0;48;2;116;116;116m  \x1b[0m\x1b[0;38;2;216;16;116m\x1b[7m▁▁\x1b[0m"
	faint := theme.New(true, theme.TrueColor, false)
	border := strings.Split(faint.Paint(faint.Border, "data"), "data")[0]
	for _, c := range []struct {
		style theme.Style
		want  []string
		no    []string
	}{
		{faint, []string{"\x1b[0;38;2;76;16;46;48;2;16;16;76m▀▀", border + "data", "48;2;46;46;46m  ", "\x1b[0;38;2;76;16;46m\x1b[7m▁▁"}, []string{"255;0;0", "216"}},
		{theme.New(false, theme.TrueColor, false), []string{"38;2;243;183;213;48;2;183;183;243m▀▀"}, []string{"255;0;0"}},
		{theme.New(true, theme.Color256, false), []string{"data"}, []string{"▀", "48;"}},
		{theme.New(true, theme.NoColor, true), []string{"data"}, []string{"▀", "\x1b[0;"}},
	} {
		got := dimmed(c.style, line)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", c.style.Key(), got, want)
			}
		}
		for _, no := range c.no {
			if strings.Contains(got, no) {
				t.Errorf("%s: %q has %q", c.style.Key(), got, no)
			}
		}
	}
}
