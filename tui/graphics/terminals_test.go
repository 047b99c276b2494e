package graphics

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/internal/display"
)

// answersFile is the variable of the environment with which the tests run themselves in a terminal: the file of its
// answers.
const answersFile = "BANDSCOPE_GRAPHICS_ANSWERS"

func TestMain(m *testing.M) {
	if name := os.Getenv(answersFile); name != "" {
		if err := runInTerminal(name); err != nil {
			_ = os.WriteFile(name, []byte(err.Error()), 0o600)
		}
		return
	}
	os.Exit(m.Run())
}

// The colors of the picture, which sixels have, and of the text in front of it.
var (
	green  = color.RGBA{51, 204, 102, 255}
	blue   = color.RGBA{51, 102, 204, 255}
	orange = color.RGBA{255, 153, 0, 255}
	red    = color.RGBA{255, 0, 0, 255}
)

// The window of the tests, where the picture is, and the cells with text in front of it: in cells.
var (
	window = image.Rect(0, 0, 60, 20)
	shown  = image.Rect(5, 3, 45, 13)
	text   = image.Rect(10, 6, 16, 7)
	below  = image.Rect(10, 17, 16, 18) // a text that goes
)

// runInTerminal is the program in the terminal. It writes the answers to a file, a text and a picture behind it; the key n
// shows the next picture, h hides it, q ends.
func runInTerminal(name string) error {
	state, err := term.MakeRaw(os.Stdin.Fd())
	if err != nil {
		return err
	}
	defer term.Restore(os.Stdin.Fd(), state)
	fmt.Print("\x1b[?1049h\x1b[?25l\x1b[2J" + Query)
	var t Terminal
	var d uv.EventDecoder
	in := make([]byte, 4096)
	for !t.Answered {
		n, err := os.Stdin.Read(in)
		if err != nil {
			return err
		}
		for b := in[:n]; len(b) > 0; {
			used, e := d.Decode(b)
			t.Take(e, window.Max)
			b = b[used:]
		}
	}
	t.TakeWindow(WindowPixels(os.Stdin.Fd()), window.Max)
	p := t.Best()
	var holes []image.Rectangle
	if p == Sixel {
		holes = append(holes, text)
	}
	size := t.Cell.Pixels(shown)
	fmt.Printf("\x1b[1;1H%s %+v\x1b[38;2;255;0;0m", p, t)
	for _, place := range []image.Rectangle{text, below} {
		fmt.Printf("\x1b[%d;%dHM████M", place.Min.Y+1, place.Min.X+1)
	}
	fmt.Print("\x1b[m")
	fmt.Print(p.Show(Picture{ID: 2, Image: halves(size, green, blue), Area: shown, Holes: holes}))
	if err := os.WriteFile(name+".part", fmt.Appendf(nil, "%s %v %v", p, t.Cell.W, t.Cell.H), 0o600); err != nil {
		return err
	}
	if err := os.Rename(name+".part", name); err != nil {
		return err
	}
	for {
		if _, err := os.Stdin.Read(in); err != nil {
			return err
		}
		switch in[0] {
		case 'n':
			fmt.Printf("\x1b[%d;%dH%*s", below.Min.Y+1, below.Min.X+1, below.Dx(), "")
			fmt.Print(p.Show(Picture{ID: 2, Image: halves(size, orange, green), Area: shown, Holes: holes}))
		case 'h':
			fmt.Print(p.Hide(2))
			for y := shown.Min.Y; y < shown.Max.Y && p == Sixel; y++ {
				fmt.Printf("\x1b[%d;%dH%*s", y+1, shown.Min.X+1, shown.Dx(), "")
			}
		case 'q':
			return nil
		}
	}
}

// halves is an image whose left and right half have colors.
func halves(size image.Point, left, right color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(left), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(size.X/2, 0, size.X, size.Y), image.NewUniform(right), image.Point{}, draw.Src)
	return m
}

// Real terminals show a picture behind a text, its successor in its place, and nothing after it is hidden.
func TestTerminalsShowPictures(t *testing.T) {
	for _, terminal := range display.Terminals {
		t.Run(terminal.Name, func(t *testing.T) {
			answers := filepath.Join(t.TempDir(), "answers")
			t.Setenv(answersFile, answers)
			self, err := os.Executable()
			require.NoError(t, err)
			d := display.Start(t, terminal, window.Dx(), window.Dy(), self)
			var p string
			var cell CellSize
			d.Wait("the answers", func(*image.RGBA) bool {
				content, err := os.ReadFile(answers)
				n, _ := fmt.Sscan(string(content), &p, &cell.W, &cell.H)
				return err == nil && n == 3
			})
			want := map[string]string{"kitty": "kitty", "xterm": "sixel"}[terminal.Name]
			require.Equal(t, want, p)
			show := func(name string, left, right color.RGBA) *image.RGBA {
				t.Helper()
				m := d.Wait(name, func(m *image.RGBA) bool {
					return m.RGBAAt(middle(cell, 7, 4)) == left && m.RGBAAt(middle(cell, 44, 12)) == right
				})
				d.Picture(name)
				for _, place := range []image.Point{{X: 5, Y: 3}, {X: 5, Y: 12}, {X: 24, Y: 8}} {
					assert.Equal(t, left, m.RGBAAt(middle(cell, place.X, place.Y)), "%s at %v", name, place)
				}
				for _, place := range []image.Point{{X: 4, Y: 3}, {X: 45, Y: 12}, {X: 5, Y: 13}, {X: 50, Y: 18}} {
					assert.Equal(t, color.RGBA{A: 255}, m.RGBAAt(middle(cell, place.X, place.Y)), "%s beside it at %v", name, place)
				}
				assert.Contains(t, colorsIn(m, cell, text), red, "the text in front of %s", name)
				return m
			}
			assert.Contains(t, colorsIn(show("picture", green, blue), cell, below), red)
			d.Type("n")
			assert.Equal(t, []color.RGBA{{A: 255}}, colorsIn(show("successor", orange, green), cell, below))
			d.Type("h")
			d.Wait("the cells alone", func(m *image.RGBA) bool {
				return m.RGBAAt(middle(cell, 7, 4)) == color.RGBA{A: 255} && m.RGBAAt(middle(cell, 44, 12)) == color.RGBA{A: 255}
			})
			d.Picture("hidden")
		})
	}
}

// middle is the middle of a cell, in pixels.
func middle(cell CellSize, col, row int) (x, y int) {
	return int((float64(col) + 0.5) * cell.W), int((float64(row) + 0.5) * cell.H)
}

// colorsIn are the colors of the pixels of an area of cells.
func colorsIn(m *image.RGBA, cell CellSize, area image.Rectangle) (found []color.RGBA) {
	seen := map[color.RGBA]bool{}
	for y := area.Min.Y * int(cell.H); y < area.Max.Y*int(cell.H); y++ {
		for x := area.Min.X * int(cell.W); x < area.Max.X*int(cell.W); x++ {
			c := m.RGBAAt(x, y)
			if !seen[c] {
				seen[c] = true
				found = append(found, c)
			}
		}
	}
	return found
}
