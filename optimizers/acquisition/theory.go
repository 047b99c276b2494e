package acquisition

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/widenet"
	"bandscope/optimizers"
)

// NewTheory computes the information gain and the eigenvalues of a kernel matrix.
func NewTheory(kernel string, K *mat.SymDense, noise2 float64, noise string) (optimizers.Theory, error) {
	t := optimizers.Theory{Kernel: kernel, Noise2: noise2, Noise: noise}
	var err error
	t.Gain, t.Eigenvalues, err = widenet.Spectrum(K, t.Noise2)
	if err != nil {
		return t, fmt.Errorf("spectrum of the %s: %w", kernel, err)
	}
	return t, nil
}

// ErrNoData is the error of a theory before the first result.
var ErrNoData = fmt.Errorf("the spectrum of the kernel needs results: %w", optimizers.ErrUnsupported)
