// Package theme has the colours and glyphs of the screens: the purpose of each colour, and its form at each tier of
// terminal, with the ASCII replacements of other characters. It turns a text with a colour into the text for the
// terminal. It draws nothing and never imports Bubble Tea.
package theme

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
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

// NewColor is a colour of its own, such as one of a colour map, in its three forms.
func NewColor(hex string, x256, x16 uint8) Color { return rgb(hex, x256, x16) }

// evenLuminance is the relative luminance (WCAG 2) on which black and white have the same contrast, 4.58 to 1.
const evenLuminance = 0.179

// OnTop is black or white, the one with more contrast to a colour; the text's own colour where none is set.
func (s Style) OnTop(under Color) Color {
	if !under.set {
		return s.Text
	}
	if s.Tier == Color16 {
		if under.X16 == 2 || under.X16 == 6 || under.X16 == 7 || under.X16 >= 9 && under.X16 != 12 {
			return rgb("#000000", 16, 0)
		}
		return rgb("#ffffff", 231, 15)
	}
	if s.luminance(under) > evenLuminance {
		return rgb("#000000", 16, 0)
	}
	return rgb("#ffffff", 231, 15)
}

// minContrast is the least contrast of text (WCAG 2.2, 1.4.3).
const minContrast = 4.5

// Over is the first of some colours in which text can be read on another colour, or OnTop.
func (s Style) Over(under Color, inks ...Color) Color {
	if !under.set {
		return inks[0]
	}
	a := s.luminance(under) + 0.05
	for _, ink := range inks {
		if b := s.luminance(ink) + 0.05; s.Tier > Color16 && max(a, b) >= minContrast*min(a, b) {
			return ink
		}
	}
	return s.OnTop(under)
}

// luminance is the relative luminance of a colour (WCAG 2.2), from 0 to 1, as terminals with 256 colours and more show
// it.
func (s Style) luminance(c Color) float64 {
	shown := color.Color(c)
	if s.Tier == Color256 {
		shown = ansi.IndexedColor(c.X256)
	}
	parsed, _ := colorful.MakeColor(shown)
	r, g, b := parsed.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
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
	Series, SeriesBand                      [4]Color // of overlaid things: their lines, and their bands
}

// palette is the palette of one of the two backgrounds: each colour is given for a light and for a dark one, and chosen
// by Lip Gloss.
//
// Terminals differ in their 16 colours. In all common ones 2, 6, 7, 9, 10, 11, 14 and 15 have enough contrast for text
// with black, and 0, 1, 4 and 5 with white. The palette has no other texts, and no other fills under text.
func palette(isDark bool) Palette {
	choose := lipgloss.LightDark(isDark)
	pick := func(light, dark Color) Color { return choose(light, dark).(Color) }
	return Palette{
		Page:        pick(rgb("#ffffff", 231, 15), rgb("#14161d", 233, 0)),
		Text:        pick(rgb("#1f2430", 235, 0), rgb("#e4e6eb", 254, 15)),
		Dim:         pick(rgb("#565d6d", 240, 0), rgb("#a0a6b4", 247, 7)),
		Faint:       pick(rgb("#646b7a", 242, 0), rgb("#858c9b", 245, 7)),
		Border:      pick(rgb("#a3a9b5", 248, 8), rgb("#565d6d", 240, 8)),
		Accent:      pick(rgb("#005a9e", 25, 4), rgb("#7cc4ff", 117, 14)),
		Title:       pick(rgb("#2b3447", 237, 0), rgb("#c9d4e6", 252, 15)),
		Truth:       pick(rgb("#4a5060", 239, 0), rgb("#c2c7d1", 251, 15)),
		Mean:        pick(rgb("#00559a", 25, 4), rgb("#8fd0ff", 117, 14)),
		Band:        pick(rgb("#cfe3f7", 189, 7), rgb("#1d3a5c", 24, 4)),
		BandEdge:    pick(rgb("#5a8cc0", 67, 4), rgb("#4a80b8", 67, 14)),
		Shade:       pick(rgb("#e4e8f0", 254, 7), rgb("#232838", 236, 4)),
		Sample:      pick(rgb("#667dab", 60, 8), rgb("#6f86b8", 110, 6)),
		Used:        pick(rgb("#a04e00", 130, 1), rgb("#ffb454", 215, 11)),
		Data:        pick(rgb("#101318", 233, 0), rgb("#f4f4f4", 255, 15)),
		Newest:      pick(rgb("#a84300", 130, 1), rgb("#ff9e3d", 215, 11)),
		Best:        pick(rgb("#7a5b00", 94, 4), rgb("#ffd75f", 221, 11)),
		Next:        pick(rgb("#a8186e", 126, 1), rgb("#ff8fc7", 212, 10)),
		Acquisition: pick(rgb("#6d3bbf", 61, 5), rgb("#b58cf0", 141, 13)),
		Cursor:      pick(rgb("#000000", 16, 0), rgb("#ffffff", 231, 15)),
		Warn:        pick(rgb("#944a00", 94, 1), rgb("#ffb454", 215, 11)),
		Error:       pick(rgb("#b3261e", 124, 1), rgb("#ff9d8a", 216, 9)),
		Good:        pick(rgb("#00695c", 23, 4), rgb("#5fd7c4", 80, 14)),
		Series: [4]Color{
			pick(rgb("#005a9e", 25, 4), rgb("#5cb3ff", 75, 14)),
			pick(rgb("#a04e00", 130, 1), rgb("#ffb454", 215, 11)),
			pick(rgb("#6d3bbf", 61, 0), rgb("#c39bff", 141, 15)),
			pick(rgb("#00695c", 23, 4), rgb("#5fd7c4", 80, 10)),
		},
		SeriesBand: [4]Color{
			pick(rgb("#cfe3f7", 189, 7), rgb("#1d3a5c", 24, 4)),
			pick(rgb("#fbe0c4", 223, 11), rgb("#573716", 58, 1)),
			pick(rgb("#e4d8f6", 183, 14), rgb("#412f63", 54, 5)),
			pick(rgb("#c9ebe5", 152, 10), rgb("#134a43", 23, 4)),
		},
	}
}

// Style is everything that a renderer needs to know of the terminal: the palette, the tier and the glyphs.
type Style struct {
	Palette
	Dark  bool
	Tier  Tier
	ASCII bool // characters below 0x80 only
	// charts leave their plot region to a picture behind the text
	Pictures bool
}

// New is the style for a dark or light background at a tier.
func New(isDark bool, tier Tier, ascii bool) Style {
	return Style{Palette: palette(isDark), Dark: isDark, Tier: tier, ASCII: ascii}
}

// Key names the style, for caches.
func (s Style) Key() string { return fmt.Sprint(s.Dark, s.Tier, s.ASCII, s.Pictures) }

// profiles are the tiers as Lip Gloss has them.
var profiles = [...]colorprofile.Profile{NoColor: colorprofile.ASCII, Color16: colorprofile.ANSI,
	Color256: colorprofile.ANSI256, TrueColor: colorprofile.TrueColor}

// colorKey is a colour at a tier, as a key.
type colorKey struct {
	Color
	tier Tier
}

// syncCache is a cache of values by their keys. Unlike a sync.Map, a lookup allocates nothing.
type syncCache[K comparable, V any] struct {
	mu      sync.RWMutex
	entries map[K]V
}

// get is the value of a key, made on the first call.
func (k *syncCache[K, V]) get(key K, make func() V) V {
	k.mu.RLock()
	v, ok := k.entries[key]
	k.mu.RUnlock()
	if ok {
		return v
	}
	v = make()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.entries == nil {
		k.entries = map[K]V{}
	}
	k.entries[key] = v
	return v
}

// colors are the colours that were made before, of which there are as many as levels of the colour maps and blends of
// the palette.
var colors syncCache[colorKey, color.Color]

// Color is a colour as the terminal has it; nil for the terminal's own.
func (s Style) Color(c Color) color.Color {
	if !c.set || s.Tier == NoColor {
		return nil
	}
	return colors.get(colorKey{c, s.Tier}, func() color.Color {
		return lipgloss.Complete(profiles[s.Tier])(ansi.BasicColor(c.X16), ansi.IndexedColor(c.X256),
			lipgloss.Color(c.RGB))
	})
}

// Ink is the style of a text in a colour.
func (s Style) Ink(fg Color) lipgloss.Style { return s.On(fg, Color{}) }

// On is the style of a text in a colour on another.
func (s Style) On(fg, bg Color) lipgloss.Style {
	style := lipgloss.NewStyle()
	if c := s.Color(fg); c != nil {
		style = style.Foreground(c)
	}
	if c := s.Color(bg); c != nil {
		style = style.Background(c)
	}
	return style
}

// RGBA makes the colour one of Go's, by its form in true colour.
func (c Color) RGBA() (r, g, b, a uint32) { return lipgloss.Color(c.RGB).RGBA() }

// RGB is the colour's red, green and blue, 0 to 255 each.
func RGB(c Color) (r, g, b uint8) {
	parsed, err := colorful.Hex(c.RGB)
	if err != nil {
		return 0, 0, 0
	}
	return parsed.RGB255()
}

// mixSteps is how many shares Mix tells apart.
const mixSteps = 16

// mixKey is two colours with the share of the second in steps.
type mixKey struct {
	a, b Color
	step int
}

var mixes syncCache[mixKey, Color]

// Mix is a colour with a share of another, from 0 to 1 in sixteenths, in a perceptual space (CIE L*a*b*); in 16 colours
// the one that has more.
func Mix(a, b Color, share float64) Color {
	step := int(math.Round(share * mixSteps))
	switch {
	case step <= 0 || !b.set:
		return a
	case step >= mixSteps || !a.set:
		return b
	}
	return mixes.get(mixKey{a, b, step}, func() Color {
		first, errA := colorful.Hex(a.RGB)
		second, errB := colorful.Hex(b.RGB)
		if errA != nil || errB != nil {
			return a
		}
		mixed := first.BlendLab(second, float64(step)/mixSteps).Clamped()
		nearer := a.X16
		if 2*step >= mixSteps {
			nearer = b.X16
		}
		return rgb(mixed.Hex(), Nearest256(mixed), nearer)
	})
}

// Nearest256 is the index of the colour of the cube or of the grey ramp that comes nearest.
func Nearest256(c colorful.Color) uint8 {
	r, g, b := c.RGB255()
	steps := [6]int{0, 95, 135, 175, 215, 255}
	best, index := math.MaxInt, 0
	try := func(i, x, y, z int) {
		dr := x - int(r)
		dg := y - int(g)
		db := z - int(b)
		if d := dr*dr + dg*dg + db*db; d < best {
			best, index = d, i
		}
	}
	for i := range 216 {
		try(16+i, steps[i/36], steps[i/6%6], steps[i%6])
	}
	for i := range 24 {
		try(232+i, 8+10*i, 8+10*i, 8+10*i)
	}
	return uint8(index)
}

// Paint writes a text in a colour.
func (s Style) Paint(fg Color, text string) string { return s.paint(fg, text, false) }

// PaintBold writes a text in a colour, bold.
func (s Style) PaintBold(fg Color, text string) string { return s.paint(fg, text, true) }

// strokes are the sequences of inks that were used before, in front of a text and behind it: Lip Gloss makes each once.
var strokes syncCache[strokeKey, [2]string]

type strokeKey struct {
	colorKey
	bold bool
}

func (s Style) paint(fg Color, text string, bold bool) string {
	text = s.Plain(text)
	if text == "" || (s.Tier == NoColor && !bold) {
		return text
	}
	around := s.around(fg, bold)
	return around[0] + text + around[1]
}

// Opening is the sequence in front of a text in a colour, for a text that others colour; empty where there are no
// colours.
func (s Style) Opening(fg Color) string { return s.around(fg, false)[0] }

// around are the sequences in front of a text and behind it.
func (s Style) around(fg Color, bold bool) [2]string {
	return strokes.get(strokeKey{colorKey{fg, s.Tier}, bold}, func() [2]string {
		before, behind, _ := strings.Cut(s.Ink(fg).Bold(bold).Render("|"), "|")
		return [2]string{before, behind}
	})
}
