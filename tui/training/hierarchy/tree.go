// Package hierarchy is the picture of the hierarchy lab: one training of a forecaster of a tree of series (Paria 2022,
// chapter 6), from inside. It draws forecasts in their parts from the root to a chosen node, parents beside the means
// of their leaves, errors by level, attention, basis and embeddings, what minibatches are made of, and the theory of
// two levels. A state of the lab goes in and boxes come out; how the lab trains, and the screen around the picture, are
// not its own. Bars, strips and rows of numbers are drawn by hand, as each is a box with a sentence of its own, which
// lipgloss/table and bubbles' progress cannot give.
package hierarchy

import (
	"context"
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions/training/hierarchy"
	"bandscope/sessions/training"
	"bandscope/tui/training/panel"
	"bandscope/tui/widget"
)

// tab is what is drawn: everything, or one thing at large.
type tab int

const (
	overview tab = iota
	forecasts
	children
	errors
	inside
	embeddings
	balance
	theories
	views
)

var viewNames = [views]string{"overview", "forecasts", "children and parent", "errors by level", "attention and basis",
	"embeddings", "coherence and minibatch", "theory of two levels"}

// The overview has a panel for each thing, which needs room.
const overviewWidth, overviewHeight = 108, 27

// choice is what the person chose to look at.
type choice struct {
	view   tab
	before tab   // where the theory was called from
	level  int   // of the chosen node
	child  []int // which child it is, and each one on the way to it and on below it, by level from 1
	window int   // of the test windows: whose attention is drawn
	exact  bool  // embeddings of parents are replaced by the means of their leaves'
	beta   float64
}

type tree struct {
	choice
	cells int // columns and rows of the last drawing, to know which views there are
	rows  int
}

// New makes the picture, which begins at the root.
func New() panel.Picture {
	return &tree{choice: choice{child: make([]int, 3), window: testWindows - 1, beta: 0.2}}
}

// testWindows is how many windows are forecast on days that the training does not see.
const testWindows = hierarchy.Windows - hierarchy.Validation

// Commands are the keys.
func (t *tree) Commands() []widget.Command[*panel.Turn] {
	do := func(shown, does string, off func(*panel.Turn) string, f func(*panel.Turn) tea.Cmd,
		keys ...string) widget.Command[*panel.Turn] {
		return widget.NewCommand(widget.Bind(shown, does, keys...), off, f)
	}
	quiet := func(f func()) func(*panel.Turn) tea.Cmd {
		return func(*panel.Turn) tea.Cmd { f(); return nil }
	}
	return []widget.Command[*panel.Turn]{
		do("tab", "next view", nil, t.seeing(func() { t.walk(1) }), "tab"),
		do("shift+tab", "previous view", nil, t.seeing(func() { t.walk(-1) }), "shift+tab"),
		do("up/down", "another level", t.noLevel(-1), quiet(func() { t.level-- }), "up"),
		do("", "another level", t.noLevel(1), quiet(func() { t.level++ }), "down"),
		do("[", "previous child, or a smaller β", t.noTurn, t.seeing(func() { t.turn(-1) }), "["),
		do("]", "next child, or a greater β", t.noTurn, t.seeing(func() { t.turn(1) }), "]"),
		do("v", "another test window", nil, quiet(func() { t.window = (t.window + 1) % testWindows }), "v").
			Long("another test window, of which the attention is drawn"),
		do("x", "exact projection", t.noExact, func(turn *panel.Turn) tea.Cmd { return t.project(turn) }, "x").
			Long("the exact projection: embeddings of parents are the means of their leaves', as if for a look"),
		do("i", "theory", nil, t.seeing(t.theory), "i").
			Long("theory of two levels: risks and bounds over β and λ_E, and back"),
	}
}

// Hints are the keys of the bottom line.
func (t *tree) Hints() string { return "tab up/down [ ] x i v" }

// shows is the view that is drawn where there is room for it.
func (t *tree) shows() tab {
	if t.view == overview && !t.roomy() {
		return forecasts
	}
	return t.view
}

// roomy reports whether the overview has the room that it needs.
func (t *tree) roomy() bool { return t.cells >= overviewWidth && t.rows >= overviewHeight }

// seeing does what may lead to another part of the theory, which is computed when it is looked at.
func (t *tree) seeing(f func()) func(*panel.Turn) tea.Cmd {
	return func(turn *panel.Turn) tea.Cmd {
		if f(); t.view == theories {
			return turn.Recompute()
		}
		return nil
	}
}

// viewsByName are the views that pages of lessons are about.
var viewsByName = map[string]choice{"forecasts": {view: forecasts}, "children": {view: children},
	"errors": {view: errors},
	"inside": {view: inside}, "embeddings": {view: embeddings},
	"coherence": {view: balance}, "projected": {view: errors, exact: true}, "theory": {view: theories}}

// View shows a view by its name.
func (t *tree) View(name string) bool {
	v, ok := viewsByName[name]
	if ok {
		t.view, t.exact = v.view, v.exact
	}
	return ok
}

func (t *tree) walk(by tab) {
	t.view = (t.shows() + views + by) % views
	if t.view == overview && !t.roomy() {
		t.view = (overview + views + by) % views
	}
}

func (t *tree) theory() {
	if t.view == theories {
		t.view = t.before
		return
	}
	t.view, t.before = theories, t.view
}

func (t *tree) noLevel(by int) func(*panel.Turn) string {
	return func(*panel.Turn) string {
		switch at := t.level + by; {
		case t.shows() == theories:
			return "the theory has two levels: [ and ] change how far the children are from the root"
		case at < 0:
			return "this is the root"
		case at > len(t.child):
			return "this is a leaf"
		}
		return ""
	}
}

func (t *tree) noTurn(*panel.Turn) string {
	if t.level == 0 && t.shows() != theories {
		return "the root has no siblings: down goes to its children"
	}
	return ""
}

// betas are the ends of what β can be in the theory, and the factor between one and the next.
const minBeta, maxBeta, betaStep = 0.01, 10, 1.2589254117941673

// turn goes to another sibling, or in the theory to another β.
func (t *tree) turn(by int) {
	if t.shows() == theories {
		t.beta = min(max(t.beta*math.Pow(betaStep, float64(by)), minBeta), maxBeta)
		return
	}
	t.child[t.level-1] = (t.child[t.level-1] + 4 + by) % 4
}

func (t *tree) noExact(turn *panel.Turn) string {
	if turn.Asking {
		return "that would answer the question: answer it first"
	}
	return ""
}

func (t *tree) project(turn *panel.Turn) tea.Cmd {
	t.exact = !t.exact
	turn.Recompute()
	if t.exact {
		return turn.Say("as if every parent had the mean of its leaves' embeddings: the gap is 0, as the errors tell " +
			"it costs or pays; the training goes on without it")
	}
	return turn.Say("the embeddings are those of the training again")
}

// Compute computes what is inside of every run.
func (t *tree) Compute(panel.Scene) panel.ComputeFunc {
	exact, beta, theory := t.exact, t.beta, t.view == theories
	return func(ctx context.Context, at training.State, _ any, progress panel.Progress) (any, error) {
		known := &computed{}
		for i, r := range at.Runs {
			progress("looking inside", i, len(at.Runs))
			model, err := trainingFor(at.Spec, r)
			if err != nil {
				return nil, err
			}
			seen, err := evaluateRun(ctx, model, exact)
			if err != nil {
				return nil, err
			}
			known.runs = append(known.runs, seen)
		}
		if theory {
			progress("drawing the example of the theory", 0, 0)
			var err error
			if known.simulated, err = simulate(ctx, beta); err != nil {
				return nil, err
			}
		}
		return known, nil
	}
}

// path are the nodes from the root through the chosen one to a leaf.
func (c choice) path(tr hierarchy.Tree) []int {
	path := []int{0}
	for _, child := range c.child {
		path = append(path, tr.Children[path[len(path)-1]][child])
	}
	return path
}

// name tells a node of the path by which child it is, and each above it: the second child of the root's third is 3.2.
func (c choice) name(level int) string {
	if level == 0 {
		return "root"
	}
	text := ""
	for i, child := range c.child[:level] {
		if i > 0 {
			text += "."
		}
		text += fmt.Sprint(child + 1)
	}
	return text
}
