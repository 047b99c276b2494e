package mcp_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// BenchmarkAskTell measures ask and tell at 100 results, by an agent and by the acts themselves: the difference is that
// of the protocol, which must be at most 20 ms.
func BenchmarkAskTell(b *testing.B) {
	for _, method := range []string{"random", "gp-ei"} {
		b.Run(method+"/agent", func(b *testing.B) {
			c := connect(b, hundred(b, method))
			do := func(name string, arguments map[string]any) map[string]any {
				r, err := c.CallTool(b.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
				if err != nil || r.IsError {
					b.Fatal(err, r)
				}
				return r.StructuredContent.(map[string]any)
			}
			for b.Loop() {
				asked := do("ask", map[string]any{"session": "s"})["points"].([]any)[0].(map[string]any)
				do("tell", map[string]any{"session": "s", "point": asked["point"], "values": map[string]any{"f": 1}})
			}
		})
		b.Run(method+"/acts", func(b *testing.B) {
			s, err := sessions.Open(b.Context(), filepath.Join(hundred(b, method), "s.jsonl"))
			require.NoError(b, err)
			defer s.Close()
			turn := acts.Turn{Session: s}
			for b.Loop() {
				asked, err := acts.Ask.Do(b.Context(), turn, acts.AskArgs{})
				if err == nil {
					_, err = acts.Tell.Do(b.Context(), turn, acts.TellArgs{Point: asked.Points[0].Name,
						Result: acts.Result{Values: map[string]float64{"f": 1}}})
				}
				require.NoError(b, err)
			}
		})
	}
}

// hundred is a folder with a session of 100 results.
func hundred(b *testing.B, method string) string {
	b.Helper()
	s, err := sessions.New(b.Context(), sessions.Config{Problem: "branin", Optimizer: method, Seed: 3, Budget: 1000})
	require.NoError(b, err)
	defer s.Close()
	dir, rng := b.TempDir(), rand.New(rand.NewPCG(1, 2))
	for range 100 {
		if _, err := s.Record(sessions.ByPerson, [][]float64{{rng.Float64()*15 - 5, rng.Float64() * 15}},
			functions.Outcome{Values: []float64{100 * rng.Float64()}}); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, s.SaveAs(filepath.Join(dir, "s.jsonl")))
	return dir
}
