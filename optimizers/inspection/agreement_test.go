package inspection

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// Equal values share the mean of their ranks.
func TestRanks(t *testing.T) {
	if got := ranks([]float64{3, 1, 3, 2, 3}); !slices.Equal(got, []float64{3, 0, 3, 1, 3}) {
		t.Errorf("%v", got)
	}
}

// Shares are of the others that are worse.
func TestShares(t *testing.T) {
	if got := RankShares([]float64{3, 1, 2}, false); !slices.Equal(got, []float64{1, 0, 0.5}) {
		t.Errorf("%v", got)
	}
	if got := RankShares([]float64{3, 1, 2}, true); !slices.Equal(got, []float64{0, 1, 0.5}) {
		t.Errorf("where less is better %v", got)
	}
}

// shaped is a belief whose acquisition is a function of the first input.
type shaped struct {
	optimizers.Unsupported
	of    func(u float64) float64
	lower bool
}

func (s shaped) Legend() optimizers.Legend { return optimizers.Legend{LowerIsBetter: s.lower} }
func (shaped) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{}, optimizers.ErrUnsupported
}
func (s shaped) Acquisition(_ context.Context, X *mat.Dense) ([]float64, error) {
	v := mat.Col(nil, 0, X)
	for i := range v {
		v[i] = s.of(v[i])
	}
	return v, nil
}

// Acquisitions agree where they rank alike, whatever their scale and whichever end is better: of x beside |x − ½| by
// ranks nothing is in common, of x beside x² all; of the best tenths of x and |x − ½|, (0.9, 1) and both ends, a half
// is shared.
func TestAgreement(t *testing.T) {
	in := optimizers.Input{Dim: 2, Objectives: 1}
	line := shaped{of: func(u float64) float64 { return u }}
	for _, c := range []struct {
		other optimizers.Belief
		want  Agreement
		slack float64
	}{
		{shaped{of: math.Exp}, Agreement{1, 1}, 1e-12},
		{shaped{of: func(u float64) float64 { return -u * u }, lower: true}, Agreement{1, 1}, 1e-12},
		{shaped{of: func(u float64) float64 { return u }, lower: true}, Agreement{-1, 0}, 1e-12},
		{shaped{of: func(u float64) float64 { return math.Abs(u - 0.5) }}, Agreement{0, 0.5}, 0.05},
	} {
		if got, err := CompareAcquisitions(t.Context(), in, line, c.other); err != nil ||
			!(math.Abs(got.Correlation-c.want.Correlation) <= c.slack) ||
			!(math.Abs(got.Overlap-c.want.Overlap) <= c.slack) {
			t.Errorf("they agree by %+v, want %+v (%v)", got, c.want, err)
		}
	}
}
