package note

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/explore/internal/alone"
	"bandscope/tui/theme"
)

func TestOn(t *testing.T) {
	s := noted(t)
	if got := On(alone.Scene(s).Notes); got != "first\n\n---\n\nsecond" {
		t.Errorf("on the step is %q", got)
	}
	if err := s.Revise(s.State().NotesAt(1)[0].ID, ""); err != nil {
		t.Fatal(err)
	}
	if got := On(alone.Scene(s).Notes); got != "second" {
		t.Errorf("behind a note that was withdrawn is %q", got)
	}
	s.Back()
	if got := On(alone.Scene(s).Notes); got != "" {
		t.Errorf("on another step is %q", got)
	}
}

// A text that is longer than its panel is scrolled to its end and back, and says at both that it is there.
func TestScrolling(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("- line %d", i))
	}
	text, b := strings.Join(lines, "\n"), Beside{}
	shows := func(want ...string) {
		t.Helper()
		shown := ansi.Strip(strings.Join(b.Panel(st, "notes", text, 30, 10), "\n"))
		for _, w := range want {
			if !strings.Contains(shown, w) {
				t.Errorf("not shown is %q:\n%s", w, shown)
			}
		}
	}
	most := Over(st, text, 30, 10)
	if most != 13 || Over(st, text, 30, 22) != 0 || Over(st, text, 30, 21) != 2 {
		t.Errorf("over are %d, %d, %d", most, Over(st, text, 30, 22), Over(st, text, 30, 21))
	}
	shows("line 0", "line 6", "… page down")
	if said := b.Scroll(-5, most); said != "this is the beginning of the note" {
		t.Errorf("above the beginning: %q", said)
	}
	if said := b.Scroll(5, most); said != "" {
		t.Errorf("scrolled: %q", said)
	}
	shows("line 5", "line 11", "… page down")
	b.Scroll(5, most)
	b.Scroll(5, most)
	shows("line 13", "line 19")
	if said := b.Scroll(5, most); said != "this is the end of the note" {
		t.Errorf("below the end: %q", said)
	}
	if b.Rewind(); b.top != 0 {
		t.Errorf("rewound to %d", b.top)
	}
	b.Scroll(5, most)
	text = "short"
	shows("short")
}
