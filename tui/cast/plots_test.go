package cast

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/chart"
	"bandscope/tui/placement"
	"bandscope/tui/theme"
)

// line is a plot of a line on cells 2 to 10 of the first row.
func line(height float64) placement.Plot {
	c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1},
		Layers: []chart.Layer{chart.Curve{X: []float64{0, 1}, Y: []float64{height, height}, Color: theme.NewColor("#ff0000", 9, 9)}}}
	return placement.Plot{Plot: &chart.Plot{Chart: c, Cols: 8, Rows: 1, Style: theme.New(true, theme.TrueColor, false)},
		Area: image.Rect(2, 0, 10, 1)}
}

// A plot is drawn between backgrounds and texts, once until it or a text in front of it changes.
func TestPlotsAreBehindTexts(t *testing.T) {
	low, high := line(0.25), line(0.75)
	frames := []Frame{screen(0, "    ab", ""), screen(time.Second, "    ab", ""), screen(2*time.Second, "    cb", ""),
		screen(3*time.Second, "    cb", ""), screen(4*time.Second, "    cb", "")}
	frames[1].Cells.SetCell(0, 1, frames[1].Cells.CellAt(4, 0)) // away from the plot
	for i, p := range []placement.Plot{low, low, low, high} {
		frames[i].Plots = []placement.Plot{p}
	}
	var b bytes.Buffer
	require.NoError(t, SVG(&b, "plots", frames, 5*time.Second))
	groups := strings.Split(b.String(), `<g class="f"`)[1:]
	require.Len(t, groups, len(frames))
	for i, want := range []int{1, 0, 1, 1, 0} {
		assert.Equal(t, want, strings.Count(groups[i], `stroke="#ff0000"`), "plots of frame %d:\n%s", i, groups[i])
	}
	plot := strings.Index(groups[0], `stroke="#ff0000"`)
	page := strings.Index(groups[0], `class="r"`)
	own := strings.LastIndex(groups[0], `class="r"`) // the background of the text
	text := strings.Index(groups[0], ">ab</text>")
	assert.True(t, page < plot && plot < own && own < text, "page %d, plot %d, background %d, text %d", page, plot, own, text)
	assert.Contains(t, groups[4], ">cb</text>", "where a plot was, the text is drawn again")
}

// Of frames at one time the last one counts, with the caption of an earlier one.
func TestFramesAtOneTime(t *testing.T) {
	var frames []Frame
	for _, f := range []Frame{screen(0, "a", "begin"), screen(0, "b", ""), screen(time.Second, "c", "")} {
		frames = Append(frames, f)
	}
	require.Len(t, frames, 2)
	assert.Equal(t, "b", frames[0].Cells.CellAt(0, 0).Content)
	assert.Equal(t, "begin", frames[0].Say)
}
