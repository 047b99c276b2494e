package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The budget is asked for until the answer is a number; an empty one keeps the default, and a declared one is not asked.
func TestAskBudget(t *testing.T) {
	const text = "name = \"tea\"\n[[variable]]\nname = \"minutes\"\nlow = 1\nhigh = 9\n[[objective]]\nname = \"taste\"\n" +
		"direction = \"maximize\"\n"
	for _, c := range []struct {
		first, typed string
		budget, asks int
	}{{"", "14\n", 14, 1}, {"", "\n", 0, 1}, {"", "", 0, 1}, {"", "many\n0\n33", 33, 3}, {"budget = 8\n", "14\n", 0, 0}} {
		path := filepath.Join(t.TempDir(), "tea.toml")
		require.NoError(t, os.WriteFile(path, []byte(c.first+text), 0o600))
		s := settings{File: path, Seed: 1}
		var out strings.Builder
		require.NoError(t, s.askBudget(strings.NewReader(c.typed), &out))
		if asks := strings.Count(out.String(), "How many"); s.Budget != c.budget || asks != c.asks {
			t.Errorf("%q: budget %d after %d questions, want %d after %d", c.typed, s.Budget, asks, c.budget, c.asks)
		}
	}
	s := settings{Function: "branin", Optimizer: "random"}
	if err := s.askBudget(strings.NewReader("3\n"), io.Discard); err != nil || s.Budget != 0 {
		t.Errorf("a test function: budget %d, %v", s.Budget, err)
	}
}
