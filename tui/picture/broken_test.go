package picture

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/picture/internal/trial"
)

var errBroken = errors.New("broken")

// Whatever part of a belief fails, its picture is not shown as whole: the error comes out. A part that a method has not
// leaves its place empty instead.
func TestErrorsOfABeliefComeOut(t *testing.T) {
	ctx := context.Background()
	line := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ts", Seed: 2}, 5)
	plane := trial.RunSteps(t, sessions.Config{Problem: "branin", Optimizer: "gp-ts", Seed: 2}, 5)
	looks := map[string]func(part string, err error) error{
		"along": func(part string, err error) error {
			_, err = ComputeSlice(ctx, trial.FailingSession{Session: line, Part: part, Err: err}, View{Samples: 2},
				[]float64{0.5}, nil)
			return err
		},
		"slice": func(part string, err error) error {
			_, err = Compute(ctx, trial.FailingSession{Session: line, Part: part, Err: err}, View{Samples: 2}, nil, nil, nil)
			return err
		},
		"draft": func(part string, err error) error {
			_, err = Compute(ctx, trial.FailingSession{Session: line, Part: part, Err: err}, View{Samples: 2}, nil, nil,
				func(*Posterior) {})
			return err
		},
		"plane": func(part string, err error) error {
			_, err = Compute(ctx, trial.FailingSession{Session: plane, Part: part, Err: err}, WholePlane(0, 1),
				Anchor(plane.State()), nil, nil)
			return err
		},
	}
	for name, look := range looks {
		for _, part := range []string{"band", "samples", "used", "acquisition", "limits"} {
			if name == "plane" && part == "samples" { // draw 0 is the function in use
				continue
			}
			if err := look(part, errBroken); !errors.Is(err, errBroken) {
				t.Errorf("%s: of broken %s comes %v", name, part, err)
			}
			if err := look(part, optimizers.ErrUnsupported); part != "limits" && err != nil {
				t.Errorf("%s: of absent %s comes %v", name, part, err)
			}
		}
		assert.NoError(t, look("", nil), name)
	}
}
