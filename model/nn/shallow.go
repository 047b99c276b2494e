package nn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/parallel"
)

// The hidden layer of a wide shallow network is evaluated in tiles of inputs and units, which stay in the nearest
// caches however many inputs there are.
const (
	tileRows  = 128
	tileUnits = 256

	productFrom = 4 // inputs d from which a product of matrices is faster than a sum of columns
)

// evalShallow is Eval for one hidden layer.
func (n *Net) evalShallow(X *mat.Dense, out []float64) {
	first, last := n.first(), n.layers[1].w.RawRowView(0)
	n.tiles(X, 1, func(position tile) {
		z := position.part(0)
		first.at(X, position, z)
		n.arch.Activation.serial(z.Data, nil)
		for i := range z.Rows {
			out[position.row+i] += n.gain(1) * blas64.Dot(vector(row(z, i)), vector(last[position.unit:position.unit+z.Cols]))
		}
	})
	floats.AddConst(n.arch.SigmaB*n.layers[1].b[0], out)
}

// jvpShallow is JVP for one hidden layer, along being the network whose parameters are the tangent.
func (n *Net) jvpShallow(along *Net, X *mat.Dense, out []float64) {
	first, tangent := n.first(), along.first()
	lastW, lastU := n.layers[1].w.RawRowView(0), along.layers[1].w.RawRowView(0)
	n.tiles(X, 3, func(position tile) {
		z := position.part(0)
		dot := position.part(1)
		slope := position.part(2)
		first.at(X, position, z)
		tangent.at(X, position, dot)
		n.arch.Activation.serial(z.Data, slope.Data)
		for i := range z.Rows {
			values := row(z, i)
			dots := row(dot, i)
			sum := 0.0
			for k, s := range row(slope, i) {
				sum += lastW[position.unit+k]*s*dots[k] + lastU[position.unit+k]*values[k]
			}
			out[position.row+i] += n.gain(1) * sum
		}
	})
	floats.AddConst(n.arch.SigmaB*along.layers[1].b[0], out)
}

// tile is a block of inputs, from row on, and of units, from unit on, with memory for a few values of each of them.
type tile struct {
	row, unit, rows, units int
	buffer                 []float64
}

// part is the memory for the values of one kind, a row for each input.
func (t tile) part(i int) blas64.General {
	size := t.rows * t.units
	return blas64.General{Rows: t.rows, Cols: t.units, Stride: t.units, Data: t.buffer[i*size : (i+1)*size]}
}

// row is one row of a part.
func row(part blas64.General, i int) []float64 { return part.Data[i*part.Stride:][:part.Cols] }

// tiles calls f for all tiles, on all cores if that is worthwhile, those of the same inputs one after the other.
func (n *Net) tiles(X *mat.Dense, kinds int, f func(position tile)) {
	rows, _ := X.Dims()
	units := len(n.layers[0].b)
	block := func(b int) {
		position := tile{row: b * tileRows, rows: min(tileRows, rows-b*tileRows)}
		room := make([]float64, kinds*position.rows*min(tileUnits, units))
		for ; position.unit < units; position.unit += tileUnits {
			position.units = min(tileUnits, units-position.unit)
			position.buffer = room[:kinds*position.rows*position.units]
			f(position)
		}
	}
	blocks := (rows + tileRows - 1) / tileRows
	if rows*units >= parallelFrom {
		parallel.Do(blocks, block)
		return
	}
	for b := range blocks {
		block(b)
	}
}

// firstLayer is the first layer with its weights scaled by their gain, stored by columns if there are few inputs.
type firstLayer struct {
	net     *Net
	columns *mat.Dense // d×m, nil if there are more
}

func (n *Net) first() firstLayer {
	if n.arch.Inputs >= productFrom {
		return firstLayer{net: n}
	}
	columns := mat.DenseCopyOf(n.layers[0].w.T())
	columns.Scale(n.gain(0), columns)
	return firstLayer{n, columns}
}

// at is affine for the inputs and the units of a tile.
func (l firstLayer) at(X *mat.Dense, position tile, z blas64.General) {
	bias := row(z, 0)
	for k, b := range l.net.layers[0].b[position.unit : position.unit+z.Cols] {
		bias[k] = l.net.arch.SigmaB * b
	}
	for i := 1; i < z.Rows; i++ {
		copy(row(z, i), bias)
	}
	if l.columns == nil {
		w, x := l.net.layers[0].w.RawMatrix(), X.RawMatrix()
		w.Rows, w.Data = z.Cols, w.Data[position.unit*w.Stride:]
		x.Rows, x.Data = z.Rows, x.Data[position.row*x.Stride:]
		blas64.Gemm(blas.NoTrans, blas.Trans, l.net.gain(0), x, w, 1, z)
		return
	}
	for i := range z.Rows {
		for j, v := range X.RawRowView(position.row + i) {
			floats.AddScaled(row(z, i), v, l.columns.RawRowView(j)[position.unit:position.unit+z.Cols])
		}
	}
}
