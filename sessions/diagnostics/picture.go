package diagnostics

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"bandscope/sessions"
)

// Acquisition is that of where a session stands at points of the problem, for a picture of it. The error wraps
// optimizers.ErrUnsupported where the method has none.
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
