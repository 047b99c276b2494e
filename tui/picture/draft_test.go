package picture

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/picture/internal/trial"
)

// A picture is the same with and without its stages, although the next points are found beside them, and a stage is
// never changed once it is shown.
func TestStagesChangeNothing(t *testing.T) {
	for _, method := range []string{"gp-ei", "gp-ts", "neural-ucb", "random"} {
		for _, problem := range []string{"forrester", "branin"} {
			cfg := sessions.Config{Problem: problem, Optimizer: method, Seed: 3}
			t.Run(method+" "+problem, func(t *testing.T) {
				s := trial.RunSteps(t, cfg, 6)
				var stages []*Posterior
				var before []string
				show := func(p *Posterior) { stages, before = append(stages, p), append(before, numbers(p)) }
				view := View{Samples: 3}
				if problem != "forrester" {
					view = WholePlane(0, 1)
				}
				compute := func(s Source, each func(*Posterior)) string {
					p, err := Compute(t.Context(), s, view, nil, nil, each)
					require.NoError(t, err)
					return numbers(p)
				}
				again, err := s.Detach(t.Context())
				require.NoError(t, err)
				assert.Equal(t, compute(again, nil), compute(s, show), "another picture with stages")
				for i, p := range stages {
					assert.Equal(t, before[i], numbers(p), "stage %d was changed", i)
				}
				if len(stages) < 3 {
					t.Errorf("%d stages", len(stages))
				}
			})
		}
	}
}

// numbers are all numbers of a posterior.
func numbers(p *Posterior) string {
	text := ""
	for _, f := range slices.Concat(p.Fields[:], p.Samples) {
		text += fmt.Sprint(f.Field, f.X)
	}
	return text + fmt.Sprint(p.Known, p.Next, p.Partial, p.Legend)
}
