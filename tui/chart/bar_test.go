package chart

import (
	"math"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// A bar is heavy from the low to the high end of its part, and has a mark, and a line at 0 within the scale.
func TestBar(t *testing.T) {
	log := Scale{From: 0.01, To: 100, Log: true}
	for _, c := range []struct {
		name string
		bar  Bar
		w    int
		want string
	}{
		{"an interval", Bar{Low: 0.1, High: 10, Mark: 1, Scale: log}, 9, "──━━●━━──"},
		{"a value", Bar{Low: 100, High: 100, Mark: 100, Scale: log}, 5, "────●"},
		{"beyond the scale", Bar{Low: 1e-9, High: 1e9, Mark: 1e9, Scale: log}, 5, "━━━━●"},
		{"with 0", Bar{Low: 0.5, High: 1, Mark: 0.75, Scale: Scale{From: -1, To: 1}}, 9, "────│─━●━"},
		{"a share", Share(0.25), 8, "━━──────"},
		{"nothing", Share(0), 4, "────"},
		{"all", Share(1), 4, "━━━━"},
		{"a share without a value", Share(math.NaN()), 4, "────"},
		{"no room", Share(1), 0, ""},
	} {
		assert.Equal(t, c.want, ansi.Strip(c.bar.Text(theme.New(true, theme.TrueColor, false), c.w, theme.Color{})), c.name)
	}
	assert.Equal(t, "--==O==--", Bar{Low: 0.1, High: 10, Mark: 1, Scale: log}.Text(theme.New(true, theme.NoColor, true), 9, theme.Color{}))
}
