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

// piece is a part of the line that is explained by itself.
type piece struct {
	key  string // of what it shows; empty for what is not explained
	text string // as it is drawn, with its colours
}

// String draws the line.
func (l Line) String() string {
	var b strings.Builder
	for _, p := range l.pieces() {
		b.WriteString(p.text)
	}
	return b.String()
}

// pieces are the line from left to right. A narrow window shows less of the left.
func (l Line) pieces() []piece {
	right := append(l.standing(), piece{keySaved, l.saved()}, piece{"", " "})
	var left []piece
	for less := range 4 {
		left = l.subject(less)
		if width(left)+width(right) < l.Width {
			break
		}
	}
	gap := l.Width - width(left) - width(right)
	return append(append(left, piece{"", strings.Repeat(" ", max(gap, 1))}), right...)
}

// width is how many columns pieces have.
func width(pieces []piece) (n int) {
	for _, p := range pieces {
		n += ansi.StringWidth(p.text)
	}
	return n
}

// The keys of the pieces.
const (
	keyProblem = "the problem"
	keyMethod  = "the method"
	keyNoise   = "observation noise"
	keySeed    = "seed"
	keyStep    = "step"
	keyVolume  = "hypervolume"
	keyBest    = "best value"
	keyRegret  = "regret"
	keySaved   = "saved"
)

// subject says what is explored, the less the narrower the window is.
func (l Line) subject(less int) []piece {
	st, cfg := l.Style, l.State.Config
	dot := piece{"", st.Paint(st.Dim, " "+st.Dot()+" ")}
	line := []piece{{"", " "}, {keyProblem, st.PaintBold(st.Text, l.name())}, dot, {keyMethod, st.Paint(st.Text, l.State.Spec.Name)}}
	if cfg.Noise > 0 && less < 2 {
		line = append(line, dot, piece{keyNoise, st.Paint(st.Dim, "noise "+screen.Number(cfg.Noise))})
	}
	if less < 1 {
		line = append(line, dot, piece{keySeed, st.Paint(st.Dim, fmt.Sprintf("seed %d", cfg.Seed))})
	}
	line = append(line, dot, piece{keyStep, st.Paint(st.Text, l.steps())})
	if less < 3 {
		line = append([]piece{{"", st.PaintBold(st.Accent, " bandscope") + " "}}, line...)
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
func (l Line) standing() []piece {
	st := l.Style
	gap := piece{"", "  "}
	if len(l.State.Problem.Objectives) > 1 {
		if n := len(l.Volume); n > 0 && !math.IsNaN(l.Volume[n-1]) {
			return []piece{{keyVolume, st.Paint(st.Dim, "hypervolume ") + st.PaintBold(st.Best, screen.Number(l.Volume[n-1]))}, gap}
		}
		return nil
	}
	x, y, _, ok := l.State.Best()
	if !ok {
		return nil
	}
	s := st.Paint(st.Dim, "best ") + st.PaintBold(st.Best, screen.Number(y))
	if len(x) == 1 {
		s += st.Paint(st.Dim, " @ ") + st.Paint(st.Text, st.Plain(l.State.Problem.Domain[0].Text(x[0])))
	}
	line := []piece{{keyBest, s}, gap}
	if l.Reveal && l.Width >= wide {
		if t := report.TracesOf(l.State); t.Simple != nil {
			line = append(line, piece{keyRegret, st.Paint(st.Dim, "regret ") + st.Paint(st.Text, screen.Number(t.Simple[len(t.Simple)-1]))}, gap)
		}
	}
	return line
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
