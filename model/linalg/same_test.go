package linalg

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// What is computed is the same to the last bit on any number of cores.
func TestNumberOfCores(t *testing.T) {
	const m, n, k = 150, 170, 290
	rng := rand.New(rand.NewPCG(6, 0))
	a, b, spd := random(rng, m*k), random(rng, k*n), make([]float64, k*k)
	theirs.Dsyrk(blas.Lower, blas.Trans, k, m, 0.01, a, k, 0, spd, k)
	for i := range k {
		spd[i*k+i]++
	}
	var first [][]float64
	for _, cores := range []int{1, 2, 3, 8} {
		before := runtime.GOMAXPROCS(cores)
		c, l, x, d := make([]float64, m*n), slices.Clone(spd), slices.Clone(b), mat.NewDense(m, m, nil)
		ours.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, a, k, b, n, 0, c, n)
		factors{}.Dpotrf(blas.Lower, k, l, k)
		ours.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, k, n, 1, l, k, x, n)
		inverse := slices.Clone(l)
		factors{}.Dpotri(blas.Lower, k, inverse, k)
		Squares(d, mat.NewDense(m, k, a), mat.NewDense(m, k, a))
		runtime.GOMAXPROCS(before)
		got := [][]float64{c, l, x, inverse, d.RawMatrix().Data}
		if first == nil {
			first = got
		}
		for i := range got {
			if !slices.Equal(got[i], first[i]) {
				t.Errorf("on %d cores the result number %d differs", cores, i)
			}
		}
	}
}

// Every row of a product is the same however many others there are, so that what is believed at a point does not depend
// on which others are asked for.
func TestRowsAlone(t *testing.T) {
	const m, n, k = 90, 60, 300
	rng := rand.New(rand.NewPCG(7, 0))
	a, b, c := random(rng, m*k), random(rng, k*n), make([]float64, m*n)
	ours.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, a, k, b, n, 0, c, n)
	for _, rows := range [][2]int{{0, 4}, {3, 20}, {60, 90}} {
		part := make([]float64, (rows[1]-rows[0])*n)
		ours.Dgemm(blas.NoTrans, blas.NoTrans, rows[1]-rows[0], n, k, 1, a[rows[0]*k:], k, b, n, 0, part, n)
		if !slices.Equal(part, c[rows[0]*n:rows[1]*n]) {
			t.Errorf("rows %v alone differ", rows)
		}
	}
}

// A product of small matrices takes no memory.
func TestNoMemory(t *testing.T) {
	const n = 48
	a, c := random(rand.New(rand.NewPCG(8, 0)), n*n), make([]float64, n*n)
	for i := range n {
		a[i*n+i] += 10
	}
	if got := testing.AllocsPerRun(20, func() {
		ours.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, a, n, a, n, 0, c, n)
		ours.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, n, n, 1, a, n, c, n)
	}); got > 0.5 {
		t.Errorf("%v allocations", got)
	}
}

// NaN and infinity reach the values that they are factors of, and no others; with β = 0 what C held is gone.
func TestNotNumbers(t *testing.T) {
	const n = 50
	rng := rand.New(rand.NewPCG(9, 0))
	a, b, c := random(rng, n*n), random(rng, n*n), make([]float64, n*n)
	a[7*n+3], b[20*n+49] = math.NaN(), math.Inf(1)
	for i := range c {
		c[i] = math.NaN()
	}
	ours.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
	for i := range n {
		for j := range n {
			v := c[i*n+j]
			if math.IsNaN(v) != (i == 7) || math.IsInf(v, 0) != (j == 49 && i != 7) {
				t.Fatalf("(%d, %d) is %v", i, j, v)
			}
		}
	}
}

// What does not fit is refused with gonum's words.
func TestRefusals(t *testing.T) {
	a := make([]float64, 400)
	word := func(f func()) (word any) {
		defer func() { word = recover() }()
		f()
		return nil
	}
	for i, calls := range [][2]func(){
		{func() { theirs.Dgemm('x', 'n', 5, 5, 5, 1, a, 5, a, 5, 0, a, 5) }, func() {
			ours.Dgemm('x', 'n', 5, 5, 5, 1, a, 5, a, 5, 0, a, 5)
		}},
		{func() { theirs.Dgemm('N', 'N', -1, 5, 5, 1, a, 5, a, 5, 0, a, 5) }, func() {
			ours.Dgemm('N', 'N', -1, 5, 5, 1, a, 5, a, 5, 0, a, 5)
		}},
		{func() { theirs.Dgemm('N', 'T', 20, 20, 20, 1, a, 20, a, 19, 0, a, 20) }, func() {
			ours.Dgemm('N', 'T', 20, 20, 20, 1, a, 20, a, 19, 0, a, 20)
		}},
		{func() { theirs.Dgemm('N', 'T', 20, 20, 20, 1, a, 20, a, 21, 0, a, 20) }, func() {
			ours.Dgemm('N', 'T', 20, 20, 20, 1, a, 20, a, 21, 0, a, 20)
		}},
		{func() { theirs.Dsyrk('x', 'N', 20, 20, 1, a, 20, 0, a, 20) }, func() {
			ours.Dsyrk('x', 'N', 20, 20, 1, a, 20, 0, a, 20)
		}},
		{func() { theirs.Dsyrk('U', 'N', 20, 20, 1, a, 20, 0, a[1:], 20) }, func() {
			ours.Dsyrk('U', 'N', 20, 20, 1, a, 20, 0, a[1:], 20)
		}},
		{func() { theirs.Dtrsm('x', 'U', 'N', 'N', 20, 20, 1, a, 20, a, 20) }, func() {
			ours.Dtrsm('x', 'U', 'N', 'N', 20, 20, 1, a, 20, a, 20)
		}},
		{func() { theirs.Dtrsm('L', 'U', 'N', 'x', 20, 20, 1, a, 20, a, 20) }, func() {
			ours.Dtrsm('L', 'U', 'N', 'x', 20, 20, 1, a, 20, a, 20)
		}},
		{func() { theirs.Dtrmm('R', 'U', 'N', 'N', 20, 20, 1, a[1:], 20, a, 20) }, func() {
			ours.Dtrmm('R', 'U', 'N', 'N', 20, 20, 1, a[1:], 20, a, 20)
		}},
		{func() { theirs.Dtrmm('R', 'U', 'N', 'N', 20, 10, 1, a, 20, a, 9) }, func() {
			ours.Dtrmm('R', 'U', 'N', 'N', 20, 10, 1, a, 20, a, 9)
		}},
	} {
		if want, got := word(calls[0]), word(calls[1]); want == nil || got != want {
			t.Errorf("case %d: %q, gonum %q", i, got, want)
		}
	}
}

// FuzzProducts compares products, triangular solves and triangular products of any shape with gonum's.
func FuzzProducts(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(30), uint16(290), uint8(0))
	f.Add(uint64(2), uint8(64), uint8(24), uint16(4), uint8(77))
	f.Fuzz(func(t *testing.T, seed uint64, m, n uint8, k uint16, flags uint8) {
		rng := rand.New(rand.NewPCG(seed, 0))
		tA, tB := transposes[flags%3], transposes[flags/3%3]
		product1(t, rng, int(m), int(n), int(k%600), tA, tB, rng.NormFloat64(), float64(rng.IntN(3)))
		s, d := []blas.Side{blas.Left, blas.Right}[flags&1], []blas.Diag{blas.Unit, blas.NonUnit}[flags>>1&1]
		triangle1(t, rng, s, triangles[flags>>2&1], tA, d, int(m), int(n), rng.NormFloat64())
	})
}

// The squared distances of points to each other are those of two equal matrices, to the last bit; the lower triangle
// stays as it was.
func TestSquaresWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	for _, n := range []int{1, 3, 17, 75, 150} {
		for _, d := range []int{1, 4, 13, 100} {
			x := mat.NewDense(n, d, random(rng, n*d))
			want, got := mat.NewDense(n, n, nil), make([]float64, n*n)
			Squares(want, x, x)
			for i := range got {
				got[i] = -1
			}
			SquaresWithin(got, x)
			for i := range n {
				for j := range n {
					if v := got[i*n+j]; j < i && v != -1 || j >= i && v != want.At(i, j) {
						t.Fatalf("%d points of %d inputs: (%d, %d) is %v, want %v", n, d, i, j, v, want.At(i, j))
					}
				}
			}
		}
	}
}
