package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// meanings are the meanings of keys that have several descriptions: the keys, the meaning, and the descriptions.
var meanings = []struct {
	keys, meaning string
	ways          []string
}{
	{"up down j k shift+up shift+down", "another item of a list, or a move up or down",
		[]string{"choose", "choose a branch", "choose a parameter", "move in the list", "scroll", "choose problem",
			"another point", "another row", "move the row", "move along the other variable", "next field",
			"move the peak (shift: finer)", "move the box (shift: finer)",
			"previous field", "choose an alternative", "another runner-up", "next, previous", "child node",
			"parent or child node", "move (shift: faster)"}},
	{"left right shift+left shift+right", "a move, a step or a change to the left or right",
		[]string{"back", "change", "change the parameter", "move (shift: faster)",
			"move the peak (shift: finer)", "move the box (shift: finer)",
			"prefer A", "prefer B", "next, previous", "choose", "change the choice, move in the text", "choose method",
			"reverse direction"}},
	{"tab shift+tab", "the next item, the previous item",
		[]string{"choose", "go to the next point", "next weight", "next box", "next pane", "next field", "previous field",
			"next note on this step", "next, previous", "next view", "previous view", "next", "previous"}},
	{"enter", "accept the current item", []string{"type a value", "evaluate", "results",
		"next field, report after the last", "next field, apply after the last", "next field, or add a row", "apply",
		"continue from this branch", "take this value", "refit without each result", "edit range and noise", "look up the term", "look up the word in the glossary",
		"choose, and go on", "open the cell", "put a result"}},
	{"space", "one more step: of the search, of the lesson, or a result", []string{"step", "put"}},
	{"esc", "stop, or leave", []string{"go back", "stop", "leave", "stop, or leave", "leave, or stop", "back to the list"}},
	{"ctrl+c", "leave the program, or the text field", []string{"quit", "leave", "back to the list"}},
	{"ctrl+s", "save: the session, or the whole form", []string{"save", "start now", "write the file, and start", "save the note", "report",
		"apply"}},
	{"ctrl+l", "load", []string{"resume", "fill from a file"}},
	{"ctrl+d", "remove in a way that can be undone", []string{"delete (to the trash)", "remove the row"}},
	{"ctrl+u", "undo", []string{"undo", "withdraw the last answer", "restore the last deleted", "undo the last removal", "back"}},
	{"delete backspace", "remove", []string{"default", "remove the box", "remove the pane", "drop", "correct",
		"remove"}},
	{"1 2 3 4 5 6 7 8 9", "a numbered item, or a value",
		[]string{"answer, in a lesson", "enlarge a field", "enlarge a panel", "type a value", "prefer A", "prefer B", "equally good",
			"cannot say", "choose a view"}},
	{". -", "part of a typed number", []string{"type a value"}},
	{".", "faster", []string{"faster"}},
	{"+ - = _", "zoom", []string{"zoom in", "zoom out", "zoom in, out"}},
	{"( )", "fewer and more, smaller and larger", []string{"more samples", "fewer samples", "fewer, more samples",
		"larger, smaller", "fewer, more workers", "fewer, more updates per step"}},
	{"0", "the whole, or a digit", []string{"fit the axes", "type a value"}},
	{"pgup pgdown", "scroll", []string{"scroll a long note", "scroll the differences", "scroll a page"}},
	{"g G home end", "the first place, the last",
		[]string{"first", "last", "first, last", "first row", "last row", "to the beginning, the end",
			"go to the beginning, the end"}},
	{"? f1", "open and close the help", []string{"help", "leave"}},
	{"i I f2", "open and close the explanation of the screen", []string{"explain", "leave"}},
	{"e", "edit values, try others, and leave the editor", []string{"edit", "edit the point", "leave", "set key=value",
		"try alternatives", "what would change the choice"}},
	{"ctrl+e", "export", []string{"export the trace", "export"}},
	{"u U", "open and close the check of the model", []string{"check", "leave"}},
	{"w W", "open and close the explanation of the choice", []string{"why", "where they agree", "leave"}},
	{"f F", "branches: begin one, and open and close their tree", []string{"fork here", "branches",
		"leave", "fork a search"}},
	{"c", "open and close the comparison", []string{"compare", "compare with this one", "to the explorer",
		"second run", "second belief"}},
	{"&", "the other of two", []string{"edit the other run", "the other belief"}},
	{"A insert", "one more: a box, an objective, a pane", []string{"box", "add a box", "add an objective", "add a pane"}},
	{"b", "one step back", []string{"back"}},
	{"d", "another view of the space", []string{"view: outcomes, fields, slice", "two variables, or a slice",
		"scatter"}},
	{"v", "another view of the numbers", []string{"next plot: regret, outlook or theory", "another trace",
		"another objective", "acquisitions", "next test window", "medians or means", "covariances"}},
	{"y", "on one scale, or each on its own", []string{"shared or separate colour scales", "overlay"}},
	{"[ ]", "another item of the same kind",
		[]string{"previous variable", "next variable", "turn the slice", "previous child, or smaller β",
			"next child, or larger β", "next query", "previous or next query", "change the seed",
			"other belief", "raise and narrow, lower and widen"}},
	{"/", "find by words", []string{"filter all keys and terms", "find a problem or a method"}},
	{"r", "run and pause", []string{"run", "run, pause", "refit without each result", "move samples"}},
	{"s", "other random samples", []string{"samples", "other samples", "shuffle the dimensions"}},
	{"t", "what is exact", []string{"truth", "exact projection"}},
	{"!", "to what went wrong", []string{"widen the band", "next failed cell"}},
	{"x", "a point of your own", []string{"point", "evaluate"}},
}

// A key means the same on every screen and in every mode: what it does there is said in one way, or in ways that are
// judged here to be the same.
func TestKeysHaveOneMeaning(t *testing.T) {
	does := map[string][]string{}
	for _, g := range groups() {
		for _, b := range g.Bindings {
			for _, k := range b.Keys() {
				if d := b.Help().Desc; !slices.Contains(does[k], d) {
					does[k] = append(does[k], d)
				}
			}
		}
	}
	if len(does) < 60 {
		t.Fatalf("%d keys are bound", len(does))
	}
	for k, text := range does {
		if len(text) == 1 {
			continue
		}
		var same []string
		for _, m := range meanings {
			if slices.Contains(strings.Fields(m.keys), k) {
				same = append(same, m.ways...)
			}
		}
		for _, d := range text {
			if !slices.Contains(same, d) {
				t.Errorf("%s means %q, one of them %q: move one of them, or say what they have in common", k, text, d)
			}
		}
	}
}

// relatedByCase are the letters that are bound in both cases, with what both do.
var relatedByCase = map[string]string{
	"a": "steer a search over several objectives: answer a question, draw a box",
	"b": "one step back, and forward again",
	"c": "compare, and compare with one more",
	"e": "edit the parameters, or the prior over weights on its plot",
	"f": "branches: begin one, show them",
	"g": "the first place, the last",
	"i": "explain this screen",
	"n": "notes: write one, go to the next",
	"r": "run, and run a race",
	"u": "check the model",
	"w": "why this point",
}

// No two letters that differ only in case do unrelated things, on one screen or on two.
func TestCaseMakesNoOtherMeaning(t *testing.T) {
	bound := map[string]bool{}
	for _, g := range groups() {
		for _, b := range g.Bindings {
			for _, k := range b.Keys() {
				bound[k] = true
			}
		}
	}
	for k := range bound {
		upper := strings.ToUpper(k)
		if len(k) != 1 || upper == k || !bound[upper] {
			continue
		}
		if relatedByCase[k] == "" {
			t.Errorf("%s and %s are bound: say what they have in common, or move one of them", k, upper)
		}
	}
	for k := range relatedByCase {
		if !bound[k] || !bound[strings.ToUpper(k)] {
			t.Errorf("%s is not bound in both cases", k)
		}
	}
}

// The letters for every day are twelve, and each is a command of the explorer.
func TestDailyKeysAreTwelveLetters(t *testing.T) {
	letters := strings.Fields(strings.TrimPrefix(widget.DailyKeys, "space "))
	assert.Equal(t, 12, len(letters), "there are %d: %v", len(letters), letters)
	w := openWindow(t, Options{Session: mustSession(t), Rights: rights.Own(t.TempDir())}, 80, 24)
	for _, k := range append(letters, "space") {
		if !slices.ContainsFunc(w.a.current.KeyMap().Keys, func(b widget.Key) bool { return b.Help().Key == k }) {
			t.Errorf("%s is no key of the explorer", k)
		}
	}
}
