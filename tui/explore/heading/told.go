package heading

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/sessions/glossary"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the line, which is the first of the window.
func (l Line) Elements() (list []explain.Element) {
	drawn := map[string]plot.Span{}
	col := 0
	for _, piece := range l.pieces() {
		n := ansi.StringWidth(piece.text)
		if piece.key != "" && n > 0 && col+n <= l.Width {
			drawn[piece.key] = plot.Span{From: col, To: col + n}
		}
		col += n
	}
	add := func(key, term, says string) {
		if span, ok := drawn[key]; ok && says != "" {
			list = append(list, explain.Element{Kind: explain.Number, Name: key, Term: term, Says: says, Where: func() []plot.Span { return []plot.Span{span} }})
		}
	}
	p := l.State.Problem
	add(keyProblem, "objective", l.problem())
	add(keyMethod, method(l.State.Spec.Title), fmt.Sprintf("The method that chooses the points, %s: %s.", l.State.Spec.Title, explain.Brief(l.State.Spec.Summary, 36)))
	noise := screen.Number(l.State.Config.Noise)
	add(keyNoise, "observation noise", fmt.Sprintf("A normal random error with a standard deviation of %s is added to every value that is observed: two evaluations of one point differ, and the best result may be luck.", noise))
	add(keySeed, "seed", fmt.Sprintf("All that is random here comes from the number %d: who begins with it, and does the same, sees the same to the last digit.", l.State.Config.Seed))
	add(keyStep, "", l.stepsTold())
	if len(p.Objectives) > 1 {
		if n := len(l.Volume); n > 0 && !math.IsNaN(l.Volume[n-1]) {
			v := screen.Number(l.Volume[n-1])
			add(keyVolume, "hypervolume", fmt.Sprintf("How much of the space of the %d objectives the results dominate, above the reference point, with every range counted from 0 to 1: %s. It grows when the front moves out or is filled.", len(p.Objectives), v))
		}
	} else {
		l.bestTold(add)
	}
	return append(list, l.savedTold(drawn[keySaved]))
}

// name is the problem's with its variables.
func (l Line) name() string {
	if n := l.State.Problem.Name; strings.Contains(n, ":") {
		return n
	}
	return fmt.Sprintf("%s %d-D", l.State.Problem.Name, l.State.Problem.Dim())
}

func (l Line) problem() string {
	p := l.State.Problem
	about := explain.Brief(p.About, 30)
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
	return fmt.Sprintf("The problem, %s%s. What is sought is %s over %s.", safe.Text(p.Title), about, sought, screen.Counted(p.Dim(), "variable"))
}

// method is the term for a method, or what all of them have.
func method(title string) string {
	if t, ok := glossary.Named(title); ok {
		return t.Name
	}
	return "surrogate"
}

func (l Line) stepsTold() string {
	n, cfg := len(l.State.Iterations), l.State.Config
	text := fmt.Sprintf("%s done of a budget of %d, so %d are left.", screen.Counted(n, "step"), cfg.Budget, max(cfg.Budget-n, 0))
	if n == 0 {
		text = fmt.Sprintf("No step is done yet, of a budget of %d.", cfg.Budget)
	}
	if l.State.Costly() {
		text = fmt.Sprintf("%s done, which cost %s together.", screen.Counted(n, "step"), screen.Number(l.State.Spent()))
		if cfg.CostBudget > 0 {
			text = fmt.Sprintf("%s done, which cost %s together of a budget of %s.", screen.Counted(n, "step"), screen.Number(l.State.Spent()), screen.Number(cfg.CostBudget))
		}
	}
	if l.State.Ahead > 0 {
		text += fmt.Sprintf(" (+%d): so many more are on record ahead of this place.", l.State.Ahead)
	}
	return text
}

// bestTold tells the best result, and the regret where it is shown.
func (l Line) bestTold(add func(key, term, says string)) {
	x, y, step, ok := l.State.Best()
	if !ok {
		return
	}
	o, p := l.State.Problem.Objectives[0], l.State.Problem
	add(keyBest, "incumbent", fmt.Sprintf("The best result so far: %s = %s at %s, observed in step %d of %d.", o.Name, strings.TrimSpace(screen.Number(y)+" "+safe.Text(o.Unit)), safe.Text(screen.Point(p.Domain, x)), step, len(l.State.Iterations)))
	if t := report.TracesOf(l.State); l.Reveal && t.Simple != nil && p.Optimum() != nil {
		r := screen.Number(t.Simple[len(t.Simple)-1])
		add(keyRegret, "simple regret", fmt.Sprintf("How far the best point so far is from the optimum, both without noise: %s. It is known of a test function only, and no method sees it.", r))
	}
}

// savedTold tells whether every event is on disk.
func (l Line) savedTold(span plot.Span) explain.Element {
	says := "Every event is on disk already: quitting, or a crash, loses nothing."
	switch {
	case l.State.ReadOnly:
		says = "The session can only be read: nothing can be appended to its file, and what is done here is not kept."
	case !l.State.Saved:
		says = "Nothing of this session is on disk: w writes it to a file, and from then on each event as it comes."
	}
	return explain.Element{Kind: explain.Prose, Name: "saved", Says: says, Where: func() []plot.Span { return []plot.Span{span} }}
}
