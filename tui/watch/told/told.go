// Package told tells what is seen around the picture of a lab: the heading, how far the training is, what was measured last, notes beside it, the status and the keys. The drawn
// window and where the training stands go in, elements to be walked over come out; a picture tells itself.
package told

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/tui/explain"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
	"bandscope/tui/watch/picture"
)

// Screen is what is seen.
type Screen struct {
	explain.Seen
	Style   theme.Style
	State   lab.State
	Line    sessions.Timeline
	Lesson  bool
	Asking  bool
	Bar     int    // columns that show how far the training is
	W, Rows int    // of the window
	Said    string // the answer to the last key
	Doing   string // what is computed
	Asked   bool   // something is typed in the status line
	Silent  bool   // a mode tells the status line itself
}

// Above tells what stands above the picture.
func (s Screen) Above() []explain.Element {
	st := s.State
	text := fmt.Sprintf("What is trained: %s, %d of %d updates done", st.Lab.Title, st.Step, st.Of)
	if st.Ahead > 0 {
		text += fmt.Sprintf(" (%s on record after this)", screen.Counted(st.Ahead, "place"))
	}
	if len(st.Runs) > 1 {
		text += fmt.Sprintf(", by two runs, %s and %s", picture.Name(st, 0), picture.Name(st, 1))
	}
	text += map[bool]string{true: ". All of it is in its file.", false: ". It is not in a file yet."}[st.Saved]
	list := []explain.Element{{Kind: explain.Number, Name: "heading", Says: text, Where: s.Row(0)}}
	list = append(list, explain.Element{Kind: explain.Number, Name: "how far", Says: s.far(), Where: explain.Rect(1, 1, s.Bar+1, 1)})
	return append(list, s.measured()...)
}

// far tells the bar at the left of the second line.
func (s Screen) far() string {
	stops := len(s.Line.Stops)
	if s.Lesson {
		return fmt.Sprintf("The pages of the lesson, on page %d of %d: ¶ is a page, ? one that asks; space turns it, a click goes there.", s.Line.At+1, stops)
	}
	if stops > 1 && s.Line.At < stops-1 {
		return fmt.Sprintf("The training on record, from its beginning to update %d; this is update %d. What is behind the mark is still ahead: b and space go there without training.", s.Line.Stops[stops-1].Step, s.State.Step)
	}
	return fmt.Sprintf("How much of the training is done: %d of %d updates, %.0f %%.", s.State.Step, s.State.Of, 100*float64(s.State.Step)/float64(max(s.State.Of, 1)))
}

// measured tells what was measured last, in the second line.
func (s Screen) measured() (list []explain.Element) {
	room := (s.W - s.Bar - 2) / len(s.State.Runs)
	for i, r := range s.State.Runs {
		from := s.Bar + 2 + i*room
		where := explain.Rect(from, 1, min(room, s.W-from), 1)
		name := "measured last"
		if len(s.State.Runs) > 1 {
			name += ", " + picture.Name(s.State, i)
		}
		switch {
		case r.Failed != "":
			list = append(list, explain.Element{Kind: explain.Number, Name: name, Says: "This run ended early: " + strings.TrimSuffix(r.Failed, ".") + ".", Where: where})
			continue
		case len(r.Trace) == 0:
			list = append(list, explain.Element{Kind: explain.Number, Name: name, Says: "What the updates measure stands here from the first one on: space does it.", Where: where})
			continue
		}
		text := ""
		for c, col := range s.State.Lab.Columns {
			v := picture.Values(r, c)
			if s.measures(col.Label+" "+screen.Number(v[len(v)-1]), from, from+room) && strings.Count(text, " ") < 34 {
				text += fmt.Sprintf("%s is %s; ", strings.TrimSuffix(col.Label+", "+col.Help, ", ")+map[bool]string{true: ",", false: ""}[col.Help != ""], screen.Number(v[len(v)-1]))
			}
		}
		text = "What the last update measured, each with a row of bars for how it went: " + strings.TrimSuffix(text, "; ") + "."
		list = append(list, explain.Element{Kind: explain.Number, Name: name, Says: text, Where: where})
	}
	return list
}

// measures reports whether an entry is whole in the second line between two columns, where two blanks are between entries and a mark may be before the first.
func (s Screen) measures(entry string, from, to int) bool {
	where := s.Words(1, from, regexp.MustCompile(`(^\S? ?|  )`+regexp.QuoteMeta(s.Style.Plain(entry))+" "))
	return where != nil && where()[0].To <= to
}

// Page says which page of a lesson is read beside the picture.
func (s Screen) Page() string {
	at := fmt.Sprintf("Page %d of %d of the lesson", s.Line.At+1, len(s.Line.Stops))
	if s.Asking {
		return at + " asks what will come, before it is shown: a number answers."
	}
	return at + ": what is to be seen beside it. Space turns it."
}

// Below tells the status and the keys.
func (s Screen) Below() []explain.Element {
	text := strings.TrimSuffix(strings.Join(strings.Fields(s.Text(s.Rows-2)), " "), ".")
	says := "What can be done next: " + text + "."
	switch {
	case s.Asked:
		says = "What is asked for, and typed here: " + text + "."
	case s.Said != "":
		says = "The answer to the last key: " + s.Said + "."
	case s.Doing != "":
		says = "What is computed now: " + s.Doing + ". Keys are taken meanwhile, esc stops it."
	}
	list := []explain.Element{}
	if s.Text(s.Rows-2) != "" && !s.Silent {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "status", Says: says, Where: s.Row(s.Rows - 2)})
	}
	if s.Text(s.Rows-1) == "" {
		return list
	}
	return append(list, s.Keys(s.Rows-1))
}

// Course tells the values of a column of a run over the updates: where it began, where it is, and its least.
func Course(r lab.Run, column int) string {
	values := picture.Values(r, column)
	first := 0
	for first < len(values) && math.IsNaN(values[first]) {
		first++
	}
	if first == len(values) {
		return "not measured yet"
	}
	return fmt.Sprintf("%s at update %d, %s now", screen.Number(values[first]), first+1, screen.Number(values[len(values)-1]))
}
