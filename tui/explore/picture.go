package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
)

const (
	// gridPoints is how many evenly spaced inputs a curve of the belief is drawn through, and truthPoints the same for
	// the true function, which costs next to nothing.
	gridPoints  = 241
	truthPoints = 961
	// grace is how long the first part of a picture waits for the rest, so that a fast method never flickers.
	grace = 120 * time.Millisecond
)

// view is what the person chose to look at.
type view struct {
	variable int    // the input along the x axis
	samples  int    // how many surrogate samples
	draw     uint64 // which ones
}

// picture holds the numbers of one drawn belief, in the problem's own units and direction.
type picture struct {
	head   string // the place in the session that it belongs to
	view   view
	legend optimizers.Legend
	anchor []float64 // where the other variables are held, length d

	grid               []float64 // along the chosen variable
	mean, lower, upper []float64 // nil where there is no band (yet)
	samples            [][]float64
	used               []float64
	acquisition        []float64

	next    [][]float64 // what the next step evaluates, B×d
	byStart bool        // it belongs to the initial design
	note    string
	partial bool // the band and the samples are still being computed
}

// curves are the true function along the chosen variable.
type truthCurve struct {
	x, y []float64
}

// truthAlong evaluates the first objective of the problem along a variable, the others held at the anchor.
func truthAlong(st sessions.State, variable int, anchor []float64) truthCurve {
	v := st.Problem.Domain[variable]
	c := truthCurve{x: make([]float64, truthPoints), y: make([]float64, truthPoints)}
	x := slices.Clone(anchor)
	for i := range c.x {
		c.x[i] = v.Low + (v.High-v.Low)*float64(i)/(truthPoints-1)
		x[variable] = c.x[i]
		c.y[i] = math.NaN()
		if y, err := st.Problem.Evaluate(x); err == nil {
			c.y[i] = y[0]
		}
	}
	return c
}

// anchor is where a slice through a problem of several variables is taken: the best point so far, or the middle of the domain.
func anchor(st sessions.State) []float64 {
	if x, _, _, ok := st.Best(); ok {
		return x
	}
	mid := make([]float64, st.Problem.Dim())
	for i := range mid {
		mid[i] = 0.5
	}
	return st.Problem.Domain.FromUnit(mid)
}

// look computes a picture of the session's belief where it stands. If the band and the samples take long, it returns what
// is known at once and a channel that brings the whole.
func look(ctx context.Context, s *sessions.Session, v view, progress sessions.Progress) (*picture, <-chan outcome, error) {
	st := s.State()
	belief, err := s.Belief(ctx, progress)
	if err != nil {
		return nil, nil, err
	}
	p := &picture{head: st.Head, view: v, legend: belief.Legend(), anchor: anchor(st), partial: true}
	if err := p.aim(ctx, s, st, progress); err != nil {
		return nil, nil, err
	}
	x := p.inputs(st)
	if err := p.quick(ctx, st, belief, x); err != nil {
		return nil, nil, err
	}
	rest := make(chan outcome, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				rest <- outcome{err: fmt.Errorf("drawing the belief: %v", r)}
			}
		}()
		full := *p
		err := full.slow(ctx, st, belief, x)
		full.legend, full.partial = belief.Legend(), false
		rest <- outcome{&full, err}
	}()
	select {
	case o := <-rest:
		return o.picture, nil, o.err
	case <-time.After(grace):
		return p, rest, nil
	}
}

// outcome is a picture or the reason why there is none.
type outcome struct {
	picture *picture
	err     error
}

// aim finds what the next step would evaluate.
func (p *picture) aim(ctx context.Context, s *sessions.Session, st sessions.State, progress sessions.Progress) error {
	next, err := s.Next(ctx, progress)
	if err != nil {
		return err
	}
	_, p.byStart = optimizers.InitialPoint(st.Input())
	p.note = next.Note
	n, _ := next.X.Dims()
	for i := range n {
		p.next = append(p.next, st.Problem.Domain.FromUnit(mat.Row(nil, i, next.X)))
	}
	return nil
}

// inputs lays the grid: evenly spaced points along the variable, and on a line also the data and the next points, so that
// the band meets its data and the acquisition its maximum. It returns the same inputs in the unit cube.
func (p *picture) inputs(st sessions.State) *mat.Dense {
	v := st.Problem.Domain[p.view.variable]
	for i := range gridPoints {
		p.grid = append(p.grid, v.Low+(v.High-v.Low)*float64(i)/(gridPoints-1))
	}
	if st.Problem.Dim() == 1 {
		for _, it := range st.Iterations {
			for _, x := range it.X {
				p.grid = append(p.grid, x[0])
			}
		}
		for _, x := range p.next {
			p.grid = append(p.grid, x[0])
		}
	}
	slices.Sort(p.grid)
	p.grid = slices.Compact(p.grid)
	x := mat.NewDense(len(p.grid), st.Problem.Dim(), nil)
	at := slices.Clone(p.anchor)
	for i, g := range p.grid {
		at[p.view.variable] = g
		x.SetRow(i, st.Problem.Domain.ToUnit(at))
	}
	return x
}

// quick fills what every belief has at hand: the function that it uses, and its acquisition.
func (p *picture) quick(ctx context.Context, st sessions.State, b optimizers.Belief, x *mat.Dense) error {
	sign := st.Problem.Objectives[0].Direction.Sign()
	if used, err := b.Used(ctx, x); err == nil {
		p.used = scaled(used[0], sign)
	} else if !errors.Is(err, optimizers.ErrAbsent) {
		return err
	}
	acq, err := b.Acquisition(ctx, x)
	if err != nil && !errors.Is(err, optimizers.ErrAbsent) {
		return err
	}
	p.acquisition = acq
	return nil
}

// slow fills the band and the samples.
func (p *picture) slow(ctx context.Context, st sessions.State, b optimizers.Belief, x *mat.Dense) error {
	sign := st.Problem.Objectives[0].Direction.Sign()
	bands, err := b.Predict(ctx, x)
	if err == nil {
		n := len(bands[0].Mean)
		p.mean, p.lower, p.upper = make([]float64, n), make([]float64, n), make([]float64, n)
		for i, m := range bands[0].Mean {
			p.mean[i] = sign * m
			p.lower[i] = sign*m - 2*bands[0].SD[i]
			p.upper[i] = sign*m + 2*bands[0].SD[i]
		}
	} else if !errors.Is(err, optimizers.ErrAbsent) {
		return err
	}
	if p.view.samples == 0 {
		return nil
	}
	samples, err := b.Samples(ctx, x, p.view.samples, p.view.draw)
	if errors.Is(err, optimizers.ErrAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range p.view.samples {
		p.samples = append(p.samples, scaled(mat.Row(nil, i, samples[0]), sign))
	}
	return nil
}

func scaled(v []float64, by float64) []float64 {
	for i := range v {
		v[i] *= by
	}
	return v
}

// at interpolates a curve of the picture linearly; NaN where there is none.
func (p *picture) at(curve []float64, x float64) float64 {
	if len(curve) == 0 {
		return math.NaN()
	}
	i, _ := slices.BinarySearch(p.grid, x)
	switch {
	case i == 0:
		return curve[0]
	case i >= len(p.grid):
		return curve[len(curve)-1]
	}
	t := (x - p.grid[i-1]) / (p.grid[i] - p.grid[i-1])
	return curve[i-1] + t*(curve[i]-curve[i-1])
}
