//go:build study

package gaussian

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/model/parallel"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

var coverageInput = flag.String("coverage-input", "", "file to which TestWriteCoverageInput writes")

// coverageInputs is the input of testdata/botorch_coverage.py: searches with the points where their bands are compared
// with the standardized truth.
type coverageInputs struct {
	Domains  map[string][][]float64 `json:"domains"`  // points of the unit cube
	Truths   map[string][]float64   `json:"truths"`   // values there, minimized
	Searches []coverageSearch       `json:"searches"` // without cells
	Scales   [][][2]float64         `json:"scales"`   // mean and standard deviation of each search after 8, 12, 16, 20
}

// The test writes the searches that testdata/botorch_coverage.py fits with BoTorch.
func TestWriteCoverageInput(t *testing.T) {
	if *coverageInput == "" {
		return
	}
	in := coverageInputs{Domains: map[string][][]float64{}, Truths: map[string][]float64{},
		Searches: make([]coverageSearch, len(coverageFunctions)*searchSeeds)}
	in.Scales = make([][][2]float64, len(in.Searches))
	parallel.Do(len(in.Searches), func(i int) {
		s := coverageSearch{Function: coverageFunctions[i/searchSeeds], Seed: uint64(i%searchSeeds + 1)}
		p, data := searched(t, s.Function, s.Seed, 20, "kernel=matern52", "hyperparameters="+integratedLabel)
		for k := range 20 {
			s.X, s.Y = append(s.X, mat.Row(nil, k, data.X)), append(s.Y, data.Y.At(k, 0))
		}
		for n := 8; n <= 20; n += 4 {
			scale := testbed.InputFor(t, EI, p.Dim(), data).Scale(0, n)
			in.Scales[i] = append(in.Scales[i], [2]float64{scale.Mean, scale.SD})
		}
		in.Searches[i] = s
	})
	for _, name := range coverageFunctions {
		p := problem(t, name, 1)
		inputs := mat.NewDense(400, p.Dim(), nil)
		require.NoError(t, search.Halton(t.Context(), inputs, rng.New(1, 0, "domain")))
		for j := range 400 {
			in.Domains[name] = append(in.Domains[name], inputs.RawRowView(j))
			in.Truths[name] = append(in.Truths[name], truth(t, p, inputs.RawRowView(j)))
		}
	}
	text, err := json.Marshal(in)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(*coverageInput, text, 0o644))
}
