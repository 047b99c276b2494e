// Package hierarchyview is the picture of the hierarchy lab: the training of a forecaster for a tree of series (Paria 2022,
// chapter 6). It draws forecasts and their parts from the root to a chosen node, parents and the means of their leaves,
// errors by level, attention, basis and embeddings, minibatches, and the theory of two levels. It turns a state of the
// lab into boxes; the session trains, and tui/labs is the screen around the picture. Bars, strips and rows of
// numbers are drawn by hand, because each is a box with its own description, which lipgloss/table and bubbles' progress
// do not support.
package hierarchyview

import (
	"context"
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions/trainer/hierarchy"
	"bandscope/sessions/training"
	"bandscope/tui/labs/panel"
	"bandscope/tui/widget"
)

// tab is a view: the overview, or a single large one.
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

var viewNames = [views]string{"overview", "forecasts", "parent and children", "errors by level", "attention and basis",
	"embeddings", "coherence and minibatch", "theory of two levels"}

// The minimum size of the overview, which has all panels, in cells.
const overviewWidth, overviewHeight = 108, 27

// choice is the choices of the user.
type choice struct {
	view   tab
	before tab   // the view before the theory
	level  int   // of the chosen node
	child  []int // the index of the child at each level from 1, on the path through the chosen node to a leaf
	window int   // the test window whose attention is drawn
	exact  bool  // the exact projection is shown: embeddings of parents are the means of their leaves'
	beta   float64
}

type tree struct {
	choice
	cells int // columns and rows of the last drawing, which decide which views there are
	rows  int
}

// New makes the picture, with the root chosen.
func New() panel.Picture {
	return &tree{choice: choice{child: make([]int, 3), window: testWindows - 1, beta: 0.2}}
}

// testWindows is the number of windows with days that the training does not use.
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
		do("up/down", "parent or child node", t.noLevel(-1), quiet(func() { t.level-- }), "up"),
		do("", "child node", t.noLevel(1), quiet(func() { t.level++ }), "down"),
		do("[", "previous child, or smaller β", t.noTurn, t.seeing(func() { t.turn(-1) }), "["),
		do("]", "next child, or larger β", t.noTurn, t.seeing(func() { t.turn(1) }), "]"),
		do("v", "next test window", nil, quiet(func() { t.window = (t.window + 1) % testWindows }), "v").
			Long("next test window; the attention panel shows its weights"),
		do("t", "exact projection", t.noExact, func(turn *panel.Turn) tea.Cmd { return t.project(turn) }, "t").
			Long("show or hide the exact projection, in which embeddings of parents are the means of their leaves'"),
		do("ctrl+t", "theory", nil, t.seeing(t.theory), "ctrl+t").
			Long("show or hide the theory of two levels: risks and bounds over β and λ_E"),
	}
}

// Hints are the keys of the bottom line.
func (t *tree) Hints() string { return "tab up/down [ ] x ctrl+t v" }

// shows is the drawn view: the chosen one if it fits.
func (t *tree) shows() tab {
	if t.view == overview && !t.roomy() {
		return forecasts
	}
	return t.view
}

// roomy reports whether the overview fits.
func (t *tree) roomy() bool { return t.cells >= overviewWidth && t.rows >= overviewHeight }

// seeing does f, and has the picture computed again if the theory is shown then.
func (t *tree) seeing(f func()) func(*panel.Turn) tea.Cmd {
	return func(turn *panel.Turn) tea.Cmd {
		f()
		if t.view == theories {
			return turn.Recompute()
		}
		return nil
	}
}

// viewsByName are the views that pages of lessons can show.
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

func (t *tree) walk(step tab) {
	t.view = (t.shows() + views + step) % views
	if t.view == overview && !t.roomy() {
		t.view = (overview + views + step) % views
	}
}

func (t *tree) theory() {
	if t.view == theories {
		t.view = t.before
		return
	}
	t.view, t.before = theories, t.view
}

func (t *tree) noLevel(delta int) func(*panel.Turn) string {
	return func(*panel.Turn) string {
		switch level := t.level + delta; {
		case t.shows() == theories:
			return "the theory has no chosen node; [ and ] change β"
		case level < 0:
			return "this is the root; it has no parent"
		case level > len(t.child):
			return "this is a leaf; it has no children"
		}
		return ""
	}
}

func (t *tree) noTurn(*panel.Turn) string {
	if t.level == 0 && t.shows() != theories {
		return "the root has no siblings; down goes to its first child"
	}
	return ""
}

// minBeta and maxBeta bound β in the theory; betaStep is the factor of one key press.
const minBeta, maxBeta, betaStep = 0.01, 10, 1.2589254117941673

// turn goes to another sibling or, in the theory, to another β.
func (t *tree) turn(delta int) {
	if t.shows() == theories {
		t.beta = min(max(t.beta*math.Pow(betaStep, float64(delta)), minBeta), maxBeta)
		return
	}
	t.child[t.level-1] = (t.child[t.level-1] + 4 + delta) % 4
}

func (t *tree) noExact(turn *panel.Turn) string {
	if turn.Asking {
		return "this would answer the question; answer it first"
	}
	return ""
}

func (t *tree) project(turn *panel.Turn) tea.Cmd {
	t.exact = !t.exact
	turn.Recompute()
	if t.exact {
		return turn.Say("exact projection: parents have the mean embedding of their leaves")
	}
	return turn.Say("showing the embeddings of the training")
}

// Compute computes the values of every run, and the draws of the theory if it is shown.
func (t *tree) Compute(panel.Scene) panel.ComputeFunc {
	exact := t.exact
	beta := t.beta
	theory := t.view == theories
	return func(ctx context.Context, state training.State, _ any, progress panel.Progress) (any, error) {
		known := &computed{}
		for i, r := range state.Runs {
			progress("evaluating the runs", i, len(state.Runs))
			model, err := trainingFor(state.Spec, r)
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
			progress("simulating the example of the theory", 0, 0)
			var err error
			known.simulated, err = simulate(ctx, beta)
			if err != nil {
				return nil, err
			}
		}
		return known, nil
	}
}

// path is the nodes from the root through the chosen one to a leaf.
func (c choice) path(tr hierarchy.Tree) []int {
	path := []int{0}
	for _, child := range c.child {
		path = append(path, tr.Children[path[len(path)-1]][child])
	}
	return path
}

// name names a node of the path by the numbers of the children on it: the second child of the root's third is 3.2.
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
