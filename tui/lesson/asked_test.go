package lesson

import (
	"testing"

	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// A question with a few answers is open until it is answered, or passed over twice; what comes out is told on the page
// behind it alone.
func TestChoice(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	stops := []recorder.Stop{{}, {Ask: true}, {}, {}}
	on := func(page int) recorder.Timeline { return recorder.Timeline{Stops: stops, At: page} }
	choices := []string{"up", "down"}
	for _, c := range []struct {
		name   string
		answer func(*Choice) bool
		want   string
	}{
		{"right", func(c *Choice) bool {
			return c.Answer(on(1), choices, 1, 1)
		}, "^ **Your answer** is what comes out: down."},
		{"wrong", func(c *Choice) bool {
			return c.Answer(on(1), choices, 1, 0)
		}, "^ **Your answer** was: up. **What comes out**: down."},
		{"passed over", func(c *Choice) bool {
			return !c.Pass(on(1), choices, 1) && c.Pass(on(1), choices, 1)
		}, "^ **What comes out**: down."},
		{"without answers", func(c *Choice) bool { return !c.Pass(on(1), nil, 0) && c.Pass(on(1), nil, 0) }, ""},
	} {
		var q Choice
		if q.Open(on(0)) || !q.Open(on(1)) || q.Verdict(on(1), st) != "" {
			t.Errorf("%s: before it is answered it is open on page 0, or not on page 1", c.name)
		}
		if q.Answer(on(1), choices, 1, 2) || !q.Open(on(1)) {
			t.Errorf("%s: an answer that there is not is taken", c.name)
		}
		if !c.answer(&q) || q.Open(on(1)) {
			t.Errorf("%s: it is open when it was answered", c.name)
		}
		if got := q.Verdict(on(2), st); got != c.want {
			t.Errorf("%s: it tells %q, want %q", c.name, got, c.want)
		}
		if got := q.Verdict(on(3), st) + q.Verdict(on(1), st); got != "" {
			t.Errorf("%s: elsewhere it tells %q", c.name, got)
		}
	}
}
