package sessions

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
)

// latestData are the data of the state of a session that was asked for them last: states between which only notes,
// suggestions and parameters changed have the same.
type latestData struct {
	mu         sync.Mutex
	problem    *functions.Problem
	iterations []Iteration
	data       optimizers.Data
	clipped    []optimizers.Clip
}

// winsorized are the data of an input that has everything else, and their clipped values.
func (st State) winsorized(in optimizers.Input) (optimizers.Data, []optimizers.Clip) {
	c := st.Memoize(latestDataKey{}, func() any { return &latestData{} }).(*latestData)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.problem != st.Problem || !sameIterations(c.iterations, st.Iterations) {
		in.Data = st.data()
		in.Winsorize()
		c.problem = st.Problem
		c.iterations = st.Iterations
		c.data = in.Data
		c.clipped = in.Clipped
	}
	return c.data, c.clipped
}

type latestDataKey struct{}

// sameIterations reports whether two lists are the same, rather than equal: lists of states never change.
func sameIterations(a, b []Iteration) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// data are the observations at the points of evaluation, without incomplete ones.
func (st State) data() optimizers.Data {
	var d optimizers.Data
	var blocks []string // of each observation
	var x, y, se, failed, limits, limitSE []float64
	dim := st.Problem.Dim()
	count := len(st.Problem.Objectives)
	known := false
	measured, limited := st.Problem.Outputs(), st.Problem.LimitedOutputs()
	for _, it := range st.Iterations {
		before := len(blocks)
		for i, pt := range it.Points {
			u := st.Problem.Domain.ToUnit(pt.X)
			switch {
			case it.IncompleteAt(i):
				continue
			case pt.Failed:
				failed = append(failed, u...)
				d.FailedAfter = append(d.FailedAfter, len(x)/dim)
				continue
			}
			x, blocks = append(x, u...), append(blocks, pt.Block)
			for k, o := range st.Problem.Objectives {
				y = append(y, o.Transform().Apply(pt.Y[k]))
			}
			errors := it.standardErrors(measured, i)
			known, se = known || anyKnown(errors), append(se, errors[:count]...)
			for _, k := range limited {
				limits, limitSE = append(limits, measured[k].Transform().ToScale(pt.Y[k])), append(limitSE, errors[k])
			}
		}
		if it.By == ByImport {
			d.Imports = extendRanges(d.Imports, before, len(blocks))
		}
	}
	if n := len(x) / dim; n > 0 {
		d.X, d.Y = mat.NewDense(n, dim, x), mat.NewDense(n, count, y)
		if known {
			d.SE = mat.NewDense(n, count, se)
		}
		if limits != nil {
			d.Limits, d.LimitSE = mat.NewDense(n, len(limited), limits), mat.NewDense(n, len(limited), limitSE)
		}
	}
	if n := len(failed) / dim; n > 0 {
		d.Failed = mat.NewDense(n, dim, failed)
	}
	d.Blocks, d.BlockNames = indexBlocks(blocks)
	return d
}

// extendRanges appends a range, from its first element up to, but not, its last, to others before it. One that begins
// where the last one ends extends that; an empty one is left out.
func extendRanges(ranges [][2]int, from, end int) [][2]int {
	last := len(ranges) - 1
	switch {
	case from == end:
		return ranges
	case last >= 0 && ranges[last][1] == from:
		ranges[last][1] = end
		return ranges
	}
	return append(ranges, [2]int{from, end})
}

// indexBlocks are the different blocks of observations, in the order in which they occur, and the index of each
// observation's; −1 for one without a block. Without two groups of observations there is no shift to estimate: then
// both are nil.
func indexBlocks(in []string) (indices []int, names []string) {
	for _, name := range in {
		index := slices.Index(names, name)
		if index < 0 && name != "" {
			index, names = len(names), append(names, name)
		}
		indices = append(indices, index)
	}
	if len(names) == 0 || len(names) == 1 && !slices.Contains(indices, -1) {
		return nil, nil
	}
	return indices, names
}

// standardErrors are the standard errors of all outputs at a point, on the scale on which values are counted, NaN if
// unknown. On a logarithmic scale the declared noise differs between values, and replaces an unreported standard error.
func (it Iteration) standardErrors(measured []functions.Objective, point int) []float64 {
	list := nanValues(len(measured))
	copy(list, it.Points[point].SE)
	for k, o := range measured {
		g := o.Transform()
		if math.IsNaN(list[k]) && g.IsLog() && o.Noise > 0 {
			list[k] = o.Noise
		}
		list[k] = g.ApplySE(it.Points[point].Y[k], list[k])
	}
	return list
}
