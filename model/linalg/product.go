package linalg

import (
	"sync"

	"bandscope/model/parallel"
)

// A product is computed in tiles of tileRows×tileWidth() values of C. What a tile needs of A and B lies packed in the
// order in which it is read: A in strips of tileRows rows, B in strips of tileWidth() columns (Goto and van de Geijn,
// Anatomy of high-performance matrix multiplication, 2008). The columns of A are taken deep at a time, so that a strip
// of B stays in the cache that is nearest while the strips of a block of A go by. Every value of C is the same sum in
// the same order wherever it lies in a tile or block.
const (
	tileRows  = 4
	tileSteps = 4       // the depth of a tile is a multiple of this; zeros are added
	deep      = 512     // columns of A at a time
	blockRows = 64      // rows of A that are packed at a time
	atOnce    = 1 << 20 // values of B that are packed at once, 8 MB
	serial    = 1 << 19 // multiplications below which one core does it all
)

// shape says which values of a matrix are computed.
type shape int

const (
	whole shape = iota
	lower
	upper
)

// columns returns the columns to compute within from up to, but not, end of a row.
func (s shape) columns(row, from, end int) (int, int) {
	switch s {
	case lower:
		return from, min(end, row+1)
	case upper:
		return max(from, row), end
	}
	return from, end
}

// product is a product C = α A B + β C during its computation, or another computation of this form.
type product struct {
	tiles         func(n, k int, a, b, c []float64, stride int, add bool)
	shape         shape
	m, n, k       int
	alpha, beta   float64
	a, b          operand
	c             []float64
	stride        int
	width         int // of a strip of B
	depth         int // k, and zeros up to a multiple of tileSteps
	from, to      int // columns of B that are packed
	blocks, spans int // of rows and of columns that are computed at a time
	packed        []float64
}

// products are pooled for their memory.
var products = sync.Pool{New: func() any { return new(product) }}

// multiply computes C = α A B + β C, A m×k and B k×n, for the selected values of C. If β = 0, C is only written.
func multiply(s shape, m, n, k int, alpha float64, a, b operand, beta float64, c []float64, stride int) {
	if alpha == 0 || k == 0 {
		for i := range m {
			scale(s, i, 0, n, beta, c[i*stride:])
		}
		return
	}
	run(product{tiles: tiles, shape: s, m: m, n: n, k: k, alpha: alpha, beta: beta, a: a, b: b, c: c, stride: stride})
}

// run computes a product.
func run(job product) {
	p := products.Get().(*product)
	buffer := p.packed
	*p = job
	p.width, p.depth = tileWidth(), up(p.k, tileSteps)
	columns := max(p.width, atOnce/p.depth/p.width*p.width)
	p.packed = room(buffer, p.depth*min(columns, up(p.n, p.width)))
	for p.from = 0; p.from < p.n; p.from += columns {
		p.to = min(p.from+columns, p.n)
		strips := up(p.to-p.from, p.width) / p.width
		p.blocks = up(p.m, blockRows) / blockRows
		p.spans = max(1, min(8/p.blocks, strips/4))
		packs := (strips + packedStrips - 1) / packedStrips
		if p.m*p.n*p.k < serial {
			for i := range packs {
				p.pack(i)
			}
			for i := range p.blocks * p.spans {
				p.block(i)
			}
			continue
		}
		parallel.Do(packs, p.pack)
		parallel.Do(p.blocks*p.spans, p.block)
	}
	*p = product{packed: p.packed}
	products.Put(p)
}

// up is the smallest multiple of m that is at least n.
func up(n, m int) int { return (n + m - 1) / m * m }

func room(values []float64, n int) []float64 {
	// The result reuses the memory of kept if it is large enough. It is aligned for vectors, as Go's allocations of
	// 32 kB or more are.
	if cap(values) < n {
		return make([]float64, n, max(n, 1<<12))
	}
	return values[:n]
}

// scale multiplies the columns from up to, but not, end of a row of C by β; they become zero where β is, whatever they
// were.
//
//go:norace
func scale(s shape, row, from, end int, beta float64, c []float64) {
	from, end = s.columns(row, from, end)
	switch {
	case from >= end || beta == 1:
	case beta == 0:
		clear(c[from:end])
	default:
		for j := from; j < end; j++ {
			c[j] *= beta
		}
	}
}

// block computes one block of rows of C in one span of the columns that are packed.
func (p *product) block(t int) {
	strips := up(p.to-p.from, p.width) / p.width
	i0, span := t/p.spans*blockRows, t%p.spans
	i1 := min(i0+blockRows, p.m)
	q0, q1 := span*strips/p.spans, (span+1)*strips/p.spans
	if p.beta != 0 {
		for i := i0; i < i1; i++ {
			scale(p.shape, i, p.from+q0*p.width, min(p.from+q1*p.width, p.to), p.beta, p.c[i*p.stride:])
		}
	}
	w := works.Get().(*work)
	w.edge = room(w.edge, tileRows*p.width)
	for l := 0; l < p.k; l += deep {
		depth := min(deep, p.depth-l)
		w.a = room(w.a, up(i1-i0, tileRows)*depth)
		p.packRows(w.a, i0, i1, l, depth)
		for q := q0; q < q1; q++ {
			b := p.packed[(q*p.depth+l)*p.width:][:depth*p.width]
			p.strip(i0, i1, p.from+q*p.width, depth, w, b, l > 0 || p.beta != 0)
		}
	}
	works.Put(w)
}

// work is the memory of one worker.
type work struct{ a, edge []float64 }

var works = sync.Pool{New: func() any { return new(work) }}

// strip adds to the rows i0 up to, but not, i1 of one strip of columns of C, from j on, or sets them.
func (p *product) strip(i0, i1, j, depth int, w *work, b []float64, add bool) {
	first, last := p.inside(i0, i1, j)
	for i := i0; i < i1; i += tileRows {
		a := w.a[(i-i0)*depth:]
		if i == first && first < last {
			p.tiles((last-first)/tileRows, depth, a, b, p.c[i*p.stride+j:], p.stride, add)
			i = last - tileRows
			continue
		}
		p.edge(i, j, depth, a, b, add, w.edge)
	}
}

// inside returns which rows begin tiles of a strip of columns that reach over no edge.
func (p *product) inside(i0, i1, j int) (first, last int) {
	first, last = i0, i0+(i1-i0)/tileRows*tileRows
	switch {
	case j+p.width > p.n:
		return first, first
	case p.shape == lower:
		first = max(first, i0+up(max(0, j+p.width-1-i0), tileRows))
	case p.shape == upper:
		last = min(last, i0+max(0, j+1-i0)/tileRows*tileRows)
	}
	return first, max(first, last)
}

// edge adds one tile to C at (i, j), or sets C to it, if the tile extends beyond the values to compute: it is computed
// in other memory first.
func (p *product) edge(i, j, depth int, a, b []float64, add bool, edge []float64) {
	if p.shape == lower && j > i+tileRows-1 || p.shape == upper && i >= j+p.width {
		return
	}
	p.tiles(1, depth, a, b, edge, p.width, false)
	for r := range min(tileRows, p.m-i) {
		from, end := p.shape.columns(i+r, j, min(j+p.width, p.n))
		if from >= end {
			continue
		}
		c, e := p.c[(i+r)*p.stride:][from:end], edge[r*p.width:][from-j:end-j]
		if !add {
			copy(c, e)
			continue
		}
		for x, v := range e {
			c[x] += v
		}
	}
}
