package playground

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/player"
)

// A result that another program adds is shown.
func TestFollowsOthers(t *testing.T) {
	d := open(t, 120, 36, trueColor)
	d.Settle()
	other, err := sessions.Open(t.Context(), d.path)
	require.NoError(t, err)
	defer other.Close()
	before := len(d.M.state.Results())
	wait := d.M.Follow()
	require.NoError(t, other.AddResult(0.4, 1))
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	if n := len(d.M.state.Results()); n != before+1 {
		t.Errorf("%d results after %d", n, before)
	}
	assert.NotNil(t, d.M.Follow(), "it follows no more")
}
