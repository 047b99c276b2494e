package explore

import (
	"charm.land/bubbles/v2/key"

	"bandscope/tui/screen"
)

// keyMap holds the bindings of the explorer.
type keyMap struct {
	Step, Back, Run, Slower, Faster, First, Last, Stop               key.Binding
	Truth, Redraw, Fewer, More, PrevVar, NextVar, Trace, Theory      key.Binding
	Flat, Field, Other, OtherBack, Zoom, Whole                       key.Binding
	Box, Ask                                                         key.Binding
	Contours, Numbers, Shared, Map, Coordinates                      key.Binding
	Seek, NextNote, PrevNote, Mark, Notes, PauseNotes                key.Binding
	PageDown, PageUp                                                 key.Binding
	Fork, History, Correct, Verify, Export                           key.Binding
	Edit, Query, Compare, Open, Save, Note, Resume, Help, Quit, Susp key.Binding
}

var keys = keyMap{
	Step:        screen.Bind("space", "step", "space"),
	Back:        screen.Bind("b", "back", "b", "left"),
	Run:         screen.Bind("r", "run", "r"),
	Slower:      screen.Bind(",", "slower", ",", "<"),
	Faster:      screen.Bind(".", "faster", ".", ">"),
	First:       screen.Bind("g", "first", "g", "home"),
	Last:        screen.Bind("G", "last", "G", "end"),
	Stop:        screen.Bind("esc", "stop", "esc"),
	Truth:       screen.Bind("t", "truth", "t"),
	Redraw:      screen.Bind("s", "samples", "s"),
	Fewer:       screen.Bind("-", "fewer samples", "-", "_"),
	More:        screen.Bind("+", "more samples", "+", "="),
	PrevVar:     screen.Bind("[", "previous variable", "["),
	NextVar:     screen.Bind("]", "next variable", "]"),
	Trace:       screen.Bind("v", "other view of the regret or the theory", "v"),
	Theory:      screen.Bind("i", "theory", "i"),
	Flat:        screen.Bind("d", "outcomes, fields, or a slice", "d"),
	Field:       screen.Bind("1-6", "which field is large", "1", "2", "3", "4", "5", "6"),
	Other:       screen.Bind("} {", "the second variable", "}"),
	OtherBack:   screen.Bind("", "the second variable", "{"),
	Zoom:        screen.Bind("z", "zoom to the cursor, or the best point", "z"),
	Whole:       screen.Bind("Z", "zoom back", "Z"),
	Contours:    screen.Bind("l", "contour lines", "l"),
	Numbers:     screen.Bind("#", "number the points", "#"),
	Shared:      screen.Bind("y", "one colour scale, or each its own", "y"),
	Map:         screen.Bind("Y", "colour map", "Y"),
	Coordinates: screen.Bind("p", "all variables, or all outcomes, of the data", "p"),
	Seek:        screen.Bind(":", "go to a step", ":"),
	NextNote:    screen.Bind("N", "next note", "N"),
	PrevNote:    screen.Bind("P", "previous note", "P"),
	Mark:        screen.Bind("M", "mark the step", "M"),
	Notes:       screen.Bind("h", "notes beside the plot, or not", "h"),
	PauseNotes:  screen.Bind("'", "pause at notes, or play past them", "'"),
	PageDown:    screen.Bind("pgup/pgdn", "scroll a long note", "pgdown"),
	PageUp:      screen.Bind("", "scroll a long note", "pgup"),
	Fork:        screen.Bind("f", "fork here", "f"),
	History:     screen.Bind("T", "tree of branches", "T"),
	Export:      screen.Bind("E", "export: picture, report, recording, data", "E"),
	Verify:      screen.Bind("V", "verify: recompute the record", "V"),
	Correct:     screen.Bind("K", "correct, drop, reject, pin or bound", "K"),
	Ask:         screen.Bind("a", "which of two outcomes do you prefer?", "a"),
	Box:         screen.Bind("B", "aim: a box of wanted outcomes", "B"),
	Edit:        screen.Bind("e", "edit", "e"),
	Query:       screen.Bind("x", "query", "x"),
	Compare:     screen.Bind("c", "compare", "c"),
	Open:        screen.Bind("o", "open", "o"),
	Save:        screen.Bind("w", "save", "w"),
	Note:        screen.Bind("n", "note", "n"),
	Resume:      screen.Bind("R", "resume last session", "R"),
	Help:        screen.Bind("?", "help", "?", "f1"),
	Quit:        screen.Bind("q", "quit", "q", "ctrl+c"),
	Susp:        screen.Bind("ctrl+z", "suspend", "ctrl+z"),
}

// digits begin a typed value, and choose what is numbered.
var digits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "-"}

// short lists the keys of the hint line, the most needed first: a narrow window shows as many as fit.
func (k keyMap) short(planar, steering, reading bool) []key.Binding {
	if reading {
		return []key.Binding{k.Step, k.Back, k.Run, k.NextNote, k.Query, k.Fork, k.History, k.Edit, k.Notes, k.Seek, k.Open, k.Help, k.Quit, k.Slower, k.Faster}
	}
	if steering {
		return []key.Binding{k.Step, k.Back, k.Run, k.Box, k.Ask, k.Edit, k.Flat, k.Trace, k.Open, k.Help, k.Quit, k.Truth, k.Save, k.Note}
	}
	if planar {
		return []key.Binding{k.Step, k.Back, k.Run, k.Field, k.Query, k.Edit, k.Zoom, k.Contours, k.Compare, k.Open, k.Help, k.Quit, k.Redraw, k.Truth, k.Flat, k.Map}
	}
	return []key.Binding{k.Step, k.Back, k.Run, k.Edit, k.Redraw, k.Truth, k.Query, k.Compare, k.Open, k.Save, k.Help, k.Quit, k.Theory, k.First, k.Last}
}

// HelpKey is the binding that opens the help.
func HelpKey() key.Binding { return keys.Help }

// Typing reports whether keys are text.
func (m *Model) Typing() bool {
	return m.prompt.Open() || m.mode == editing && m.editor.typing || m.mode == querying && m.query.typing || m.mode == noting
}
