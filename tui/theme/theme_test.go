package theme

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every colour of both palettes is set at every tier, and in range.
func TestPalettesAreWhole(t *testing.T) {
	for name, p := range map[string]Palette{"dark": palette(true), "light": palette(false)} {
		v := reflect.ValueOf(p)
		for i := range v.NumField() {
			if c, ok := v.Field(i).Interface().(Color); ok && (!c.set || c.X16 > 15) {
				t.Errorf("%s: %s is not designed", name, v.Type().Field(i).Name)
			}
		}
	}
}

// A colour is the terminal's own form of it at each tier, and none where there are no colours or none is set.
func TestColor(t *testing.T) {
	red := rgb("#ff0000", 196, 9)
	for _, c := range []struct {
		tier Tier
		want string
	}{{TrueColor, "\x1b[38;2;255;0;0;48;2;255;0;0m"}, {Color256, "\x1b[38;5;196;48;5;196m"}, {Color16, "\x1b[91;101m"},
		{NoColor, ""}} {
		st := New(true, c.tier, false)
		if got, want := st.On(red, red).Render("a"), c.want+"a"; got != want && got != want+"\x1b[m" {
			t.Errorf("tier %d: %q, want %q", c.tier, got, want)
		}
		if st.Color(Color{}) != nil || (st.Color(red) == nil) != (c.tier == NoColor) {
			t.Errorf("tier %d: %v, and of a colour that is not set %v", c.tier, st.Color(red), st.Color(Color{}))
		}
		if again := st.Color(red); again != st.Color(red) {
			t.Errorf("tier %d: a colour is made twice", c.tier)
		}
	}
}

func TestPlainIsASCII(t *testing.T) {
	st := New(true, NoColor, true)
	for _, s := range []string{"γ  init scale", "±2 sd · σ² − 0.5", "Hölder table", "日本", "\u2028", "T_e ∈ [0, 1]",
		"xᵢ uₖ eⱼ θₚ θ′ 10⁻³ ŷ ¼ ⋃ ▲"} {
		for _, r := range st.Plain(s) {
			if r >= 0x80 {
				t.Errorf("%q becomes %q", s, st.Plain(s))
			}
		}
	}
	for g := GlyphFilled; g <= GlyphDesign; g++ {
		if st.Rune(g) >= 0x80 {
			t.Errorf("mark %d is %q", g, st.Rune(g))
		}
	}
}

// In ASCII no other character is left of any text, and what is ASCII stays as it is.
func TestEveryCharacterInASCII(t *testing.T) {
	st := New(true, NoColor, true)
	for r := rune(0); r < 0x30000; r++ {
		got := st.Plain(string(r))
		if r < 0x80 && got != string(r) || strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) {
			t.Fatalf("U+%04X becomes %q", r, got)
		}
		if New(true, NoColor, false).Plain(string(r)) != string(r) {
			t.Fatalf("U+%04X is changed where it need not be", r)
		}
	}
}

// Painted text is followed by a reset; without colours only bold is written; nothing is painted as nothing.
func TestPaint(t *testing.T) {
	for _, c := range []struct {
		tier  Tier
		bold  bool
		ascii bool
		text  string
		want  string
	}{
		{Color16, false, false, "ab", "\x1b[91mab\x1b[m"}, {Color16, true, false, "ab", "\x1b[1;91mab\x1b[m"},
		{Color256, false, false, "ab", "\x1b[38;5;216mab\x1b[m"},
		{TrueColor, false, false, "ab", "\x1b[38;2;255;157;138mab\x1b[m"}, {NoColor, false, false, "ab", "ab"},
		{NoColor, true, false, "ab", "\x1b[1mab\x1b[m"}, {TrueColor, true, false, "", ""},
		{NoColor, false, true, "±2", "+-2"},
	} {
		st := New(true, c.tier, c.ascii)
		paint := st.Paint
		if c.bold {
			paint = st.PaintBold
		}
		assert.Equal(t, c.want, paint(st.Error, c.text), "%+v", c)
	}
}

// A mixture is as light as its shares say, and the second colour with the first is the first with the second; in 256
// colours it is the nearest, in 16 the one that has more. What is not set does not colour.
func TestMix(t *testing.T) {
	lightness := func(c Color) float64 {
		parsed, err := colorful.Hex(c.RGB)
		require.NoError(t, err)
		l, _, _ := parsed.Lab()
		return l
	}
	dark, light := palette(true), palette(false)
	for _, pair := range [][2]Color{{dark.Band, dark.SeriesBand[1]}, {dark.Data, dark.Band},
		{light.SeriesBand[0], light.SeriesBand[3]}} {
		a, b := pair[0], pair[1]
		for _, share := range []float64{0.125, 0.5, 0.75} {
			mixed := Mix(a, b, share)
			want := lightness(a)*(1-share) + lightness(b)*share
			if math.Abs(lightness(mixed)-want) > 0.01 || mixed.RGB != Mix(b, a, 1-share).RGB {
				t.Errorf("%s with %g of %s is %+v", a.RGB, share, b.RGB, mixed)
			}
			parsed, _ := colorful.Hex(mixed.RGB)
			if mixed.X256 != Nearest256(parsed) || share < 0.5 && mixed.X16 != a.X16 || share >= 0.5 && mixed.X16 != b.X16 {
				t.Errorf("%s with %g of %s is %+v in few colours", a.RGB, share, b.RGB, mixed)
			}
		}
		if Mix(a, b, 0) != a || Mix(a, b, 1) != b {
			t.Errorf("%s with nothing and with all of %s is another colour", a.RGB, b.RGB)
		}
	}
	if a := dark.Band; Mix(a, Color{}, 0.5) != a || Mix(Color{}, a, 0.5) != a {
		t.Error("a colour that is not set colours")
	}
}
