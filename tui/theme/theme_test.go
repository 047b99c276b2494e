package theme

import (
	"math"
	"reflect"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
)

// contrast is the ratio of relative luminances of WCAG 2.1, §1.4.3.
func contrast(a, b colorful.Color) float64 {
	l := func(c colorful.Color) float64 {
		r, g, b := c.LinearRgb()
		return 0.2126*r + 0.7152*g + 0.0722*b
	}
	x, y := l(a), l(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// Text is readable on the backgrounds that terminals have, and on the selection of a band.
func TestContrast(t *testing.T) {
	for name, c := range map[string]struct {
		palette    Palette
		background string
	}{"dark": {dark, "#1c1e26"}, "light": {light, "#ffffff"}} {
		bg, _ := colorful.Hex(c.background)
		p := c.palette
		for what, color := range map[string]Color{"text": p.Text, "dim": p.Dim, "faint": p.Faint, "accent": p.Accent, "title": p.Title,
			"warn": p.Warn, "error": p.Error, "good": p.Good, "best": p.Best, "newest": p.Newest, "next": p.Next, "used": p.Used, "truth": p.Truth, "mean": p.Mean} {
			fg, err := colorful.Hex(color.RGB)
			if err != nil {
				t.Fatalf("%s %s: %v", name, what, err)
			}
			if got := contrast(fg, bg); got < 4.5 {
				t.Errorf("%s: the contrast of %s (%s) is %.2f, below 4.5", name, what, color.RGB, got)
			}
		}
	}
}

// Every colour of both palettes is set at every tier, and in range.
func TestPalettesAreWhole(t *testing.T) {
	for name, p := range map[string]Palette{"dark": dark, "light": light} {
		v := reflect.ValueOf(p)
		for i := range v.NumField() {
			if c, ok := v.Field(i).Interface().(Color); ok && (!c.set || c.X16 > 15) {
				t.Errorf("%s: %s is not designed", name, v.Type().Field(i).Name)
			}
		}
	}
}

func TestSGR(t *testing.T) {
	red := rgb("#ff0000", 196, 9)
	for _, c := range []struct {
		tier Tier
		want string
	}{{TrueColor, "\x1b[0;1;38;2;255;0;0;48;2;255;0;0m"}, {Color256, "\x1b[0;1;38;5;196;48;5;196m"}, {Color16, "\x1b[0;1;91;101m"}, {NoColor, "\x1b[0;1m"}} {
		if got := New(true, c.tier, false).SGR(red, red, true); got != c.want {
			t.Errorf("tier %d: %q, want %q", c.tier, got, c.want)
		}
	}
}

func TestPlainIsASCII(t *testing.T) {
	st := New(true, NoColor, true)
	for _, s := range []string{"γ  init scale", "±2 sd · σ² − 0.5", "Hölder table", "日本", "\u2028", "T_e ∈ [0, 1]"} {
		for _, r := range st.Plain(s) {
			if r >= 0x80 {
				t.Errorf("%q becomes %q", s, st.Plain(s))
			}
		}
	}
	for g := GlyphFilled; g <= GlyphSquare; g++ {
		if st.Rune(g) >= 0x80 {
			t.Errorf("mark %d is %q", g, st.Rune(g))
		}
	}
}
