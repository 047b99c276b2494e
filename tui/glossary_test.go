package tui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/internal/explained"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// The keys that terms of the glossary are seen with stand in the help, under the headings that are named.
func TestKeysOfTheGlossaryAreThere(t *testing.T) {
	all := groups()
	there := func(where, pressed string) bool {
		return slices.ContainsFunc(all, func(g widget.Group) bool {
			return g.Title == where && slices.ContainsFunc(g.Bindings, func(b key.Binding) bool {
				shown := b.Help().Key
				if name, ok := strings.CutPrefix(pressed, ": "); ok {
					return widget.IsNamed(b) && b.Help().Desc == name
				}
				return shown == pressed || slices.Contains(
					strings.FieldsFunc(shown, func(r rune) bool { return r == ' ' || r == ',' }), pressed)
			})
		})
	}
	for _, term := range glossary.All() {
		for _, s := range term.See {
			if s.Key != "" && !there(s.Where, s.Key) {
				t.Errorf("%s: there is no key %s under %s", term.Name, s.Key, s.Where)
			}
		}
	}
	if there("Look", "u") || there("Act", "ctrl+t") || there("Act", ": verify") {
		t.Error("keys are found where they are not")
	}
}

// In the help a word is typed, and what it means stands there; arrows choose others, and esc leads back to the keys.
func TestWordsInTheHelp(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir())}, 80, 24)
	w.press("?", "/")
	w.types("gamma")
	w.shows("Glossary")
	explained.Check(t, "the filter", w.a.frame(), 80, 24)
	w.press("ctrl+u", "enter")
	w.shows("acquisition")
	w.shows("argmax_x a(x)")
	w.press("down")
	w.shows("The standard deviation of the prior")
	w.press("r", "_", "s", "u", "b")
	w.shows("sub-optimality ratio")
	w.press("up")
	w.shows("R_sub")
	w.press("ctrl+u", "g", "p", "q", "q", "q")
	w.shows("no term")
	w.press("down")
	w.shows("no word matches")
	explained.Check(t, "no word", w.a.frame(), 80, 24)
	w.press("backspace", "backspace", "backspace")
	w.shows("A distribution over functions")
	if position, ok := layout.Arrange(w.a.frame(), 80, 24).Cursor(); !ok || position.Y != 1 || position.X != len("| word gp") {
		t.Errorf("the cursor is at %v (%v)", position, ok)
	}
	explained.Check(t, "words", w.a.frame(), 80, 24)
	w.press("esc")
	w.shows("In the explorer")
	w.press("esc")
}

// The source of a term has links to its publications where colours are shown, and none where they are not.
func TestWordsHaveLinks(t *testing.T) {
	for _, tier := range []theme.Tier{theme.TrueColor, theme.Color16} {
		h := &help{}
		h.lookUp("expected improvement")
		canvas := lipgloss.NewCanvas(100, 30)
		layout.Arrange(h.wordsFrame(theme.New(true, tier, false), 100, 30), 100, 30).Draw(canvas)
		linked := ""
		for y := range canvas.Height() {
			for x := range canvas.Width() {
				if c := canvas.CellAt(x, y); c.Link.URL == "https://doi.org/10.1023/A:1008306431147" {
					linked += c.Content
				}
			}
		}
		if want := map[theme.Tier]string{theme.TrueColor: "Jones et al. 1998"}[tier]; linked != want {
			t.Errorf("tier %d: the link is %q, want %q", tier, linked, want)
		}
	}
}

// Each term is seen whole on the smallest screen.
func TestWordsFit(t *testing.T) {
	for _, st := range []theme.Style{{}, {ASCII: true}} {
		for _, term := range glossary.All() {
			if n := len(tell(st, term, 80-wordsColumn-6)); n > 20 {
				t.Errorf("%s takes %d lines", term.Name, n)
			}
		}
	}
}
