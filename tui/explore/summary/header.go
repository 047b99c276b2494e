// Package summary has the explorer's panels of the progress of the search: the header; the outlook of the model if the
// truth is unknown (best observed result, best mean, stopping advice, sensitivity, outliers); and the traces over the
// iterations (regret or best value, hypervolume, the model's spectrum). The numbers come from sessions/diagnostics and
// sessions/report.
package summary

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
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
	Width  int             // of the window, in cells
	Reveal bool            // the regret may be shown
	Volume []float64       // the hypervolume by iterations, for several objectives
	Me     sessions.Author // who records here
}

// wide is the width from which optional parts are shown.
const wide = 100

// Box draws and describes the line. A narrow window shows fewer parts at the left, and shortens a long name.
func (l Header) Box() *layout.Box {
	right := layout.Row(l.progressBox(), SavedMark(l.Style, l.State, l.Width < wide), layout.Space(1, 1))
	name := l.name()
	var left *layout.Box
	for less := range 5 {
		left = l.subject(less, name)
		if left.W+right.W < l.Width {
			break
		}
	}
	if over := left.W + right.W + 1 - l.Width; over > 0 {
		left = l.subject(4, layout.ShortenIn(l.Style, name, max(ansi.StringWidth(name)-over, 1)))
	}
	return layout.Row(left, layout.Space(max(l.Width-left.W-right.W, 1), 1), right).Sized(l.Width, 1)
}

// subject is the left part: problem, method, noise, seed and step. A larger less omits more of it.
func (l Header) subject(less int, name string) *layout.Box {
	st := l.Style
	cfg := l.State.Config
	spec := l.State.Spec
	dot := func() *layout.Box { return layout.Line(st.Paint(st.Dim, " "+st.Dot()+" ")) }
	line := layout.Space(1, 1)
	if less < 4 {
		line = layout.Row(pressed("m", layout.Line(st.PaintBold(st.Accent, " bandscope"))), layout.Space(2, 1))
	}
	line.Beside(pressed("o", layout.Line(st.PaintBold(st.Text, name)).
		Describe(layout.Number, "the problem", "objective", l.problem))).Beside(dot())
	who := layout.Line(st.Paint(st.Text, spec.Name)).
		Describe(layout.Number, "the method", method(spec.Title), func() string {
			return fmt.Sprintf("The method that chooses the points, %s: %s.", spec.Title,
				layout.Excerpt(spec.Summary, 36))
		})
	who.OpensMenu = true
	who.Actions = []layout.Action{{Help: "switch the method", Want: widget.Find{Text: "method "}}, {Key: "e"}, {Key: "c"},
		{Key: "f"}}
	line.Beside(who).Beside(dot())
	if cfg.Noise > 0 && less < 3 {
		noise := widget.Number(cfg.Noise)
		line.Beside(layout.Line(st.Paint(st.Dim, "noise "+noise)).Number("observation noise", "observation noise",
			fmt.Sprintf(
				"Gaussian noise with a standard deviation of %s is added to every observation: two evaluations of the same point differ, and the best result may be luck.",
				noise))).
			Beside(dot())
	}
	if less < 2 {
		line.Beside(layout.Line(st.Paint(st.Dim, fmt.Sprintf("seed %d", cfg.Seed))).Number("seed", "seed",
			fmt.Sprintf(
				"The seed of all random numbers, %d. The same seed and the same actions give exactly the same results.",
				cfg.Seed))).Beside(dot())
	}
	line.Beside(pressed("go_to_a_step", layout.Line(st.Paint(st.Text, l.steps())).
		Describe(layout.Number, "step", "", l.describeSteps)))
	if author := l.author(); author != "" && less < 1 {
		line.Beside(layout.Line(st.Paint(st.Dim, " by "+layout.ShortenIn(st, author, maxAuthor))).Prose("author", "",
			fmt.Sprintf("The newest result was reported by %s.", author)))
	}
	return line
}

// maxAuthor bounds the width of an author's name.
const maxAuthor = 24

// author is who reported the newest result, if that was not the person at the screen.
func (l Header) author() string {
	n := len(l.State.Iterations)
	if n == 0 {
		return ""
	}
	if reporter := l.State.Iterations[n-1].ToldBy; reporter.Known() && reporter != l.Me {
		return sanitize.Text(reporter.String())
	}
	return ""
}

// pressed is a box as a button that presses a key.
func pressed(key string, b *layout.Box) *layout.Box {
	b.Press = key
	return b
}

// name is the name of the problem with its dimension.
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
	goal := "minimize " + p.Objectives[0].Name
	switch {
	case len(p.Objectives) > 1:
		goal = fmt.Sprintf("optimize %d objectives together", len(p.Objectives))
	case p.Objectives[0].Direction == functions.Maximize:
		goal = "maximize " + p.Objectives[0].Name
	}
	return fmt.Sprintf("The problem, %s%s. The goal is to %s over %s.", sanitize.Text(p.Title), about, goal,
		widget.Count(p.Dim(), "variable"))
}

// method is the glossary term of a method, or the term surrogate.
func method(title string) string {
	if t, ok := glossary.Lookup(title); ok {
		return t.Name
	}
	return "surrogate"
}

// steps is the number of steps, with the number of later steps on record.
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
	text := fmt.Sprintf("%s of a budget of %d done, %d left.", widget.Count(n, "step"), cfg.Budget,
		max(cfg.Budget-n, 0))
	if n == 0 {
		text = fmt.Sprintf("No steps of a budget of %d done yet.", cfg.Budget)
	}
	if l.State.HasCosts() {
		text = fmt.Sprintf("%s done, with a total cost of %s.", widget.Count(n, "step"),
			widget.Number(l.State.TotalCost()))
		if cfg.CostBudget > 0 {
			text = fmt.Sprintf("%s done, with a total cost of %s of a budget of %s.", widget.Count(n, "step"),
				widget.Number(l.State.TotalCost()), widget.Number(cfg.CostBudget))
		}
	}
	if l.State.Ahead > 0 {
		text += fmt.Sprintf(" The record continues for %s (+%d).", widget.Count(l.State.Ahead, "more step"),
			l.State.Ahead)
	}
	return text
}

// progressBox is the best observation and the regret, or the hypervolume; nil if they are unknown.
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
				fmt.Sprintf(
					"The volume between the reference point and the Pareto front of the %d objectives, each scaled to [0, 1]: %s. Larger is better.",
					len(p.Objectives), v)), layout.Space(2, 1))
	}
	x, y, step, ok := l.State.Best()
	if !ok {
		return nil
	}
	s := st.Paint(st.Dim, "best ") + st.PaintBold(st.Best, widget.Number(y))
	probably := ""
	if a := diagnostics.CachedSummary(l.State); a != nil {
		probably = diagnostics.ProbablyFeasible(a.Objectives[0].BestFeasible)
		if probably != "" {
			s += st.Paint(st.Dim, fmt.Sprintf(" (%.0f %% feasible)", 100*a.Objectives[0].BestFeasible))
			probably = " According to the model it is " + probably + "."
		}
	}
	if len(x) == 1 {
		s += st.Paint(st.Dim, " @ ") + st.Paint(st.Text, st.Plain(p.Domain[0].Text(x[0])))
	}
	o := p.Objectives[0]
	line := layout.Row(layout.Line(s).Describe(layout.Number, "best value", "incumbent", func() string {
		return fmt.Sprintf("The best result so far: %s = %s at %s, observed in step %d of %d.%s", o.Name,
			strings.TrimSpace(widget.Number(y)+" "+sanitize.Text(o.Unit)), sanitize.Text(widget.Point(p.Domain, x)),
			step, len(l.State.Iterations), probably)
	}), layout.Space(2, 1))
	if !l.Reveal || l.Width < wide {
		return line
	}
	if t := report.TracesFor(l.State); t.SimpleRegret != nil {
		r := widget.Number(t.SimpleRegret[len(t.SimpleRegret)-1])
		regret := layout.Line(st.Paint(st.Dim, "regret ") + st.Paint(st.Text, r))
		if p.Optimum() != nil {
			regret.Number("regret", "simple regret",
				fmt.Sprintf(
					"The simple regret, %s: how much worse the best point so far is than the optimum, without noise. It is known only for test functions; methods do not see it.",
					r))
		}
		line.Beside(regret).Beside(layout.Space(2, 1))
	}
	return line
}

// SavedMark says whether every event of a session is on disk; short leaves out the word.
func SavedMark(st theme.Style, s sessions.State, short bool) *layout.Box {
	mark := st.Glyph(theme.GlyphFilled)
	word := " saved"
	color := st.Good
	says := "Every event is on disk: quitting or a crash loses nothing."
	switch {
	case s.ReadOnly:
		mark = st.Glyph(theme.GlyphHollow)
		word = " read-only"
		color = st.Warn
		says = "The session is read-only: its file cannot be changed, and new events are not saved."
	case !s.Saved:
		mark = st.Glyph(theme.GlyphHollow)
		word = " not saved"
		color = st.Dim
		says = "This session is not on disk. Press ctrl+s to save it to a file, which then records each new event."
	}
	if short {
		word = ""
	}
	return pressed("ctrl+s", layout.Line(st.Paint(color, mark+word)).Prose("saved", "", says))
}
