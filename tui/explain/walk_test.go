package explain

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// page is a tree of four things, of which one is over others.
func page(boxes ...*layout.Box) *layout.Box {
	root := layout.New(60, 16)
	for i := range 16 {
		root.Add(layout.Text(60, strings.Repeat(string(rune('a'+i)), 60)).At(0, i))
	}
	over := func(b *layout.Box, x, y int) *layout.Box {
		b.Overlaps = true
		return b.At(x, y)
	}
	mark := layout.New(60, 16).Describe(layout.Mark, "mark", "", layout.Static("One cell is told, at the bottom."))
	mark.Cells = func() []layout.Span { return []layout.Span{{Row: 15, From: 5, To: 6}, {Row: 15, From: 50, To: 52}} }
	root.Add(boxes...)
	return root.Add(over(layout.New(60, 1).Describe(layout.Mark, "head", "", layout.Static("The first line is told.")),
		0, 0),
		over(layout.New(40, 8).Describe(layout.Mark, "plot", "posterior", layout.Static("All of the middle is told.")),
			10, 2), mark,
		over(layout.New(3, 1).Describe(layout.Mark, "text", "", layout.Static("A text is told.")), 0, 3))
}

// draw is what a walk draws of a tree.
func draw(w *Explainer, st theme.Style, root *layout.Box) string {
	c := lipgloss.NewCanvas(60, 16)
	w.Draw(st, c, layout.Arrange(root, 60, 16))
	return new(layout.Encoder).Encode(c)
}

// The thing that is told is as it was, all else is dimmed; the box stands where it covers least of it.
func TestWalkDraws(t *testing.T) {
	for name, st := range map[string]theme.Style{
		"colour": theme.New(true, theme.Color256, false), "none": theme.New(true, theme.NoColor, true)} {
		w := New(layout.Arrange(page(), 60, 16))
		var drawn []string
		for range w.boxes {
			drawn = append(drawn, strings.ReplaceAll(draw(w, st, page()), "\x1b", "^"), "")
			w.Press(screentest.Key("down"))
		}
		screentest.Check(t, "walk-"+name, strings.Join(drawn, "\n"), name == "none")
	}
}

// Up and down go on and back and say where they end; a click chooses the smallest thing; enter wants the word, and esc
// leaves. On a screen that changed the walk stays with what it told.
func TestWalkGoesOn(t *testing.T) {
	w, root := New(layout.Arrange(page(), 60, 16)), page()
	st := theme.New(true, theme.NoColor, false)
	says := func(want string) {
		t.Helper()
		if got := ansi.Strip(draw(w, st, root)); !strings.Contains(got, want) {
			t.Errorf("%q is not said:\n%s", want, got)
		}
	}
	says("(1/4)")
	w.Press(screentest.Key("up"))
	says("this is the first")
	w.Press(screentest.Key("enter"))
	says("the glossary has no term for this")
	w.Press(screentest.Key("down"))
	says("posterior: ")
	w.Press(screentest.Key("enter"))
	assert.Equal(t, "posterior", w.Term, "wanted")
	w.Press(screentest.Key("G"))
	w.Press(screentest.Key("down"))
	says("this is the last")
	w.Click(1, 3)
	says("A text is told.")
	w.Click(20, 5)
	says("All of the middle")
	w.Click(20, w.panel[0])
	says("All of the middle")
	root = page(layout.New(1, 1).At(0, 1).Describe(layout.Mark, "new", "", layout.Static("It is new here.")))
	says("(3/5)")
	root = layout.New(60, 16)
	draw(w, st, root)
	w.Press(screentest.Key("enter"))
	w.Press(screentest.Key("G"))
	w.Press(screentest.Key("z"))
	w.Press(screentest.Key("esc"))
	if !w.Done || New(layout.Arrange(root, 60, 16)) != nil {
		t.Error("it is not left, or begins where nothing is told")
	}
}

// numbered is a tree of n described boxes, one in each row; those in important come first.
func numbered(n int, important map[int]layout.Importance) *layout.Box {
	root := layout.New(60, 16)
	for i := range n {
		name := fmt.Sprint("item ", i)
		root.Add(layout.New(20, 1).At(i/16*20, i%16).Number(name, "", "This is "+name+".").Important(important[i]))
	}
	return root
}

// The most important boxes come first, and of equal ones the first in the frame; behind twelve of them a stop leads to
// the rest, and one behind the rest back. A click finds a box in either part, and each box is explained once.
func TestWalkByImportance(t *testing.T) {
	root := numbered(30, map[int]layout.Importance{7: layout.ImportanceData, 20: layout.ImportanceMain})
	w, st := New(layout.Arrange(root, 60, 16)), theme.New(true, theme.NoColor, false)
	says := func(want ...string) {
		t.Helper()
		got := ansi.Strip(draw(w, st, root))
		for _, words := range want {
			assert.Contains(t, got, words, "%q is not said:\n%s", words, got)
		}
	}
	seen := map[string]bool{}
	for range maxStops {
		seen[w.name] = true
		w.Press(screentest.Key("down"))
	}
	says("18 more items", "Explain this screen", "Press enter to explain item 11, item 12")
	if w.name != "" || len(seen) != maxStops || !seen["item 20"] || seen["item 11"] || !seen["item 10"] {
		t.Errorf("at %q, the first are %v", w.name, seen)
	}
	w.Press(screentest.Key("down"))
	says("the last item here")
	w.Press(screentest.Key("enter"))
	says("Explain this screen, more (1/18)", "This is item 11.")
	w.Press(screentest.Key("up"))
	says("18 more items")
	w.Press(screentest.Key("enter"))
	for range 18 {
		seen[w.name] = true
		w.Press(screentest.Key("down"))
	}
	says("Press enter to go back to item 20, item 7, item 0")
	assert.Equal(t, 30, len(seen), "of 30 boxes, %d are explained", len(seen))
	w.Press(screentest.Key("enter"))
	says("(1/12)", "This is item 20.")
	w.Click(25, 8) // item 24
	says("more (13/18)", "This is item 24.")
	w.Click(0, 7)
	says("Explain this screen (2/12)", "This is item 7.")
	w.Press(screentest.Key("G"))
	w.Press(screentest.Key("enter"))
	root = numbered(5, nil) // the screen changes, and all boxes fit
	says("(1/5)")
	if New(layout.Arrange(numbered(maxStops, nil), 60, 16)).last() != maxStops-1 {
		t.Error("twelve boxes have a stop behind them")
	}
}
