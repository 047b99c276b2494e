//go:build goexperiment.simd && go1.27 && !amd64

package linalg

// scalars ends what is computed with vectors; registers that have no upper parts need nothing.
func scalars() {}
