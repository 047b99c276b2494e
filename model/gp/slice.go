package gp

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Settings of the sampler of hyperparameters.
const (
	burnInSweeps = 5 // sweeps from the start of the chain to the first draw
	thinning     = 2 // sweeps from one draw to the next
	maxStepsOut  = 6 // maximum growth of an interval, in units of its first width
)

// Integrate draws count sets of hyperparameters from their posterior by slice sampling (Neal 2003, fig. 3 and 5; for
// Gaussian processes Murray & Adams 2010). The chain starts from mode, the process that Fit returns for the same data.
// The result depends only on the data, the options and the random stream.
func Integrate(ctx context.Context, mode *GP, X *mat.Dense, y []float64, opt Options, count int,
	rng *rand.Rand) (*Mixture, error) {
	if X == nil || len(y) < 2 || count < 2 {
		return NewMixture(mode), nil
	}
	e := newEvidence(X, y, opt)
	if !e.free() {
		return NewMixture(mode), nil
	}
	start := e.at(mode)
	draws, err := e.posteriorDraws(ctx, e.inside(start), count, rng)
	if err != nil {
		return nil, err
	}
	m := &Mixture{mode: mode}
	for _, theta := range draws {
		k, noise := e.kernelAt(theta)
		g, err := NewBlocked(k, noise, opt.NoiseSDs, Blocks{opt.Blocks, e.blockSD(theta)}, X, y)
		if err != nil {
			return nil, err
		}
		m.draws = append(m.draws, g)
	}
	return m, nil
}

// posteriorDraws draws count points from the posterior.
func (e *evidence) posteriorDraws(ctx context.Context, start []float64, count int, rng *rand.Rand) ([][]float64, error) {
	w := e.workspace()
	defer e.workspaces.Put(w)
	return e.newChain(start, w, rng).draw(ctx, count)
}

// Thin returns the mixture of every few of the processes, from the first on.
func (m *Mixture) Thin(every int) *Mixture {
	if !m.Integrated() {
		return m
	}
	few := &Mixture{mode: m.mode}
	for i := 0; i < len(m.draws); i += every {
		few.draws = append(few.draws, m.draws[i])
	}
	return few
}
