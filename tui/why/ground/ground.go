// Package ground is the acquisition of a place of a session on a grid, along one variable or over two of which the others are held at a point: what pictures of a choice lie on. A place
// comes in, values on nodes go out; how they are drawn is for the screens.
package ground

import (
	"context"
	"errors"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/appraisal"
	"bandscope/sessions/why"
	"bandscope/tui/belief"
	"bandscope/tui/belief/along"
	"bandscope/tui/plot"
)

// Ground is an acquisition on a grid.
type Ground struct {
	I, J   int // the variables; J is −1 along one
	Xs, Ys []float64
	Barred plot.Hatch // where known constraints rule points out
	Values []float64  // rows of Ys, columns of Xs; nil where the method has no acquisition
}

// How many points of the acquisition are drawn along one variable, and along each of two.
const (
	lineNodes  = 201
	planeNodes = 36
)

// Over is the acquisition of a place along variable i, or over i and j where that is not −1, the others held at x.
func Over(ctx context.Context, at appraisal.Source, x []float64, i, j int, progress sessions.Progress) (Ground, error) {
	domain := at.State().Problem.Domain
	g := Ground{I: i, J: j, Ys: []float64{0}}
	nodes := lineNodes
	if j >= 0 {
		nodes = planeNodes
		g.Ys = along.Grid(domain[j], 0, 1, nodes)
	}
	g.Xs = along.Grid(domain[i], 0, 1, nodes)
	var points [][]float64
	for _, b := range g.Ys {
		for _, a := range g.Xs {
			p := append([]float64(nil), x...)
			p[i] = a
			if j >= 0 {
				p[j] = b
			}
			points = append(points, p)
		}
	}
	if p := at.State().Problem; p.Constraints != nil {
		g.Barred = belief.Barred(p, points, func(z []float64) plot.Field { return g.Field(domain, z) })
		g.Barred.Strip = j < 0
	}
	values, err := why.Acquisition(ctx, at, points, progress)
	if errors.Is(err, optimizers.ErrUnsupported) {
		err = nil
	}
	g.Values = values
	return g, err
}

// Field is what stands on the nodes, over two variables or along one.
func (g Ground) Field(d functions.Domain, values []float64) plot.Field {
	f := plot.Field{Cols: len(g.Xs), Rows: len(g.Ys), Z: values, Cuts: [2][]float64{along.Cuts(d[g.I], g.Xs), nil}}
	if g.J >= 0 {
		f.Cuts[1] = along.Cuts(d[g.J], g.Ys)
	}
	return f
}
