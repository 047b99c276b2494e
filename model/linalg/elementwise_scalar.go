//go:build !(goexperiment.simd && go1.27)

package linalg

func exp(dst, x []float64)  { plainExp(dst, x) }
func tanh(dst, x []float64) { plainTanh(dst, x) }
func erf(dst, x []float64)  { plainErf(dst, x) }
func cos(dst, x []float64)  { plainCos(dst, x) }
