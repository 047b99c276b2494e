package registry

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/costaware"
	"bandscope/optimizers/search"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// mixedDomain is a real number, a whole one, an ordered list and a choice.
func mixedDomain() *space.Domain {
	return &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.25, 0.5, 0.75, 1}},
		{Levels: []float64{0, 0.2, 1}}, {Levels: []float64{0, 0.5, 1}, Choice: true}}}
}

// mixedData are values over that domain at n points of it, of so many objectives: the choice moves the valley.
func mixedData(n, objectives int) optimizers.Data {
	if n == 0 {
		return optimizers.Data{}
	}
	x, d := testbed.Probes(n, 4), mixedDomain()
	y := mat.NewDense(n, objectives, nil)
	for i := range n {
		u := d.Snap(x.RawRowView(i))
		valley := []float64{0.2, 0.8, 0.5}[int(2*u[3])]
		for k := range objectives {
			a := u[0] - valley - 0.3*float64(k)
			y.Set(i, k, 8*a*a+math.Sin(4*u[1])*(1+u[2])+0.4*u[3]+float64(k)*u[1])
		}
	}
	return optimizers.Data{X: x, Y: y}
}

func mixedTask(t testing.TB, spec optimizers.Spec, n int) optimizers.Input {
	objectives := 1
	if spec.Multi {
		objectives = 2
	}
	in := testbed.InputFor(t, spec, 4, mixedData(n, objectives), cheap...)
	in.Objectives, in.Domain = objectives, mixedDomain()
	return in
}

// said is all that a belief says at some points, each by its name; what it does not have is left out.
func said(t testing.TB, b optimizers.Belief, X *mat.Dense) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	if bands, err := b.Predict(t.Context(), X); err == nil {
		for k, band := range bands {
			all[fmt.Sprint("mean ", k)], all[fmt.Sprint("sd ", k)] = band.Mean, band.SD
		}
	}
	if used, err := b.Used(t.Context(), X); err == nil {
		for k, f := range used {
			all[fmt.Sprint("used ", k)] = f
		}
	}
	if acq, err := b.Acquisition(t.Context(), X); err == nil {
		all["acquisition"] = acq
	}
	if samples, err := b.Samples(t.Context(), X, 2, 0); err == nil {
		for k, s := range samples {
			for i := range 2 {
				all[fmt.Sprint("sample ", i, " of ", k)] = slices.Clone(s.RawRowView(i))
			}
		}
	}
	return all
}

// Every method over a mixed domain: what it believes is constant on a step of an input that takes levels, what it
// suggests lies on levels, and it works before there are data.
func TestMixedInputs(t *testing.T) {
	d := mixedDomain()
	steps := mat.NewDense(4, 4, []float64{0.3, 0.5, 0.2, 0.5, 0.3, 0.6, 0.35, 0.7, 0.3, 0.4, 0.12, 0.3, 0.3, 0.55, 0.2,
		0.55})
	for _, spec := range sample.Of(All(), 3, 2) {
		for _, n := range []int{0, 1, 6} {
			b, s := ask(t, spec, mixedTask(t, spec, n))
			for subject, v := range said(t, b, steps) {
				for _, value := range v {
					if math.Abs(value-v[0]) > 1e-9*(1+math.Abs(v[0])) || math.IsNaN(value) {
						t.Errorf("%s: with %d data the %s is %v on one step", spec.Name, n, subject, v)
						break
					}
				}
			}
			if x := s.X.RawRowView(0); !slices.Equal(d.Snap(slices.Clone(x)), x) {
				t.Errorf("%s suggests %v with %d data, which lies on no level", spec.Name, x, n)
			}
		}
	}
}

// Four points that are asked for one after the other are four different ones, of every method, where all inputs take
// levels.
func TestFourOutOnLevels(t *testing.T) {
	d := mixedDomain()
	d.Inputs[0].Levels = []float64{0, 0.3, 0.6, 1}
	for _, spec := range sample.Of(All(), 3, 3) {
		in := mixedTask(t, spec, 6)
		in.Domain = d
		for i := range in.Data.Len() {
			d.Snap(in.Data.X.RawRowView(i))
		}
		for len(search.NewSpace(in).Pending) < 4 {
			_, s := ask(t, spec, in)
			x := s.X.RawRowView(0)
			for _, out := range search.NewSpace(in).Pending {
				if slices.Equal(out, x) {
					t.Errorf("%s: with %d out it suggests %v, which is out", spec.Name,
						len(search.NewSpace(in).Pending), x)
				}
			}
			in.Pending = search.Stack(in.Pending, s.X)
		}
	}
}

// Methods that know costs and fidelities, and some that do not, suggest points on levels where the cost jumps from
// level to level and the fidelity is a whole number.
func TestCostsAndFidelitiesOnLevels(t *testing.T) {
	d := mixedDomain()
	steps := mat.NewDense(2, 4, []float64{0.3, 0.5, 0.2, 0.5, 0.3, 0.6, 0.35, 0.7})
	for i, spec := range All() {
		if spec.Family != costaware.MFMES.Family && i%7 > 0 {
			continue
		}
		in := mixedTask(t, spec, 6)
		in.Cost = func(u []float64) float64 { // of the values themselves, as a session has it
			u = d.Snap(slices.Clone(u))
			return 1 + 4*u[1] + 3*u[3]
		}
		in.Fidelity = &optimizers.Fidelity{Index: 1, Full: 1, Text: "full"}
		b, s := ask(t, spec, in)
		if x := s.X.RawRowView(0); !slices.Equal(d.Snap(slices.Clone(x)), x) {
			t.Errorf("%s suggests %v, which lies on no level", spec.Name, x)
		}
		if acq, err := b.Acquisition(t.Context(), steps); err == nil &&
			math.Abs(acq[0]-acq[1]) > 1e-9*(1+math.Abs(acq[0])) {
			t.Errorf("%s: the acquisition is %v on one step", spec.Name, acq)
		}
	}
}

// Choices under other names, in another order, are believed the same of by every method that says so.
func TestRelabelledChoices(t *testing.T) {
	other := map[float64]float64{0: 1, 0.5: 0, 1: 0.5}
	relabelled := func(x *mat.Dense) *mat.Dense {
		y := mat.DenseCopyOf(x)
		for i := range y.RawMatrix().Rows {
			y.Set(i, 3, other[y.At(i, 3)])
		}
		return y
	}
	probes := testbed.Probes(6, 4)
	for i := range 6 {
		mixedDomain().Snap(probes.RawRowView(i))
	}
	for _, spec := range sample.Of(All(), 2, 13) {
		if spec.Levels != optimizers.LevelsInKernel && spec.Levels != optimizers.LevelsInLaw {
			continue
		}
		in := mixedTask(t, spec, 6)
		a := said(t, justBands{testbed.Fit(t, spec, in)}, probes)
		in.Data.X = relabelled(in.Data.X)
		b := said(t, justBands{testbed.Fit(t, spec, in)}, relabelled(probes))
		for subject, v := range a {
			for j := range v {
				if math.Abs(v[j]-b[subject][j]) > 1e-7*(1+math.Abs(v[j])) {
					t.Errorf("%s: the %s is %v, with choices in another order %v", spec.Name, subject, v, b[subject])
					break
				}
			}
		}
		if len(a) < 2 {
			t.Errorf("%s says nothing: %v", spec.Name, a)
		}
	}
}

// justBands is a belief of which only the bands are asked for: draws are others where choices are.
type justBands struct{ optimizers.Belief }

func (justBands) Samples(context.Context, *mat.Dense, int, uint64) ([]*mat.Dense, error) {
	return nil, optimizers.ErrUnsupported
}
func (justBands) Used(context.Context, *mat.Dense) ([][]float64, error) {
	return nil, optimizers.ErrUnsupported
}
func (justBands) Acquisition(context.Context, *mat.Dense) ([]float64, error) {
	return nil, optimizers.ErrUnsupported
}
