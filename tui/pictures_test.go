package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/placement"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
)

// answersKitty is what a terminal with kitty's protocol answers.
func answersKitty(w *window) {
	for _, msg := range []tea.Msg{uv.KittyGraphicsEvent{Options: kitty.Options{ID: 31}, Payload: []byte("OK")},
		uv.CellSizeEvent{Width: 10, Height: 20}, uv.PrimaryDeviceAttributesEvent{62, 22}} {
		w.take(msg)
	}
}

// ink counts the cells of the plots that show anything.
func ink(w *window, plots []placement.Plot) (n int) {
	for _, p := range plots {
		for y := p.Area.Min.Y; y < p.Area.Max.Y; y++ {
			for x := p.Area.Min.X; x < p.Area.Max.X; x++ {
				if c := w.a.canvas.CellAt(x, y); c.Content != " " || c.Style.Bg != nil {
					n++
				}
			}
		}
	}
	return n
}

// Plots are pictures where the terminal shows them, unless something is in front of them, there are too few colors, or
// the person wants cells, which is remembered.
func TestPicturesBehindText(t *testing.T) {
	dir := t.TempDir()
	open := func() *window {
		return openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(dir)}, 120, 36)
	}
	pictures := func(w *window) []placement.Plot {
		w.screen()
		return placement.Find(w.a.drawn, w.a.canvas)
	}
	w := open()
	require.Empty(t, pictures(w))
	answersKitty(w)
	plots := pictures(w)
	require.NotEmpty(t, plots)
	texts := ink(w, plots)
	for _, key := range []string{"?", ":", "i", "m"} {
		w.press(key)
		assert.Empty(t, pictures(w), "after %s", key)
		w.press("esc")
		assert.Len(t, pictures(w), len(plots), "after leaving %s", key)
	}
	w.a.tier = theme.NoColor
	w.a.restyle()
	assert.Empty(t, pictures(w), "without colors")
	w.press("ctrl+v", "ctrl+v")
	w.shows("pictures need 256 colors")
	w.a.tier = theme.TrueColor
	w.press("ctrl+v")
	w.shows("plots are drawn in cells")
	require.Empty(t, pictures(w))
	assert.Greater(t, ink(w, plots), texts+20, "drawn in cells")

	w = open()
	answersKitty(w)
	require.Empty(t, pictures(w), "remembered")
	w.press("ctrl+v")
	assert.Len(t, pictures(w), len(plots))
}

// A terminal without pictures says why there are none.
func TestNoPictures(t *testing.T) {
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 120, 36)
	w.take(uv.PrimaryDeviceAttributesEvent{62, 22})
	w.press("ctrl+v", "ctrl+v")
	w.shows("this terminal shows no pictures")
}
