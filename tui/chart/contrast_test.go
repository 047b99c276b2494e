package chart

import (
	"testing"

	"github.com/lucasb-eyer/go-colorful"

	"bandscope/tui/internal/contrast"
	"bandscope/tui/theme"
)

// On every colour of every map numbers and marks can be read, at every tier.
func TestContrastOnFields(t *testing.T) {
	for _, m := range []ColorMap{Viridis, Cividis, Diverging} {
		check := func(tier theme.Tier, name string, shows func(theme.Color) colorful.Color) {
			st := theme.New(true, tier, false)
			for i, level := range m.levels() {
				if got := contrast.Ratio(shows(st.OnTop(level)), shows(level)); got < contrast.Text {
					t.Errorf("%s, %s: text on level %d (%+v) has a contrast of %.2f", m.Name, name, i, level, got)
				}
			}
		}
		check(theme.TrueColor, "true color", func(c theme.Color) colorful.Color { return contrast.RGB(c.RGB) })
		check(theme.Color256, "256", func(c theme.Color) colorful.Color { return contrast.Color256(c.X256) })
		for name, color := range contrast.Colors16() {
			check(theme.Color16, name, func(c theme.Color) colorful.Color { return color(c.X16) })
		}
	}
}

// In 16 colours, too, greater values of the maps of quantities are lighter, or nearly as light.
func TestMapsOf16ColorsGoFromDarkToLight(t *testing.T) {
	for _, m := range []ColorMap{Viridis, Cividis} {
		for name, color := range contrast.Colors16() {
			last := 0.
			for _, level := range m.levels() {
				l := contrast.Luminance(color(level.X16))
				if (last+0.05)/(l+0.05) > 1.15 {
					t.Errorf("%s, %s: colour %d is darker than one before", m.Name, name, level.X16)
				}
				last = max(last, l)
			}
		}
	}
}
