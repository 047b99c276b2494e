//go:build goexperiment.simd && go1.27

package linalg

import "simd/archsimd"

// scalars ends a computation with vectors. The compiler does not clear the upper parts of the vector registers (Go
// 1.27.0), and until they are cleared, math.Exp takes a hundred times as long on an AMD EPYC: its instructions
// alternate between the old encoding, which keeps the upper parts, and the new one.
func scalars() { archsimd.ClearAVXUpperBits() }
