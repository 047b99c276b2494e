package sessions

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Another expected duration is recorded, read again, undone by a step back, and no belief depends on it.
func TestExpectDuration(t *testing.T) {
	cfg, err := Config{Seed: 3, Optimizer: "random"}.WithExperiment("../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s, err := New(t.Context(), cfg)
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Ask(t.Context(), nil)
	require.NoError(t, err)
	before, model := s.State(), s.State().ModelID()
	require.NoError(t, s.ExpectDuration("36h", "the oven is slow"))
	if got := s.State().ExpectedDuration(); got != 36*time.Hour || before.ExpectedDuration() != 0 {
		t.Errorf("a result takes %v, before %v", got, before.ExpectedDuration())
	}
	assert.Equal(t, model, s.State().ModelID(), "the belief depends on the duration")
	for text, want := range map[string]string{"36h": "already declared", "soon": "a duration is a number"} {
		assert.ErrorContains(t, s.ExpectDuration(text, ""), want, "%q", text)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	again, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer again.Close()
	again.Last()
	assert.Equal(t, 36*time.Hour, again.State().ExpectedDuration(), "opened again, a result takes")
	h, err := again.History()
	require.NoError(t, err)
	if n := len(h.Acts); n == 0 || h.Acts[n-1].Text != "a result usually takes 36h, because the oven is slow" {
		t.Errorf("the history is %+v", h.Acts)
	}
	if err := again.ExpectDuration("", ""); err != nil || again.State().ExpectedDuration() != 0 {
		t.Errorf("without a duration: %v, %v", again.State().ExpectedDuration(), err)
	}
	fixed, err := New(t.Context(), Config{Problem: "forrester", Optimizer: "random"})
	require.NoError(t, err)
	defer fixed.Close()
	assert.ErrorContains(t, fixed.ExpectDuration("2d", ""), "test function", "of a test function")
}
