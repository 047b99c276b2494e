package layout

import (
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// canvasFor is a canvas with cells of a few characters, styles and links, by chance.
func canvasFor(rng *rand.Rand, w, h int) *lipgloss.Canvas {
	c := lipgloss.NewCanvas(w, h)
	colors := []color.Color{nil, nil, ansi.BasicColor(3), ansi.IndexedColor(200), color.RGBA{R: 1, G: 2, B: 3, A: 255}}
	for y := range h {
		for x := range w {
			if rng.IntN(3) == 0 {
				continue
			}
			cell := uv.Cell{Content: []string{"a", " ", "⣿", "日"}[rng.IntN(4)], Width: 1,
				Style: uv.Style{Fg: colors[rng.IntN(5)], Bg: colors[rng.IntN(5)],
					Attrs: []uint8{0, uv.AttrBold, uv.AttrReverse}[rng.IntN(3)]}}
			cell.Link.URL = []string{"", "", "https://a.example", "https://b.example"}[rng.IntN(4)]
			if cell.Content == "日" {
				cell.Width = 2
			}
			c.SetCell(x, y, &cell)
		}
	}
	return c
}

// What is written shows the same cells as what Lip Gloss writes of the same canvas, line by line.
func TestEncodeIsRender(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var e Encoder
	for range 300 {
		w, h := rng.IntN(20), 1+rng.IntN(4)
		c := canvasFor(rng, w, h)
		ours, theirs := lipgloss.NewCanvas(w, h), lipgloss.NewCanvas(w, h)
		text := e.Encode(c)
		(&uv.StyledString{Text: text}).Draw(ours, ours.Bounds())
		(&uv.StyledString{Text: c.Render()}).Draw(theirs, theirs.Bounds())
		for y := range h {
			for x := range w {
				a, b := *ours.CellAt(x, y), *theirs.CellAt(x, y)
				for _, blank := range []*uv.Cell{&a, &b} {
					if blank.Content == " " { // at the end of a line it may be left out with its link
						blank.Style, blank.Link = blankStyle(blank.Style), uv.Link{}
					}
				}
				if !a.Equal(&b) {
					t.Fatalf("cell %d in row %d is %+v, of Lip Gloss %+v:\n%q\n%q", x, y, a, b, text, c.Render())
				}
			}
		}
		for _, line := range strings.Split(text, "\n") {
			require.False(t, strings.HasSuffix(line, " "), "%q ends in blanks", line)
		}
	}
}

// A frame in which every cell has colours of its own, drawn again, makes no more than its text.
func BenchmarkEncode(b *testing.B) {
	c := canvasFor(rand.New(rand.NewPCG(7, 8)), 200, 60)
	for name, write := range map[string]func() string{"ours": new(Encoder).encoding(c), "render": c.Render} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				write()
			}
		})
	}
}

func (e *Encoder) encoding(c *lipgloss.Canvas) func() string {
	return func() string { return e.Encode(c) }
}
