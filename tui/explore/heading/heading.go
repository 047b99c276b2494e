// Package heading is the explorer's top line: what is explored at the left, how it stands at the right. It is drawn from the state alone; what the
// pictures know besides, such as the hypervolume, is given.
package heading

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Line is the top line of a window.
type Line struct {
	State  sessions.State
	Style  theme.Style
	Width  int       // of the window, in cells
	Reveal bool      // the regret may be told
	Volume []float64 // the hypervolume by iterations, of several objectives
}

// wide is the width from which there is room for what is only good to know.
const wide = 100

// String draws the line. A narrow window shows less of the left.
func (l Line) String() string {
	right := l.standing() + l.saved() + " "
	left := ""
	for less := range 4 {
		left = l.subject(less)
		if ansi.StringWidth(left)+ansi.StringWidth(right) < l.Width {
			break
		}
	}
	gap := l.Width - ansi.StringWidth(left) - ansi.StringWidth(right)
	return left + strings.Repeat(" ", max(gap, 1)) + right
}

// subject says what is explored, the less the narrower the window is.
func (l Line) subject(less int) string {
	st, cfg := l.Style, l.State.Config
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	name := l.State.Problem.Name
	if !strings.Contains(name, ":") {
		name = fmt.Sprintf("%s %d-D", name, l.State.Problem.Dim())
	}
	parts := []string{st.PaintBold(st.Text, name), st.Paint(st.Text, l.State.Spec.Name)}
	if cfg.Noise > 0 && less < 2 {
		parts = append(parts, st.Paint(st.Dim, "noise "+screen.Number(cfg.Noise)))
	}
	if less < 1 {
		parts = append(parts, st.Paint(st.Dim, fmt.Sprintf("seed %d", cfg.Seed)))
	}
	parts = append(parts, st.Paint(st.Text, l.steps()))
	line := " " + strings.Join(parts, dot)
	if less < 3 {
		line = st.PaintBold(st.Accent, " bandscope") + " " + line
	}
	return line
}

// steps is how far the search is, and how much of it lies ahead on record.
func (l Line) steps() string {
	s := fmt.Sprintf("step %d/%d", len(l.State.Iterations), l.State.Config.Budget)
	if l.State.Costly() {
		s = fmt.Sprintf("step %d cost %s", len(l.State.Iterations), screen.Number(l.State.Spent()))
		if b := l.State.Config.CostBudget; b > 0 {
			s += "/" + screen.Number(b)
		}
	}
	if l.State.Ahead > 0 {
		s += fmt.Sprintf(" (+%d)", l.State.Ahead)
	}
	return s
}

// standing is how the search stands: the best observation and the regret, or the hypervolume.
func (l Line) standing() string {
	st := l.Style
	if len(l.State.Problem.Objectives) > 1 {
		if n := len(l.Volume); n > 0 && !math.IsNaN(l.Volume[n-1]) {
			return st.Paint(st.Dim, "hypervolume ") + st.PaintBold(st.Best, screen.Number(l.Volume[n-1])) + "  "
		}
		return ""
	}
	x, y, _, ok := l.State.Best()
	if !ok {
		return ""
	}
	s := st.Paint(st.Dim, "best ") + st.PaintBold(st.Best, screen.Number(y))
	if len(x) == 1 {
		s += st.Paint(st.Dim, " @ ") + st.Paint(st.Text, st.Plain(l.State.Problem.Domain[0].Text(x[0])))
	}
	if l.Reveal && l.Width >= wide {
		if t := report.TracesOf(l.State); t.Simple != nil {
			s += "  " + st.Paint(st.Dim, "regret ") + st.Paint(st.Text, screen.Number(t.Simple[len(t.Simple)-1]))
		}
	}
	return s + "  "
}

// saved says whether every event is on disk.
func (l Line) saved() string {
	st := l.Style
	mark, word, color := st.Glyph(theme.GlyphFilled), " saved", st.Good
	switch {
	case l.State.ReadOnly:
		mark, word, color = st.Glyph(theme.GlyphHollow), " read-only", st.Warn
	case !l.State.Saved:
		mark, word, color = st.Glyph(theme.GlyphHollow), " not saved", st.Dim
	}
	if l.Width < wide {
		word = ""
	}
	return st.Paint(color, mark+word)
}
