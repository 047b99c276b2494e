package search_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
	"bandscope/optimizers/space"
)

// A finite space ends when every point is evaluated, pending or discarded, unless its values are noisy.
func TestCheckExhausted(t *testing.T) {
	valueAt := func(rows ...float64) *mat.Dense { return mat.NewDense(len(rows)/2, 2, rows) }
	four, half := valueAt(0, 0, 0, 1, 1, 0, 1, 1), valueAt(0, 0, 1, 1)
	wide := &space.Domain{Inputs: []space.Input{{Levels: []float64{0, 1}}, {}}}
	pool := &space.Domain{Inputs: finite(2, 2).Inputs, Pool: space.NewPool([][]float64{{0, 0}, {1, 1}})}
	for name, c := range map[string]struct {
		in   optimizers.Input
		want string
	}{
		"nothing evaluated": {optimizers.Input{}, ""},
		"half":              {optimizers.Input{Data: optimizers.Data{X: half}}, ""},
		"all evaluated": {optimizers.Input{Data: optimizers.Data{X: four}},
			"all 4 combinations are evaluated; widen the space, or set repeats=on to evaluate some again"},
		"some failed": {optimizers.Input{Data: optimizers.Data{X: valueAt(0, 1, 1, 0), Failed: half}},
			"all 4 combinations are evaluated; widen the space, or set repeats=on to evaluate some again"},
		"half pending": {optimizers.Input{Data: optimizers.Data{X: valueAt(0, 1, 1, 0)}, Pending: half},
			"none of 4 combinations is left: 2 evaluated, 2 pending; report the results of the pending points"},
		"half discarded": {optimizers.Input{Data: optimizers.Data{X: valueAt(0, 1, 1, 0)}, Avoid: [][]float64{{0, 0}, {1, 1}}},
			"none of 4 combinations is left: 2 evaluated, 2 discarded; widen the space, or set repeats=on to evaluate some again"},
		"narrowed": {optimizers.Input{Data: optimizers.Data{X: half}, Low: []float64{0, 0}, High: []float64{0, 1}}, ""},
		"narrowed to one": {optimizers.Input{Data: optimizers.Data{X: half}, Low: []float64{1, 1}, High: []float64{1, 1}},
			"the only point is evaluated; widen the space, or set repeats=on to evaluate some again"},
		"noisy":      {optimizers.Input{Data: optimizers.Data{X: four}, Noisy: true}, ""},
		"not finite": {optimizers.Input{Data: optimizers.Data{X: four}, Domain: wide}, ""},
		"noisy table": {optimizers.Input{Data: optimizers.Data{X: half}, Domain: pool, Noisy: true},
			"all 2 rows of the table are measured; widen the bounds to go on"},
	} {
		c.in.Dim, c.in.Params = 2, param.Defaults(search.Params())
		if c.in.Domain == nil {
			c.in.Domain = finite(2, 2)
		}
		err := search.CheckExhausted(c.in)
		if got := text(err); got != c.want || search.IsExhausted(err) != (c.want != "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
