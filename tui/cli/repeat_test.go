package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/report"
)

// The command that the explorer copies makes the same suggestions and results as the session, through a shell.
func TestRepeatCommandRepeats(t *testing.T) {
	path, err := program()
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, cfg := range []sessions.Config{
		{Problem: "branin", Optimizer: "gp-ei", Noise: 1 / 3., Params: map[string]any{"kernel": "se", "noise": "fixed",
			"noise_sd": 0.1234567890123456}},
		{Problem: "hartmann:3", Optimizer: "gp-ucb", Budget: 33},
		{Problem: "forrester", Optimizer: "cost-ids", Cost: "1 + exp(x) * (x > 0.5 ? 2 : 1)", CostBudget: 200.1},
		{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Params: map[string]any{"prior": "box(0.5..0.9, any) + flat"}},
		{Problem: "solvents", Optimizer: "random"},
		{Problem: "gp-draw:2", Optimizer: ""},
	} {
		cfg.Seed = rng.Uint64()
		s, err := sessions.New(t.Context(), cfg)
		if err != nil {
			t.Errorf("%+v: %v", cfg, err)
			continue
		}
		defer s.Close()
		for range 4 {
			_, err = s.Step(t.Context(), nil)
			require.NoError(t, err, "%+v", cfg)
		}
		line, err := report.RepeatCommand(t.Context(), s)
		if err != nil {
			t.Errorf("%+v: %v", cfg, err)
			continue
		}
		c := exec.CommandContext(t.Context(), "sh", "-c", line+" --json")
		c.Env = append(c.Environ(), "PATH="+filepath.Dir(path))
		out, err := c.Output()
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got := rows(t, string(out))
		want := s.State().Iterations
		require.Equal(t, len(want)+1, len(got), "%s prints %d lines", line, len(got))
		for k, it := range want {
			var x, y []any
			for _, pt := range it.Points {
				var row, values []any
				for j, v := range pt.X {
					if d := s.State().Problem.Domain[j]; d.Levels() > 0 && d.Choices != nil {
						row = append(row, d.Choices[int(v)])
					} else {
						row = append(row, v)
					}
				}
				for _, v := range pt.Y {
					values = append(values, v)
				}
				x, y = append(x, row), append(y, values)
			}
			if !reflect.DeepEqual(got[k]["x"], any(x)) || !reflect.DeepEqual(got[k]["y"], any(y)) {
				t.Errorf("%s: step %d is %v, %v, want %v, %v", line, k+1, got[k]["x"], got[k]["y"], fmt.Sprint(x), y)
			}
		}
	}
}
