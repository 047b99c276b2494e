package mode

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/internal/screentest"
)

// A value is typed, judged at every key, and entered only when nothing is wrong with it; what else comes is not for the
// field.
func TestField(t *testing.T) {
	judge := func(text string) error {
		if strings.Contains(text, "x") {
			return errors.New("no x")
		}
		return nil
	}
	for _, c := range []struct {
		keys         string
		text, reason string
		open         bool
		entered      int
	}{
		{"", "a", "", true, 0},
		{"b", "ab", "", true, 0},
		{"x", "ax", "no x", true, 0},
		{"x enter", "ax", "no x", true, 0},
		{"x backspace", "a", "", true, 0},
		{"x enter backspace enter", "a", "", false, 1},
		{"b enter", "ab", "", false, 1},
		{"x esc", "ax", "", false, 0},
		{"b ctrl+c", "ab", "", false, 0},
	} {
		f := NewField(5)
		f.Begin("a")
		entered := 0
		for name := range strings.FieldsSeq(c.keys) {
			if _, ok := f.Take(screentest.Key(name), judge); ok {
				entered++
			}
		}
		if f.Text() != c.text || f.Reason() != c.reason || f.Open() != c.open || entered != c.entered {
			t.Errorf("%q: %q, %q, open %v, entered %d", c.keys, f.Text(), f.Reason(), f.Open(), entered)
		}
	}
	f := NewField(5)
	f.Begin("a")
	f.Take(tea.PasteMsg{Content: "bcdefgh"}, judge)
	if f.Text() != "abcde" || ansi.Strip(f.View(0)) != "abcde " {
		t.Errorf("pasted is %q, shown %q", f.Text(), ansi.Strip(f.View(0)))
	}
	if cmd, entered := f.Take(Changed{}, judge); cmd != nil || entered || f.Text() != "abcde" {
		t.Error("the field takes what is not for it")
	}
}
