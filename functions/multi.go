package functions

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/rng"
)

// multiObjectiveFamilies are the problems with two and more objectives.
var multiObjectiveFamilies = []Family{
	{Name: "thesis-xy", Title: "quarter circle",
		About:  "two objectives whose front is a quarter of a circle; one variable moves along it, the other across it",
		Source: "Paria 2022 (thesis), ch. 2, fig. 2.3", MinDim: 2, MaxDim: 2, DefaultDim: 2,
		New: func(int, uint64) Problem {
			p := multiObjective(Box(2, 0, 1), []Direction{Maximize, Maximize}, func(x []float64) []float64 {
				return []float64{x[0] * x[1], x[1] * math.Sqrt(math.Max(1-x[0]*x[0], 0))}
			})
			p.Truth.Front, p.Range = &Front{Points: curve(func(t float64) []float64 {
				return []float64{t, math.Sqrt(1 - t*t)}
			}, 0, 1)}, uniformRange(2, 1, 0)
			return p
		}},
	{Name: "schaffer", Title: "Schaffer 1",
		About:  "two parabolas of one variable; the whole front is visible along it",
		Source: "Schaffer 1985", MinDim: 1, MaxDim: 1, DefaultDim: 1,
		New: func(int, uint64) Problem {
			p := multiObjective(Box(1, -2, 4), []Direction{Minimize, Minimize}, func(x []float64) []float64 {
				return []float64{x[0] * x[0], (x[0] - 2) * (x[0] - 2)}
			})
			p.Truth.Front, p.Range = &Front{Points: curve(func(t float64) []float64 {
				return []float64{t * t, (t - 2) * (t - 2)}
			}, 0, 2)}, uniformRange(2, 0, 4)
			return p
		}},
	{Name: "branin-currin", Title: "Branin–Currin",
		About:  "one objective with three minima against one that rises steeply at an edge",
		Source: "Belakaria et al. 2019; each as in the library", MinDim: 2, MaxDim: 2, DefaultDim: 2,
		New: func(int, uint64) Problem {
			return withStoredFront("branin-currin", braninCurrin(),
				Range{Ideal: []float64{0.397887358, 1.180408021}, Nadir: []float64{17.508299516, 5.686133033}})
		}},
	{Name: "branin4-currin4", Title: "Branin-4, Currin-4",
		About:  "the example for steering in the thesis; its regions top, mid and flat lie on the front",
		Source: "Paria 2022 (thesis), §2.4", MinDim: 4, MaxDim: 4, DefaultDim: 4,
		New: func(int, uint64) Problem {
			p := withStoredFront("branin4-currin4", branin4Currin4(),
				Range{Ideal: []float64{-55.405811097, 27.597444087}, Nadir: []float64{-102.362699076, 8.010632210}})
			p.Regions = []Region{{"top", "box(-110..-95, 23..27)"}, {"mid", "box(-80..-70, 16..22)"},
				{"top/mid", "box(-110..-95, 23..27) + box(-80..-70, 16..22)"}}
			return p
		}},
	zdt("zdt1", "ZDT1", "a convex front", func(f1, g float64) float64 {
		return g * (1 - math.Sqrt(f1/g))
	}, [][2]float64{{0, 1}}),
	zdt("zdt2", "ZDT2", "a front that is not convex; linear weights reach only its ends", func(f1, g float64) float64 {
		return g * (1 - f1*f1/(g*g))
	}, [][2]float64{{0, 1}}),
	zdt("zdt3", "ZDT3", "a front in five pieces", func(f1, g float64) float64 {
		return g * (1 - math.Sqrt(f1/g) - f1/g*math.Sin(10*math.Pi*f1))
	},
		[][2]float64{{0, 0.083001534927}, {0.182228728031, 0.257762363388}, {0.409313674810, 0.453882104089},
			{0.618396794440, 0.652511703805}, {0.823331798328, 0.851832865436}}),
	dtlz2(2), dtlz2(3), dtlz2(4),
	{Name: "four-bar-truss", Title: "four-bar truss",
		About:  "the volume of a truss against the displacement of its joint",
		Source: "Cheng & Li 1999, as RE2-4-1 of Tanabe & Ishibuchi 2020", MinDim: 4, MaxDim: 4, DefaultDim: 4,
		New: func(int, uint64) Problem {
			return withStoredFront("four-bar-truss", fourBarTruss(),
				Range{Ideal: []float64{1237.841423, 0.002761423749}, Nadir: []float64{2886.369560424, 0.04}})
		}},
	{Name: "vehicle-safety", Title: "vehicle safety",
		About:  "the mass of a car, the acceleration of its passengers and the intrusion at its front",
		Source: "Liao et al. 2008, as RE3-5-4 of Tanabe & Ishibuchi 2020", MinDim: 5, MaxDim: 5, DefaultDim: 5,
		New: func(int, uint64) Problem {
			return withStoredFront("vehicle-safety", vehicleSafety(),
				Range{Ideal: []float64{1661.7078225, 6.1428, 0.0394}, Nadir: []float64{1695.2002035, 10.7454, 0.264}})
		}},
	{Name: "gp-draws", Title: "six draws from Gaussian processes",
		About:  "six smooth random functions of six variables, different for every seed",
		Source: "Paria 2022 (thesis), §2.7", MinDim: 6, MaxDim: 6, DefaultDim: 6, Seeded: true,
		New: func(_ int, seed uint64) Problem { return sixDraws(seed) }},
}

func braninCurrin() Problem {
	return multiObjective(Box(2, 0, 1), []Direction{Minimize, Minimize}, func(x []float64) []float64 {
		return []float64{Branin(15*x[0]-5, 15*x[1]), Currin(x[0], x[1])}
	})
}

func branin4Currin4() Problem {
	return multiObjective(Box(4, 0, 1), []Direction{Maximize, Maximize}, func(x []float64) []float64 {
		return []float64{-Branin(x[0], x[1]) - Branin(x[2], x[3]), Currin(x[0], x[1]) + Currin(x[2], x[3])}
	})
}

// fourBarTruss has the cross-sections of four bars as variables, in cm², and minimizes volume (cm³) and the
// displacement of its joint (cm), under a force of 10 kN, with a modulus of 2e5 kN/cm², bars of 200 cm, and a stress of
// at most 10 kN/cm².
func fourBarTruss() Problem {
	const force, modulus, length = 10.0, 2e5, 200.0
	dom := Domain{{Name: "x1", Low: 1, High: 3, Unit: "cm²"}, {Name: "x2", Low: math.Sqrt2, High: 3, Unit: "cm²"},
		{Name: "x3", Low: math.Sqrt2, High: 3, Unit: "cm²"},
		{Name: "x4", Low: 1, High: 3, Unit: "cm²"}}
	return Problem{Domain: dom, Objectives: []Objective{{Name: "volume", Unit: "cm³", Direction: Minimize},
		{Name: "displacement", Unit: "cm", Direction: Minimize}}, Truth: &Truth{Value: func(x []float64) []float64 {
		return []float64{length * (2*x[0] + math.Sqrt2*x[1] + math.Sqrt(x[2]) + x[3]),
			force * length / modulus * (2/x[0] + 2*math.Sqrt2/x[1] - 2*math.Sqrt2/x[2] + 2/x[3])}
	}}}
}

// vehicleSafety has the thicknesses of five parts of a car's front as variables, in mm, and minimizes its mass (kg),
// the acceleration in a full frontal crash (m/s²) and the intrusion of the toe board in an offset one (m), by published
// response surfaces.
func vehicleSafety() Problem {
	dom := make(Domain, 5)
	for i := range dom {
		dom[i] = Variable{Name: fmt.Sprintf("t%d", i+1), Low: 1, High: 3, Unit: "mm"}
	}
	return Problem{Domain: dom, Objectives: []Objective{{Name: "mass", Unit: "kg", Direction: Minimize},
		{Name: "acceleration", Unit: "m/s²", Direction: Minimize}, {Name: "intrusion", Unit: "m", Direction: Minimize}},
		Truth: &Truth{Value: func(t []float64) []float64 {
			a := t[0]
			b := t[1]
			c := t[2]
			d := t[3]
			e := t[4]
			return []float64{
				1640.2823 + 2.3573285*a + 2.3220035*b + 4.5688768*c + 7.7213633*d + 4.4559504*e,
				6.5856 + 1.15*a - 1.0427*b + 0.9738*c + 0.8364*d - 0.3695*a*d + 0.0861*a*e + 0.3628*b*d - 0.1106*a*a -
					0.3437*c*c + 0.1764*d*d,
				-0.0551 + 0.0181*a + 0.1024*b + 0.0421*c - 0.0073*a*b + 0.0240*b*c - 0.0118*b*d - 0.0204*c*d -
					0.0080*c*e - 0.0241*b*b + 0.0109*d*d,
			}
		}}}
}

// sixDraws are six draws from a squared-exponential process on the unit cube of six variables, lengthscale 0.5, by
// random features. Their region mid wants the better third of every objective's range, so that weights are of similar
// magnitude (thesis, §2.7).
func sixDraws(seed uint64) Problem {
	const count, dim, features, lengthscale = 6, 6, 250, 0.5
	rng := rng.New(seed, 0, "draws of six variables")
	type wave struct {
		w     [dim]float64
		phase float64
		size  float64
	}
	var waves [count][features]wave
	for k := range waves {
		for i := range waves[k] {
			for j := range dim {
				waves[k][i].w[j] = rng.NormFloat64() / lengthscale
			}
			waves[k][i].phase, waves[k][i].size = 2*math.Pi*rng.Float64(), rng.NormFloat64()
		}
	}
	p := multiObjective(Box(dim, 0, 1), slices.Repeat([]Direction{Minimize}, count), func(x []float64) []float64 {
		y := make([]float64, count)
		for k := range waves {
			for i := range waves[k] {
				position := waves[k][i].phase
				for j, v := range x {
					position += waves[k][i].w[j] * v
				}
				y[k] += math.Sqrt(2.0/features) * waves[k][i].size * math.Cos(position)
			}
		}
		return y
	})
	p.Regions = []Region{{"mid", "box(" + strings.Join(slices.Repeat([]string{"67%..100%"}, count), ", ") + ")"}}
	return p
}

// dtlz2 makes the problem of Deb et al. 2005 with K objectives and K + 4 variables.
func dtlz2(k int) Family {
	return Family{Name: fmt.Sprintf("dtlz2-k%d", k), Title: fmt.Sprintf("DTLZ2, %d objectives", k),
		About:  "a front that is part of a sphere",
		Source: "Deb et al. 2005", MinDim: k + 4, MaxDim: k + 4, DefaultDim: k + 4,
		New: func(int, uint64) Problem {
			p := multiObjective(Box(k+4, 0, 1), slices.Repeat([]Direction{Minimize}, k), func(x []float64) []float64 {
				return sphere(x, k)
			})
			p.Truth.Front, p.Range = &Front{Points: func(count int) [][]float64 { return spherePart(count, k) }},
				uniformRange(k, 0, 1)
			return p
		}}
}

// sphere are DTLZ2's objectives: a point of a sphere by the first K−1 variables, of a radius 1 + Σ(x − ½)² by the
// others.
func sphere(x []float64, k int) []float64 {
	radius := 1.0
	for _, v := range x[k-1:] {
		radius += (v - 0.5) * (v - 0.5)
	}
	y := make([]float64, k)
	for i := range y {
		y[i] = radius
		for _, v := range x[:k-1-i] {
			y[i] *= math.Cos(v * math.Pi / 2)
		}
		if i > 0 {
			y[i] *= math.Sin(x[k-1-i] * math.Pi / 2)
		}
	}
	return y
}

// spherePart is the front of DTLZ2 on a grid of its angles.
func spherePart(count, k int) [][]float64 {
	n := max(int(math.Round(math.Pow(float64(count), 1/float64(k-1)))), 2)
	var out [][]float64
	x := make([]float64, k+4)
	for i := range x {
		x[i] = 0.5
	}
	var fill func(index int)
	fill = func(index int) {
		if index == k-1 {
			out = append(out, sphere(x, k))
			return
		}
		for i := range n {
			x[index] = float64(i) / float64(n-1)
			fill(index + 1)
		}
	}
	fill(0)
	return out
}

// multiObjective makes a problem of the objectives f1, f2, ….
func multiObjective(dom Domain, directions []Direction, f func(x []float64) []float64) Problem {
	p := Problem{Domain: dom, Truth: &Truth{Value: f}}
	for k, d := range directions {
		p.Objectives = append(p.Objectives, Objective{Name: "f" + string(rune('1'+k)), Direction: d})
	}
	return p
}

// curve is a front along one parameter, over one or several intervals by turns.
func curve(evaluate func(t float64) []float64, lo, hi float64) func(int) [][]float64 {
	return pieces(evaluate, [][2]float64{{lo, hi}})
}

func pieces(evaluate func(t float64) []float64, intervals [][2]float64) func(int) [][]float64 {
	return func(count int) [][]float64 {
		total := 0.0
		for _, i := range intervals {
			total += i[1] - i[0]
		}
		out := make([][]float64, 0, count)
		for _, i := range intervals {
			n := max(int(math.Round(float64(count)*(i[1]-i[0])/total)), 2)
			for k := range n {
				out = append(out, evaluate(i[0]+(i[1]-i[0])*float64(k)/float64(n-1)))
			}
		}
		return out
	}
}

// zdt makes a family of Zitzler, Deb & Thiele 2000: f1 = x1, f2 = h(f1, g), g = 1 + 9 Σ_{i>1} x_i/(d−1); the front has
// g = 1.
func zdt(name, title, about string, h func(f1, g float64) float64, front [][2]float64) Family {
	return Family{Name: name, Title: title, About: about, Source: "Zitzler, Deb & Thiele 2000", MinDim: 2,
		MaxDim: anyDim, DefaultDim: 6,
		New: func(d int, _ uint64) Problem {
			p := multiObjective(Box(d, 0, 1), []Direction{Minimize, Minimize}, func(x []float64) []float64 {
				g := 1.0
				for _, v := range x[1:] {
					g += 9 * v / float64(d-1)
				}
				return []float64{x[0], h(x[0], g)}
			})
			p.Truth.Front = &Front{Points: pieces(func(t float64) []float64 { return []float64{t, h(t, 1)} }, front)}
			last := front[len(front)-1][1]
			p.Range = &Range{Ideal: []float64{0, h(last, 1)}, Nadir: []float64{last, h(0, 1)}}
			return p
		}}
}
