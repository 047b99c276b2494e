// Package outlook is the explorer's panel of what the model says where no truth is shown: the best that was observed and the best by the model, what may still be
// hoped for of another experiment, what the values depend on, the results that the model does not understand, and how all of that went. An appraisal, which a
// job made off the update loop, comes in with the scene, lines go out; what is computed is sessions/appraisal's.
package outlook

import (
	"context"
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/appraisal"
	"bandscope/sessions/report"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
)

// Panel is which part of the outlook is shown.
type Panel struct {
	kind  kind
	last  *appraisal.Appraisal // shown while the next one is made
	cache picture.Cache
}

// kind is a part of the outlook, in the order of the key that goes through them.
type kind int

const (
	whole kind = iota
	course
	dependence
	kinds
)

// AskedMsg says that the model was asked, or why not.
type AskedMsg struct{ Err error }

// Asks reports whether there is anything to ask the model where a session stands.
func Asks(st sessions.State) bool {
	return appraisal.Known(st) == nil || len(st.Problem.Objectives) == 1 && !appraisal.Traced(st) // the traces of several are others
}

// Ask asks the model where a session stands: for its appraisal first, and once that is there for what it expected before. What it says is kept with the session.
func Ask(ctx context.Context, s *sessions.Session, at sessions.Snapshot, progress sessions.Progress) tea.Msg {
	st := at.State()
	if appraisal.Known(st) == nil {
		_, err := appraisal.Of(ctx, at, progress)
		return AskedMsg{err}
	}
	suggestions, err := s.Suggestions()
	if err == nil {
		err = appraisal.Before(ctx, st, suggestions, progress)
	}
	return AskedMsg{err}
}

// Next shows the next part; true if that is the first again.
func (p *Panel) Next(st sessions.State) bool {
	p.kind = (p.kind + 1) % kinds
	if p.kind == course && len(st.Problem.Objectives) > 1 { // their traces are others'
		p.kind++
	}
	if p.kind == dependence && st.Problem.Dim() < 2 {
		p.kind = whole
	}
	return p.kind == whole
}

// shown is the appraisal to be drawn, and whether it is of where the session stands.
func (p *Panel) shown(st sessions.State) (a *appraisal.Appraisal, now bool) {
	if a = appraisal.Known(st); a != nil {
		p.last = a
		return a, true
	}
	if p.last != nil && len(p.last.Objectives) != len(st.Problem.Objectives) {
		p.last = nil
	}
	return p.last, false
}

// Lines draws the panel in the size of the scene.
func (p *Panel) Lines(s picture.Scene) []string {
	a, now := p.shown(s.State)
	title := "outlook"
	if !now && a != nil {
		title += ", of before"
	}
	w, h := s.W-2, s.H-2
	switch {
	case len(s.State.Iterations) == 0:
		return screen.Panel(s.Style, title, picture.Saying(s.Style, "what the model makes of the results stands here as soon as there are any", w, h), s.W, s.H, false)
	case p.kind == course && len(s.State.Problem.Objectives) == 1:
		return screen.Panel(s.Style, s.Style.Plain(p.courseTitle(s, s.W)), p.course(s, w, h), s.W, s.H, false)
	case a == nil:
		return screen.Panel(s.Style, title, []string{"", " " + s.Style.Paint(s.Style.Dim, s.Style.Plain("asking the model…"))}, s.W, s.H, false)
	}
	t := teller{a: a, state: s.State, style: s.Style, w: w - 2}
	if p.kind == dependence {
		return screen.Panel(s.Style, "what it depends on", indent(t.dependence(h)), s.W, s.H, false)
	}
	body := indent(linesOf(t.fitted(h)))
	rest := h - len(body) - 1
	if len(s.State.Problem.Objectives) > 1 || rest < leastCourse {
		return screen.Panel(s.Style, title, body, s.W, s.H, false)
	}
	lines := screen.Panel(s.Style, title, append(append(body, ""), p.course(s, w, rest)...), s.W, s.H, false)
	lines[1+len(body)] = screen.Divide(s.Style, s.Style.Plain(p.courseTitle(s, s.W)), s.W)
	return lines
}

// leastCourse is in how many lines the traces are drawn below what is said.
const leastCourse = 5

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// courseTitle names the traces by their marks.
func (p *Panel) courseTitle(s picture.Scene, w int) string {
	best := report.TracesOf(s.State).Best
	if n := len(best); n > 0 && !math.IsNaN(best[n-1]) {
		title := "* best value " + screen.Number(best[n-1])
		if all := title + "  m by the model"; len([]rune(all)) <= w-screen.TitleRoom {
			return all
		}
		return title + "  m model"
	}
	return "best value"
}

// course draws the best value so far and what the model expected at its best.
func (p *Panel) course(s picture.Scene, w, h int) []string {
	g := s.State.Problem.Objectives[0].Gauge()
	observed, expected := g.AllShown(report.TracesOf(s.State).Best), g.AllShown(appraisal.Expected(s.State, 0))
	return p.cache.Lines("course", fmt.Sprint(s.State.Head, w, h, expected, s.Style.Key()), func() []string {
		return trace.Trace{X: "iteration", Log: g.Log(), Series: []trace.Series{
			{Values: expected, Color: s.Style.Mean, Mark: "m"}, {Values: observed, Color: s.Style.Used, Mark: "*"},
		}}.Draw(w, h, s.Style)
	})
}

// join joins what is not empty.
func join(between string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, between)
}
