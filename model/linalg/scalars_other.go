//go:build goexperiment.simd && go1.27 && !amd64

package linalg

// scalars ends a computation with vectors; registers without upper parts need nothing.
func scalars() {}
