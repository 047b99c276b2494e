package lessonpage

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions/lesson/page"
	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// A question with choices is open until it is answered, or skipped with a second key; then the next page alone has the
// answer.
func TestChoice(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	stops := []recorder.Stop{{}, {Ask: true}, {}, {}}
	active := func(page int) recorder.Timeline { return recorder.Timeline{Stops: stops, At: page} }
	choices := page.Question{Choices: []string{"up", "down"}, Correct: 1}
	for _, c := range []struct {
		name   string
		answer func(*Choice) bool
		want   string
	}{
		{"right", func(c *Choice) bool {
			return c.Answer(active(1), choices, 1)
		}, ""},
		{"skipped", func(c *Choice) bool {
			return !c.Pass(active(1), choices) && c.Pass(active(1), choices)
		}, "^ **Answer**: down."},
		{"without choices", func(c *Choice) bool {
			return !c.Pass(active(1), page.Question{}) && c.Pass(active(1), page.Question{})
		}, ""},
	} {
		var q Choice
		if q.Open(active(0)) || !q.Open(active(1)) || q.Solution(active(1), st) != "" {
			t.Errorf("%s: before it is answered it is open on page 0, or not on page 1", c.name)
		}
		if q.Answer(active(1), choices, 2) || !q.Open(active(1)) {
			t.Errorf("%s: the number of no choice is an answer", c.name)
		}
		if !c.answer(&q) || q.Open(active(1)) {
			t.Errorf("%s: it is open after the answer", c.name)
		}
		assert.Equal(t, c.want, q.Solution(active(2), st), c.name)
		assert.Equal(t, "", q.Solution(active(3), st)+q.Solution(active(1), st), "%s: on another page", c.name)
	}
}

// After an answer the choices stay on the page, with marks at the right one and at a wrong answer, which has its reason.
func TestAnswersAreMarked(t *testing.T) {
	line := recorder.Timeline{Stops: []recorder.Stop{{Ask: true}, {}}}
	q := page.Question{Choices: []string{"up", "down", "none"}, Correct: 1, Reasons: []string{"It falls.", "", ""}}
	p := Page{Note: recorder.Note{Text: "# Where?", Page: page.Page{Question: q}}, Line: line}
	for _, c := range []struct {
		ascii  bool
		answer int
		want   string
	}{
		{false, 1, "✗ up. It falls.\\\n✓ **down**\\\n`3` none"},
		{true, 1, "x up. It falls.\\\n+ **down**\\\n`3` none"},
		{true, 2, "`1` up\\\n+ **down**\\\n`3` none"},
		{true, 3, "`1` up\\\n+ **down**\\\nx none"},
	} {
		st := theme.New(true, theme.NoColor, c.ascii)
		var r Reader
		r.Choose(p, c.answer)
		assert.Equal(t, "# Where?\n\n"+c.want, r.Text(p, st), "answer %d", c.answer)
		next := p
		next.Line.At, next.Note = 1, recorder.Note{Text: "# Next"}
		assert.Equal(t, "# Next", r.Text(next, st), "the page after answer %d", c.answer)
	}
}
