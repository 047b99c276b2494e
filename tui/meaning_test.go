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
		[]string{"move the row", "choose", "choose a branch", "which parameter", "move in the list", "scroll",
			"another point", "another row", "another level",
			"move along the other variable", "move the box (shift: finer)", "next field", "previous field",
			"choose an assumption", "another place", "the next, the one before"}},
	{"left right shift+left shift+right", "left, right: a move, a step or a change that way",
		[]string{"back", "change", "another choice, or within the text", "change the choice, move in the text",
			"change the parameter", "move (shift: faster)",
			"move the box (shift: finer)", "prefer A", "prefer B", "reverse direction",
			"the next, the one before", "choose"}},
	{"tab shift+tab", "the next one, the one before",
		[]string{"choose", "go to the next point", "next box", "next pane", "next field", "previous field",
			"next note on this step", "the next, the one before", "next view", "previous view"}},
	{"enter", "take what is chosen", []string{"type a value", "evaluate", "results",
		"next field, report after the last", "apply", "go on from this branch", "take it",
		"next field, or another row", "take, and go on", "edit range and noise", "what the word means",
		"next field, apply after the last", "open the cell"}},
	{"esc", "stop, or leave", []string{"stop", "leave", "stop, or leave", "back to the list"}},
	{"ctrl+c", "end: the program, or of what is typed the typing", []string{"quit", "leave", "back to the list"}},
	{"ctrl+s", "take all of it", []string{"start at once", "write the file, and begin", "save the note", "report",
		"apply"}},
	{"ctrl+n", "begin with a new one", []string{"an empty form", "next lesson"}},
	{"ctrl+d", "take away, so that it can be brought back", []string{"delete (to the trash)", "remove the row"}},
	{"ctrl+b", "bring back", []string{"bring the last deleted back", "bring back what was here before"}},
	{"delete backspace", "take away", []string{"default", "remove the box", "remove the pane", "drop"}},
	{"1 2 3 4 5 6 7 8 9", "a number: of what is numbered, or a value",
		[]string{"answer: what a lesson asks", "enlarge a field", "type a value", "prefer A", "prefer B",
			"equally good", "cannot say", "which view"}},
	{". -", "of a number that is typed; besides, see the others", []string{"type a value"}},
	{".", "faster", []string{"faster"}},
	{"+ - = _", "more and fewer, larger and smaller",
		[]string{"more samples", "fewer samples", "fewer, more samples", "fewer, more updates a step", "change",
			"larger, smaller", "add an objective", "fewer, more workers"}},
	{"pgup pgdown", "scroll", []string{"scroll a long note", "scroll the differences", "scroll a page"}},
	{"g G home end", "the first place, the last", []string{"first", "last", "to the beginning, the end"}},
	{"? f1", "help, and out of it", []string{"help", "leave"}},
	{"I f2", "what is seen, and out of it", []string{"what is seen here?", "leave"}},
	{"e", "edit, and out of it", []string{"edit", "edit the point", "leave", "set key=value"}},
	{"E", "export", []string{"export: picture, report, recording, data", "export: the trace, as data",
		"export: page, numbers"}},
	{"O", "the objectives, and out of it", []string{"objectives", "leave"}},
	{"U", "whether the model can be believed, and out of it", []string{"can it be believed?", "leave"}},
	{"W", "why the next points are what they are, and out of it",
		[]string{"why this point?", "where they agree", "leave"}},
	{"H", "other values of the method's parameters", []string{"other assumptions", "what would change it"}},
	{"T", "the tree, and out of it", []string{"tree of branches", "leave"}},
	{"c", "compare, and out of it", []string{"compare", "compare with this one", "to the explorer",
		"second run: lay it over, or lift it"}},
	{"C", "compare with one more", []string{"compare with another session", "compare one more"}},
	{"B", "a box", []string{"target box", "add a box"}},
	{"d", "another view of the space", []string{"view: outcomes, fields, slice", "two variables, or a slice"}},
	{"v", "another view of the numbers", []string{"next plot: regret, outlook or theory",
		"another trace", "another objective", "side by side, overlay", "another test window", "medians, or means"}},
	{"[ ]", "turn to another of the same kind",
		[]string{"previous variable", "next variable", "turn the slice", "previous child, or a smaller β",
			"next child, or a greater β", "another query", "another seed"}},
	{"/", "find by words", []string{"what a word means", "find a problem or a method"}},
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
