package belief

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
)

var errBroken = errors.New("broken")

// broken is a belief of which one part fails with an error.
type broken struct {
	optimizers.Belief
	part string
	err  error
}

func (b broken) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	if b.part == "band" {
		return nil, b.err
	}
	return b.Belief.Predict(ctx, X)
}

func (b broken) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	if b.part == "samples" {
		return nil, b.err
	}
	return b.Belief.Samples(ctx, X, count, draw)
}

func (b broken) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	if b.part == "used" {
		return nil, b.err
	}
	return b.Belief.Used(ctx, X)
}

func (b broken) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	if b.part == "acquisition" {
		return nil, b.err
	}
	return b.Belief.Acquisition(ctx, X)
}

func (b broken) Allowed(context.Context, *mat.Dense) ([]bool, error) {
	if b.part == "limits" {
		return nil, b.err
	}
	return nil, nil
}

// from is a session whose belief is broken.
type from struct {
	*sessions.Session
	part string
	err  error
}

func (f from) Belief(ctx context.Context, progress sessions.Progress) (optimizers.Belief, error) {
	b, err := f.Session.Belief(ctx, progress)
	return broken{b, f.part, f.err}, err
}

// Whatever part of a belief fails, its picture is not shown as whole: the error comes out. A part that a method has not leaves its place empty instead.
func TestErrorsOfABeliefComeOut(t *testing.T) {
	ctx := context.Background()
	line := stepped(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ts", Seed: 2}, 5)
	plane := stepped(t, sessions.Config{Problem: "branin", Optimizer: "gp-ts", Seed: 2}, 5)
	looks := map[string]func(part string, err error) error{
		"along": func(part string, err error) error {
			_, err = LookAlong(ctx, from{line, part, err}, View{Samples: 2}, []float64{0.5}, nil)
			return err
		},
		"slice": func(part string, err error) error {
			_, rest, err := Look(ctx, from{line, part, err}, View{Samples: 2}, nil)
			if rest != nil {
				err = (<-rest).Err
			}
			return err
		},
		"plane": func(part string, err error) error {
			_, err = LookPlane(ctx, from{plane, part, err}, WholePlane(0, 1), Anchor(plane.State()), nil, func(*Plane) {})
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
			if err := look(part, optimizers.ErrAbsent); part != "limits" && err != nil {
				t.Errorf("%s: of absent %s comes %v", name, part, err)
			}
		}
		if err := look("", nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	several := stepped(t, sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ucb", Seed: 2}, 5)
	if _, err := LookOutcomes(ctx, from{several, "band", errBroken}, nil); !errors.Is(err, errBroken) {
		t.Errorf("outcomes: of a broken band comes %v", err)
	}
	if o, err := LookOutcomes(ctx, from{several, "band", optimizers.ErrAbsent}, nil); err != nil || o.Line != nil || o.Expected != nil {
		t.Errorf("outcomes: of an absent band comes %v", err)
	}
}
