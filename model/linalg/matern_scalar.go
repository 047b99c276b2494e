//go:build !(goexperiment.simd && go1.27)

package linalg

func negativeRoots(dst, q, x []float64)      { plainNegativeRoots(dst, q, x) }
func matern52(s2 float64, q, c, g []float64) { plainMatern52(s2, q, c, g) }
