package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/internal/golden"
	"bandscope/tui/internal/press"
	"bandscope/tui/plot"
	"bandscope/tui/theme"
)

// seen is a page whose elements are given.
type seen []Element

func (s seen) Elements() []Element { return s }

func walked(t *testing.T) (*Walk, []string) {
	t.Helper()
	lines := make([]string, 16)
	for i := range lines {
		lines[i] = strings.Repeat(string(rune('a'+i)), 60)
	}
	w := Begin(seen{
		{Name: "head", Says: "The first line is told.", Where: Rect(0, 0, 60, 1)},
		{Name: "plot", Term: "posterior", Says: "All of the middle is told.", Where: Rect(10, 2, 40, 8)},
		{Name: "mark", Says: "One cell is told, at the bottom.", Where: func() []plot.Span { return []plot.Span{{Row: 15, From: 5, To: 6}, {Row: 15, From: 50, To: 52}} }},
		{Name: "text", Says: "A text is told.", Where: Text(lines, 2, 16, "ddd")},
	})
	return w, lines
}

// The thing that is told is as it was, all else is dimmed; the box stands where it covers least of it.
func TestWalkDraws(t *testing.T) {
	for name, st := range map[string]theme.Style{"colour": theme.New(true, theme.Color256, false), "none": theme.New(true, theme.NoColor, true)} {
		w, lines := walked(t)
		var drawn []string
		for range w.elements {
			got := w.Draw(st, lines, 60, 16)
			if len(got) != 16 {
				t.Fatalf("%s: %d lines", name, len(got))
			}
			for i, l := range got {
				if n := ansi.StringWidth(l); n != 60 {
					t.Errorf("%s: line %d has %d columns", name, i, n)
				}
			}
			drawn = append(drawn, strings.ReplaceAll(strings.Join(got, "\n"), "\x1b", "^"), "")
			w.Press(press.Key("down"))
		}
		golden.Check(t, "walk-"+name, strings.Join(drawn, "\n"), name == "none")
	}
}

// Up and down go on and back and say where they end; a click chooses the smallest thing; enter wants the word, and esc leaves. On a screen that changed the walk stays with what it told.
func TestWalkGoesOn(t *testing.T) {
	w, lines := walked(t)
	st := theme.New(true, theme.NoColor, false)
	says := func(want string) {
		t.Helper()
		if got := ansi.Strip(strings.Join(w.Draw(st, lines, 60, 16), "\n")); !strings.Contains(got, want) {
			t.Errorf("%q is not said:\n%s", want, got)
		}
	}
	says("1 of 4")
	w.Press(press.Key("up"))
	says("this is the first")
	w.Press(press.Key("enter"))
	says("the glossary has no word for this")
	w.Press(press.Key("down"))
	says("posterior: ")
	w.Press(press.Key("enter"))
	if w.Term != "posterior" {
		t.Errorf("wanted is %q", w.Term)
	}
	w.Press(press.Key("G"))
	w.Press(press.Key("down"))
	says("this is the last")
	w.Click(1, 3)
	says("A text is told.")
	w.Click(20, 5)
	says("All of the middle")
	w.Click(20, w.box[0])
	says("All of the middle")
	w.page = seen(slices.Insert(slices.Clone(w.elements), 0, Element{Name: "new", Says: "It is new.", Where: Rect(0, 1, 1, 1)}))
	lines[3] = strings.Repeat("x", 60)
	says("3 of 5")
	w.page, lines[4] = seen{}, lines[5]
	w.Draw(st, lines, 60, 16)
	w.Press(press.Key("enter"))
	w.Press(press.Key("G"))
	w.Press(press.Key("z"))
	w.Press(press.Key("esc"))
	if !w.Left || Begin(seen{}) != nil {
		t.Error("it is not left, or begins where nothing is told")
	}
}
