package lessonpage

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions/lesson/page"
	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// A question with a few answers is open until it is answered, or passed over twice; what comes out is told on the page
// behind it alone.
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
		}, "+ **Correct**: down."},
		{"wrong", func(c *Choice) bool {
			return c.Answer(active(1), choices, 0)
		}, "x **You said**: up. **Correct**: down."},
		{"passed over", func(c *Choice) bool {
			return !c.Pass(active(1), choices) && c.Pass(active(1), choices)
		}, "^ **Answer**: down."},
		{"without answers", func(c *Choice) bool {
			return !c.Pass(active(1), page.Question{}) && c.Pass(active(1), page.Question{})
		}, ""},
	} {
		var q Choice
		if q.Open(active(0)) || !q.Open(active(1)) || q.Verdict(active(1), st) != "" {
			t.Errorf("%s: before it is answered it is open on page 0, or not on page 1", c.name)
		}
		if q.Answer(active(1), choices, 2) || !q.Open(active(1)) {
			t.Errorf("%s: an answer that there is not is taken", c.name)
		}
		if !c.answer(&q) || q.Open(active(1)) {
			t.Errorf("%s: it is open when it was answered", c.name)
		}
		assert.Equal(t, c.want, q.Verdict(active(2), st), "%s: it tells", c.name)
		assert.Equal(t, "", q.Verdict(active(3), st)+q.Verdict(active(1), st), "%s: elsewhere it tells", c.name)
	}
}

// A wrong answer with a reason is explained on the page that asked, in the place of the choices, and not on the next.
func TestReasons(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	line := recorder.Timeline{Stops: []recorder.Stop{{Ask: true}, {}}}
	q := page.Question{Choices: []string{"up", "down", "none"}, Correct: 1, Reasons: []string{"It falls.", "", ""}}
	p := Page{Note: recorder.Note{Text: "# Where?", Page: page.Page{Question: q}}, Line: line}
	for chosen, want := range []string{"# Where?\n\nx **You said**: up. It falls.\n\n**Correct**: down.", "", ""} {
		var r Reader
		r.Choose(p, chosen+1)
		if r.Explains(p) != (want != "") || want != "" && r.Text(p, st) != want {
			t.Errorf("%s: %t, %q", q.Choices[chosen], r.Explains(p), r.Text(p, st))
		}
		line.At = 1
		if verdict := r.Choice.Verdict(line, st); (verdict == "") != (want != "") {
			t.Errorf("%s: the next page tells %q", q.Choices[chosen], verdict)
		}
		line.At = 0
	}
}
