package hierarchy

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

func theoryNear(t *testing.T, subject string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s is %.17g, want %.17g", subject, got, want)
	}
}

func example(t testing.TB, beta float64) *TwoLevel {
	t.Helper()
	two, err := ExampleTwoLevel(beta)
	require.NoError(t, err)
	return two
}

// beta is the greatest distance of a child's parameters from the root's.
func (t *TwoLevel) beta() (most float64) {
	for _, offset := range t.offsets {
		most = max(most, floats.Norm(offset, 2))
	}
	return most
}

// The numbers are those of another implementation, in numpy 2, by the matrices of the estimator.
func TestRisksOfTheExample(t *testing.T) {
	two := example(t, 0.2)
	for j, want := range []float64{0.8998649620424187, 1, 1, 1.0998908973325814} {
		theoryNear(t, "an eigenvalue", two.spectrum[j], want, 1e-12)
	}
	lambda := two.LambdaE(two.beta())
	theoryNear(t, "β", two.beta(), 0.2, 1e-14)
	theoryNear(t, "λ_E", lambda, 1.5625, 1e-12)
	theoryNear(t, "r²", two.maxRowNorm2, 5.906982421875, 1e-14)
	theoryNear(t, "the risk of least squares", two.OLS(), 0.0625, 1e-15)
	theoryNear(t, "the thesis's bound (6.9)", two.Bound(Thesis, 0.2), 0.19515290488641934, 1e-12)
	theoryNear(t, "(6.16)", two.Bound(Constants{Lead: 1}, 0.2), 0.049425968295473126, 1e-12)
	for n, want := range map[int]float64{
		0: 0.02438462809206029, 1: 0.024343375292086605, 3: 0.024335492136668548, 4: 0.02438462809206029} {
		theoryNear(t, "the risk of ψ̃", two.Ridge(n, lambda), want, 1e-12)
	}
	for n, want := range []float64{
		0.03100806207311671, 0.030966809273143006, 0.031000984211612966, 0.03095892611772496} {
		theoryNear(t, "the risk of θ̂", two.Risk(n, lambda), want, 1e-12)
		theoryNear(t, "the risk of the child across", two.Risk(n+4, lambda), want, 1e-12)
	}
	theoryNear(t, "the mean risk", two.MeanRisk(lambda), 0.03098369541889941, 1e-12)
}

// What the estimator does on drawn observations has the exact risk as its mean, with and without shrinkage.
func TestExactRiskIsTheEstimatorsMean(t *testing.T) {
	two := example(t, 0.2)
	const draws, leaves = 500, 8
	for i, lambda := range []float64{0, 0.3, 1.5625, 1e9} {
		source := trainer.NewSource(uint64(i), 61)
		var sum, squares [leaves]float64
		for range draws {
			_, children, err := two.Estimate(two.draw(source), lambda)
			require.NoError(t, err)
			for n, loss := range two.losses(children) {
				sum[n] += loss
				squares[n] += loss * loss
			}
		}
		for n := range leaves {
			mean := sum[n] / draws
			se := math.Sqrt((squares[n]/draws - mean*mean) / draws)
			if exact := two.Risk(n, lambda); math.Abs(mean-exact) > 4*se {
				t.Errorf("λ %v: child %d has the mean loss %v ± %v over draws, and the risk %v", lambda, n, mean, se,
					exact)
			}
		}
	}
}

func TestSimulationIsOfTheMeanRisk(t *testing.T) {
	two := example(t, 0.5)
	mean, se, err := two.Simulate(context.Background(), 300, 0.7, 1)
	require.NoError(t, err)
	if exact := two.MeanRisk(0.7); math.Abs(mean-exact) > 4*se || se > exact/10 {
		t.Errorf("the mean loss is %v ± %v, the risk %v", mean, se, exact)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = two.Simulate(ctx, 300, 0.7, 1)
	assert.Error(t, err, "a simulation that was stopped goes on")
}

// No weight is least squares; an endless one gives every child the root's estimate.
func TestLimitsOfTheWeight(t *testing.T) {
	two := example(t, 0.2)
	source := trainer.NewSource(3, 62)
	y := mat.NewDense(64, 8, source.Normals(64*8))
	root, free, err := two.Estimate(y, 0)
	require.NoError(t, err)
	var ols mat.Dense
	require.NoError(t, ols.Solve(two.basis, y))
	assert.True(t, mat.EqualApprox(free, &ols, 1e-12), "without a weight the children are not those of least squares")
	_, tied, err := two.Estimate(y, 1e15)
	require.NoError(t, err)
	for n := range 8 {
		for k, v := range root {
			if math.Abs(tied.At(k, n)-v) > 1e-12 {
				t.Errorf("parameter %d of child %d is %v under an endless weight, the root's %v", k, n, tied.At(k, n),
					v)
			}
		}
		theoryNear(t, "the risk without a weight", two.Risk(n, 0), two.OLS(), 1e-13)
		bias := two.Ridge(n, math.Inf(1))
		theoryNear(t, "the risk under an endless weight", two.Risk(n, math.Inf(1)), bias+two.Root(), 1e-13)
	}
	same := example(t, 0)
	theoryNear(t, "the risk of equal children", same.MeanRisk(same.LambdaE(0)), same.Root(), 1e-13)
	if distance := example(t, 1e4); math.Abs(distance.MeanRisk(distance.LambdaE(1e4))/distance.OLS()-1) > 1e-6 {
		t.Errorf("children far from their root have the risk %v, least squares %v", distance.MeanRisk(distance.LambdaE(1e4)),
			distance.OLS())
	}
}

// Over any spectra the risk of Algorithm 6.2 is below the bound that its closed form gives, and so below the thesis's
// and the one that its proof gives when it is repaired.
func TestBoundsHoldOverRandomHierarchies(t *testing.T) {
	source := trainer.NewSource(11, 63)
	var closest float64
	for range 400 {
		dims, leaves := 1+source.IntN(40), 1+source.IntN(20)
		basis := mat.NewDense(dims, dims, nil)
		for j := range dims {
			basis.Set(j, j, math.Pow(10, 6*source.Float64()-3))
		}
		var children [][]float64
		scale, steep := math.Pow(10, 4*source.Float64()-2), 3*source.Float64()
		for range leaves {
			child := source.Normals(dims)
			for j := range child {
				child[j] *= scale * math.Exp(-steep*float64(j))
			}
			children = append(children, child)
		}
		two, err := NewTwoLevel(basis, children, math.Pow(10, 2*source.Float64()-1))
		require.NoError(t, err)
		beta := two.beta()
		if leaves == 1 {
			beta = scale
		}
		lambda := two.LambdaE(beta)
		for n := range leaves {
			risk := two.Risk(n, lambda)
			closest = max(closest, risk/two.Bound(Proven, beta))
			for _, c := range []Constants{Proven, Thesis, Safe} {
				if bound := two.Bound(c, beta); risk > bound*(1+1e-12) {
					t.Fatalf("d %d, L %d: the risk %v is above the bound %v of %v", dims, leaves, risk, bound, c)
				}
			}
		}
	}
	if closest < 0.4 {
		t.Errorf("no hierarchy came nearer than %v to the bound: the test sees too little", closest)
	}
}

func TestHierarchiesThatCannotBe(t *testing.T) {
	square := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
	for name, try := range map[string]func() error{
		"no child": func() error { _, err := NewTwoLevel(square, nil, 1); return err },
		"no noise": func() error { _, err := NewTwoLevel(square, [][]float64{{1, 2}}, 0); return err },
		"a child of another length": func() error {
			_, err := NewTwoLevel(square, [][]float64{{1, 2, 3}}, 1)
			return err
		},
		"columns that depend": func() error {
			_, err := NewTwoLevel(mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2}), [][]float64{{1, 2}}, 1)
			return err
		},
		"numbers that are none": func() error {
			_, err := NewTwoLevel(mat.NewDense(3, 2, []float64{1, 0, math.NaN(), 1, 1, 1}), [][]float64{{1, 2}}, 1)
			return err
		},
		"observations of another size": func() error {
			two, err := NewTwoLevel(square, [][]float64{{1, 2}}, 1)
			if err == nil {
				_, _, err = two.Estimate(mat.NewDense(2, 1, nil), 1)
			}
			return err
		},
	} {
		assert.Error(t, try(), "%s: there is no error", name)
	}
}
