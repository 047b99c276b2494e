package explain

import (
	"fmt"
	"strings"
	"testing"

	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Parts are found where they are drawn, side by side, below each other, divided, and of titles that fill their edge or have the edge's signs in them.
func TestParts(t *testing.T) {
	for name, st := range map[string]theme.Style{"drawn": theme.New(true, theme.Color256, false), "plain": theme.New(true, theme.NoColor, true)} {
		body := []string{" first", screen.Divide(st, "a divided one", 30), " second 2"}
		left := screen.Panel(st, "mean + 2 sd", []string{" one 1", " two"}, 30, 4, false)
		whole := screen.Panel(st, "beside", body, 32, 6, false)
		for i, l := range whole { // a divider has the frame's width
			if strings.Contains(l, "a divided one") {
				whole[i] = screen.Divide(st, "a divided one", 32)
			}
		}
		lines := append(screen.Beside(append(left, screen.Panel(st, strings.Repeat("n", 25), nil, 30, 2, true)...), whole), " a status", "")
		seen := See(lines)
		var got []string
		for _, p := range seen.Parts() {
			got = append(got, fmt.Sprintf("%s %d,%d %d×%d %q", p.Title, p.Left, p.Top, p.W, p.H, strings.TrimSpace(strings.Join(p.Lines, "/"))))
		}
		want := []string{
			`mean + 2 sd 0,0 30×4 "one 1                      / two"`,
			`beside 30,0 32×2 "first"`,
			`a divided one 30,2 32×4 "second 2 /"`,
			strings.Repeat("n", 25) + ` 0,4 30×2 ""`,
		}
		for i := range want {
			if i >= len(got) || strings.Join(strings.Fields(got[i]), " ") != strings.Join(strings.Fields(want[i]), " ") {
				t.Errorf("%s: %q, want %q", name, got, want[i])
				break
			}
		}
		p := seen.Part(st, "mean")
		if s := fmt.Sprint(p.Rows(0, 9)(), p.Heading()(), seen.Row(6)(), seen.Row(7)(), seen.Part(st, "none"), p.Find("two")); s != "[{1 2 7} {2 2 5}] [{0 3 14}] [{6 1 9}] [] <nil> 1" {
			t.Errorf("%s: cells are %s", name, s)
		}
	}
}
