package tui

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"
	"github.com/lucasb-eyer/go-colorful"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// onTerminal is what a terminal of the window's size shows of it, as a cell reader: its text and its colours, nil where
// they are the terminal's own.
func onTerminal(w *window) func(x, y int) (text string, fg, bg color.Color) {
	term := vt.NewSafeEmulator(w.a.width, w.a.height)
	term.Write([]byte(strings.ReplaceAll(w.a.View().Content, "\n", "\r\n")))
	return func(x, y int) (string, color.Color, color.Color) {
		c := term.CellAt(x, y)
		if c == nil {
			return "", nil, nil
		}
		return c.Content, c.Style.Fg, c.Style.Bg
	}
}

// A forced theme colours the background and the text of every cell of every screen, whatever the terminal's own are;
// texts can be read on it. One that is the terminal's own does not, and neither does a window without colours.
func TestForcedThemeFillsTheWindow(t *testing.T) {
	screens := []struct {
		name, keys string
	}{{"the explorer", ""}, {"the help", "?"}, {"a lesson", ""}, {"the lists", "o"}, {"what is seen", "i"},
		{"a prompt", "ctrl+s"}}
	for _, theme := range []string{"light", "dark", "auto"} {
		for _, c := range []struct {
			profile colorprofile.Profile
			ascii   bool
		}{{colorprofile.TrueColor, false}, {colorprofile.ANSI256, false}, {colorprofile.ANSI, false},
			{colorprofile.ASCII, false}, {colorprofile.TrueColor, true}} {
			s, err := sessions.New(t.Context(), sessions.Config{Problem: "branin", Optimizer: "random", Seed: 3})
			require.NoError(t, err)
			w := openWindow(t, Options{Session: s, Rights: rights.Own(t.TempDir()), Theme: theme, ASCII: c.ascii}, 80, 24)
			w.a.setProfile(c.profile)
			for _, sc := range screens {
				if sc.name == "a lesson" {
					w.take(widget.ActionMsg{Action: widget.Lesson{Name: "prior"}})
				}
				w.press(strings.Fields(sc.keys)...)
				name := fmt.Sprintf("%s, theme %s, profile %v, ascii %v", sc.name, theme, c.profile, c.ascii)
				if fills := theme != "auto" && c.profile > colorprofile.ASCII; fills {
					filled(t, name, w)
				} else if _, _, bg := onTerminal(w)(w.a.width-1, w.a.height-1); bg != nil {
					t.Errorf("%s: the window is filled", name)
				}
				if sc.keys != "" {
					w.press("esc")
				}
			}
		}
	}
}

// filled checks that every cell has colours of its own, the most of them the page's, and that words are readable on it.
func filled(t *testing.T, name string, w *window) {
	t.Helper()
	cell := onTerminal(w)
	bare, faint, pages := 0, 0, 0
	_, _, page := cell(w.a.width-1, w.a.height-1)
	for y := range w.a.height {
		for x := range w.a.width {
			text, fg, bg := cell(x, y)
			if bg == nil || fg == nil && strings.TrimSpace(text) != "" {
				bare++
				continue
			}
			if bg == page {
				pages++
			}
			if r, _ := utf8.DecodeRuneInString(text); (unicode.IsLetter(r) || unicode.IsDigit(r)) && w.a.tier > 1 &&
				contrast(fg, bg) < 4.5 {
				faint++
			}
		}
	}
	if all := w.a.width * w.a.height; bare > 0 || pages < all/3 || faint > all/100 && w.a.explainer == nil {
		// which dims all but one thing
		t.Errorf("%s: %d cells have no colours, %d of %d are the page's, %d characters are hard to read", name, bare,
			pages, all, faint)
	}
}

// contrast is the ratio of relative luminances of WCAG 2.1, §1.4.3.
func contrast(a, b color.Color) float64 {
	l := func(c color.Color) float64 {
		made, _ := colorful.MakeColor(c)
		r, g, b := made.LinearRgb()
		return 0.2126*r + 0.7152*g + 0.0722*b
	}
	x, y := l(a), l(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}
