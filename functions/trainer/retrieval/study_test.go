//go:build study

package retrieval

import (
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"bandscope/functions/trainer"
)

// trained is a whole training, with the processor's time that it took.
func trained(t *testing.T, s Setting) (*Training, Metrics) {
	t.Helper()
	begin := processor()
	a := begun(t, s)
	step(t, a, s.Steps)
	used := processor() - begin
	j := a.Evaluate()
	t.Logf("%s %s λ=%.4g anneal %.3g d=%d η=%.3g m=%.3g ς_γ=%g data %d seed %d, %d updates: recall@1 %.2f prec@4 %.2f F %.4g p̄ %.4f R_sub %.3f dead %d, %.1f B a row; %.2f s",
		s.Activation, s.Regularizer, s.Lambda, s.Anneal, s.Dim, s.Rate, s.Margin, s.SpreadGamma, s.Data, s.Seed,
		s.Steps,
		j.Recall1, j.Precision4, j.Flops, j.Mean, j.Sub, j.Dead, j.IndexBytes, used.Seconds())
	return a, j
}

// processor is the time that this process has used of processors.
func processor() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano())
}

// A whole training of 400 updates ends where another implementation's does, and its activity is near that of the toy.
func TestWholeTraining(t *testing.T) {
	s := Defaults()
	s.Steps = 400
	a, j := trained(t, s)
	within(t, "recall@1", j.Recall1, 61.25, 5)
	within(t, "F", j.Flops, 1.93, 0.3)
	within(t, "p̄", j.Mean, 0.1185, 0.01)
	within(t, "R_sub", j.Sub, 1.075, 0.03)
	assert.Equal(t, 0, j.Dead, "%d dimensions are dead", j.Dead)
	toy := a.ActivationProbabilities()
	sum, most := 0.0, 0.0
	for k := range toy {
		apart := math.Abs(toy[k] - j.Active[k])
		sum += apart / float64(len(toy))
		most = max(most, apart)
	}
	t.Logf("mean β %.3f, mean γ %.3f, Σ Φ² %.3f, Σ p̄² %.3f, p̄_j from the toy's on average %.4f, at most %.4f",
		Mean(a.p.beta), Mean(a.p.gamma), Flops(toy), Flops(j.Active), sum, most)
	within(t, "the mean β", Mean(a.p.beta), -1.10, 0.05)
	within(t, "the mean γ", Mean(a.p.gamma), 0.95, 0.05)
	within(t, "Σ Φ(β/γ)²", Flops(toy), 2.11, 0.2)
	within(t, "the mean distance from the toy", sum, 0.027, 0.01)
	within(t, "the largest distance from the toy", most, 0.080, 0.04)
}

// Without annealing the weight λ = 20 kills the training, annealed it does not.
func TestAnnealingAtFullSize(t *testing.T) {
	for _, act := range []Activation{ReLU, SThresh} {
		s := Defaults()
		s.Steps, s.Lambda, s.Activation = 400, 20, act
		s.Anneal = 0
		_, without := trained(t, s)
		s.Anneal = 1
		_, with := trained(t, s)
		if act == ReLU && (without.Recall1 >= 10 || without.Dead <= 90 || with.Dead >= 5) ||
			without.Recall1 >= with.Recall1/2 || with.Recall1 <= 50 {
			t.Errorf("%s: recall@1 is %v without annealing and %v with it, %d and %d are dead", act, without.Recall1,
				with.Recall1, without.Dead, with.Dead)
		}
	}
}

// From an uneven start the relaxation finds as much as ℓ1 and needs a small part of the multiplications, as its
// dimensions end more equal.
func TestUnevenStart(t *testing.T) {
	for seed := uint64(1); seed <= 2; seed++ {
		s := Defaults()
		s.Data, s.Seed, s.Activation, s.SpreadGamma = seed, seed, SThresh, 0.8
		s.Lambda = 18
		_, relaxation := trained(t, s)
		s.Lambda, s.Regularizer = 1.4, L1
		_, l1 := trained(t, s)
		if relaxation.Sub >= l1.Sub || relaxation.Flops >= l1.Flops/2 {
			t.Errorf("seed %d: R_sub %v and %v, F %v and %v", seed, relaxation.Sub, l1.Sub, relaxation.Flops, l1.Flops)
		}
	}
}

// The dense reference.
func TestDenseReference(t *testing.T) {
	for seed, want := range map[uint64]struct{ recall, precision float64 }{1: {82.75, 74.7}, 2: {89, 81.9}} {
		s := Defaults()
		s.Data, s.Seed, s.Steps, s.Activation, s.Lambda = seed, seed, 400, Identity, 0
		_, j := trained(t, s)
		within(t, "recall@1", j.Recall1, want.recall, 5)
		within(t, "precision@4", j.Precision4, want.precision, 5)
		within(t, "F", j.Flops, 128, 0)
	}
}

// What was measured on minibatches along whole trainings, by another implementation.
func TestTracesOfTheReference(t *testing.T) {
	type at struct {
		step             int
		mean, flops, sub float64
		dead             int
	}
	even := Defaults()
	even.Seed, even.Anneal, even.Lambda = 1, 0, 20
	uneven := Defaults()
	uneven.Seed, uneven.Activation, uneven.SpreadGamma, uneven.Lambda = 1, SThresh, 0.8, 18
	l1 := uneven
	l1.Regularizer, l1.Lambda = L1, 1.4
	for _, c := range []struct {
		s    Setting
		want []at
	}{
		{even, []at{{0, .501, 32.3, 1.005, 0}, {20, .139, 2.55, 1.04, 0}, {40, .019, .126, 2.8, 57},
			{80, .017, .145, 4.0, 85}, {299, .002, .011, 17, 118}}},
		{uneven, []at{{0, .550, 46.9, 1.21, 0}, {80, .653, 61.7, 1.13, 0}, {160, .582, 47.0, 1.09, 0},
			{240, .108, 1.85, 1.25, 0}, {299, .096, 1.52, 1.28, 20}}},
		{l1, []at{{80, .628, 58.8, 1.16, 0}, {160, .554, 47.4, 1.21, 0}, {240, .229, 13.3, 1.97, 0},
			{299, .188, 9.48, 2.11, 14}}},
	} {
		a := begun(t, c.s)
		for _, want := range c.want {
			for a.At() <= want.step {
				step(t, a, 1)
			}
			got := a.Last()
			t.Logf("%s %s λ=%g update %d: p̄ %.3f F %.3g R_sub %.3g dead %d, metric loss %.2f; the reference %+v",
				c.s.Activation, c.s.Regularizer, c.s.Lambda, want.step, got.Mean, got.Flops, got.Sub, got.Dead,
				got.Metric, want)
			if chaotic := c.s.Anneal == 0 && want.step > 20; !chaotic {
				near(t, "p̄", got.Mean, want.mean, 0.1)
				near(t, "F", got.Flops, want.flops, 0.15)
				near(t, "R_sub", got.Sub, want.sub, 0.1)
			} else if got.Dead < 40 || got.Metric < 8 {
				t.Errorf("update %d: %d are dead, the loss is %v", want.step, got.Dead, got.Metric)
			}
		}
	}
}

// The first points of a random search, and those of its front that find more than 18 %, with what another
// implementation found at them. Where the weight kills dimensions before the network has learned, the two part by
// rounding; elsewhere they agree to all digits that are known.
func TestPointsOfTheSearch(t *testing.T) {
	found := []struct {
		recall, flops float64
		lambda        float64 // to two or three digits, by which the point is known, with its dimension and annealing
		dim           int
		anneal        float64
	}{
		{8.25, 0.5315, 29.6, 40, 0.02},
		{60.25, 4.6288, 2.92, 38, 1},
		{74.25, 32.266, 1.29, 95, 0.86},
		{18.5, 0.106, 27.6, 82, 0.57},
		{20.75, 0.107, 44.5, 99, 0.83},
		{25, 0.218, 31.2, 44, 0.81},
		{35.75, 0.311, 19, 139, 0.24},
		{39, 0.419, 16.3, 108, 0.28},
		{40.75, 0.47, 20.4, 138, 0.57},
		{45.25, 0.849, 10.3, 107, 0.19},
		{45.75, 1.096, 29.4, 159, 0.97},
		{50.25, 1.165, 13.1, 152, 0.47},
		{51.25, 1.505, 19, 126, 0.98},
		{63.5, 1.719, 7.7, 117, 0.23},
		{69.75, 3.521, 8.3, 152, 0.95},
		{70.5, 4.783, 3.3, 102, 0.96},
		{73.5, 5.929, 2.3, 159, 0.44},
		{75.5, 6.162, 2.2, 111, 0.7},
		{76.75, 8.051, 1.2, 155, 0.1},
		{81, 26.11, 2.6, 116, 0.69},
		{81.5, 40.73, 0.41, 114, 0.04},
	}
	draws := trainer.NewSource(1, 90)
	matched := 0
	for range 200 {
		s := Defaults()
		s.Lambda = 0.3 * math.Pow(200, draws.Float64())
		s.Anneal = 0.02 + 0.98*draws.Float64()
		s.Dim = 32 + draws.IntN(129)
		s.Rate = 0.03 * math.Pow(40.0/3, draws.Float64())
		s.Margin = draws.Float64() / 2
		if draws.Float64() >= 0.5 {
			s.Activation = SThresh
		}
		for _, want := range found {
			if s.Dim != want.dim || math.Abs(s.Lambda-want.lambda) > 0.055 || math.Abs(s.Anneal-want.anneal) > 0.0051 {
				continue
			}
			matched++
			_, j := trained(t, s)
			t.Logf("    the reference: recall@1 %.2f F %.4g", want.recall, want.flops)
			within(t, "recall@1", j.Recall1, want.recall, 4)
			near(t, "F", j.Flops, want.flops, 0.12)
		}
	}
	assert.Equal(t, len(found), matched, "%d of %d points were met", matched, len(found))
}
