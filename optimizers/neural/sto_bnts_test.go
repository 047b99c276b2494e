package neural

import (
	"testing"

	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// With its defaults a draw of STO-BNTS has, without data, the variance of standardized targets to a factor of three, in
// the middle of the cube as in a corner: by the closed form of the neural tangent kernel. With ν = 1 it would be 6.7,
// with ReLU units besides 16, and over the cube it would grow towards the corners. In one input it is that 6.7, as in
// the paper.
func TestDrawsAreAsWideAsTheData(t *testing.T) {
	for _, spec := range []optimizers.Spec{STOBNTS, STOBNTSLinear} {
		for _, dim := range []int{1, 2, 6} {
			least, most := 1.0/3, 3.0
			if dim == 1 {
				least, most = 6, 7
			}
			in := testbed.InputFor(t, spec, dim, optimizers.Data{})
			a := Arch(in)
			wide := kernel.Network{Unit: kernel.Unit(a.Activation), Depth: len(a.Hidden), SigmaW: a.SigmaW,
				SigmaB: a.SigmaB}
			x := testbed.Probes(2, dim)
			for j := range dim {
				x.Set(0, j, 0.5)
				x.Set(1, j, 1)
			}
			_, tangent := wide.Diag(in.Centered(x))
			for i, where := range []string{"the middle", "a corner"} {
				nu := in.Params.Number("nu")
				if v := nu * nu * tangent[i]; v < least || v > most {
					t.Errorf("%s in %d dimensions: draws have the variance %.3g in %s", spec.Name, dim, v, where)
				}
			}
		}
	}
}
