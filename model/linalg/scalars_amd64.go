//go:build goexperiment.simd && go1.27

package linalg

import "simd/archsimd"

// scalars ends what is computed with vectors. The compiler leaves the upper parts of the vector registers as they are
// (Go 1.27.0), and as long as something stands in them, math.Exp takes a hundred times as long on an AMD EPYC: its
// instructions are of the old form, which keeps the upper parts, and of the new one by turns.
func scalars() { archsimd.ClearAVXUpperBits() }
