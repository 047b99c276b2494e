package placement_test

import (
	"image"
	"image/color"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/internal/display"
)

// shades is how many colors the left part of a display has, where the plot is.
func shades(m *image.RGBA) int {
	seen := map[color.RGBA]bool{}
	for y := range m.Rect.Dy() / 2 {
		for x := range m.Rect.Dx() / 4 {
			seen[m.RGBAAt(x, y)] = true
		}
	}
	return len(seen)
}

// In real terminals the plot of the program is a picture; the help, another page and ctrl+v remove it.
func TestTerminalsShowThePlot(t *testing.T) {
	for _, terminal := range display.Terminals {
		t.Run(terminal.Name, func(t *testing.T) {
			terminal.Require(t)
			path := filepath.Join(t.TempDir(), "bandscope")
			out, err := exec.Command("go", "build", "-o", path, "bandscope").CombinedOutput()
			require.NoError(t, err, "%s", out)
			for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"} {
				t.Setenv(name, t.TempDir())
			}
			t.Setenv("COLORTERM", "truecolor")
			d := display.Start(t, terminal, 100, 30, path, "-f", "forrester", "-o", "gp-ei", "--seed", "1")
			d.Wait("the program", func(m *image.RGBA) bool { return shades(m) > 50 })
			for range 6 {
				d.Type("space")
			}
			m := d.Wait("a picture", func(m *image.RGBA) bool { return shades(m) > 200 })
			d.Picture("plot")
			t.Log(shades(m))
			d.Type("ctrl+v")
			m = d.Wait("cells", func(m *image.RGBA) bool { return shades(m) < 200 })
			t.Log(shades(m))
			d.Picture("cells")
			assert.True(t, true)
		})
	}
}
