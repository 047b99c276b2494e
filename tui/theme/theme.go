// Package theme holds the colours and glyphs of the screens: what a colour is for, and how it is written at each tier of
// terminal, with the characters that stand for others where there are only plain ones. A text and what it is come in; the text as the terminal takes it
// goes out. It draws nothing and never imports Bubble Tea.
package theme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lucasb-eyer/go-colorful"
)

// Tier is how many colours the terminal has.
type Tier int

// The tiers, from the fewest colours to the most.
const (
	NoColor Tier = iota
	Color16
	Color256
	TrueColor
)

// Color is one semantic colour in its three designed forms. The zero Color is the terminal's own.
type Color struct {
	RGB  string // "#rrggbb" in true colour
	X256 uint8  // index in the 256-colour palette
	X16  uint8  // index of the 16 colours, 0 to 15
	set  bool
}

func rgb(hex string, x256, x16 uint8) Color { return Color{hex, x256, x16, true} }

// Make is a colour of its own, such as one of a colour map, in its three forms.
func Make(hex string, x256, x16 uint8) Color { return rgb(hex, x256, x16) }

// evenLuminance is the relative luminance (WCAG 2) on which black and white stand out alike, with a contrast of 4.58 to 1.
const evenLuminance = 0.179

// OnTop is black or white, whichever stands out from a colour; the text's own colour where none is set.
func (s Style) OnTop(under Color) Color {
	if !under.set {
		return s.Text
	}
	if s.Tier == Color16 {
		if slices.Contains([]uint8{7, 10, 11, 14, 15, 2, 3, 6, 13}, under.X16) {
			return rgb("#000000", 16, 0)
		}
		return rgb("#ffffff", 231, 15)
	}
	if c, err := colorful.Hex(under.RGB); err == nil {
		r, g, b := c.LinearRgb()
		if 0.2126*r+0.7152*g+0.0722*b > evenLuminance {
			return rgb("#000000", 16, 0)
		}
	}
	return rgb("#ffffff", 231, 15)
}

// IsSet reports whether the colour is any but the terminal's own.
func (c Color) IsSet() bool { return c.set }

// Palette names colours by what they are for. It is safe for the colour-blind: blue against orange, never red against
// green, and no two things differ by colour alone.
type Palette struct {
	Text, Dim, Faint, Border, Accent, Title Color
	Truth, Mean, Band, BandEdge, Sample     Color
	Shade                                   Color // a region behind everything
	Page                                    Color // the background itself, where it is not the terminal's
	Used, Data, Newest, Best, Next          Color
	Acquisition, Cursor, Warn, Error, Good  Color
	Series, SeriesBand                      [4]Color // of things laid over each other: their lines, and their bands
}

var dark = Palette{
	Page: rgb("#14161d", 233, 0),
	Text: rgb("#e4e6eb", 254, 15), Dim: rgb("#a0a6b4", 247, 7), Faint: rgb("#858c9b", 245, 7), Border: rgb("#565d6d", 240, 8),
	Accent: rgb("#7cc4ff", 117, 14), Title: rgb("#c9d4e6", 252, 15),
	Truth: rgb("#c2c7d1", 251, 7), Mean: rgb("#8fd0ff", 117, 14), Band: rgb("#1d3a5c", 24, 4), BandEdge: rgb("#3d6d9e", 67, 12),
	Shade: rgb("#232838", 236, 8), Sample: rgb("#6f86b8", 67, 12), Used: rgb("#ffb454", 215, 11),
	Data: rgb("#f4f4f4", 255, 15), Newest: rgb("#ff9e3d", 215, 11), Best: rgb("#ffd75f", 221, 11), Next: rgb("#ff8fc7", 212, 13),
	Acquisition: rgb("#b58cf0", 141, 13), Cursor: rgb("#ffffff", 231, 15),
	Warn: rgb("#ffb454", 215, 11), Error: rgb("#ff9d8a", 216, 9), Good: rgb("#5fd7c4", 80, 14),
	Series:     [4]Color{rgb("#5cb3ff", 75, 12), rgb("#ffb454", 215, 11), rgb("#c39bff", 141, 13), rgb("#5fd7c4", 80, 14)},
	SeriesBand: [4]Color{rgb("#1d3a5c", 24, 4), rgb("#573716", 58, 3), rgb("#412f63", 54, 5), rgb("#134a43", 23, 6)},
}

var light = Palette{
	Page: rgb("#ffffff", 231, 15),
	Text: rgb("#1f2430", 235, 0), Dim: rgb("#565d6d", 240, 8), Faint: rgb("#646b7a", 242, 8), Border: rgb("#a3a9b5", 248, 7),
	Accent: rgb("#005a9e", 25, 4), Title: rgb("#2b3447", 237, 0),
	Truth: rgb("#4a5060", 239, 8), Mean: rgb("#00559a", 25, 4), Band: rgb("#cfe3f7", 189, 14), BandEdge: rgb("#86b3de", 110, 6),
	Shade: rgb("#e4e8f0", 254, 7), Sample: rgb("#7f97c4", 103, 6), Used: rgb("#a04e00", 130, 3),
	Data: rgb("#101318", 233, 0), Newest: rgb("#a84300", 130, 3), Best: rgb("#7a5b00", 94, 3), Next: rgb("#a8186e", 126, 5),
	Acquisition: rgb("#6d3bbf", 61, 5), Cursor: rgb("#000000", 16, 0),
	Warn: rgb("#944a00", 94, 3), Error: rgb("#b3261e", 124, 1), Good: rgb("#00695c", 23, 6),
	Series:     [4]Color{rgb("#005a9e", 25, 4), rgb("#a04e00", 130, 3), rgb("#6d3bbf", 61, 5), rgb("#00695c", 23, 6)},
	SeriesBand: [4]Color{rgb("#cfe3f7", 189, 14), rgb("#fbe0c4", 223, 11), rgb("#e4d8f6", 183, 13), rgb("#c9ebe5", 152, 10)},
}

// Style is everything that a renderer needs to know of the terminal: the palette, the tier and the glyphs.
type Style struct {
	Palette
	Dark  bool
	Tier  Tier
	ASCII bool // characters below 0x80 only
}

// New is the style for a dark or light background at a tier.
func New(isDark bool, tier Tier, ascii bool) Style {
	p := light
	if isDark {
		p = dark
	}
	return Style{Palette: p, Dark: isDark, Tier: tier, ASCII: ascii}
}

// Key names the style, for caches.
func (s Style) Key() string { return fmt.Sprint(s.Dark, s.Tier, s.ASCII) }

// SGR is the escape sequence that sets a foreground, a background and weight, and resets everything else; empty where the
// tier has no colours and the weight is normal.
func (s Style) SGR(fg, bg Color, bold bool) string {
	var b strings.Builder
	b.WriteString("\x1b[0")
	if bold {
		b.WriteString(";1")
	}
	if s.Tier > NoColor {
		s.write(&b, fg, '3')
		s.write(&b, bg, '4')
	}
	b.WriteByte('m')
	return b.String()
}

// write appends the parameters of a colour; ground is '3' for the foreground and '4' for the background.
func (s Style) write(b *strings.Builder, c Color, ground byte) {
	if !c.set {
		return
	}
	switch s.Tier {
	case TrueColor:
		r, g, bl := RGB(c)
		fmt.Fprintf(b, ";%c8;2;%d;%d;%d", ground, r, g, bl)
	case Color256:
		fmt.Fprintf(b, ";%c8;5;%d", ground, c.X256)
	case Color16:
		switch {
		case c.X16 < 8:
			fmt.Fprintf(b, ";%c%d", ground, c.X16)
		case ground == '3':
			fmt.Fprintf(b, ";9%d", c.X16-8)
		default:
			fmt.Fprintf(b, ";10%d", c.X16-8)
		}
	}
}

// RGB is the colour's red, green and blue, 0 to 255 each.
func RGB(c Color) (r, g, b uint8) {
	parsed, err := colorful.Hex(c.RGB)
	if err != nil {
		return 0, 0, 0
	}
	return parsed.RGB255()
}

// Blend mixes two colours halfway in a perceptual space; in 256 and 16 colours it takes the first.
func Blend(a, b Color) Color {
	if !a.set || !b.set {
		return a
	}
	ca, errA := colorful.Hex(a.RGB)
	cb, errB := colorful.Hex(b.RGB)
	if errA != nil || errB != nil {
		return a
	}
	mixed := a
	mixed.RGB = ca.BlendLab(cb, 0.5).Clamped().Hex()
	return mixed
}

// Paint writes a text in a colour.
func (s Style) Paint(fg Color, text string) string { return s.paint(fg, text, false) }

// PaintBold writes a text in a colour, bold.
func (s Style) PaintBold(fg Color, text string) string { return s.paint(fg, text, true) }

func (s Style) paint(fg Color, text string, bold bool) string {
	text = s.Plain(text)
	if text == "" || (s.Tier == NoColor && !bold) {
		return text
	}
	return s.SGR(fg, Color{}, bold) + text + "\x1b[0m"
}
