package player

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/recorder"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Bar is the timeline of a branch in a panel.
type Bar struct {
	recorder.Timeline
	Style   theme.Style
	Read    bool // a record is read, rather than a search stepped
	Pages   bool // and the stops are pages of a lesson
	Playing bool
	W       int // of the panel, in cells
}

// The marks on the bar.
const (
	noteMark = "¶"
	markMark = "!"
	forkMark = "┬"
	askMark  = "?"
	// of a change of the prior over weights
	steerMark = "λ"
)

// edge is the number of columns of the panel before the bar, and behind it.
const edge = 3

// minCells is how many cells the bar needs at least.
const minCells = 8

// HasContent reports whether the bar shows anything: a record, stops ahead, notes, marks or forks.
func (b Bar) HasContent() bool {
	if len(b.Stops) < 2 {
		return false
	}
	for _, p := range b.Stops {
		if p.Note != "" || p.Mark || p.Fork || p.Steered {
			return true
		}
	}
	return b.Read || b.At < len(b.Stops)-1
}

// head is the text before the bar.
func (b Bar) head() string {
	last := len(b.Stops) - 1
	head := fmt.Sprintf("%d/%d ", b.Stops[min(b.At, last)].Step, b.Stops[last].Step)
	if b.Pages {
		head = fmt.Sprintf("page %d/%d ", b.At+1, len(b.Stops))
	}
	if b.Playing {
		return b.Style.Plain("▸ ") + head
	}
	return head
}

// Cells are where the bar is in the panel: its first column, and how many it has.
func (b Bar) Cells() (from, cells int) {
	from = edge + ansi.StringWidth(b.head())
	return from, b.W - from - edge
}

// Stop is the stop under a column of the bar's box; false where there is none.
func (b Bar) Stop(column int) (stop int, ok bool) {
	from, cells := b.Cells()
	column -= from - edge
	if column < 0 || column >= cells || cells < minCells {
		return 0, false
	}
	return (column*(len(b.Stops)-1) + (cells-1)/2) / (cells - 1), true
}

// cell is what a cell of the bar shows.
type cell struct {
	mark  string
	color theme.Color
}

// Box is the bar as it is on that edge, with a description; nil if it does not fit or shows nothing.
func (b Bar) Box() *layout.Box {
	text := b.Text()
	if text == "" || !b.HasContent() {
		return nil
	}
	bar := layout.Line(text).Describe(layout.Section, BarName, "", b.describe).Add(b.markBoxes()...)
	bar.Actions = []layout.Action{{Key: "go_to_a_step"}, {Key: "n"}, {Key: "*"}, {Key: "f"}, {Key: "F"}, {Key: "r"}}
	return bar
}

// BarName is that of the bar's box.
const BarName = "timeline"

// describe describes the bar.
func (b Bar) describe() string {
	last := len(b.Stops) - 1
	says := fmt.Sprintf(
		"The timeline of this branch, from its beginning to step %d. The filled part is behind you: this is step %d, stop %d of %d. Click it to go to a stop, or use b and space.",
		b.Stops[last].Step, b.Stops[b.At].Step, b.At+1, last+1)
	if b.Pages {
		says = fmt.Sprintf(
			"The pages of the lesson: this is page %d of %d, after %s of the search. Space goes to the next page, b to the previous one, a click to any.",
			b.At+1, last+1, widget.Count(b.Stops[b.At].Step, "step"))
	}
	if b.Playing {
		says += " It is playing; r pauses."
	}
	return says
}

// markKinds are the kinds of marks on the bar.
var markKinds = []struct {
	mark, name, is string
	of             func(recorder.Stop) bool
}{
	{askMark, "questions", "the lesson asks a question", func(s recorder.Stop) bool {
		return s.Note != "" && s.Ask
	}},
	{noteMark, "notes", "there is a note, shown beside the picture", func(s recorder.Stop) bool {
		return s.Note != "" && !s.Ask
	}},
	{markMark, "marks", "the step is marked", func(s recorder.Stop) bool {
		return s.Note == "" && s.Mark
	}},
	{steerMark, "changes of the prior", "the prior over weights changed, or an answer was given", func(s recorder.Stop) bool {
		return s.Note == "" && !s.Mark && s.Steered
	}},
	{forkMark, "forks", "another branch begins; F shows all branches", func(s recorder.Stop) bool {
		return s.Note == "" && !s.Mark && !s.Steered && s.Fork
	}},
}

// markBoxes are the boxes of the visible marks on the bar, one for each kind.
func (b Bar) markBoxes() (list []*layout.Box) {
	from, cells := b.Cells()
	bar, last := b.marks(cells), len(b.Stops)-1
	for _, kind := range markKinds {
		var steps []string
		var spans []layout.Span
		for i, s := range b.Stops {
			if column := i * (cells - 1) / max(last, 1); kind.of(s) && bar[column].mark == b.Style.Plain(kind.mark) {
				if step := fmt.Sprint(s.Step); len(steps) == 0 || steps[len(steps)-1] != step {
					steps = append(steps, step)
				}
				spans = append(spans, layout.Span{From: from - edge + column, To: from - edge + column + 1})
			}
		}
		if len(steps) == 0 {
			continue
		}
		if len(steps) > 6 {
			steps = append(steps[:5:5], "…", steps[len(steps)-1])
		}
		mark := layout.New(from-edge+cells, 1).
			Describe(layout.Mark, kind.name, "",
				layout.Static(fmt.Sprintf("%s on the bar, after step %s: %s.", b.Style.Plain(kind.mark),
					strings.Join(steps, ", "), kind.is)))
		mark.Cells = func() []layout.Span { return spans }
		list = append(list, mark)
	}
	return list
}

// Text is the bar as it is on that edge, three columns behind its beginning and before its end; empty if it does not
// fit.
func (b Bar) Text() string {
	st := b.Style
	_, cells := b.Cells()
	if cells < minCells {
		return ""
	}
	var s strings.Builder
	s.WriteString(st.Paint(st.Text, b.head()))
	for _, c := range b.marks(cells) {
		s.WriteString(st.Paint(c.color, c.mark))
	}
	return s.String()
}

// marks are the cells of the bar.
func (b Bar) marks(cells int) []cell {
	st := b.Style
	column := func(i int) int { return i * (cells - 1) / max(len(b.Stops)-1, 1) }
	position := column(b.At)
	bar := make([]cell, cells)
	for c := range bar {
		bar[c] = cell{st.Plain("━"), st.Accent}
		if c > position {
			bar[c] = cell{st.Plain("┄"), st.Faint}
		}
	}
	for i, p := range b.Stops {
		switch c := column(i); {
		case p.Note != "":
			mark := noteMark
			if p.Ask {
				mark = askMark
			}
			bar[c] = cell{st.Plain(mark), st.Best}
		case p.Mark:
			bar[c] = cell{markMark, st.Warn}
		case p.Steered && bar[c].mark != st.Plain(noteMark):
			bar[c] = cell{st.Plain(steerMark), st.Acquisition}
		case p.Fork && bar[c].mark != st.Plain(noteMark):
			bar[c] = cell{st.Plain(forkMark), st.Mean}
		}
	}
	bar[position] = cell{st.Glyph(theme.GlyphFilled), st.Newest}
	return bar
}
