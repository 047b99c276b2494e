package chart

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// A text in front of a picture has the background of its cell in true colour. With fewer colours it has none, and a colour
// that can be read on the page.
func TestTextsInFrontOfPictures(t *testing.T) {
	for _, tier := range []theme.Tier{theme.Color256, theme.TrueColor} {
		st := theme.New(true, tier, false)
		c := NewCanvas(4, 1, st)
		for _, fg := range []theme.Color{st.Mean, st.OnTop(st.Good)} {
			p := cell{glyph: 'm', front: true, fg: fg, bg: st.Good}
			want := p
			if tier == theme.Color256 {
				want.bg = theme.Color{}
			}
			if tier == theme.Color256 && fg != st.Mean {
				want.fg = st.Text
			}
			assert.Equal(t, want, *c.inFront(&p))
		}
	}
}
