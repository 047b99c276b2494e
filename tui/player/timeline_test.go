package player

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/sessions/recorder"
	"bandscope/tui/internal/explained"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// stops are those of a branch of eight steps.
func stops(change func([]recorder.Stop)) []recorder.Stop {
	all := make([]recorder.Stop, 9)
	for i := range all {
		all[i].Step = i
	}
	if change != nil {
		change(all)
	}
	return all
}

func TestBarHasContent(t *testing.T) {
	note := func(s []recorder.Stop) { s[1].Note = "here" }
	mark := func(s []recorder.Stop) { s[1].Mark = true }
	fork := func(s []recorder.Stop) { s[1].Fork = true }
	for _, c := range []struct {
		name string
		bar  Bar
		want bool
	}{
		{"at the end of a search", Bar{Timeline: recorder.Timeline{Stops: stops(nil), At: 8}}, false},
		{"with stops ahead", Bar{Timeline: recorder.Timeline{Stops: stops(nil), At: 7}}, true},
		{"with a note", Bar{Timeline: recorder.Timeline{Stops: stops(note), At: 8}}, true},
		{"with a mark", Bar{Timeline: recorder.Timeline{Stops: stops(mark), At: 8}}, true},
		{"with a fork", Bar{Timeline: recorder.Timeline{Stops: stops(fork), At: 8}}, true},
		{"at the end of a record", Bar{Timeline: recorder.Timeline{Stops: stops(nil), At: 8}, Read: true}, true},
		{"at the only stop of a record", Bar{Timeline: recorder.Timeline{Stops: stops(nil)[:1]}, Read: true}, false},
	} {
		assert.Equal(t, c.want, c.bar.HasContent(), c.name)
	}
}

func TestLine(t *testing.T) {
	marked := stops(func(s []recorder.Stop) {
		s[2].Note, s[3].Mark, s[4].Fork = "note", true, true
		s[6].Note, s[6].Ask = "question", true
	})
	for _, c := range []struct {
		bar  Bar
		want string
	}{
		{Bar{Timeline: recorder.Timeline{Stops: marked, At: 1}, W: 19}, "1/8 ━●¶!┬┄?┄┄"},
		{Bar{Timeline: recorder.Timeline{Stops: marked, At: 8}, W: 27}, "8/8 ━━━━¶━!━┬━━━?━━━●"},
		{Bar{Timeline: recorder.Timeline{Stops: marked, At: 1}, W: 21, Playing: true}, "▸ 1/8 ━●¶!┬┄?┄┄"},
		{Bar{Timeline: recorder.Timeline{Stops: marked}, W: 24, Pages: true}, "page 1/9 ●┄¶!┬┄?┄┄"},
		{Bar{Timeline: recorder.Timeline{Stops: marked}, W: 17}, ""}, // no room
	} {
		c.bar.Style = theme.New(true, theme.NoColor, false)
		box := c.bar.Box()
		if box == nil {
			box = layout.Space(0, 0)
		}
		assert.Equal(t, c.want, strings.TrimRight(ansi.Strip(layout.Render(box, box.W, box.H)), " "))
		if c.want != "" {
			explained.Check(t, c.want, box, box.W, 1)
		}
	}
}

// The mouse finds the stop that is drawn under it, and nothing beside the bar.
func TestUnder(t *testing.T) {
	for w := 18; w < 120; w += 7 {
		b := Bar{Timeline: recorder.Timeline{Stops: stops(nil)}, Style: theme.New(true, theme.NoColor, false), W: w}
		from, cells := b.Cells()
		for i := range b.Stops {
			b.At = i
			position := from + strings.IndexRune(strings.ReplaceAll(string([]rune(ansi.Strip(b.Text()))[from-edge:]), "━",
				"-"), '●')
			if stop, ok := b.Stop(position - edge); cells >= minCells && (!ok || cells > 8 && stop != i) {
				t.Errorf("%d columns: stop %d is drawn in column %d, where %d is found", w, i, position, stop)
			}
		}
		for _, column := range []int{0, from - 1, from + cells} {
			if stop, ok := b.Stop(column - edge); ok {
				t.Errorf("%d columns: stop %d is found in column %d, beside the bar", w, stop, column)
			}
		}
	}
}
