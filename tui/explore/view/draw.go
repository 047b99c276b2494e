package view

import (
	"fmt"

	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Cache keeps drawn boxes: the window is drawn after every message, the plots only when something in them changed.
type Cache map[string]drawn

type drawn struct {
	key string
	box *layout.Box
}

// Box returns the box of a name, drawn again if its key changed.
func (c *Cache) Box(name, key string, draw func() *layout.Box) *layout.Box {
	if old, ok := (*c)[name]; ok && old.key == key {
		return old.box
	}
	if *c == nil {
		*c = Cache{}
	}
	box := draw()
	(*c)[name] = drawn{key, box}
	return box
}

// Key identifies everything that a plot depends on: the scene, an image, and settings of the picture.
func (s Scene) Key(image any, settings ...any) string {
	return fmt.Sprintf("%p %s %d %d %d %v %v %v %v %v %v %v %v %s", image, s.State.Head, s.W, s.H, s.Zoom, s.Reveal, s.Asking,
		s.Quiz, s.Bare, s.Marks, len(s.Outliers), s.Overlay.Key(), settings, s.Style.Key())
}

// OutlierMarks marks the results that the model does not explain, at the coordinates that at returns for them.
func (s Scene) OutlierMarks(place func(diagnostics.Outlier) (x, y float64, shown bool), ink bool) []chart.Layer {
	p := chart.Points{Shape: theme.GlyphOutlier, Color: s.Style.Warn, Ink: ink, Name: "outlier"}
	for _, r := range s.Outliers {
		if x, y, ok := place(r); ok {
			p.X, p.Y = append(p.X, x), append(p.Y, y)
		}
	}
	return []chart.Layer{p}
}

// HeadRows and FootRows are the lines of the window above and below the panels.
const HeadRows, FootRows = 1, 2

// bookColumn is the width of a panel whose lines have as many characters as those of a book.
const bookColumn = 68

// SideWidth is the width of the side panels in a window; a lesson needs more for its text.
func SideWidth(width int, lesson bool) int {
	if lesson {
		return layout.Split(width, layout.Rule{Flex: 3}, layout.Rule{Min: 34, Flex: 2, Max: bookColumn})[1]
	}
	return layout.Split(width, layout.Rule{Flex: 7}, layout.Rule{Min: 30, Flex: 3, Max: 52})[1]
}

// SentenceBox is a sentence in place of a plot of w×h cells.
func SentenceBox(st theme.Style, text string, w, h int) *layout.Box {
	return layout.New(w, h, layout.Sentence(st, st.Dim, text, w-2, h-1).At(1, min(1, max(h-1, 0))))
}
