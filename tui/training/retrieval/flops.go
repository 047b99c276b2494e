// Package retrieval is the picture of the lab of sparse embeddings (Paria 2022, thesis, chapter 5): how often each
// dimension is active, what the losses do, what search finds for what it costs, the embeddings themselves, the lists
// that one query reads, and the toy of two activations beside them. Where a training stands goes in, boxes come out;
// what is drawn is measured by functions/training/retrieval and functions/training/retrieval, off the update loop. It
// trains nothing. The lines of the runs are rows of boxes rather than a lipgloss/table, as each number has a sentence
// of its own.
package retrieval

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions/training/retrieval"
	"bandscope/tui/layout"
	"bandscope/tui/training/panel"
	"bandscope/tui/widget"
)

// flops is the picture with the choices that were made in it.
type flops struct {
	view    int // which panels are shown
	query   int // whose lists are
	shuffle bool
	race    bool // was asked for, and is not under way yet
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
			Long("next view: all panels where there is room, how the dimensions are used, what is found for what it " +
				"costs, the index"),
		widget.NewCommand(widget.Bind("shift+tab", "previous view", "shift+tab"), nil, func(t *panel.Turn) tea.Cmd {
			return f.walk(t, -1)
		}),
		widget.NewCommand(widget.Bind("[ ]", "another query", "["), nil, func(t *panel.Turn) tea.Cmd {
			return f.turn(t, -1)
		}).
			Long("another query, whose lists are drawn"),
		widget.NewCommand(widget.Bind("", "another query", "]"), nil, func(t *panel.Turn) tea.Cmd {
			return f.turn(t, 1)
		}),
		widget.NewCommand(widget.Bind("J", "jumble the dimensions", "J"), answers, f.toggleShuffle).
			Long("jumble the dimensions: the values of each row, and of each query, dealt to other ones at random: " +
				"as many are not 0"),
		widget.NewCommand(widget.Bind("D", "race", "D"), nothing, f.run).
			Long("race: search with the index against search without, timed here on 20,000 rows as sparse as these"),
	}
}

// Hints are the keys of the bottom line.
func (f *flops) Hints() string { return "tab D J" }

func (f *flops) walk(t *panel.Turn, by int) tea.Cmd {
	shown := views(t.Scene)
	at := slices.Index(shown, f.shown(t.Scene))
	f.view = shown[(at+by+len(shown))%len(shown)]
	return t.Say(titles[f.view])
}

// viewsByName are the views that pages of lessons are about.
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

func (f *flops) turn(t *panel.Turn, by int) tea.Cmd {
	f.query = (f.query + by + queries) % queries
	f.toIndex(t)
	return t.Recompute()
}

func (f *flops) toggleShuffle(t *panel.Turn) tea.Cmd {
	f.shuffle = !f.shuffle
	f.toIndex(t)
	if f.shuffle {
		t.Say("values dealt to other dimensions: as many are not 0, but nothing is found")
	}
	return t.Recompute()
}

func answers(t *panel.Turn) string {
	if t.Asking {
		return "that would answer the question: answer it first"
	}
	return ""
}

func nothing(t *panel.Turn) string {
	if t.Computed == nil {
		return "nothing was measured yet that could race"
	}
	return ""
}

func (f *flops) run(t *panel.Turn) tea.Cmd {
	f.race = true
	f.toIndex(t)
	return t.Recompute()
}

// toIndex shows the index, where it is not in sight.
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

// titles say what the views show.
var titles = [...]string{"all of it", "how the dimensions are used", "what is found, and what it costs",
	"the embeddings, and what one query reads of their index"}

// queries is how many queries there are to choose from: those of which the embeddings are drawn.
const queries = 6 * retrieval.QueriesPerClass

// fits reports whether there is room for all panels.
func fits(w, h int) bool { return w >= 100 && h >= 25 }

// views are those that there is room for.
func views(at panel.Scene) []int {
	if fits(at.W, at.H) {
		return []int{whole, dimensions, tradeoff, lists}
	}
	return []int{dimensions, tradeoff, lists}
}

// shown is the view that is shown.
func (f *flops) shown(at panel.Scene) int {
	if f.view == whole && !fits(at.W, at.H) {
		return dimensions
	}
	return f.view
}

// Draw draws the picture: its panels, and a line a run below them.
func (f *flops) Draw(at panel.Scene) *layout.Box {
	d := newDrawing(at)
	foot := d.numbers()
	foot = foot[:min(len(foot), at.H)]
	h := at.H - len(foot)
	var panels *layout.Box
	switch f.shown(at) {
	case whole:
		top, middle := (h+2)/3, (h+1)/3
		left, right := at.W/2, at.W-at.W/2
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
