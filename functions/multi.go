package functions

import (
	"fmt"
	"math"
	"slices"
)

// severalObjectives are the problems with two and more objectives.
var severalObjectives = []Family{
	{Name: "thesis-xy", Title: "quarter circle", About: "two objectives whose front is a quarter of a circle, one variable along it and one across",
		Source: "Paria 2022 (thesis), ch. 2, fig. 2.3", MinDim: 2, MaxDim: 2, Default: 2,
		New: func(int, uint64) Problem {
			p := several(Box(2, 0, 1), []Direction{Maximize, Maximize}, func(x []float64) []float64 {
				return []float64{x[0] * x[1], x[1] * math.Sqrt(math.Max(1-x[0]*x[0], 0))}
			})
			p.Front = curve(func(t float64) []float64 { return []float64{t, math.Sqrt(1 - t*t)} }, 0, 1)
			return p
		}},
	{Name: "schaffer", Title: "Schaffer 1", About: "two parabolas of one variable: the whole front can be seen along it",
		Source: "Schaffer 1985", MinDim: 1, MaxDim: 1, Default: 1,
		New: func(int, uint64) Problem {
			p := several(Box(1, -2, 4), []Direction{Minimize, Minimize}, func(x []float64) []float64 {
				return []float64{x[0] * x[0], (x[0] - 2) * (x[0] - 2)}
			})
			p.Front = curve(func(t float64) []float64 { return []float64{t * t, (t - 2) * (t - 2)} }, 0, 2)
			return p
		}},
	{Name: "branin-currin", Title: "Branin–Currin", About: "one objective with three minima against one that rises steeply at an edge",
		Source: "Belakaria et al. 2019; each as in the library", MinDim: 2, MaxDim: 2, Default: 2,
		New: func(int, uint64) Problem {
			return several(Box(2, 0, 1), []Direction{Minimize, Minimize}, func(x []float64) []float64 {
				return []float64{Branin(15*x[0]-5, 15*x[1]), Currin(x[0], x[1])}
			})
		}},
	{Name: "branin4-currin4", Title: "Branin-4, Currin-4", About: "the thesis's example for steering: its regions top, mid and flat lie on the front",
		Source: "Paria 2022 (thesis), §2.4", MinDim: 4, MaxDim: 4, Default: 4,
		New: func(int, uint64) Problem {
			return several(Box(4, 0, 1), []Direction{Maximize, Maximize}, func(x []float64) []float64 {
				return []float64{-Branin(x[0], x[1]) - Branin(x[2], x[3]), Currin(x[0], x[1]) + Currin(x[2], x[3])}
			})
		}},
	zdt("zdt1", "ZDT1", "a convex front", func(f1, g float64) float64 { return g * (1 - math.Sqrt(f1/g)) }, [][2]float64{{0, 1}}),
	zdt("zdt2", "ZDT2", "a front that is not convex: linear weights reach its ends only", func(f1, g float64) float64 { return g * (1 - f1*f1/(g*g)) }, [][2]float64{{0, 1}}),
	zdt("zdt3", "ZDT3", "a front in five pieces", func(f1, g float64) float64 {
		return g * (1 - math.Sqrt(f1/g) - f1/g*math.Sin(10*math.Pi*f1))
	}, [][2]float64{{0, 0.0830015349}, {0.1822287280, 0.2577623634}, {0.4093136748, 0.4538821041}, {0.6183967944, 0.6525117038}, {0.8233317983, 0.8518328654}}),
	dtlz2(2), dtlz2(3), dtlz2(4),
}

// dtlz2 makes the problem of Deb et al. 2005 with K objectives and K + 4 variables.
func dtlz2(k int) Family {
	return Family{Name: fmt.Sprintf("dtlz2-k%d", k), Title: fmt.Sprintf("DTLZ2, %d objectives", k), About: "a front that is a part of a sphere",
		Source: "Deb et al. 2005", MinDim: k + 4, MaxDim: k + 4, Default: k + 4,
		New: func(int, uint64) Problem {
			p := several(Box(k+4, 0, 1), slices.Repeat([]Direction{Minimize}, k), func(x []float64) []float64 { return sphere(x, k) })
			p.Front = func(count int) [][]float64 { return spherePart(count, k) }
			return p
		}}
}

// sphere are DTLZ2's objectives: a point of a sphere by the first K−1 variables, of a radius 1 + Σ(x − ½)² by the others.
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
	var fill func(at int)
	fill = func(at int) {
		if at == k-1 {
			out = append(out, sphere(x, k))
			return
		}
		for i := range n {
			x[at] = float64(i) / float64(n-1)
			fill(at + 1)
		}
	}
	fill(0)
	return out
}

// several makes a problem of several objectives f1, f2, ….
func several(dom Domain, directions []Direction, f func(x []float64) []float64) Problem {
	p := Problem{Domain: dom, Func: f}
	for k, d := range directions {
		p.Objectives = append(p.Objectives, Objective{Name: "f" + string(rune('1'+k)), Direction: d})
	}
	return p
}

// curve is a front along one parameter, over one or several intervals by turns.
func curve(at func(t float64) []float64, lo, hi float64) func(int) [][]float64 {
	return pieces(at, [][2]float64{{lo, hi}})
}

func pieces(at func(t float64) []float64, intervals [][2]float64) func(int) [][]float64 {
	return func(count int) [][]float64 {
		total := 0.0
		for _, i := range intervals {
			total += i[1] - i[0]
		}
		out := make([][]float64, 0, count)
		for _, i := range intervals {
			n := max(int(math.Round(float64(count)*(i[1]-i[0])/total)), 2)
			for k := range n {
				out = append(out, at(i[0]+(i[1]-i[0])*float64(k)/float64(n-1)))
			}
		}
		return out
	}
}

// zdt makes a family of Zitzler, Deb & Thiele 2000: f1 = x1, f2 = h(f1, g), g = 1 + 9 Σ_{i>1} x_i/(d−1); the front has g = 1.
func zdt(name, title, about string, h func(f1, g float64) float64, front [][2]float64) Family {
	return Family{Name: name, Title: title, About: about, Source: "Zitzler, Deb & Thiele 2000", MinDim: 2, MaxDim: anyDim, Default: 6,
		New: func(d int, _ uint64) Problem {
			p := several(Box(d, 0, 1), []Direction{Minimize, Minimize}, func(x []float64) []float64 {
				g := 1.0
				for _, v := range x[1:] {
					g += 9 * v / float64(d-1)
				}
				return []float64{x[0], h(x[0], g)}
			})
			p.Front = pieces(func(t float64) []float64 { return []float64{t, h(t, 1)} }, front)
			return p
		}}
}
