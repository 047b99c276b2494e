//go:build study

package gaussian

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/batch"
	"bandscope/optimizers/testbed"
)

// What the shift of plates costs a model that does not know of it: simple regret of the point with the least predicted
// mean after each of 4 plates of 8 points, with and without blocks in the model. The points are random, or those of a
// search, which takes an hour.
func TestRegretOnPlates(t *testing.T) {
	const seeds, count, each = 40, 4, 8
	for _, search := range []bool{false, true} {
		name := "branin"
		p := problem(t, name, 1)
		best := math.Inf(1)
		probes := testbed.Probes(4000, p.Dim())
		var values []float64
		for i := range 4000 {
			v := truth(t, p, probes.RawRowView(i))
			values, best = append(values, v), min(best, v)
		}
		_, sd := stat.MeanStdDev(values, nil)
		for _, share := range []float64{0, 0.3, 1} {
			for _, known := range []bool{false, true} {
				regrets := make([][]float64, seeds)
				if err := parallel.Try(seeds, func(seed int) error {
					var err error
					regrets[seed], err = plateSearch(t, p.Dim(), count, each, uint64(seed), search, known, share*sd, 0.1*sd, probes,
						func(u []float64) float64 { return truth(t, p, u) })
					return err
				}); err != nil {
					t.Fatal(err)
				}
				text := ""
				for plate := range count {
					var point []float64
					for _, r := range regrets {
						point = append(point, (r[plate]-best)/sd)
					}
					mean, dev := stat.MeanStdDev(point, nil)
					text += fmt.Sprintf("  %.3f ± %.3f", mean, dev/math.Sqrt(seeds))
				}
				t.Logf("search %v, shifts %.1f sd, blocks %v: regret after each plate%s", search, share, known, text)
			}
		}
	}
}

// plateSearch runs a search plate by plate, and returns the true value at the point of the least mean after each.
func plateSearch(t *testing.T, d, count, each int, seed uint64, search, known bool, shiftSD, noise float64, probes *mat.Dense,
	value func([]float64) float64) (found []float64, err error) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 9))
	var data optimizers.Data
	for plate := range count {
		in := testbed.InputFor(t, EI, d, data, "restarts=1", fmt.Sprint("initial=", each))
		in.Seed, in.Noisy = seed, true
		for b := range plate {
			in.Data.BlockNames = append(in.Data.BlockNames, fmt.Sprint(b))
		}
		chosen, err := choosePlate(ctx, in, each, search, rng)
		if err != nil {
			return nil, err
		}
		shift := shiftSD * rng.NormFloat64()
		x, y := mat.NewDense((plate+1)*each, d, nil), mat.NewDense((plate+1)*each, 1, nil)
		if plate > 0 {
			x.Slice(0, plate*each, 0, d).(*mat.Dense).Copy(data.X)
			y.Slice(0, plate*each, 0, 1).(*mat.Dense).Copy(data.Y)
		}
		for i, u := range chosen {
			x.SetRow(plate*each+i, u)
			y.Set(plate*each+i, 0, value(u)+shift+noise*rng.NormFloat64())
			if known {
				data.Blocks = append(data.Blocks, plate)
			}
		}
		data.X, data.Y = x, y
		last := testbed.InputFor(t, EI, d, data, "restarts=1")
		last.Seed = seed
		if plate == 0 {
			last.Data.Blocks = nil
		}
		for b := range plate + 1 {
			last.Data.BlockNames = append(last.Data.BlockNames, fmt.Sprint(b))
		}
		b, err := EI.Fit(ctx, last)
		if err != nil {
			return nil, err
		}
		bands, err := b.Predict(ctx, probes)
		if err != nil {
			return nil, err
		}
		index := 0
		for i, m := range bands[0].Mean {
			if m < bands[0].Mean[index] {
				index = i
			}
		}
		found = append(found, value(probes.RawRowView(index)))
	}
	return found, nil
}

// choosePlate chooses the points of a plate: at random, or by the method.
func choosePlate(ctx context.Context, in optimizers.Input, each int, search bool, rng *rand.Rand) (points [][]float64, err error) {
	if !search {
		for range each {
			u := make([]float64, in.Dim)
			for j := range u {
				u[j] = rng.Float64()
			}
			points = append(points, u)
		}
		return points, nil
	}
	chosen, err := batch.Choose(ctx, in, batch.Request{Points: each}, batch.Method{
		Next: func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			b, err := EI.Fit(ctx, in)
			if err != nil {
				return optimizers.Suggestion{}, false, err
			}
			s, err := b.Suggest(ctx)
			return s, false, err
		}, Normalize: func(u []float64) []float64 { return u }})
	if err != nil {
		return nil, err
	}
	for _, s := range chosen.Suggestions {
		points = append(points, s.X.RawRowView(0))
	}
	return points, nil
}
