package inspection

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// fan is a belief that draws linear functions of two inputs, whose directions fan out over a right angle.
type fan struct{ known }

func (fan) Samples(_ context.Context, X *mat.Dense, count int, _ uint64) ([]*mat.Dense, error) {
	n, _ := X.Dims()
	drawn := mat.NewDense(count, n, nil)
	for i := range count {
		sin, cos := math.Sincos(float64(i) / float64(count-1) * math.Pi / 2)
		for r := range n {
			drawn.Set(i, r, 10+floats.Dot([]float64{cos, sin}, X.RawRowView(r)[:2]))
		}
	}
	return []*mat.Dense{drawn}, nil
}

// The share of a linear function's variance is the square of its direction cosine, so the interval over a fan has a
// closed form; an input on which nothing depends, or that is fixed, has none. A belief without functions says so.
func TestImportances(t *testing.T) {
	in := optimizers.Input{Dim: 4, Objectives: 1, Low: []float64{0, 0, 0, 0.5}, High: []float64{1, 1, 1, 0.5}}
	got, err := Importances(t.Context(), in, fan{})
	require.NoError(t, err)
	low, high := math.Pow(math.Cos(0.95*math.Pi/2), 2), math.Pow(math.Cos(0.05*math.Pi/2), 2)
	for j, want := range []Importance{{0.5, low, high}, {0.5, low, high}, {0, 0, 0}, {0, 0, 0}} {
		if g := got[0][j]; math.Abs(g.Median-want.Median) > 0.05 || math.Abs(g.Low-want.Low) > 0.05 ||
			math.Abs(g.High-want.High) > 0.05 {
			t.Errorf("input %d has the importance %+v, want %+v", j+1, g, want)
		}
	}
	if _, err := Importances(t.Context(), in, known{}); optimizers.IgnoreUnsupported(err) != nil || err == nil {
		t.Errorf("a belief that draws no functions: %v", err)
	}
}
