// Package trial has helpers for the tests of pictures: sessions with some steps, one whose belief fails in a part, and
// the layers of a chart by their names in the legend.
package trial

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
)

// RunSteps is a session with a number of steps.
func RunSteps(t testing.TB, cfg sessions.Config, steps int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for range steps {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// LayersNamed are the layers of a chart that a legend would name so.
func LayersNamed[L chart.Layer](c chart.Chart, name func(L) string, want string) (found []L) {
	for _, l := range c.Layers {
		if layer, ok := l.(L); ok && name(layer) == want {
			found = append(found, layer)
		}
	}
	return found
}

// PointsFor are the only points of a chart that are named so.
func PointsFor(t *testing.T, c chart.Chart, name string) chart.Points {
	t.Helper()
	found := LayersNamed(c, func(p chart.Points) string { return p.Name }, name)
	require.Equal(t, 1, len(found), "%d layers are named %q", len(found), name)
	return found[0]
}

// failingBelief is a belief that fails with an error in one part.
type failingBelief struct {
	optimizers.Belief
	part string
	err  error
}

func (b failingBelief) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	if b.part == "band" {
		return nil, b.err
	}
	return b.Belief.Predict(ctx, X)
}

func (b failingBelief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	if b.part == "samples" {
		return nil, b.err
	}
	return b.Belief.Samples(ctx, X, count, draw)
}

func (b failingBelief) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	if b.part == "used" {
		return nil, b.err
	}
	return b.Belief.Used(ctx, X)
}

func (b failingBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	if b.part == "acquisition" {
		return nil, b.err
	}
	return b.Belief.Acquisition(ctx, X)
}

func (b failingBelief) Feasible(context.Context, *mat.Dense) ([]bool, error) {
	if b.part == "limits" {
		return nil, b.err
	}
	return nil, nil
}

// FailingSession is a session whose belief fails with an error in one part: band, samples, used, acquisition or limits.
type FailingSession struct {
	*sessions.Session
	Part string
	Err  error
}

// Belief is the session's, broken.
func (f FailingSession) Belief(ctx context.Context, progress sessions.Progress) (optimizers.Belief, error) {
	b, err := f.Session.Belief(ctx, progress)
	return failingBelief{b, f.Part, f.Err}, err
}
