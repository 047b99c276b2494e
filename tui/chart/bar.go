package chart

import (
	"math"
	"strings"

	"bandscope/tui/theme"
)

// Bar is a part of a scale in a line of text: heavy on a thin line that is the whole scale.
type Bar struct {
	Low, High float64
	Mark      float64 // a value with a mark; NaN for none
	Scale     Scale
}

// Share is the bar of a part of a whole, from 0 to 1.
func Share(part float64) Bar { return Bar{High: part, Mark: math.NaN(), Scale: Scale{To: 1}} }

// Text draws the bar in w cells. A line marks 0 within the scale. An end without extent, at the beginning of the scale,
// has no cell.
func (b Bar) Text(st theme.Style, w int, color theme.Color) string {
	if w < 1 {
		return ""
	}
	edge := func(v float64) int { return min(max(int(math.Round(b.Scale.Fraction(v)*float64(w))), 0), w) }
	cell := func(v float64) int { return min(max(int(math.Round(b.Scale.Fraction(v)*float64(w-1))), 0), w-1) }
	from, end := edge(b.Low), edge(b.High)
	if !math.IsNaN(b.Mark) {
		from, end = cell(b.Low), cell(b.High)+1
	}
	cells := []rune(strings.Repeat("─", from) + strings.Repeat("━", max(end-from, 0)))
	cells = append(cells, []rune(strings.Repeat("─", w-len(cells)))...)
	if b.Scale.From < 0 {
		cells[cell(0)] = '│'
	}
	if !math.IsNaN(b.Mark) {
		cells[cell(b.Mark)] = '●'
	}
	var line strings.Builder
	for from := 0; from < w; {
		end, faint := from, cells[from] == '─' || cells[from] == '│'
		for end < w && (cells[end] == '─' || cells[end] == '│') == faint {
			end++
		}
		ink := color
		if faint {
			ink = st.Faint
		}
		line.WriteString(st.Paint(ink, st.Plain(string(cells[from:end]))))
		from = end
	}
	return line.String()
}
