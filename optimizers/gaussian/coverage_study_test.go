//go:build study

package gaussian

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/functions"
	"bandscope/functions/rng"
	"bandscope/model/gp"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

var (
	runs  = flag.String("runs", "", "file of searches")
	seeds = flag.Int("seeds", 10, "")
	only  = flag.String("only", "", "")
	sets  = flag.String("sets", "", "variants, ; between")
	prior = flag.String("prior", "", "priors of searches")
)

type searchRun struct {
	Function string
	Seed     uint64
	X        [][]float64
	Y        []float64
}

var studied = []string{"forrester", "gramacy-lee", "sine-trend", "branin", "six-hump", "goldstein-price", "hartmann:3",
	"ackley:2", "levy:2", "rosenbrock:2"}

func searchData(t *testing.T, name string, seed uint64, n int, set ...string) searchRun {
	p, err := functions.Find(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	r := searchRun{Function: name, Seed: seed}
	for step := range n {
		in := testbed.InputFor(t, EI, p.Dim(), r.data(step), set...)
		in.Seed, in.Domain = seed, testbed.InputFor(t, EI, p.Dim(), optimizers.Data{}).Domain
		var x []float64
		if search.InDesign(in) {
			s, err := search.InitialPoint(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			x = mat.Row(nil, 0, s.X)
		} else {
			s, err := testbed.Fit(t, EI, in).Suggest(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			x = mat.Row(nil, 0, s.X)
		}
		v, err := p.TrueValues(p.Domain.FromUnit(x))
		if err != nil {
			t.Fatal(err)
		}
		r.X, r.Y = append(r.X, x), append(r.Y, p.Objectives[0].Transform().Apply(v[0]))
	}
	return r
}

func (r searchRun) data(n int) optimizers.Data {
	if n == 0 {
		return optimizers.Data{}
	}
	x, y := mat.NewDense(n, len(r.X[0]), nil), mat.NewDense(n, 1, nil)
	for i := range n {
		x.SetRow(i, r.X[i])
		y.Set(i, 0, r.Y[i])
	}
	return optimizers.Data{X: x, Y: y}
}

func setPriors(text string) {
	p, dim := gp.WeakPriors, 0
	n, _ := fmt.Sscan(text, &p.LengthMedian, &p.LengthSD, &p.ScaleMedian, &p.ScaleSD, &p.Correlation, &dim, &integratedOffset,
		&p.NoiseMedian, &p.NoiseSD)
	if n > 2 {
		p.DimensionScaled = dim == 1
		integratedPriors = p
	}
}

// regret of searches: -only function:steps list
func TestStudyRegret(t *testing.T) {
	for _, variant := range strings.Split(*sets, ";") {
		text, params, _ := strings.Cut(variant, "|")
		setPriors(text)
		for _, c := range strings.Fields(*only) {
			name, steps, _ := strings.Cut(c, "@")
			n, _ := strconv.Atoi(steps)
			regrets := make([]float64, *seeds)
			start := time.Now()
			parallel.Do(*seeds, func(i int) {
				r := searchData(t, name, uint64(i+1), n, strings.Fields(params)...)
				p, _ := functions.Find(name, uint64(i+1))
				best := slices.Min(r.Y)
				regrets[i] = best - p.Objectives[0].Transform().Apply(p.Optimum().Value)
			})
			sorted := slices.Sorted(slices.Values(regrets))
			fmt.Printf("%-14s %-60s median %.3g quartiles %.3g %.3g  %.3g (%.1fs a search)\n", c, variant, (sorted[(len(sorted)-1)/2]+sorted[len(sorted)/2])/2,
				sorted[len(sorted)/4], sorted[len(sorted)*3/4], regrets, 2*time.Since(start).Seconds()/float64(*seeds))
		}
	}
}

func TestStudySearches(t *testing.T) {
	setPriors(*prior)
	all := make([]searchRun, len(studied)*(*seeds))
	parallel.Do(len(all), func(i int) {
		all[i] = searchData(t, studied[i / *seeds], uint64(i%*seeds+1), 20, strings.Fields(*sets)...)
	})
	text, _ := json.Marshal(all)
	if err := os.WriteFile(*runs, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// variants: "se fitted" etc: kernel, hyperparameters, LengthMedian, LengthSD, ScaleMedian, ScaleSD, corr, dimscaled, offset
func TestStudyCoverage(t *testing.T) {
	text, err := os.ReadFile(*runs)
	if err != nil {
		t.Fatal(err)
	}
	var all []searchRun
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, variant := range strings.Split(*sets, ";") {
		var kern, how string
		p := gp.WeakPriors
		var dim int
		n, _ := fmt.Sscan(variant, &kern, &how, &p.LengthMedian, &p.LengthSD, &p.ScaleMedian, &p.ScaleSD, &p.Correlation, &dim,
			&integratedOffset, &p.NoiseMedian, &p.NoiseSD)
		if n > 2 {
			p.DimensionScaled = dim == 1
			integratedPriors = p
		}
		start := time.Now()
		type row struct{ c95, c50, lpd, width float64 }
		rows := make([]row, len(all)*4)
		parallel.Do(len(rows), func(i int) {
			r, n := all[i/4], []int{8, 12, 16, 20}[i%4]
			if *only != "" && r.Function != *only {
				return
			}
			fn, err := functions.Find(r.Function, r.Seed)
			if err != nil {
				t.Error(err)
				return
			}
			in := testbed.InputFor(t, EI, fn.Dim(), r.data(n), "kernel="+kern, "hyperparameters="+how)
			in.Seed = r.Seed
			b, err := Fit(t.Context(), in, 0)
			if err != nil {
				t.Error(err)
				return
			}
			at := mat.NewDense(400, fn.Dim(), nil)
			search.Halton(t.Context(), at, rng.New(1, 0, "domain"))
			mean, sd, err := b.Surrogate.Predict(t.Context(), at)
			if err != nil {
				t.Error(err)
				return
			}
			o := &rows[i]
			scale := in.Scale(0, n)
			for j := range mean {
				v, _ := fn.TrueValues(fn.Domain.FromUnit(at.RawRowView(j)))
				y := scale.Apply([]float64{fn.Objectives[0].Transform().Apply(v[0])})[0]
				z := math.Abs(y-mean[j]) / max(sd[j], 1e-6)
				if z < 1.959964 {
					o.c95 += 1.0 / 400
				}
				if z < 0.6744898 {
					o.c50 += 1.0 / 400
				}
				o.lpd += math.Max(distuv.Normal{Mu: mean[j], Sigma: max(sd[j], 1e-6)}.LogProb(y), -50) / 400
			}
		})
		perf := time.Since(start)
		var total []row
		cells95, cells50, cells := 0, 0, 0
		fmt.Printf("== %s (%.1fs)\n", variant, perf.Seconds())
		for f, name := range studied {
			fmt.Printf("%-16s", name)
			for k := range 4 {
				var c95, c50, lpd []float64
				low := 0
				for s := range *seeds {
					r := rows[(f*(*seeds)+s)*4+k]
					c95, c50, lpd = append(c95, 100*r.c95), append(c50, 100*r.c50), append(lpd, r.lpd)
					total = append(total, r)
					if r.c95 < 0.75 {
						low++
					}
				}
				m95, m50 := stat.Mean(c95, nil), stat.Mean(c50, nil)
				cells++
				if m95 >= 90 {
					cells95++
				}
				if m50 >= 40 && m50 <= 75 {
					cells50++
				}
				fmt.Printf("  %3.0f %3.0f (%d<75) %6.2f", m95, m50, low, stat.Mean(lpd, nil))
			}
			fmt.Println()
		}
		sum, ok := row{}, 0
		for _, r := range total {
			sum.c95 += r.c95 / float64(len(total))
			sum.c50 += r.c50 / float64(len(total))
			sum.lpd += r.lpd / float64(len(total))
			if r.c95 >= 0.75 {
				ok++
			}
		}
		fmt.Printf("TOTAL %s: 95: %.1f  50: %.1f  lpd %.3f  >=75: %.0f%%  means>=90: %d/%d  50 in [40,75]: %d/%d\n", variant, 100*sum.c95,
			100*sum.c50, sum.lpd, 100*float64(ok)/float64(len(total)), cells95, cells, cells50, cells)
	}
}
