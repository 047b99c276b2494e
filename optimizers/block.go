package optimizers

import "context"

// BlockEffects are the estimated shifts of blocks, such as plates and days, of one objective, in the units of the
// minimized objective (of its logarithm, if Input.Transforms says so). A shift is what the results of a block have in
// common beyond what the inputs explain. It is relative to the results without a block or, if all have one, to the mean
// of the blocks.
type BlockEffects struct {
	SD       float64   // σ_b, the standard deviation of the shifts
	Mean, SE []float64 // of each block, in the order of Data.BlockNames; the SE is that of the posterior
	Relative bool      // to the mean of the blocks
}

// BlockEstimator is a belief that estimates the shifts of blocks.
type BlockEstimator interface {
	// BlockEffects returns the shifts for each objective. The error is ErrUnsupported if the belief estimates none, and
	// if there are no blocks.
	BlockEffects(ctx context.Context) ([]BlockEffects, error)
}
