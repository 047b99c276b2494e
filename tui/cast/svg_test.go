package cast

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// screen is a frame of 12×2 cells with a text in its first line, on a dark page.
func screen(elapsed time.Duration, text, say string) Frame {
	b := uv.NewBuffer(12, 2)
	page := uv.Style{Fg: color.White, Bg: color.Black}
	for y := range 2 {
		for x := range 12 {
			b.SetCell(x, y, &uv.Cell{Content: " ", Width: 1, Style: page})
		}
	}
	for x, r := range []rune(text) {
		b.SetCell(x, 0, &uv.Cell{Content: string(r), Width: 1, Style: page})
	}
	return Frame{At: elapsed, Cells: b, Say: say}
}

// A picture has a group for each frame, which begins at its time and has only the cells that change; shapes do not
// depend on fonts, and no text gets out of its element.
func TestSVG(t *testing.T) {
	var b bytes.Buffer
	frames := []Frame{screen(0, "a<b ⠁─█▚", ""), screen(time.Second, "a<c ⠁─█▚", "1 & 2")}
	require.NoError(t, SVG(&b, "<title>", frames, 4*time.Second))
	text := b.String()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err, text)
		}
	}
	for _, want := range []string{
		"@keyframes f1{0%{visibility:hidden}25%{visibility:visible}}", ".f{animation:4s step-end infinite}",
		`<text x="0" y="12" textLength="24">a&lt;b</text>`, // in the first frame
		`<text x="16" y="12">c</text>`,                     // in the second one, nothing else
		`d="M34 2h0"`,                                      // upper left of cell 4
		`d="M40 8.5h8"`,                                    // a line in cell 5
		`M48 0h8v16h-8zm8 0h4v8h-4zm4 8h4v8h-4z`,           // a block, and two quadrants
		"1 &amp; 2", "<title>&lt;title&gt;</title>",
	} {
		assert.Contains(t, text, want, "there is no %s in\n%s", want, text)
	}
	if n := strings.Count(text, "h0"); n != 1 {
		t.Errorf("the dot is drawn %d times", n)
	}
}

// Every block element from the half to the quadrants covers its share of the cell.
func TestBlocksCoverTheirShare(t *testing.T) {
	want := map[rune]int{'▀': 8, '▁': 2, '▄': 8, '█': 16, '▉': 14, '▌': 8, '▏': 2, '▐': 8, '▔': 2, '▕': 2, '▖': 4, '▙': 12,
		'▚': 8, '▟': 12}
	for r, sixteenths := range want {
		l := newLayers()
		require.True(t, drawShape(l, r, "#fff", 0, 0), "%c is no shape", r)
		if got := area(t, l.rects["#fff"].String()); got != sixteenths*cellW*cellH/16 {
			t.Errorf("%c covers %d square pixels, want %d sixteenths of %d: %s", r, got, sixteenths, cellW*cellH, l.rects["#fff"])
		}
	}
	if drawShape(newLayers(), '░', "#fff", 0, 0) || drawShape(newLayers(), 'x', "#fff", 0, 0) {
		t.Error("a shade or a letter is a shape")
	}
}

// area is the sum of the areas of the rectangles of a path.
func area(t *testing.T, path string) (sum int) {
	t.Helper()
	for _, part := range strings.Split(strings.TrimSuffix(path, "z"), "z") {
		_, size, _ := strings.Cut(part, "h")
		w, rest, _ := strings.Cut(size, "v")
		h, _, _ := strings.Cut(rest, "h")
		sum += atoi(t, w) * atoi(t, h)
	}
	return sum
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}
