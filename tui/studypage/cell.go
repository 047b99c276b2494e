package studypage

import (
	"fmt"
	"math"
	"time"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/tui/layout"
	"bandscope/tui/studyreport"
	"bandscope/tui/widget"
)

// cellPanel describes the chosen cell, or a method on all problems, and below it, if there is space, the study's source
// and note.
func (m *Model) cellPanel(w, h int) *layout.Box {
	st, rows := m.Style, m.seeds()
	body := newListing(st, w-2, h-2)
	name := studyreport.Letter(m.cursor.method) + " " + m.board.methods[m.cursor.method]
	title := "method"
	term := ""
	says := "The chosen method on all problems: how many of its cells are done, and how long each one takes."
	if len(rows) == 0 {
		tally := m.tally(m.board.methodRows[m.cursor.method])
		if m.cursor.problem >= 0 { // of an imported method
			body.say(st.Text, "no run of "+name+" on "+m.board.problems[m.cursor.problem]+" was imported")
		}
		body.say(st.Text, name+" on all problems")
		body.say(st.Dim, tally)
		body.Number("tally", "", "Its cells: "+tally+".")
	} else {
		title = "cell"
		term = "seed"
		says = "One cell of the table: a problem, a method and a seed. Enter opens it in the explorer; [ and ] change the seed."
		r := &m.board.rows[rows[m.cursor.seed]]
		body.say(st.Text, fmt.Sprintf("%s, %s, seed %d", r.Problem, name, r.Seed))
		body.say(m.stateColor(combinedState(m.board.rows, rows[m.cursor.seed:m.cursor.seed+1])), m.describeState(r))
		if text := m.reached(r); text != "" {
			body.say(st.Text, text)
		}
		if r.Error != "" {
			body.say(st.Error, r.Error)
		}
		if len(rows) > 1 {
			body.say(st.Dim, m.tally(rows))
		}
		body.Describe(layout.Number, "the chosen cell", "seed", func() string { return m.cellSays(r) })
	}
	for _, text := range []string{m.board.declaration.Source, m.board.declaration.Note} {
		sentence := layout.Sentence(st, st.Faint, sanitize.Text(text), w-2, h)
		if text != "" && body.H+1+sentence.H <= h-2 {
			body.Below(layout.Space(w-2, 1)).Below(sentence)
		}
	}
	return layout.Panel(st, title, body.Box, w, h, false).Section(title, term, says)
}

// cellSays describes the chosen cell.
func (m *Model) cellSays(r *study.Row) string {
	text := fmt.Sprintf("The chosen cell, one run of seed %d: %s", r.Seed, layout.Excerpt(m.describeState(r), 20))
	if reached := m.reached(r); reached != "" {
		text += "; " + reached
	}
	if r.Error != "" {
		text += "; error: " + layout.Excerpt(r.Error, 20)
	}
	return text + "."
}

// describeState describes the state of a cell.
func (m *Model) describeState(r *study.Row) string {
	steps := fmt.Sprintf("%d of %s", r.Steps, widget.Count(r.Budget, "step"))
	if m.board.imported(r.Cell) {
		return "imported: " + widget.Count(r.Steps, "evaluation") + " of " + r.Program
	}
	switch r.Status {
	case study.Done:
		return fmt.Sprintf("done: %s in %s", widget.Count(r.Steps, "step"), took(r.Seconds))
	case study.Running:
		return "running: " + steps + " on " + r.Worker
	case study.Failed:
		return fmt.Sprintf("failed %s, at step %d", widget.Count(r.Attempts, "time"), r.Steps+1)
	case study.OtherVersion:
		return "started by " + r.Program + ", and only that version can continue it: " + steps
	}
	if r.Steps > 0 {
		return "waiting for a worker: " + steps + " done"
	}
	return "not started"
}

// took is a number of seconds in words.
func took(seconds float64) string {
	if seconds < 60 {
		return widget.NumberIn(seconds, 5) + " s"
	}
	return lasting(time.Duration(seconds * float64(time.Second)))
}

// reached is the latest value of a cell's measure, in words.
func (m *Model) reached(r *study.Row) string {
	subject := m.board.measures[m.cursor.problem]
	values := r.Trace.Values(subject)
	if len(values) == 0 || math.IsNaN(values[len(values)-1]) {
		return ""
	}
	return fmt.Sprintf("%s %s", subject, widget.Number(values[len(values)-1]))
}

// tally counts cells that belong together.
func (m *Model) tally(indices []int) string {
	count := map[study.Status]int{}
	seconds := 0.0
	for _, i := range indices {
		r := &m.board.rows[i]
		count[r.Status]++
		if r.Status == study.Done {
			seconds += r.Seconds
		}
	}
	text := fmt.Sprintf("%d of %s done", count[study.Done], widget.Count(len(indices), "cell"))
	if n := count[study.Done]; n > 0 && seconds > 0 {
		text += ", " + took(seconds/float64(n)) + " each"
	}
	if n := count[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	return text
}
