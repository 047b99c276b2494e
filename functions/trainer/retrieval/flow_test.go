package retrieval

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// flowNear compares to a relative and absolute tolerance.
func flowNear(t *testing.T, subject string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %.12g, want %.12g", subject, got, want)
	}
}

// The numbers of this file are those of another implementation, in numpy and scipy (flows by a solver of relative
// tolerance 1e-11).
func TestGaussianFormulas(t *testing.T) {
	toyModel := NewToyModel()
	p, e := toyModel.Probabilities(), [2]float64{toyModel.expected(0), toyModel.expected(1)}
	flowNear(t, "Φ(−1/4)", p[0], 0.4012936743170763, 1e-15)
	flowNear(t, "Φ(−1.3)", p[1], 0.09680048458561036, 1e-15)
	flowNear(t, "E[Y⁺] of (−1/4, 1)", e[0], 0.2863446982235802, 1e-15)
	flowNear(t, "E[Y⁺] of (−1.3, 1)", e[1], 0.045527962086513885, 1e-15)
	for n, want := range map[Norm]ToyModel{
		FlowL1: {Mean: [2]float64{0.4012936743170763, 0.09680048458561036},
			SD: [2]float64{0.3866681168028493, 0.17136859204780736}},
		Relaxation: {Mean: [2]float64{0.22981663214270978, 0.00881425758433968},
			SD: [2]float64{0.2214407304371839, 0.015604125523143676}},
		Exact: {Mean: [2]float64{0.31033493866615963, 0.03317712550596305},
			SD: [2]float64{0.07758373466653991, 0.043130263157751966}},
	} {
		g := toyModel.Gradient(n)
		for j := range 2 {
			flowNear(t, "the gradient of "+n.String()+" by a mean", g.Mean[j], want.Mean[j], 1e-14)
			flowNear(t, "the gradient of "+n.String()+" by a standard deviation", g.SD[j], want.SD[j], 1e-14)
		}
	}
}

// random is a toy with random means and standard deviations.
func random(rng *rand.Rand) (t ToyModel) {
	for j := range t.Mean {
		t.Mean[j], t.SD[j] = -2+2.5*rng.Float64(), 0.4+rng.Float64()
	}
	return t
}

// value is that of a norm.
func value(t ToyModel, n Norm) float64 {
	p := t.Probabilities()
	switch n {
	case FlowL1:
		return t.expected(0) + t.expected(1)
	case Relaxation:
		return t.expected(0)*t.expected(0) + t.expected(1)*t.expected(1)
	}
	return p[0]*p[0] + p[1]*p[1]
}

func TestGradientsAreThoseOfTheValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const h = 1e-6
	for range 20 {
		position := random(rng)
		for _, n := range Norms() {
			g := position.Gradient(n)
			for j := range 2 {
				up, down := position, position
				up.Mean[j], down.Mean[j] = position.Mean[j]+h, position.Mean[j]-h
				flowNear(t, "∂"+n.String()+"/∂μ", g.Mean[j], (value(up, n)-value(down, n))/(2*h), 1e-9)
				up, down = position, position
				up.SD[j], down.SD[j] = position.SD[j]+h, position.SD[j]-h
				flowNear(t, "∂"+n.String()+"/∂σ", g.SD[j], (value(up, n)-value(down, n))/(2*h), 1e-9)
			}
		}
	}
}

// reach is when, and where, the first activation's probability has come down to p.
func reach(path *Path, p float64) (tau float64, toyModel ToyModel) {
	lo, hi := 0.0, 1.0
	for hi < 1000 && path.At(hi).Probabilities()[0] > p {
		lo, hi = hi, 2*hi
	}
	for range 60 {
		if tau = (lo + hi) / 2; path.At(tau).Probabilities()[0] > p {
			lo = tau
		} else {
			hi = tau
		}
	}
	return tau, path.At(tau)
}

func TestFlowsGoAsFigure53b(t *testing.T) {
	values := []float64{0.35, 0.30, 0.20, 0.10, 0.05, 0.02}
	for n, want := range map[Norm][][2]float64{
		FlowL1: {{0.25925128, 0.0835634207}, {0.50338765, 0.0727666615}, {1.00468947, 0.0550275284},
			{1.66490041, 0.0387933361}, {2.28501785, 0.0286574958}, {3.24832340, 0.0188696616}},
		Relaxation: {{0.52602295, 0.0942614301}, {1.19982726, 0.0912369494}, {3.58368780, 0.0822030504},
			{11.85105709, 0.0626637895}, {34.36794492, 0.0409145942},
			{145.48936141, 0.0190109060}},
		Exact: {{0.41619050, 0.0907153548}, {0.85042775, 0.0849291206}, {1.85657576, 0.0734496854},
			{3.46418088, 0.0595288352}, {5.51013192, 0.0472361514}, {10.57787996, 0.0304683490}},
	} {
		path := NewPath(NewToyModel(), n)
		for i, p1 := range values {
			tau, toy := reach(path, p1)
			flowNear(t, n.String()+" takes", tau, want[i][0], 1e-8)
			flowNear(t, n.String()+": the idle one's probability", toy.Probabilities()[1], want[i][1], 1e-8)
		}
	}
	for n, want := range map[Norm][4]float64{
		FlowL1:     {-0.55171299, 0.65553596, -1.37419209, 0.85997420},
		Relaxation: {-0.55171299, 0.65553596, -1.32573509, 0.95348883},
		Exact:      {-0.66373656, 0.78864046, -1.35034065, 0.93090286},
	} {
		_, toy := reach(NewPath(NewToyModel(), n), 0.2)
		for i, got := range [4]float64{toy.Mean[0], toy.SD[0], toy.Mean[1], toy.SD[1]} {
			flowNear(t, n.String()+": a number of the state", got, want[i], 1e-8)
		}
	}
}

func TestFlowsAtTheSameTime(t *testing.T) {
	for n, want := range map[Norm][2][2]float64{
		FlowL1:     {{0.2008733278, 0.0551690463}, {0.0065777579, 0.0102021902}},
		Relaxation: {{0.3133181990, 0.0921088393}, {0.1682250632, 0.0777967646}},
		Exact:      {{0.2836280825, 0.0830597718}, {0.0579617007, 0.0498660979}},
	} {
		path := NewPath(NewToyModel(), n)
		for i, tau := range []float64{1, 5} {
			p := path.At(tau).Probabilities()
			flowNear(t, n.String()+": p1", p[0], want[i][0], 1e-9)
			flowNear(t, n.String()+": p2", p[1], want[i][1], 1e-9)
		}
	}
}

func TestInitialSlopes(t *testing.T) {
	for n, want := range map[Norm]float64{
		FlowL1: 0.2844309920613415, Relaxation: 0.045223688453582496, Exact: 0.11995663913343903} {
		toyModel := NewToyModel()
		var rate [2]float64 // of the probabilities
		g := toyModel.Gradient(n)
		for j := range rate {
			r := toyModel.Mean[j] / toyModel.SD[j]
			rate[j] = density(r) / toyModel.SD[j] * (-g.Mean[j] + r*g.SD[j])
		}
		flowNear(t, "dp2/dp1 under "+n.String(), rate[1]/rate[0], want, 1e-13)
	}
}

// Three facts, each of one line, from random starts: F depends on μ/σ alone, so that its flow keeps μ² + σ²; E[Y⁺] is
// homogeneous of degree one, so that the flows of ℓ1 and F̃ lose −2E and −4E² of it; and the two go along the same
// orbit of (μ, σ), F̃ with 2E times the speed.
func TestFactsOfTheFlows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	square := func(t ToyModel, j int) float64 { return t.Mean[j]*t.Mean[j] + t.SD[j]*t.SD[j] }
	for _, start := range []ToyModel{NewToyModel(), random(rng), random(rng), random(rng)} {
		exact := NewPath(start, Exact)
		for _, tau := range []float64{0.1, 1, 5, 20} {
			for j := range 2 {
				flowNear(t, "μ² + σ² under F", square(exact.At(tau), j), square(start, j), 1e-9)
			}
		}
		l1, relaxed := NewPath(start, FlowL1), NewPath(start, Relaxation)
		const tau, h = 0.7, 1e-4
		for j := range 2 {
			flowNear(t, "the loss of (μ² + σ²)/2 under ℓ1", (square(l1.At(tau+h), j)-square(l1.At(tau-h), j))/(4*h),
				-l1.At(tau).expected(j), 1e-7)
			e := relaxed.At(tau).expected(j)
			flowNear(t, "the loss of (μ² + σ²)/2 under F̃",
				(square(relaxed.At(tau+h), j)-square(relaxed.At(tau-h), j))/(4*h), -2*e*e, 1e-7)
		}
		p := start.Probabilities()[0] / 2
		_, a := reach(l1, p)
		_, b := reach(relaxed, p)
		flowNear(t, "μ1 where ℓ1 and F̃ have halved p1", b.Mean[0], a.Mean[0], 1e-8)
		flowNear(t, "σ1 where ℓ1 and F̃ have halved p1", b.SD[0], a.SD[0], 1e-8)
	}
}

// A path that was grown piece by piece is the one that was grown at once.
func TestGrownPieceByPiece(t *testing.T) {
	piecewise, whole := NewPath(NewToyModel(), Relaxation), NewPath(NewToyModel(), Relaxation)
	for tau := 0.0; tau < 5; tau += 0.37 {
		piecewise.At(tau)
	}
	if a, b := piecewise.At(5), whole.At(5); a != b {
		t.Errorf("%v, and at once %v", a, b)
	}
	assert.Equal(t, NewToyModel(), whole.At(-1), "before the beginning it is at")
}

func BenchmarkFlow(b *testing.B) {
	for b.Loop() {
		for _, n := range Norms() {
			NewPath(NewToyModel(), n).At(150)
		}
	}
}
