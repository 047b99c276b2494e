// Package retrievalview is the picture of the lab on sparse embeddings (Paria 2022, thesis, chapter 5): how often each
// dimension is active, the losses, the recall and cost of search, the embeddings, the lists that one query reads, and
// the toy model of two activations. It turns the state of a training into boxes; functions/trainer/retrieval measures
// the training, off the update loop. The lines of the runs are rows of boxes rather than a lipgloss/table, because each
// number has its own description.
package retrievalview

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions/trainer/retrieval"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// flops is the picture with its choices.
type flops struct {
	view    int // the shown view
	query   int // index of the query whose lists are shown
	shuffle bool
	race    bool // requested, but not started yet
}

// New makes the picture.
func New() panel.Picture { return &flops{} }

// command is a key of the picture as data.
type command = widget.Command[*panel.Turn]

// Commands are its keys.
func (f *flops) Commands() []command {
	return []command{
		widget.NewCommand(widget.Bind("tab", "next view", "tab"), nil, func(t *panel.Turn) tea.Cmd {
			return f.walk(t, 1)
		}).
			Long("next view: all panels (in a large window), the activity of the dimensions, recall and cost, the index"),
		widget.NewCommand(widget.Bind("shift+tab", "previous view", "shift+tab"), nil, func(t *panel.Turn) tea.Cmd {
			return f.walk(t, -1)
		}),
		widget.NewCommand(widget.Bind("[ ]", "previous or next query", "["), nil, func(t *panel.Turn) tea.Cmd {
			return f.turn(t, -1)
		}).
			Long("previous or next query; the index shows its lists"),
		widget.NewCommand(widget.Bind("", "next query", "]"), nil, func(t *panel.Turn) tea.Cmd {
			return f.turn(t, 1)
		}),
		widget.NewCommand(widget.Bind("s", "shuffle the dimensions", "s"), answers, f.toggleShuffle).
			Long("shuffle the dimensions of each row and each query at random; as many values are 0 as before"),
		widget.NewCommand(widget.Named("time the search"), nothing, f.run).
			Long("time search with and without the index, on 20,000 random rows that are as sparse as these"),
	}
}

// Hints are the keys of the bottom line.
func (f *flops) Hints() string { return "tab s time_the_search" }

func (f *flops) walk(t *panel.Turn, delta int) tea.Cmd {
	shown := views(t.Scene)
	index := slices.Index(shown, f.shown(t.Scene))
	f.view = shown[(index+delta+len(shown))%len(shown)]
	return t.Say(titles[f.view])
}

// viewsByName are the views that pages of lessons can show.
var viewsByName = map[string]flops{"dimensions": {view: dimensions}, "tradeoff": {view: tradeoff},
	"index":   {view: lists},
	"jumbled": {view: lists, shuffle: true}}

// View shows a view by its name.
func (f *flops) View(name string) bool {
	v, ok := viewsByName[name]
	if ok {
		f.view, f.shuffle = v.view, v.shuffle
	}
	return ok
}

func (f *flops) turn(t *panel.Turn, delta int) tea.Cmd {
	f.query = (f.query + delta + queries) % queries
	f.toIndex(t)
	return t.Recompute()
}

func (f *flops) toggleShuffle(t *panel.Turn) tea.Cmd {
	f.shuffle = !f.shuffle
	f.toIndex(t)
	if f.shuffle {
		t.Say("dimensions shuffled: as sparse as before, but search finds nothing")
	}
	return t.Recompute()
}

func answers(t *panel.Turn) string {
	if t.Asking {
		return "this would answer the question; answer it first"
	}
	return ""
}

func nothing(t *panel.Turn) string {
	if t.Computed == nil {
		return "there are no embeddings to time yet"
	}
	return ""
}

func (f *flops) run(t *panel.Turn) tea.Cmd {
	f.race = true
	f.toIndex(t)
	return t.Recompute()
}

// toIndex switches to a view with the index.
func (f *flops) toIndex(t *panel.Turn) {
	if f.shown(t.Scene) != whole {
		f.view = lists
	}
}

// Compute is how the picture is computed.
func (f *flops) Compute(panel.Scene) panel.ComputeFunc {
	l := request{query: f.query, shuffle: f.shuffle, race: f.race}
	f.race = false
	return l.compute
}

// The views: all panels, or two of them each.
const (
	whole = iota
	dimensions
	tradeoff
	lists
)

// titles are the names of the views.
var titles = [...]string{"all panels", "activity of the dimensions", "recall and cost of search",
	"the embeddings and their inverted index"}

// queries is the number of queries to choose from; their embeddings are drawn.
const queries = 6 * retrieval.QueriesPerClass

// fits reports whether all panels fit.
func fits(w, h int) bool { return w >= 100 && h >= 25 }

// views are the views that fit.
func views(scene panel.Scene) []int {
	if fits(scene.W, scene.H) {
		return []int{whole, dimensions, tradeoff, lists}
	}
	return []int{dimensions, tradeoff, lists}
}

// shown is the view that is shown.
func (f *flops) shown(scene panel.Scene) int {
	if f.view == whole && !fits(scene.W, scene.H) {
		return dimensions
	}
	return f.view
}

// Draw draws the picture: its panels, and below them a line for each run.
func (f *flops) Draw(scene panel.Scene) *layout.Box {
	d := newDrawing(scene)
	foot := d.numbers()
	foot = foot[:min(len(foot), scene.H)]
	h := scene.H - len(foot)
	var panels *layout.Box
	switch f.shown(scene) {
	case whole:
		top, middle := (h+2)/3, (h+1)/3
		left, right := scene.W/2, scene.W-scene.W/2
		panels = layout.Column(
			layout.Row(d.activity(left, top), d.plane(right, top)),
			layout.Row(d.front(left, middle), d.heat(right, middle)),
			layout.Row(d.index(left, h-top-middle), d.losses(right, h-top-middle)))
	case dimensions:
		panels = d.stacked(h, h-max(h/2, quantityRows), d.activity, d.losses)
	case tradeoff:
		panels = d.sideBySide(h, d.front, d.plane)
	case lists:
		panels = d.stacked(h, max(h/2, h*3/5), d.index, d.heat)
	}
	return layout.Column(panels, layout.Column(foot...))
}
