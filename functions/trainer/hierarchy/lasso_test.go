package hierarchy

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

func TestLambdaL(t *testing.T) {
	theoryNear(t, "λ_L", LambdaL(1, 32, 8, 64, 1), 0.23270608819118963, 1e-14)
}

// With orthogonal columns of norm √T the lasso moves every coefficient of least squares towards 0 by its weight.
func TestLassoOfOrthogonalColumns(t *testing.T) {
	const rows, dims, lambda = 64, 32, 0.4
	source := trainer.NewSource(1, 65)
	var q mat.QR
	q.Factorize(mat.NewDense(rows, dims, source.Normals(rows*dims)))
	var full mat.Dense
	q.QTo(&full)
	dictionary := mat.DenseCopyOf(full.Slice(0, rows, 0, dims))
	dictionary.Scale(math.Sqrt(rows), dictionary)
	y := source.Normals(rows)
	for j, amounts := range []float64{2, -1.5, 1} {
		floats.AddScaled(y, amounts, mat.Col(nil, 5*j, dictionary))
	}
	alpha, err := Lasso(dictionary, y, lambda)
	require.NoError(t, err)
	zeros := 0
	for j, got := range alpha {
		ols := floats.Dot(mat.Col(nil, j, dictionary), y) / rows
		want := 0.0
		switch {
		case ols > lambda:
			want = ols - lambda
		case ols < -lambda:
			want = ols + lambda
		default:
			zeros++
		}
		assert.InDelta(t, want, got, 1e-12, "coefficient %d", j)
	}
	if zeros < 20 || zeros == dims {
		t.Errorf("%d of %d coefficients are 0", zeros, dims)
	}
}

// With any columns the subgradient holds 0: the residual's pull is λ where a coefficient is not 0, in its direction,
// and at most λ elsewhere.
func TestLassoIsStationary(t *testing.T) {
	const rows, dims, lambda = 40, 60, 0.3
	source := trainer.NewSource(2, 66)
	dictionary, y := mat.NewDense(rows, dims, source.Normals(rows*dims)), source.Normals(rows)
	alpha, err := Lasso(dictionary, y, lambda)
	require.NoError(t, err)
	rest := mat.NewVecDense(rows, nil)
	rest.MulVec(dictionary, mat.NewVecDense(dims, alpha))
	rest.SubVec(mat.NewVecDense(rows, y), rest)
	some := false
	for j, a := range alpha {
		pull := mat.Dot(dictionary.ColView(j), rest) / rows
		if a != 0 {
			some = true
			assert.InDelta(t, math.Copysign(lambda, a), pull, 1e-9, "coefficient %d is %v with the pull", j, a)
		} else if math.Abs(pull) > lambda+1e-9 {
			t.Errorf("coefficient %d is 0 with the pull %v", j, pull)
		}
	}
	assert.True(t, some, "all coefficients are 0")
	_, err = Lasso(mat.NewDense(2, 1, nil), []float64{1, 2}, 1)
	assert.Error(t, err, "a column of zeros is taken")
}

// Of orthogonal columns the lasso finds those whose coefficients are well above λ_L = 0.233, and hardly ever one too
// many: its bound is 4 exp(-c T λ²) on failing.
func TestRecovered(t *testing.T) {
	weak, wrong := 0, 0
	for seed := range uint64(60) {
		truth, found, err := RecoverBasis(seed)
		require.NoError(t, err)
		for _, j := range truth[:3] {
			if !slices.Contains(found, j) {
				t.Errorf("seed %d: column %d is not found", seed, j)
			}
		}
		for _, j := range found {
			switch {
			case j == truth[3]:
				weak++
			case !slices.Contains(truth, j):
				wrong++
			}
		}
	}
	// By the normal distribution of sd 1/√(64·8), the coefficient of ¼ is beyond λ_L with probability 0.652, and one of
	// 28 zeros with 4e-6.
	if se := math.Sqrt(60 * 0.652 * 0.348); math.Abs(float64(weak)-60*0.652) > 4*se || wrong > 0 {
		t.Errorf("the coefficient of a quarter is found %d times of 60, and %d columns that are none", weak, wrong)
	}
}
