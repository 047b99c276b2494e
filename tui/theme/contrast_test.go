package theme

import (
	"fmt"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/internal/contrast"
)

// terminal is how a terminal of a tier shows colours.
type terminal struct {
	name  string
	style Style
	shows func(Color) colorful.Color
	pages []colorful.Color // backgrounds that it may have
}

// terminals are all tiers of both themes, with the backgrounds that terminals have.
func terminals() (list []terminal) {
	for _, isDark := range []bool{true, false} {
		theme, usual := "dark", []string{"#000000", "#1c1e26"}
		if !isDark {
			theme, usual = "light", []string{"#ffffff"}
		}
		add := func(name string, tier Tier, pages []string, shows func(Color) colorful.Color) {
			t := terminal{name: theme + " " + name, style: New(isDark, tier, false), shows: shows}
			for _, p := range pages {
				t.pages = append(t.pages, contrast.RGB(p))
			}
			t.pages = append(t.pages, shows(t.style.Page))
			list = append(list, t)
		}
		add("true color", TrueColor, usual, func(c Color) colorful.Color { return contrast.RGB(c.RGB) })
		add("256", Color256, usual, func(c Color) colorful.Color { return contrast.Color256(c.X256) })
		for name, color := range contrast.Colors16() {
			add("16 "+name, Color16, nil, func(c Color) colorful.Color { return color(c.X16) })
		}
	}
	return list
}

// inks are the colours of texts and of marks that are read.
func inks(p Palette) map[string]Color {
	return map[string]Color{"text": p.Text, "dim": p.Dim, "faint": p.Faint, "accent": p.Accent, "title": p.Title,
		"truth": p.Truth, "mean": p.Mean, "used": p.Used, "data": p.Data, "newest": p.Newest, "best": p.Best,
		"next": p.Next, "warn": p.Warn, "error": p.Error, "good": p.Good, "cursor": p.Cursor,
		"series 1": p.Series[0], "series 2": p.Series[1], "series 3": p.Series[2], "series 4": p.Series[3]}
}

// Text can be read at every tier, in both themes: on the page, and on bands, regions and other fills.
func TestContrast(t *testing.T) {
	for _, term := range terminals() {
		p := term.style.Palette
		for subject, ink := range inks(p) {
			for _, page := range term.pages {
				if got := contrast.Ratio(term.shows(ink), page); got < contrast.Text {
					t.Errorf("%s: %s on %s has a contrast of %.2f", term.name, subject, page.Hex(), got)
				}
			}
		}
		if term.style.OnTop(Color{}) != p.Text {
			t.Errorf("%s: where no colour is under a text, it has another than text", term.name)
		}
		for subject, under := range map[string]Color{"a band": p.Band, "band 1": p.SeriesBand[0],
			"band 2": p.SeriesBand[1], "band 3": p.SeriesBand[2], "band 4": p.SeriesBand[3], "a shade": p.Shade,
			"a cost": p.Warn, "the allowed region": p.Good, "results": p.Data,
			"an error": p.Error, "the accent": p.Accent, "a cursor": p.Cursor} {
			top := term.style.OnTop(under)
			if got := contrast.Ratio(term.shows(top), term.shows(under)); got < contrast.Text {
				t.Errorf("%s: text on %s has a contrast of %.2f", term.name, subject, got)
			}
		}
	}
}

// Over takes the first colour that can be read, and black or white only where none can.
func TestOverIsReadable(t *testing.T) {
	for _, term := range terminals() {
		p := term.style.Palette
		for label, under := range map[string]Color{"a band": p.Band, "a shade": p.Shade, "the page": p.Page,
			"data": p.Data, "a sample": p.Sample} {
			got := term.style.Over(under, p.Faint, p.Dim)
			if c := contrast.Ratio(term.shows(got), term.shows(under)); c < contrast.Text && under != p.Sample {
				t.Errorf("%s: %+v on %s has a contrast of %.2f", term.name, got, label, c)
			}
			first := contrast.Ratio(term.shows(p.Faint), term.shows(under)) >= contrast.Text
			if term.style.Tier > Color16 && first != (got == p.Faint) {
				t.Errorf("%s: on %s stands %+v, and the first colour can be read: %v", term.name, label, got, first)
			}
		}
		if term.style.Over(Color{}, p.Faint, p.Dim) != p.Faint {
			t.Errorf("%s: on the page stands another than the first colour", term.name)
		}
	}
}

// Lines and marks stand out from the page and from what is behind them; the samples, of which there are many, less so
// in 16 colours, where the mean must stand out from them.
func TestContrastOfMarks(t *testing.T) {
	for _, term := range terminals() {
		p := term.style.Palette
		check := func(subject string, ink Color, under colorful.Color) {
			least := float64(contrast.Marks)
			if term.style.Tier == Color16 && ink == p.Sample {
				least = 2.5
			}
			if got := contrast.Ratio(term.shows(ink), under); got < least {
				t.Errorf("%s: %s on %s has a contrast of %.2f", term.name, subject, under.Hex(), got)
			}
		}
		for _, page := range term.pages {
			check("a sample", p.Sample, page)
			check("an acquisition", p.Acquisition, page)
			check("a mark on an acquisition", term.style.OnTop(p.Acquisition), term.shows(p.Acquisition))
		}
		assert.NotEqual(t, p.Mean.X16, p.Sample.X16, "%s: samples look like the mean", term.name)
		marks := map[string]Color{"the mean": p.Mean, "a sample": p.Sample, "the used function": p.Used,
			"the truth": p.Truth, "data": p.Data, "the newest": p.Newest, "the best": p.Best, "the next": p.Next}
		for subject, ink := range marks {
			check(subject+" on a band", ink, term.shows(p.Band))
			if term.style.Tier != Color16 { // where a region is an outline
				check(subject+" on a region", ink, term.shows(p.Shade))
			}
		}
		for i, line := range p.Series {
			check(fmt.Sprintf("line %d on its band", i+1), line, term.shows(p.SeriesBand[i]))
		}
	}
}
