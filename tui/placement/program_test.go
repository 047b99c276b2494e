package placement_test

import (
	"image"
	"image/color"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/tui/internal/display"
)

// acquisition are the color of the acquisition, and the one of 256 colors that stands for it in the cells of xterm.
var acquisition = []color.RGBA{{181, 140, 240, 255}, {175, 135, 255, 255}}

// filled counts the pixels that have the color of the acquisition, and those that have it darkened: cells are filled with
// the one, and in a picture the area below the line with the other.
func filled(m *image.RGBA) (cells, picture int) {
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			for _, full := range acquisition {
				switch share := shareOf(m.RGBAAt(x, y), full); {
				case share > 0.97:
					cells++
				case share > 0.6:
					picture++
				}
			}
		}
	}
	return cells, picture
}

// shareOf is the share of a color in one that is darkened; 0 for another color.
func shareOf(c, full color.RGBA) float64 {
	const rounding = 3 // sixels have hundredths
	share := float64(c.B) / float64(full.B)
	for _, channel := range [][2]uint8{{c.R, full.R}, {c.G, full.G}} {
		if math.Abs(float64(channel[0])-share*float64(channel[1])) > rounding {
			return 0
		}
	}
	return share
}

// large is how many pixels an area of the acquisition has at least.
const large = 5000

// In real terminals the plot of the program is a picture; the help and ctrl+v remove it, and what follows shows it again.
func TestTerminalsShowThePlot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bandscope")
	for _, terminal := range display.Terminals {
		t.Run(terminal.Name, func(t *testing.T) {
			terminal.Require(t)
			out, err := exec.Command("go", "build", "-o", path, "bandscope").CombinedOutput()
			require.NoError(t, err, "%s", out)
			for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"} {
				t.Setenv(name, t.TempDir())
			}
			t.Setenv("COLORTERM", "truecolor")
			d := display.Start(t, terminal, 100, 30, path, "-f", "forrester", "-o", "gp-ei", "--seed", "1", "--theme", "dark")
			d.Wait("the program", func(m *image.RGBA) bool { return m.RGBAAt(40, 40).R > 0 })
			d.Type("space", "space", "space", "space", "space", "space")
			show := func(name string, shown func(cells, picture int) bool) {
				t.Helper()
				d.Wait(name, func(m *image.RGBA) bool { return shown(filled(m)) })
				d.Picture(name)
			}
			isPicture := func(cells, picture int) bool { return picture > large && cells < large/2 }
			show("picture", isPicture)
			d.Type("question")
			show("help", func(cells, picture int) bool { return cells+picture < large/5 })
			d.Type("Escape")
			show("picture again", isPicture)
			d.Type("ctrl+v")
			show("cells", func(cells, picture int) bool { return cells > large && picture < large/2 })
		})
	}
}
