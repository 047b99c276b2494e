// Package contrast has the colours that terminals show for the indices of a palette, and the contrast of two colours,
// for tests.
package contrast

import (
	"fmt"

	"github.com/lucasb-eyer/go-colorful"
)

// The least ratios of WCAG 2.2: of text to its background (1.4.3), and of lines and marks that carry meaning to the
// colours beside or behind them (1.4.11).
const (
	Text  = 4.5
	Marks = 3
)

// Ratio is the contrast of two colours, from 1 to 21 (WCAG 2.2).
func Ratio(a, b colorful.Color) float64 {
	x, y := Luminance(a), Luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Luminance is the relative luminance of a colour, from 0 to 1 (WCAG 2.2).
func Luminance(c colorful.Color) float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// palettes16 are the 16 colours of common terminals: those of xterm (XTerm-col.ad), of the text mode of VGA as in the
// Linux console, of Windows Terminal (Campbell, in defaults.json), and of GNOME Terminal since 3.36 (GNOME).
// Solarized is not among them: it has greys in place of most bright colours, and its own text has a contrast of 4.1.
var palettes16 = map[string][16]string{
	"xterm": {"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5", "#7f7f7f",
		"#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"},
	"VGA": {"#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa", "#555555",
		"#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff"},
	"Campbell": {"#0c0c0c", "#c50f1f", "#13a10e", "#c19c00", "#0037da", "#881798", "#3a96dd", "#cccccc", "#767676",
		"#e74856", "#16c60c", "#f9f1a5", "#3b78ff", "#b4009e", "#61d6d6", "#f2f2f2"},
	"GNOME": {"#171421", "#c01c28", "#26a269", "#a2734c", "#12488b", "#a347ba", "#2aa1b3", "#d0cfcc", "#5e5c64",
		"#f66151", "#33d17a", "#e9ad0c", "#2a7bde", "#c061cb", "#33c7de", "#ffffff"},
}

// Colors16 are the 16 colours of common terminals, by their names.
func Colors16() map[string]func(index uint8) colorful.Color {
	all := map[string]func(uint8) colorful.Color{}
	for name, p := range palettes16 {
		all[name] = func(i uint8) colorful.Color { return RGB(p[i]) }
	}
	return all
}

// Color256 is a colour of xterm's 256: the 16 colours, a cube of 6 steps, and a ramp of greys.
func Color256(i uint8) colorful.Color {
	switch {
	case i < 16:
		return RGB(palettes16["xterm"][i])
	case i >= 232:
		v := 8 + 10*(int(i)-232)
		return RGB(fmt.Sprintf("#%02x%02x%02x", v, v, v))
	}
	steps := [6]int{0, 95, 135, 175, 215, 255}
	i -= 16
	return RGB(fmt.Sprintf("#%02x%02x%02x", steps[i/36], steps[i/6%6], steps[i%6]))
}

// RGB is a colour like "#0c0c0c". It panics for any other text.
func RGB(hex string) colorful.Color {
	c, err := colorful.Hex(hex)
	if err != nil {
		panic(err)
	}
	return c
}
