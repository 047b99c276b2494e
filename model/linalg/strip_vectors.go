//go:build goexperiment.simd && go1.27

package linalg

import (
	"simd"
	"sync"

	"gonum.org/v1/gonum/blas"

	"bandscope/model/parallel"
)

// small is a triangle of at most directOrder in the order of the strips: each row depends on the ones before it; on the
// diagonal is the factor of a row, before it are the factors of the other rows.
type small struct {
	triangle
	from   int
	order  int
	values [directOrder * directOrder]float64
}

var smalls = sync.Pool{New: func() any { return new(small) }}

// direct processes a small triangle.
func (t *triangle) direct(from, end int) {
	if !vectors() {
		t.plain(from, end)
		return
	}
	s := smalls.Get().(*small)
	s.triangle = *t
	s.from = from
	s.order = end - from
	for i := range s.order {
		for j := range i {
			v := 0.0
			if t.right {
				v = t.at(s.place(j), s.place(i))
			} else {
				v = t.at(s.place(i), s.place(j))
			}
			if t.solving {
				v = -v
			}
			s.values[i*directOrder+j] = v
		}
		s.values[i*directOrder+i] = 1
		if t.diag == blas.NonUnit {
			v := t.at(s.place(i), s.place(i))
			if t.solving {
				v = 1 / v
			}
			s.values[i*directOrder+i] = v
		}
	}
	strips := up(t.count, stripWidth()) / stripWidth()
	if strips*s.order*s.order*stripWidth() < serial {
		for i := range strips {
			s.strip(i)
		}
	} else {
		parallel.Do(strips, s.strip)
	}
	s.triangle = triangle{}
	smalls.Put(s)
}

// place is the row of T that is processed i-th.
func (s *small) place(i int) int {
	if s.forward {
		return s.from + i
	}
	return s.from + s.order - 1 - i
}

// strip processes some columns of B, rows if T is on the right.
func (s *small) strip(n int) {
	width := stripWidth()
	first := n * width
	count := min(width, s.count-first)
	w := works.Get().(*work)
	w.a = room(w.a, s.order*width)
	x := w.a
	if count < width {
		clear(x)
	}
	for i := range s.order {
		line := x[i*width:][:count]
		if !s.right {
			copy(line, s.b[s.place(i)*s.stride+first:])
			continue
		}
		offset := first*s.stride + s.place(i)
		for r := range line {
			line[r] = s.b[offset]
			offset += s.stride
		}
	}
	substitute(s.order, s.values[:], x, s.solving)
	for i := range s.order {
		line := x[i*width:][:count]
		if !s.right {
			copy(s.b[s.place(i)*s.stride+first:], line)
			continue
		}
		offset := first*s.stride + s.place(i)
		for _, v := range line {
			s.b[offset] = v
			offset += s.stride
		}
	}
	works.Put(w)
}

// at is the element (i, j).
func (o operand) at(i, j int) float64 {
	if o.trans {
		i, j = j, i
	}
	return o.data[i*o.stride+j]
}

// stripVectors is the number of vectors of a strip that are processed together: enough sums that the processor need not
// wait for one of them.
const stripVectors = 6

// stripWidth is how many columns of a strip are solved for at once.
func stripWidth() int { return stripVectors * simd.VectorBitSize() / 64 }

// substitute processes a small triangle on one strip.
func substitute(order int, t, x []float64, solving bool) {
	var none simd.Float64s
	v := none.Len()
	for n := 0; n < order; n++ {
		i := n
		if !solving {
			i = order - 1 - n
		}
		values := x[i*stripVectors*v:][:stripVectors*v]
		s0 := simd.LoadFloat64s(values)
		s1 := simd.LoadFloat64s(values[v:])
		s2 := simd.LoadFloat64s(values[2*v:])
		s3 := simd.LoadFloat64s(values[3*v:])
		s4 := simd.LoadFloat64s(values[4*v:])
		s5 := simd.LoadFloat64s(values[5*v:])
		diagonal := simd.BroadcastFloat64s(t[i*directOrder+i])
		if !solving {
			s0 = s0.Mul(diagonal)
			s1 = s1.Mul(diagonal)
			s2 = s2.Mul(diagonal)
			s3 = s3.Mul(diagonal)
			s4 = s4.Mul(diagonal)
			s5 = s5.Mul(diagonal)
		}
		row, from := t[i*directOrder:][:i], x
		for j := 0; j < len(row); j++ {
			if len(from) < stripVectors*v {
				panic("linalg: a strip is too short")
			}
			f := simd.BroadcastFloat64s(row[j])
			s0 = simd.LoadFloat64s(from).MulAdd(f, s0)
			s1 = simd.LoadFloat64s(from[v:]).MulAdd(f, s1)
			s2 = simd.LoadFloat64s(from[2*v:]).MulAdd(f, s2)
			s3 = simd.LoadFloat64s(from[3*v:]).MulAdd(f, s3)
			s4 = simd.LoadFloat64s(from[4*v:]).MulAdd(f, s4)
			s5 = simd.LoadFloat64s(from[5*v:]).MulAdd(f, s5)
			from = from[stripVectors*v:]
		}
		if solving {
			s0 = s0.Mul(diagonal)
			s1 = s1.Mul(diagonal)
			s2 = s2.Mul(diagonal)
			s3 = s3.Mul(diagonal)
			s4 = s4.Mul(diagonal)
			s5 = s5.Mul(diagonal)
		}
		s0.Store(values)
		s1.Store(values[v:])
		s2.Store(values[2*v:])
		s3.Store(values[3*v:])
		s4.Store(values[4*v:])
		s5.Store(values[5*v:])
	}
	scalars()
}
