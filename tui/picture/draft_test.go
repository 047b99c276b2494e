package picture

import (
	"fmt"
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
				var stages []any
				var before []string
				show := func(p any) { stages, before = append(stages, p), append(before, numbers(p)) }
				compute := func(s Source, staged bool) string {
					if problem == "forrester" {
						var each func(*Picture)
						if staged {
							each = func(p *Picture) { show(p) }
						}
						p, err := Compute(t.Context(), s, View{Samples: 3}, nil, each)
						require.NoError(t, err)
						return numbers(p)
					}
					var each func(*Plane)
					if staged {
						each = func(p *Plane) { show(p) }
					}
					p, err := ComputePlane(t.Context(), s, WholePlane(0, 1), Anchor(s.State()), nil, each)
					require.NoError(t, err)
					return numbers(p)
				}
				again, err := s.Detach(t.Context())
				require.NoError(t, err)
				assert.Equal(t, compute(again, false), compute(s, true), "another picture with stages")
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

// numbers are all numbers of a picture.
func numbers(p any) string {
	switch p := p.(type) {
	case *Picture:
		return fmt.Sprint(p.Grid, p.Mean, p.Lower, p.Upper, p.Samples, p.Used, p.Acquisition, p.Next, p.Partial, p.Legend)
	case *Plane:
		return fmt.Sprint(p.Fields, p.Known, p.Next, p.Partial, p.Legend)
	}
	panic("no picture")
}
