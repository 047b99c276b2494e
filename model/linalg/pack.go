package linalg

// packedStrips is how many strips of B are packed at a time.
const packedStrips = 8

// pack packs some strips of columns of B.
func (p *product) pack(t int) {
	first := p.from + t*packedStrips*p.width
	last := min(first+packedStrips*p.width, p.to)
	for j := first; j < last; j += p.width {
		strip := p.packed[(j-p.from)*p.depth:][:p.depth*p.width]
		columns := min(p.width, last-j)
		if columns < p.width || p.depth > p.k {
			clear(strip)
		}
		if p.b.trans {
			interleave(strip, p.width, p.b.data[j*p.b.stride:], p.b.stride, columns, p.k, 1)
			continue
		}
		if p.width == plainWidth && columns == plainWidth {
			for l := range p.k {
				row := p.b.data[l*p.b.stride+j:][:plainWidth]
				strip[l*plainWidth], strip[l*plainWidth+1] = row[0], row[1]
			}
			continue
		}
		for l := range p.k {
			copy(strip[l*p.width:(l+1)*p.width], p.b.data[l*p.b.stride+j:][:columns])
		}
	}
}

// packRows packs the rows i0 up to, but not, i1 of α A, depth columns from l on, with zeros beyond its edges.
//
//go:norace
func (p *product) packRows(packed []float64, i0, i1, l, depth int) {
	columns := min(depth, p.k-l)
	for i := i0; i < i1; i += tileRows {
		strip := packed[(i-i0)*depth:][:tileRows*depth]
		rows := min(tileRows, i1-i)
		if rows < tileRows || columns < depth {
			clear(strip)
		}
		if !p.a.trans {
			interleave(strip, tileRows, p.a.data[i*p.a.stride+l:], p.a.stride, rows, columns, p.alpha)
			continue
		}
		for c := range columns {
			end := strip[c*tileRows : (c+1)*tileRows]
			for r, v := range p.a.data[(l+c)*p.a.stride+i:][:rows] {
				end[r] = p.alpha * v
			}
		}
	}
}

// interleave writes α times rows that lie stride apart as the first columns of a matrix of the given width: element (r,
// l) goes to l·width + r.
//
//go:norace
func interleave(strip []float64, width int, from []float64, stride, rows, length int, alpha float64) {
	r := 0
	for ; r+4 <= rows; r += 4 {
		a := from[r*stride:][:length]
		b := from[(r+1)*stride:][:length]
		c := from[(r+2)*stride:][:length]
		d := from[(r+3)*stride:][:length]
		offset := r
		for l, v := range a {
			end := strip[offset : offset+4 : offset+4]
			end[0] = alpha * v
			end[1] = alpha * b[l]
			end[2] = alpha * c[l]
			end[3] = alpha * d[l]
			offset += width
		}
	}
	for ; r < rows; r++ {
		for l, v := range from[r*stride:][:length] {
			strip[l*width+r] = alpha * v
		}
	}
}
