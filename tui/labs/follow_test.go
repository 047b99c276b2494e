package labs

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/training"
	"bandscope/tui/player"
)

// Updates that another program trains are shown.
func TestFollowsOthers(t *testing.T) {
	spec, err := training.FindBuiltin("flops")
	require.NoError(t, err)
	s, err := training.New(spec, map[string]any{"steps": 20, "dim": 8, "hidden": 8, "batch": 8})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "lab.jsonl")
	require.NoError(t, s.SaveAs(path))
	other, err := training.Open(t.Context(), path)
	require.NoError(t, err)
	defer other.Close()
	d := begin(t, New(s, ""), 120, 36, trueColor)
	d.Settle()
	wait := d.M.Follow()
	step(t, other, 3)
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	d.Shows("update 3/20")
	assert.NotNil(t, d.M.Follow(), "it follows no more")
}
