package retrieval

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

func TestFormulasGiveTheirCheckValues(t *testing.T) {
	near(t, "Φ(-1/4)", ReLU.Probability(-0.25, 1), 0.4012936743170763, 1e-12)
	near(t, "Φ(-1.3)", ReLU.Probability(-1.3, 1), 0.09680048458561036, 1e-12)
	near(t, "P(|z| > 1/2), z of mean 0 and sd 2", SThresh.Probability(0, 2), 2*ReLU.Probability(-0.25, 1), 1e-12)
	within(t, "the probability of the dense reference", Identity.Probability(-3, 0.1), 1, 0)

	p := []float64{0.4, 0.1}
	near(t, "F", Flops(p), 0.17, 1e-12)
	near(t, "R_sub", Suboptimality(p), 1.36, 1e-12)
	p = []float64{0.5, 0.25, 0.125, 0.0625}
	near(t, "F", Flops(p), 0.33203125, 1e-15)
	near(t, "R_sub", Suboptimality(p), 1.5111111111111111, 1e-12)

	for i, t100 := range []int{0, 50, 100, 150, 200, 300} {
		near(t, "λ(t)", annealedLambda(100, t100, 200), []float64{0, 6.25, 25, 56.25, 100, 100}[i], 1e-15)
	}
	for _, c := range []struct {
		act     Activation
		z, want []float64
	}{
		{SThresh, []float64{-1.2, -.5, -.3, 0, .5, .7, 2}, []float64{-.7, 0, 0, 0, 0, .2, 1.5}},
		{ReLU, []float64{-2, -1e-300, 0, 1e-300, 3}, []float64{0, 0, 0, 1e-300, 3}},
		{Identity, []float64{-2, 0, 0.25}, []float64{-2, 0, 0.25}},
	} {
		low, high := c.act.deadZone()
		for i, z := range c.z {
			within(t, string(c.act), shrinkBeyond(z, low, high), c.want[i], 1e-15)
			if got := shrinkBeyond(z, low, high); got == 0 && math.Signbit(got) {
				t.Errorf("%s(%v) is -0", c.act, z)
			}
		}
		if got := shrinkBeyond(math.NaN(), low, high); got == got {
			t.Errorf("%s makes %v of what is not a number", c.act, got)
		}
	}
}

// T is rounded, to an even number where it is halfway, and at least 1; the rate falls after 74 % of the updates.
func TestScheduleOfASetting(t *testing.T) {
	for _, c := range []struct {
		anneal float64
		steps  int
		t      int
		want   float64
	}{
		{0, 300, 1, 1}, {0.8, 300, 120, 0.25}, {0.8, 300, 240, 1}, {0.8, 300, 299, 1}, {0.5, 5, 1, 0.25},
		{0.5, 7, 1, 1. / 16}, {1, 1, 1, 1},
	} {
		s := Setting{Lambda: 1, Anneal: c.anneal, Steps: c.steps}
		near(t, "λ(t)", s.LambdaAt(c.t), c.want, 1e-15)
	}
	s := Setting{Rate: 1, Steps: 21}
	for step, want := range map[int]float64{1: 1, 16: 1, 17: 0.1, 21: 0.1} {
		near(t, "the rate", s.RateAt(step), want, 1e-15)
	}
}

// A batch of six rows of four values, of which the fifth is all 0: its means by another implementation, and the
// identities of the relaxation on it.
func TestRelaxationOfABatch(t *testing.T) {
	p := newParameters(1, 4)
	for j := range p.gamma {
		p.gamma[j] = 1
	}
	z := trainer.NewSource(5, 50).Normals(24)
	rows, support := mat.NewDense(6, 4, nil), make([]int32, 4)
	for i := range 6 {
		p.activate(ReLU, z[4*i:][:4], rows.RawRowView(i), support)
	}
	mean := meanAbs(rows)
	for j, want := range []float64{0.24798463124613082, 0.1602393672010869, 0.27901650841244213, 0.37132073904910445} {
		near(t, "ā", mean[j], want, 1e-8)
	}
	near(t, "F̃", squares(mean), 0.3029023353499277, 1e-8)
	near(t, "ℓ1", total(mean), 1.0585612459087643, 1e-8)
	near(t, "Σ p̄²", Flops(ActivationRates(rows)), 0.7222222222222222, 1e-12)
}

// A row without activity stays 0, and a small one is divided by a little more than its norm.
func TestNormOfSmallRows(t *testing.T) {
	p := newParameters(1, 2)
	p.gamma[0], p.gamma[1] = 1, 1
	e := make([]float64, 2)
	if active, nu := p.activate(SThresh, []float64{0.3, -0.5}, e, make([]int32, 2)); active != 0 || e[0] != 0 ||
		e[1] != 0 || math.Abs(nu-1e-6) > 1e-18 {
		t.Errorf("a row without activity is %v with %d active, ν = %v", e, active, nu)
	}
	p.activate(ReLU, []float64{-1, 1e-6}, e, make([]int32, 2))
	near(t, "the value of a small row", e[1], 1/math.Sqrt2, 1e-12)
}

// meanAbs is ā of rows, by its definition.
func meanAbs(rows *mat.Dense) []float64 {
	n, d := rows.Dims()
	mean := make([]float64, d)
	for j := range d {
		for _, v := range mat.Col(nil, j, rows) {
			mean[j] += math.Abs(v) / float64(n)
		}
	}
	return mean
}

func TestArcFaceGivesItsCheckValues(t *testing.T) {
	cos := []float64{0.6, 0.1, -0.3}
	near(t, "the loss", arcFace(cos, 0, 16, 0.2), 0.005161163572456827, 1e-8)
	// The gradient by the other cosines is s·softmax of the logits, of which the reference gives the numbers.
	logits := []float64{6.865671713099134, 1.6, -4.8}
	sum := 0.0
	for _, l := range logits {
		sum += math.Exp(l)
	}
	near(t, "the gradient by another class", cos[1], 16*math.Exp(logits[1])/sum, 1e-10)
	near(t, "the gradient by another class", cos[2], 16*math.Exp(logits[2])/sum, 1e-10)
}

// The gradient of the loss by the cosines is that of its differences, on both sides of where θ + m passes π and with no
// margin; at the ends it is cut off.
func TestArcFaceGradient(t *testing.T) {
	for _, c := range []struct {
		right, margin, scale float64
	}{{0.6, 0.2, 16}, {-0.5, 0.2, 16}, {-0.97, 0.2, 16}, {-0.985, 0.2, 16}, {-0.4, 1.5, 4}, {0.3, 0, 64},
		{0.999, 0.5, 16}} {
		values := []float64{0.1, c.right, -0.3, 0.45}
		grad := slices.Clone(values)
		arcFace(grad, 1, c.scale, c.margin)
		for k := range values {
			const h = 1e-6
			up, down := slices.Clone(values), slices.Clone(values)
			up[k] += h
			down[k] -= h
			within(t, "the gradient", grad[k], (arcFace(up, 1, c.scale, c.margin)-arcFace(down, 1, c.scale, c.margin))/
				(2*h), 2e-6)
		}
	}
	// Beyond π - m the cosine is lessened by m·sin(m).
	near(t, "the loss beyond π - m", arcFace([]float64{-0.99, 0.1}, 0, 4, 0.3),
		math.Log1p(math.Exp(4*(0.1+0.99+0.3*math.Sin(0.3)))), 1e-12)
	for _, end := range []float64{1, -1} {
		cos := []float64{end, 0}
		if loss := arcFace(cos, 0, 16, 0.2); loss-loss != 0 || cos[0] != 0 {
			t.Errorf("at a cosine of %v the loss is %v and its gradient %v", end, loss, cos[0])
		}
	}
}

// R_sub is 1 + Var(p)/p̄², from 1, where all are equal, to 1/p̄, and d/k where k dimensions do the same work.
func TestSuboptimalityIsBounded(t *testing.T) {
	draws := trainer.NewSource(1, 60)
	for range 200 {
		d := 2 + draws.IntN(40)
		p := make([]float64, d)
		for j := range p {
			p[j] = math.Pow(draws.Float64(), 4) // most are small
		}
		mean, variance := Mean(p), 0.0
		for _, x := range p {
			variance += (x - mean) * (x - mean) / float64(d)
		}
		near(t, "R_sub", Suboptimality(p), 1+variance/(mean*mean), 1e-12)
		if r := Suboptimality(p); r < 1 || r > 1/mean || Flops(p) < float64(d)*mean*mean {
			t.Errorf("R_sub of %v is %v, p̄ %v", p, r, mean)
		}
		for j := range p {
			p[j] = mean
		}
		near(t, "R_sub of equal ones", Suboptimality(p), 1, 1e-12)
		k := 1 + draws.IntN(d)
		clear(p[k:])
		near(t, "R_sub of k that do the work", Suboptimality(p), float64(d)/float64(k), 1e-12)
		if CountDead(p) != d-k {
			t.Errorf("%d are dead of %v", CountDead(p), p)
		}
	}
	if got := Suboptimality([]float64{0, 0}); got == got {
		t.Errorf("R_sub of no activity is %v", got)
	}
}

// F̃ is the mean dot product of pairs of |rows| (5.5), and the exclusive lasso of the columns; of unit rows it is at
// least 1/n, and 1/n just where supports are apart; it is at least ℓ1²/d.
func TestRelaxationIsWhatTheThesisSays(t *testing.T) {
	draws := trainer.NewSource(2, 60)
	for range 50 {
		n, d := 1+draws.IntN(8), 1+draws.IntN(8)
		rows := sparse(draws, n, d, 0.5)
		mean := meanAbs(rows)
		pairs, lasso := 0.0, 0.0
		for i := range n {
			for k := range n {
				for j := range d {
					pairs += math.Abs(rows.At(i, j)) * math.Abs(rows.At(k, j))
				}
			}
		}
		for j := range d {
			norm := mat.Norm(rows.ColView(j), 1)
			lasso += norm * norm
		}
		m := float64(n * n)
		within(t, "F̃ by pairs", pairs/m, squares(mean), 1e-12)
		within(t, "F̃ by columns", lasso/m, squares(mean), 1e-12)
		if l1 := total(mean); squares(mean) < l1*l1/float64(d)-1e-15 {
			t.Errorf("F̃ is %v, ℓ1 %v in %d dimensions", squares(mean), l1, d)
		}
		full := 0
		for i := range n {
			if mat.Norm(rows.RowView(i), 2) > 0 {
				full++
			}
		}
		if least := float64(full) / m; squares(mean) < least-1e-12 {
			t.Errorf("F̃ of %d unit rows is %v", full, squares(mean))
		}
	}
	apart := mat.NewDense(4, 4, []float64{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0})
	near(t, "F̃ of a signed permutation", squares(meanAbs(apart)), 0.25, 1e-15)
	apart.Set(0, 0, 0.1)
	if got := squares(meanAbs(unit(apart))); got <= 0.25 {
		t.Errorf("F̃ of overlapping rows is %v", got)
	}
}

// sparse are random unit rows with signs, of which some may be all 0.
func sparse(draws *trainer.Source, n, d int, density float64) *mat.Dense {
	rows := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			if draws.Float64() < density {
				rows.Set(i, j, draws.Float64()-0.5)
			}
		}
	}
	return unit(rows)
}

// unit are rows with norm 1; those that are all 0 stay so.
func unit(rows *mat.Dense) *mat.Dense {
	n, d := rows.Dims()
	m := mat.NewDense(n, d, nil)
	for i := range n {
		if norm := mat.Norm(rows.RowView(i), 2); norm > 0 {
			for j := range d {
				m.Set(i, j, rows.At(i, j)/norm)
			}
		}
	}
	return m
}
