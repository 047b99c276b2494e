package gp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// The values of a path at many inputs equal those at single inputs, with and without data, and with a memo.
func TestPathAtManyInputs(t *testing.T) {
	X, y := data(9, 3, 61)
	position, _ := data(70, 3, 62)
	for _, form := range []kernel.Form{kernel.SE, kernel.Matern52} {
		k := kernel.Stationary{Form: form, Scale: 1.3, Lengths: []float64{0.3, 0.8, 2}}
		for _, x := range []*mat.Dense{nil, X} {
			g, err := New(k, 0.1, x, y[:map[bool]int{true: 9}[x != nil]])
			require.NoError(t, err)
			p, err := g.Path(200, newRand(4))
			require.NoError(t, err)
			for range 2 {
				for i, v := range p.Values(position) {
					if want := p.At(position.RawRowView(i)); math.Abs(v-want) > 1e-11*(1+math.Abs(want)) {
						t.Errorf("%s: at input %d the path is %.15g with other inputs, %.15g alone", form.Name(), i, v,
							want)
					}
				}
				p.SetMemo(&Memo{})
			}
		}
	}
}
