package gaussian

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers/testbed"
)

func TestProto(t *testing.T) {
	for _, name := range []string{"hartmann", "levy:10", "rosenbrock:10", "branin"} {
		for _, noise := range []float64{0, 0.1} {
			proto(t, name, noise, 2000)
		}
	}
}

func proto(t *testing.T, name string, noise float64, n int) {
	const probes = 1000
	p, data := testbed.Observe(t, name, n+probes)
	_ = p
	d := data.X.RawMatrix().Cols
	// half of the training rows concentrate around the best
	in := testbed.InputFor(t, EI, d, data)
	all := data.Y.RawMatrix().Data
	s := in.ScaleOf(0, all[:n])
	y := s.Apply(all)
	r := rng.New(1, 0, "noise")
	truth := slices.Clone(y)
	for i := range y {
		y[i] += noise * r.NormFloat64()
	}
	X := data.X.Slice(0, n, 0, d).(*mat.Dense)
	P := data.X.Slice(n, n+probes, 0, d).(*mat.Dense)
	opt := gp.Options{Form: kernel.Matern52, FitNoise: true, Priors: &integratedPriors, Starts: 5}
	start := time.Now()
	sub := 1000
	g, err := gp.Fit(t.Context(), data.X.Slice(0, sub, 0, d).(*mat.Dense), y[:sub], d, opt, rng.New(1, 0, "hyper"))
	if err != nil {
		t.Log(name, err)
		return
	}
	took := time.Since(start)
	k := g.Kernel().(kernel.Stationary)
	fmt.Printf("%s noise %g: fit %v: lengths %.3g scale %.3g noise %.3g\n", name, noise, took, k.Lengths, k.Scale, g.Noise())
	exact, err := gp.New(k, g.Noise(), X, y[:n])
	if err != nil {
		t.Fatal(err)
	}
	show := func(what string, o *gp.GP, took time.Duration) {
		mean, sd, err := o.Predict(t.Context(), P)
		if err != nil {
			t.Fatal(err)
		}
		em, es, _ := exact.Predict(t.Context(), P)
		rmse, lpd, dm, ds, z2 := 0.0, 0.0, 0.0, 0.0, 0.0
		for i := range mean {
			v := sd[i]*sd[i] + o.Noise()*o.Noise()
			e := mean[i] - y[n+i]
			rmse += (mean[i] - truth[n+i]) * (mean[i] - truth[n+i])
			lpd += -0.5*math.Log(2*math.Pi*v) - e*e/(2*v)
			z2 += e * e / v
			dm += (mean[i] - em[i]) * (mean[i] - em[i])
			ds += math.Abs(math.Log(sd[i] / es[i]))
		}
		c := float64(probes)
		fmt.Printf("  %-28s rmse %.4f lpd %.3f z2 %.2f  Δmean %.4f (sd %.4f) |log sd ratio| %.3f bound %.1f in %v\n", what, math.Sqrt(rmse/c), lpd/c, z2/c,
			math.Sqrt(dm/c), mean2(es), ds/c, o.LogMarginalLikelihood(), took)
	}
	show("exact", exact, 0)
	quality := make([]float64, n)
	for i := range quality {
		quality[i] = 1
	}
	for _, m := range []int{500, 1000} {
		start := time.Now()
		rows := gp.SelectInducing(k, X, quality, nil, m, 1e-8)
		sel := time.Since(start)
		for _, fitc := range []bool{false, true} {
			gp.ProtoFITC = fitc
			start := time.Now()
			o, err := gp.NewSparse(k, g.Noise(), nil, gp.Blocks{}, X, y[:n], rows)
			if err != nil {
				fmt.Println("  ", m, fitc, err)
				continue
			}
			show(fmt.Sprintf("m=%d (%d) fitc=%v sel %.2fs", m, len(rows), fitc, sel.Seconds()), o, time.Since(start))
			if !fitc && os.Getenv("NOISES") != "" {
				for _, f := range []float64{2, 5, 10, 30, 100} {
					o, err := gp.NewSparse(k, g.Noise()*f, nil, gp.Blocks{}, X, y[:n], rows)
					if err == nil {
						show(fmt.Sprintf("   noise × %g", f), o, 0)
					}
				}
			}
		}
	}
}

func mean2(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}
