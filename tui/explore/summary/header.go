// Package summary holds the explorer's panels of how the search stands: the header; the summary of what the model
// expects where no truth is known (best observed, best by the model, what may still be gained, what the values depend
// on, results that the model does not understand); and the traces over the iterations (regret or best value,
// hypervolume, the model's spectrum). The numbers come from sessions/diagnostics and sessions/report.
package summary

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Header is the top line of a window.
type Header struct {
	State  sessions.State
	Style  theme.Style
	Width  int       // of the window, in cells
	Reveal bool      // the regret may be told
	Volume []float64 // the hypervolume by iterations, of several objectives
}

// wide is the width from which there is room for what is only good to know.
const wide = 100

// Box draws and describes the line. A narrow window shows less of the left; a name that is still too long is shortened.
func (l Header) Box() *layout.Box {
	right := layout.Row(l.progressBox(), l.saved(), layout.Space(1, 1))
	name := l.name()
	var left *layout.Box
	for less := range 4 {
		if left = l.subject(less, name); left.W+right.W < l.Width {
			break
		}
	}
	if over := left.W + right.W + 1 - l.Width; over > 0 {
		left = l.subject(3, layout.ShortenIn(l.Style, name, max(ansi.StringWidth(name)-over, 1)))
	}
	return layout.Row(left, layout.Space(max(l.Width-left.W-right.W, 1), 1), right).Sized(l.Width, 1)
}

// subject says what is explored, the less the narrower the window is.
func (l Header) subject(less int, name string) *layout.Box {
	st, cfg, spec := l.Style, l.State.Config, l.State.Spec
	dot := func() *layout.Box { return layout.Line(st.Paint(st.Dim, " "+st.Dot()+" ")) }
	line := layout.Space(1, 1)
	if less < 3 {
		line = layout.Row(layout.Line(st.PaintBold(st.Accent, " bandscope")), layout.Space(2, 1))
	}
	line.Beside(layout.Line(st.PaintBold(st.Text, name)).
		Describe(layout.Number, "the problem", "objective", l.problem)).Beside(dot())
	line.Beside(layout.Line(st.Paint(st.Text, spec.Name)).
		Describe(layout.Number, "the method", method(spec.Title), func() string {
			return fmt.Sprintf("The method that chooses the points, %s: %s.", spec.Title,
				layout.Excerpt(spec.Summary, 36))
		})).Beside(dot())
	if cfg.Noise > 0 && less < 2 {
		noise := widget.Number(cfg.Noise)
		line.Beside(layout.Line(st.Paint(st.Dim, "noise "+noise)).Number("observation noise", "observation noise",
			fmt.Sprintf("A normal random error with a standard deviation of %s is added to every value that is "+
				"observed: two evaluations of one point differ, and the best result may be luck.", noise))).
			Beside(dot())
	}
	if less < 1 {
		line.Beside(layout.Line(st.Paint(st.Dim, fmt.Sprintf("seed %d", cfg.Seed))).Number("seed", "seed",
			fmt.Sprintf("All that is random here comes from the number %d: who begins with it, and does the same, "+
				"sees the same to the last digit.", cfg.Seed))).Beside(dot())
	}
	return line.Beside(layout.Line(st.Paint(st.Text, l.steps())).Describe(layout.Number, "step", "", l.describeSteps))
}

// name is the problem's with its variables.
func (l Header) name() string {
	if n := l.State.Problem.Name; strings.Contains(n, ":") {
		return n
	}
	return fmt.Sprintf("%s %d-D", l.State.Problem.Name, l.State.Problem.Dim())
}

func (l Header) problem() string {
	p := l.State.Problem
	about := layout.Excerpt(p.About, 30)
	if about != "" {
		about = ": " + strings.ToLower(about[:1]) + about[1:]
	}
	sought := "the least " + p.Objectives[0].Name
	switch {
	case len(p.Objectives) > 1:
		sought = fmt.Sprintf("the best of %d objectives together", len(p.Objectives))
	case p.Objectives[0].Direction == functions.Maximize:
		sought = "the greatest " + p.Objectives[0].Name
	}
	return fmt.Sprintf("The problem, %s%s. What is sought is %s over %s.", sanitize.Text(p.Title), about, sought,
		widget.Count(p.Dim(), "variable"))
}

// method is the term for a method, or what all of them have.
func method(title string) string {
	if t, ok := glossary.Lookup(title); ok {
		return t.Name
	}
	return "surrogate"
}

// steps is how far the search is, and how much of it lies ahead on record.
func (l Header) steps() string {
	s := fmt.Sprintf("step %d/%d", len(l.State.Iterations), l.State.Config.Budget)
	if l.State.HasCosts() {
		s = fmt.Sprintf("step %d cost %s", len(l.State.Iterations), widget.Number(l.State.TotalCost()))
		if b := l.State.Config.CostBudget; b > 0 {
			s += "/" + widget.Number(b)
		}
	}
	if l.State.Ahead > 0 {
		s += fmt.Sprintf(" (+%d)", l.State.Ahead)
	}
	return s
}

func (l Header) describeSteps() string {
	n, cfg := len(l.State.Iterations), l.State.Config
	text := fmt.Sprintf("%s done of a budget of %d, so %d are left.", widget.Count(n, "step"), cfg.Budget,
		max(cfg.Budget-n, 0))
	if n == 0 {
		text = fmt.Sprintf("No step is done yet, of a budget of %d.", cfg.Budget)
	}
	if l.State.HasCosts() {
		text = fmt.Sprintf("%s done, which cost %s together.", widget.Count(n, "step"),
			widget.Number(l.State.TotalCost()))
		if cfg.CostBudget > 0 {
			text = fmt.Sprintf("%s done, which cost %s together of a budget of %s.", widget.Count(n, "step"),
				widget.Number(l.State.TotalCost()), widget.Number(cfg.CostBudget))
		}
	}
	if l.State.Ahead > 0 {
		text += fmt.Sprintf(" (+%d): so many more are on record ahead of this place.", l.State.Ahead)
	}
	return text
}

// progressBox is how the search stands: the best observation and the regret, or the hypervolume; nil where nothing is
// known of that.
func (l Header) progressBox() *layout.Box {
	st, p := l.Style, l.State.Problem
	if len(p.Objectives) > 1 {
		n := len(l.Volume)
		if n == 0 || math.IsNaN(l.Volume[n-1]) {
			return nil
		}
		v := widget.Number(l.Volume[n-1])
		return layout.Row(layout.Line(st.Paint(st.Dim, "hypervolume ")+st.PaintBold(st.Best, v)).
			Number("hypervolume", "hypervolume",
				fmt.Sprintf("How much of the space of the %d objectives the results dominate, above the reference "+
					"point, "+
					"with every range counted from 0 to 1: %s. It grows when the front moves out or is filled.",
					len(p.Objectives), v)), layout.Space(2, 1))
	}
	x, y, step, ok := l.State.Best()
	if !ok {
		return nil
	}
	s := st.Paint(st.Dim, "best ") + st.PaintBold(st.Best, widget.Number(y))
	if len(x) == 1 {
		s += st.Paint(st.Dim, " @ ") + st.Paint(st.Text, st.Plain(p.Domain[0].Text(x[0])))
	}
	o := p.Objectives[0]
	line := layout.Row(layout.Line(s).Describe(layout.Number, "best value", "incumbent", func() string {
		return fmt.Sprintf("The best result so far: %s = %s at %s, observed in step %d of %d.", o.Name,
			strings.TrimSpace(widget.Number(y)+" "+sanitize.Text(o.Unit)), sanitize.Text(widget.Point(p.Domain, x)),
			step, len(l.State.Iterations))
	}), layout.Space(2, 1))
	if !l.Reveal || l.Width < wide {
		return line
	}
	if t := report.TracesFor(l.State); t.SimpleRegret != nil {
		r := widget.Number(t.SimpleRegret[len(t.SimpleRegret)-1])
		regret := layout.Line(st.Paint(st.Dim, "regret ") + st.Paint(st.Text, r))
		if p.Optimum() != nil {
			regret.Number("regret", "simple regret",
				fmt.Sprintf("How far the best point so far is from the optimum, both without noise: %s. It is known "+
					"of a test function only, and no method sees it.", r))
		}
		line.Beside(regret).Beside(layout.Space(2, 1))
	}
	return line
}

// saved says whether every event is on disk.
func (l Header) saved() *layout.Box {
	st := l.Style
	mark, word, color := st.Glyph(theme.GlyphFilled), " saved", st.Good
	says := "Every event is on disk already: quitting, or a crash, loses nothing."
	switch {
	case l.State.ReadOnly:
		mark, word, color = st.Glyph(theme.GlyphHollow), " read-only", st.Warn
		says = "The session can only be read: nothing can be appended to its file, and what is done here is not kept."
	case !l.State.Saved:
		mark, word, color = st.Glyph(theme.GlyphHollow), " not saved", st.Dim
		says = "Nothing of this session is on disk: w writes it to a file, and from then on each event as it comes."
	}
	if l.Width < wide {
		word = ""
	}
	return layout.Line(st.Paint(color, mark+word)).Prose("saved", "", says)
}
