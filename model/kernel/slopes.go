package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Slopes holds a kernel of a network, of one input x with others, and its derivatives with respect to x. The kernel
// depends on x only through the scalar products x·y_i and |x|².
type Slopes struct {
	Value   []float64 // k(x, y_i)
	Diag    float64   // k(x, x)
	byDot   []float64 // ∂k(x, y_i) / ∂(x·y_i)
	bySize  []float64 // ∂k(x, y_i) / ∂|x|²
	ownSize float64   // ∂k(x, x) / ∂|x|²
	x       []float64
	others  *mat.Dense
}

// Add adds to grad, length d, diagonal times the gradient of k(x, x) with respect to x, and Σ weight_i times the
// gradients of k(x, y_i).
func (s *Slopes) Add(grad []float64, diagonal float64, weight []float64) {
	along := diagonal * s.ownSize
	amounts := make([]float64, len(weight))
	for i, w := range weight {
		along += w * s.bySize[i]
		amounts[i] = w * s.byDot[i]
	}
	g := mat.NewVecDense(len(grad), grad)
	g.AddScaledVec(g, 2*along, mat.NewVecDense(len(s.x), s.x))
	var part mat.VecDense
	part.MulVec(s.others.T(), mat.NewVecDense(len(amounts), amounts))
	g.AddVec(g, &part)
}

// dual is a value with its derivatives by the covariance c of two inputs that enters the first layer, and by the
// variance a of the first of them.
type dual struct{ value, byC, byA float64 }

// SlopesAt returns the tangent kernel at x, length d, with inputs that Prepare has processed, and its derivatives.
func (n Network) SlopesAt(x []float64, others *Inputs) *Slopes {
	_, ntk := n.slopesAt(x, others)
	return ntk
}

// NNGPSlopesAt is SlopesAt for the NNGP kernel.
func (n Network) NNGPSlopesAt(x []float64, others *Inputs) *Slopes {
	nngp, _ := n.slopesAt(x, others)
	if n.ZeroLastBias {
		b2 := n.SigmaB * n.SigmaB
		nngp.Diag -= b2
		for i := range nngp.Value {
			nngp.Value[i] -= b2
		}
	}
	return nngp
}

// slopesAt returns both kernels at x and their derivatives; the NNGP kernel with a random last bias.
func (n Network) slopesAt(x []float64, others *Inputs) (nngpSlopes, ntkSlopes *Slopes) {
	m, d := others.x.Dims()
	in := n.Prepare(mat.NewDense(1, d, x))
	w2, b2 := n.SigmaW*n.SigmaW, n.SigmaB*n.SigmaB
	first := w2 / float64(d) // of the covariance by x·y, and of the variance by |x|²
	nngp, ntk := make([]dual, m), make([]dual, m)
	var c mat.VecDense
	c.MulVec(others.x, mat.NewVecDense(d, x))
	for i := range nngp {
		nngp[i] = dual{first*c.AtVec(i) + b2, 1, 0}
		ntk[i] = nngp[i]
	}
	local := dual{in.layers[0].variance[0], 0, 1}
	byA := 1.0 // of the variance at a layer
	variance := local.value
	for l, e := range in.layers {
		n.propagateGradients(e, others.layers[l], byA, nngp, ntk)
		second, slope := n.diagMoments(e.variance[0])
		byA2 := w2 * second * byA
		local = dual{w2*e.second[0] + b2 + w2*e.slope[0]*local.value, 0, byA2 + w2*(slope*byA*local.value+e.slope[0]*local.byA)}
		variance, byA = w2*e.second[0]+b2, byA2
	}
	made := func(local dual, values []dual) *Slopes {
		s := &Slopes{Value: make([]float64, m), byDot: make([]float64, m), bySize: make([]float64, m), x: x,
			others: others.x, Diag: local.value, ownSize: first * local.byA}
		for i, t := range values {
			s.Value[i] = t.value
			s.byDot[i] = first * t.byC
			s.bySize[i] = first * t.byA
		}
		return s
	}
	return made(dual{variance, 0, byA}, nngp), made(local, ntk)
}

// propagateGradients computes both kernels of one input with many others after a hidden layer, with their derivatives.
func (n Network) propagateGradients(e, others layerInputs, byA float64, nngp, ntk []dual) {
	w2, b2 := n.SigmaW*n.SigmaW, n.SigmaB*n.SigmaB
	a := e.variance[0]
	var values, steep rowTables
	var change place
	if n.Unit == Tanh {
		change = e.places[0].slope(a)
	}
	for i, b := range others.variance {
		var m momentGradients
		switch c := nngp[i].value; {
		case a <= 0 || b <= 0: // as in moments
		case n.Unit == Tanh:
			p := &others.places[i]
			m = tanhMomentGradients(values.rowFor(&e.places[0], p), steep.rowFor(&change, p), p, a, b, c)
		case n.Unit == Erf:
			m = erfMomentGradients(a, b, c)
		default:
			m = reluMomentGradients(a, b, c)
		}
		k, t := nngp[i], ntk[i]
		bySlope := dual{m.slope, m.slopeByC * k.byC, m.slopeByC*k.byA + m.slopeByA*byA}
		k = dual{w2*m.second + b2, w2 * m.slope * k.byC, w2 * (m.slope*k.byA + m.secondByA*byA)}
		nngp[i] = k
		ntk[i] = dual{k.value + w2*bySlope.value*t.value, k.byC + w2*(bySlope.byC*t.value+bySlope.value*t.byC),
			k.byA + w2*(bySlope.byA*t.value+bySlope.value*t.byA)}
	}
}

// momentGradients holds the moments E φ(u)φ(v) and E φ'(u)φ'(v) with their derivatives by the covariance c and the
// first variance a. The derivative of the first moment by c is the second moment.
type momentGradients struct{ second, slope, secondByA, slopeByC, slopeByA float64 }

func reluMomentGradients(a, b, c float64) momentGradients {
	second, slope := reluMoments(a, b, c, false)
	s := math.Sqrt(max(a*b-c*c, 1e-14*a*b)) // the derivatives have no limit at u = v
	return momentGradients{second, slope, s / (4 * math.Pi * a), 1 / (2 * math.Pi * s), -c / (4 * math.Pi * a * s)}
}

func erfMomentGradients(a, b, c float64) momentGradients {
	second, slope := erfMoments(a, b, c)
	s2 := (1+2*a)*(1+2*b) - 4*c*c
	return momentGradients{second, slope, -slope * c / (1 + 2*a), 4 * slope * c / s2, -slope * (1 + 2*b) / s2}
}

func tanhMomentGradients(values, steep row, p *place, a, b, c float64) momentGradients {
	r := math.Sqrt(a) * math.Sqrt(b)
	rho := min(max(c/r, -1), 1)
	g, slope, curve := values.derivatives(p, rho)
	byA, slopeByA, _ := steep.derivatives(p, rho)
	return momentGradients{r * g, slope, r*(g-rho*slope)/(2*a) + r*byA, curve / r, slopeByA - curve*rho/(2*a)}
}

// derivatives is at, and also returns the derivative of the slope by the correlation.
func (r row) derivatives(p *place, rho float64) (second, slope, curve float64) {
	u := 1 - math.Abs(rho)
	g := panelFor(u, r.panels)
	from, width := panel(g, r.panels)
	scale := 2 / width
	x := scale*(u-from) - 1
	for k := (g+1)*byRho - 1; k >= g*byRho; k-- {
		curve = curve*x + 2*slope
		slope = slope*x + second
		second = second*x + dot(r.values[k*byVariance:(k+1)*byVariance], p.powers[:])
	}
	if rho < 0 {
		second, curve = -second, -curve
	}
	return second, -scale * slope, scale * scale * curve
}

// slope returns the derivative of the powers of a place by its variance v.
func (p place) slope(v float64) place {
	byV := 2 / (v * math.Ln2)
	if p.of == minRange {
		byV = math.Ldexp(1, 1-minRange)
	}
	q := place{of: p.of}
	for k := 1; k < byVariance; k++ {
		q.powers[k] = float64(k) * p.powers[k-1] * byV
	}
	return q
}

// diagMoments returns the derivatives of the moments of an input with itself by its variance.
func (n Network) diagMoments(a float64) (second, slope float64) {
	switch {
	case a <= 0:
		return 0, 0
	case n.Unit == ReLU:
		return 0.5, 0
	case n.Unit == Erf:
		root := math.Sqrt(1 + 4*a)
		return 4 / math.Pi / ((1 + 2*a) * root), -8 / math.Pi / (root * root * root)
	}
	p := newPlace(a)
	table, change := diagTableFor(p.of), p.slope(a)
	second, _ = table.at(&p)
	bySecond, bySlope := table.at(&change)
	return second + a*bySecond, bySlope
}
