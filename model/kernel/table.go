package kernel

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bandscope/model/parallel"
)

// The moments of tanh at many pairs are interpolated by tables of polynomials through exact sums. A variance v lies in
// [0, 2^leastRange] or between two powers of two, and the correlation ρ in a panel; panels are denser towards 1, where
// the moments vary within 1 − ρ ~ 1/v. Within ranges and panels the moments are analytic far beyond the ends, so that
// polynomials through Chebyshev's points are within tableError. A table depends only on its two ranges, and is computed
// when it is first needed.
const (
	minRange   = -5
	byVariance = 9     // coefficients in a variance
	byRho      = 11    // coefficients in the correlation
	tableError = 2e-12 // of both moments
)

// place is the position of a variance: its range and the powers of its position there, from −1 to 1, of its logarithm
// or, in the smallest range, of the variance.
type place struct {
	of     int
	powers [byVariance]float64
}

func newPlace(v float64) place {
	p := place{of: minRange}
	x := math.Ldexp(v, 1-minRange) - 1
	if _, e := math.Frexp(v); e > minRange {
		p.of, x = e, 2*(math.Log2(v)-float64(e))+1
	}
	power := 1.0
	for k := range p.powers {
		p.powers[k] = power
		power *= x
	}
	return p
}

// varianceAt returns the variance at a position of a range.
func varianceAt(number int, x float64) float64 {
	if number == minRange {
		return math.Ldexp(1+x, minRange-1)
	}
	return math.Exp2(float64(number) + (x-1)/2)
}

// panelsFor returns the number of panels of the correlation for variances of two ranges: the scale of 1 − ρ is the
// harmonic mean of the variances.
func panelsFor(a, b int) int {
	octaves := min(a, b) + 3
	if a != b {
		octaves++
	}
	return 2*max(octaves, 1) + 1
}

// panel returns the start and the width of panel g in 1 − ρ: each octave has two, starting with the largest, and the
// last panel extends to 0.
func panel(g, panels int) (from, width float64) {
	if g == panels-1 {
		return 0, math.Ldexp(1, -g/2)
	}
	width = math.Ldexp(1, -g/2-2)
	return float64(3-g%2) * width, width
}

// panelFor returns the panel of u = 1 − ρ, by its exponent and the first digit after it.
func panelFor(u float64, panels int) int {
	return min(max(2*1023-1-int(math.Float64bits(u)>>51), 0), panels-1)
}

// table holds, for variances a and b of two ranges, the coefficients of E φ(u)φ(v)/√(ab) = ∫₀^ρ E φ'(u)φ'(v) dρ in
// every panel of ρ, in powers of the positions. The rows of the matrix are the powers of a; a row contains the panels,
// each of these the powers of ρ, and each of those the powers of b.
type table struct {
	once   sync.Once
	panels int
	values blas64.General
}

var tables sync.Map // of *table, by [2]int

// tableFor returns the table of two ranges.
func tableFor(a, b int) *table {
	v, ok := tables.Load([2]int{a, b})
	if !ok {
		v, _ = tables.LoadOrStore([2]int{a, b}, &table{})
	}
	t := v.(*table)
	t.once.Do(func() { t.fill(a, b) })
	return t
}

func (t *table) fill(a, b int) {
	t.panels = panelsFor(a, b)
	width := t.panels * byRho * byVariance
	t.values = general(byVariance, width)
	put := func(i, along, j int, c float64) { t.values.Data[i*width+along*byVariance+j] = c }
	if a > b {
		turned := tableFor(b, a)
		for k, c := range turned.values.Data {
			put(k%byVariance, k%width/byVariance, k/width, c)
		}
		return
	}
	rho := make([]float64, 0, t.panels*(byRho-1))
	for g := range t.panels {
		from, wide := panel(g, t.panels)
		for _, x := range chebyshev(byRho - 1) {
			rho = append(rho, 1-from-wide*(1+x)/2)
		}
	}
	nodes, toPowers := chebyshev(byVariance), powersThrough(byRho-1)
	parallel.Do(byVariance*byVariance, func(k int) {
		i, j := k/byVariance, k%byVariance
		if a == b && j < i {
			return
		}
		for l, c := range integrated(tanhSlopes(varianceAt(a, nodes[i]), varianceAt(b, nodes[j]), rho), t.panels,
			toPowers) {
			put(i, l, j, c)
			if a == b {
				put(j, l, i, c)
			}
		}
	})
	toPowers = powersThrough(byVariance)
	half := general(byVariance, width)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, toPowers, t.values, 0, half)
	byB := func(m blas64.General) blas64.General { // the same values, a row to each power of a and ρ
		return blas64.General{Rows: width, Cols: byVariance, Stride: byVariance, Data: m.Data}
	}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, byB(half), toPowers, 0, byB(t.values))
}

// integrated returns the coefficients of the integrals from ρ = 0 of a function that is given at the points of all
// panels.
func integrated(values []float64, panels int, toPowers blas64.General) []float64 {
	const points = byRho - 1
	all := make([]float64, panels*byRho)
	before := 0.0 // the integral over the panels so far
	for g := range panels {
		c := all[g*byRho : (g+1)*byRho]
		blas64.Gemv(blas.NoTrans, 1, toPowers, vector(values[g*points:(g+1)*points]), 0, vector(c[1:]))
		_, width := panel(g, panels)
		first, last := 0.0, 0.0 // at positions 1, where ρ is least, and −1
		for k := 1; k <= points; k++ {
			c[k] *= -width / 2 / float64(k)
			first += c[k]
			last += c[k] * float64(1-2*(k%2))
		}
		c[0] = before - first
		before += last - first
	}
	return all
}

// row is a table with the first variance given.
type row struct {
	panels int
	values []float64
}

// row writes the values of the row to dst if that is long enough.
func (t *table) row(p *place, dst []float64) row {
	if cap(dst) < t.values.Cols {
		dst = make([]float64, t.values.Cols)
	}
	dst = dst[:t.values.Cols]
	blas64.Gemv(blas.Trans, 1, t.values, vector(p.powers[:]), 0, vector(dst))
	return row{t.panels, dst}
}

// rowTables caches the rows for one first variance, by the range of the second.
type rowTables struct{ rows []row }

// reset starts with another first variance and reuses the memory.
func (m *rowTables) reset() {
	for k := range m.rows {
		m.rows[k].panels = 0
	}
}

// rowFor returns the row for the variance at a and those of b's range.
func (m *rowTables) rowFor(a, b *place) row {
	k := b.of - minRange
	for k >= len(m.rows) {
		m.rows = append(m.rows, row{})
	}
	if m.rows[k].panels == 0 {
		m.rows[k] = tableFor(a.of, b.of).row(a, m.rows[k].values)
	}
	return m.rows[k]
}

// at returns E φ(u)φ(v)/√(ab) and E φ'(u)φ'(v) for the place of the second variance and a correlation.
func (r row) at(p *place, rho float64) (second, slope float64) {
	u := 1 - math.Abs(rho)
	g := panelFor(u, r.panels)
	from, width := panel(g, r.panels)
	scale := 2 / width
	x := scale*(u-from) - 1
	b := &p.powers
	for k := (g+1)*byRho - 1; k >= g*byRho; k-- {
		c := (*[byVariance]float64)(r.values[k*byVariance:])
		v := c[0] + c[1]*b[1] + (c[2]*b[2] + c[3]*b[3]) + (c[4]*b[4] + c[5]*b[5]) + (c[6]*b[6] + c[7]*b[7]) + c[8]*b[8]
		slope = slope*x + second
		second = second*x + v
	}
	return math.Copysign(second, rho), -scale * slope
}

// diagTable holds, for variances v of a range, the coefficients of E φ(u)²/v and of E φ'(u)² in the powers of the
// position of v.
type diagTable struct{ second, slope [byVariance]float64 }

var diagTables sync.Map // of *diagTable, by int

func diagTableFor(number int) *diagTable {
	if t, ok := diagTables.Load(number); ok {
		return t.(*diagTable)
	}
	second, slope := make([]float64, byVariance), make([]float64, byVariance)
	for i, x := range chebyshev(byVariance) {
		v := varianceAt(number, x)
		second[i], slope[i] = normalMean(math.Sqrt(v), func(t float64) (float64, float64) {
			return t * t / v, (1 - t*t) * (1 - t*t)
		})
	}
	t := &diagTable{}
	toPowers := powersThrough(byVariance)
	blas64.Gemv(blas.NoTrans, 1, toPowers, vector(second), 0, vector(t.second[:]))
	blas64.Gemv(blas.NoTrans, 1, toPowers, vector(slope), 0, vector(t.slope[:]))
	diagTables.Store(number, t)
	return t
}

// at returns E φ(u)²/v and E φ'(u)² at a place, or their derivatives at the derivative of a place.
func (t *diagTable) at(p *place) (second, slope float64) {
	return dot(t.second[:], p.powers[:]), dot(t.slope[:], p.powers[:])
}

// chebyshev returns n of Chebyshev's points, from 1 down to −1.
func chebyshev(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Cos(math.Pi * (float64(i) + 0.5) / float64(n))
	}
	return x
}

// powersThrough returns the matrix that maps values at n of Chebyshev's points to the coefficients of the powers in the
// polynomial through them. It uses Chebyshev's polynomials, whose coefficients decrease so fast that those of the
// powers are as exact as the values.
func powersThrough(n int) blas64.General {
	m := general(n, n)
	now, before := make([]float64, n), make([]float64, n) // the coefficients of Chebyshev's polynomials
	now[0] = 1
	for k := range n {
		for i := range n {
			c := 2 / float64(n) * math.Cos(math.Pi*float64(k)*(float64(i)+0.5)/float64(n))
			if k == 0 {
				c /= 2
			}
			for p, v := range now {
				m.Data[p*n+i] += v * c
			}
		}
		factor := 2.0
		if k == 0 {
			factor = 1
		}
		next := make([]float64, n)
		for p := range n {
			next[p] = -before[p]
			if p > 0 {
				next[p] += factor * now[p-1]
			}
		}
		now, before = next, now
	}
	return m
}

func general(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }
