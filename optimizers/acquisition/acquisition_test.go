package acquisition

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/optimizers"
)

// waves is a model whose moments are known: μ = sin 5x, σ = (2 + cos 7x)/3, standardized.
type waves struct{ Posterior }

func (*waves) Describe() optimizers.Legend { return optimizers.Legend{Mean: "waves"} }

func (*waves) Samples(context.Context, *mat.Dense, int, uint64) ([]*mat.Dense, error) {
	return []*mat.Dense{mat.NewDense(1, 1, nil)}, nil
}

type wavesMoments struct{}

func (wavesMoments) Predict(_ context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	n, _ := X.Dims()
	mean, sd = make([]float64, n), make([]float64, n)
	for i := range n {
		mean[i], sd[i] = math.Sin(5*X.At(i, 0)), (2+math.Cos(7*X.At(i, 0)))/3
	}
	return mean, sd, nil
}

func newWaves() *waves {
	return &waves{Posterior{In: optimizers.Input{Dim: 1, Objectives: 1, Seed: 1},
		Scale: model.Standardizer{Mean: 10, SD: 4}, Surrogate: wavesMoments{}}}
}

// Each score has the value that its name says, in the units of the objective, and its derivatives equal differences.
// The displayed value is best where the score is greatest.
func TestScores(t *testing.T) {
	w := newWaves()
	for name, c := range map[string]struct {
		s    Score
		want func(mean, sd float64) float64
	}{
		"improvement": {w.ExpectedImprovement(-0.5), func(mean, sd float64) float64 {
			z := (-0.5 - mean) / sd
			return 4 * ((-0.5-mean)*math.Erfc(-z/math.Sqrt2)/2 + sd*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
		}},
		"probability": {w.ImprovementProbability(-0.2, 0.3), func(mean, sd float64) float64 {
			return math.Erfc((mean+0.5)/(sd*math.Sqrt2)) / 2
		}},
		"bound":  {w.LowerBound(1.5), func(mean, sd float64) float64 { return 10 + 4*(mean-1.5*sd) }},
		"spread": {w.StandardDeviation(), func(_, sd float64) float64 { return 4 * sd }},
	} {
		for _, values := range [][2]float64{{0, 1}, {-1, 0.3}, {1.5, 0.8}} {
			v, byMean, bySD := c.s.Value(values[0], values[1])
			if got, want := c.s.Display(v), c.want(values[0], values[1]); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s at %v is %g, want %g", name, values, got, want)
			}
			slopes := fd.Gradient(nil, func(x []float64) float64 {
				v, _, _ := c.s.Value(x[0], x[1])
				return v
			}, values[:], &fd.Settings{Formula: fd.Central})
			if math.Abs(byMean-slopes[0]) > 1e-6 || math.Abs(bySD-slopes[1]) > 1e-6 {
				t.Errorf("%s at %v has the slopes %g, %g, by differences %v", name, values, byMean, bySD, slopes)
			}
		}
		if low, _, _ := c.s.Value(0.5, 1); c.s.LowerIsBetter != (c.s.Display(low+0.1) < c.s.Display(low)) {
			t.Errorf("%s: lower is better: %v", name, c.s.LowerIsBetter)
		}
	}
}

func byScore(t *testing.T, m Model, s Score) ScoredBelief {
	t.Helper()
	b, err := NewScoredBelief(t.Context(), m, s)
	require.NoError(t, err)
	return b
}

// A ScoredBelief suggests the maximum of its score and a SampledBelief the minimum of its draw, independently of other
// beliefs of the same model. The suggestion has the prediction of the model, in the units of the objective.
func TestBeliefsOfAModel(t *testing.T) {
	ctx, w := context.Background(), newWaves()
	line := Draw{Values: func(_ context.Context, X *mat.Dense) ([]float64, error) { return mat.Col(nil, 0, X), nil }}
	for name, c := range map[string]struct {
		b    optimizers.Belief
		want float64 // where the suggestion is
	}{
		"the widest":  {byScore(t, w, w.StandardDeviation()), 0}, // also at 2π/7
		"the lowest":  {byScore(t, w, w.LowerBound(0)), 3 * math.Pi / 10},
		"a drawn one": {NewSampledBelief(w, line, "a line"), 0},
	} {
		s, err := c.b.Suggest(ctx)
		require.NoError(t, err)
		x := s.X.At(0, 0)
		if away := math.Abs(x - c.want); away > 1e-3 && (name != "the widest" || math.Abs(x-2*math.Pi/7) > 1e-3) {
			t.Errorf("%s is at %g, want %g", name, x, c.want)
		}
		bands, err := c.b.Predict(ctx, s.X)
		if err != nil || bands[0].Mean[0] != s.Mean[0] || bands[0].SD[0] != s.SD[0] ||
			math.Abs(s.Mean[0]-(10+4*math.Sin(5*x))) > 1e-9 {
			t.Errorf("%s: the suggestion has %v ± %v, the band is %v (%v)", name, s.Mean, s.SD, bands, err)
		}
		acq, err := c.b.Acquisition(ctx, s.X)
		if err != nil || math.Abs(acq[0]-s.Acquisition[0]) > 1e-9 {
			t.Errorf("%s: the acquisition there is %v, the suggestion's %v (%v)", name, acq, s.Acquisition, err)
		}
		if l := c.b.Legend(); l.Mean != "waves" || l.Acquisition == "" {
			t.Errorf("%s: the legend is %+v", name, l)
		}
		_, err = c.b.(optimizers.Spectrum).Theory(ctx)
		assert.ErrorIs(t, err, optimizers.ErrUnsupported, "%s: a model without a theory has one: %v", name, err)
	}
}
