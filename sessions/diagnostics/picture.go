package diagnostics

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/sessions"
)

// Acquisition evaluates the acquisition function of a place of a session at points of the problem, for a picture. The
// error wraps optimizers.ErrUnsupported if the method has none.
func Acquisition(ctx context.Context, s Source, points [][]float64, progress sessions.Progress) ([]float64, error) {
	b, err := s.Belief(ctx, progress)
	if err != nil || len(points) == 0 {
		return nil, err
	}
	domain := s.State().Problem.Domain
	x := mat.NewDense(len(points), len(domain), nil)
	for i, p := range points {
		x.SetRow(i, domain.ToUnit(p))
	}
	return b.Acquisition(ctx, x)
}
