package tui

import (
	"slices"
	"strings"
	"testing"
)

// meanings are what keys mean that say it in more than one way: the keys, the one meaning, and the ways.
var meanings = []struct {
	keys, meaning string
	ways          []string
}{
	{"up down j k shift+up shift+down", "up, down: another one of a list, or a move upwards",
		[]string{"parent or child node", "child node",
			"move the row", "choose", "choose a branch", "choose a parameter", "move in the list", "scroll",
			"choose problem", "which parameter",
			"another point", "another row", "another level",
			"move along the other variable", "move the box (shift: finer)", "next field", "previous field",
			"choose an alternative", "another runner-up", "next, previous"}},
	{"left right shift+left shift+right", "left, right: a move, a step or a change that way",
		[]string{"reverse direction",
			"back", "change", "another choice, or within the text", "change the parameter", "move (shift: faster)",
			"move the box (shift: finer)", "prefer A", "prefer B", "turn", "next, previous", "choose", "change the choice, move in the text", "the next, the one before", "choose method"}},
	{"tab shift+tab", "the next one, the one before",
		[]string{"go to the next point", "next note on this step",
			"choose", "to the next point", "next box", "next pane", "next field", "previous field",
			"another note on the step", "next, previous", "next view", "previous view"}},
	{"enter", "take what is chosen", []string{"next field, report after the last", "edit range and noise", "next field, apply after the last", "apply",
		"type a value", "evaluate", "results",
		"next field, behind the last: tell", "aim there", "continue from this branch", "take this value",
		"next field, or another row", "take, and go on", "what is expected", "look up the term",
		"go on from this branch", "take it", "next field, or add a row", "choose, and go on", "what the word means",
		"next field, behind the last: do it", "open the cell"}},
	{"esc", "stop, or leave", []string{"stop", "leave", "stop, or leave", "leave, or stop", "back to the list"}},
	{"ctrl+c", "end: the program, or of what is typed the typing", []string{"quit", "leave", "back to the list"}},
	{"ctrl+s", "take all of it", []string{"report", "apply", "save the note",
		"start now", "write the file, and start", "keep the note", "tell",
		"do it"}},
	{"ctrl+n", "begin with a new one", []string{"empty the form", "next lesson"}},
	{"ctrl+d", "take away, so that it can be brought back", []string{"delete (to the trash)", "remove the row"}},
	{"ctrl+b", "restore", []string{"restore the last deleted", "undo the last removal"}},
	{"delete backspace", "take away", []string{"drop", "remove the box",
		"default", "remove it", "remove the pane", "drop it"}},
	{"1 2 3 4 5 6 7 8 9", "a number: of what is numbered, or a value",
		[]string{"answer, in a lesson", "which field is large", "type a value", "prefer A", "prefer B",
			"both alike", "cannot say", "choose a view", "reverse direction", "go to the next point", "next note on this step", "next field, report after the last", "apply", "edit range and noise", "next field, apply after the last", "start at once", "write the file, and begin", "save the note", "report", "apply", "an empty form", "bring back", "bring the last deleted back", "bring back what was here before", "remove the box", "drop", "answer: what a lesson asks", "enlarge a field", "equally good", "which view"}},
	{". -", "of a number that is typed; besides, see the others", []string{"type a value"}},
	{".", "faster", []string{"faster"}},
	{"+ - = _", "more and fewer, larger and smaller",
		[]string{"change the updates per step",
			"more samples", "fewer samples", "fewer, more samples", "fewer, more updates a step", "change",
			"larger, smaller", "add an objective", "fewer, more workers"}},
	{"pgup pgdown", "scroll", []string{"scroll a long note", "scroll the differences", "scroll a page"}},
	{"g G home end", "the first place, the last", []string{"first", "last", "first, last", "to the beginning, the end", "first row", "last row", "go to the beginning, the end"}},
	{"? f1", "help, and out of it", []string{"help", "leave"}},
	{"I f2", "explain the screen, and out of it", []string{"explain this screen", "leave"}},
	{"e", "edit, and out of it", []string{"edit", "edit the point", "leave", "set key=value"}},
	{"E", "export", []string{"export the trace",
		"export: picture, report, recording, data", "export: the trace, as data",
		"export"}},
	{"O", "the objectives, and out of it", []string{"objectives", "leave"}},
	{"U", "check the model, and out of it", []string{"check the model", "leave"}},
	{"W", "explain the choice of the next points, and out of it",
		[]string{"explain the choice", "where they agree", "leave"}},
	{"H", "other values of the method's parameters", []string{"try alternatives", "what would change the choice"}},
	{"T", "the tree, and out of it", []string{"branches",
		"tree of branches", "leave"}},
	{"c", "compare, and out of it", []string{"second run",
		"compare", "compare with this one", "to the explorer",
		"second run: lay it over, or lift it"}},
	{"C", "compare with one more", []string{"compare with another session", "compare one more"}},
	{"B", "a box", []string{"target box", "add a box",
		"aim: a box of wanted outcomes", "another box"}},
	{"D", "a race", []string{"race", "time the search"}},
	{"d", "another view of the space", []string{"view: outcomes, fields, slice",
		"outcomes, fields, or a slice", "two variables, or a slice"}},
	{"v", "another view of the numbers", []string{"next test window",
		"other view of the regret, the outlook or the theory",
		"another trace", "another objective", "side by side, overlay", "another test window", "medians or means", "target box", "add a box", "view: outcomes, fields, slice", "next plot: regret, outlook or theory", "medians, or means"}},
	{"[ ]", "turn to another of the same kind",
		[]string{"previous or next query", "next query", "previous child, or smaller β", "next child, or larger β",
			"previous variable", "next variable", "turn the slice", "previous child, or a smaller β",
			"next child, or a greater β", "another query", "change the seed"}},
	{"/", "find by words", []string{"look up a word", "find a problem or a method"}},
	{"r", "run and pause", []string{"run", "run, pause"}},
	{"s", "other samples", []string{"samples", "other samples"}},
	{"u", "undo", []string{"undo", "withdraw the last answer"}},
	{"x", "try something of one's own: a point, a change that the training does not see",
		[]string{"query", "evaluate", "exact projection"}},
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
	for k, said := range does {
		if len(said) == 1 {
			continue
		}
		var same []string
		for _, m := range meanings {
			if slices.Contains(strings.Fields(m.keys), k) {
				same = append(same, m.ways...)
			}
		}
		for _, d := range said {
			if !slices.Contains(same, d) {
				t.Errorf("%s means %q, one of them %q: move one of them, or say what they have in common", k, said, d)
			}
		}
	}
}
