package studypage

import (
	"strings"
	"testing"
)

// typed asks for words as a person does.
func (d *driver) typed(words string) {
	d.press("/", "ctrl+u")
	for _, r := range words {
		d.press(string(r))
	}
	d.press("enter")
}

// Words lead to the next problem and method that have them, and asked for again from one to the next and around. The
// table has branin, ackley:5 and forrester noise=0.1 in its rows, gp-ei, gp-ei kernel=se, gp-ucb and random in
// its columns.
func TestWordsAreFound(t *testing.T) {
	for words, places := range map[string][][2]int{
		"ackley":             {{1, 0}, {1, 0}},
		"RANDOM":             {{0, 3}, {1, 3}, {2, 3}, {0, 3}},
		"gp-ei kernel":       {{0, 1}, {1, 1}},
		"gp-ucb noise":       {{2, 2}, {2, 2}},
		"gp-ei branin":       {{0, 1}, {0, 0}, {0, 1}},
		"r":                  {{1, 1}, {2, 1}, {0, 1}},
		"forrester random 0": {{2, 3}},
	} {
		d := drive(t, complete(t), 120, 36, trueColor, "g", "down")
		for i, place := range places {
			if i == 0 {
				d.typed(words)
			} else {
				d.press("/", "enter")
			}
			if c := d.m.cursor; c.problem != place[0] || c.method != place[1] {
				t.Fatalf("%q, time %d: problem %d, method %d", words, i+1, c.problem, c.method)
			}
		}
	}
}

// From the row of all problems a method is found in it, and a problem below it. What nothing has stays to be mended.
func TestWordsOfAllProblems(t *testing.T) {
	d := drive(t, complete(t), 120, 36, trueColor, "g")
	for _, c := range []struct {
		words           string
		problem, method int
	}{{"ucb", -1, 2}, {"kernel", -1, 1}, {"", -1, 1}, {"acK", 1, 1}} {
		d.typed(c.words)
		if position := d.m.cursor; position.problem != c.problem || position.method != c.method || d.m.Status.Open() {
			t.Errorf("%q: problem %d, method %d", c.words, position.problem, position.method)
		}
	}
	d.typed("acKley lunar")
	d.shows("no problem or method matches acKley lunar")
	if position := d.m.cursor; position.problem != 1 || !d.m.Status.Open() {
		t.Errorf("problem %d", position.problem)
	}
	d.press("ctrl+u", "e", "n", "enter")
	d.shows("no problem or method matches en")
	d.press("esc")
	if d.m.Status.Open() || strings.Contains(d.text(), "find:") {
		t.Error("esc does not leave")
	}
}
