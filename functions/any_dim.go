package functions

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// anyDimFamilies are the families that take a dimension, as in ackley:20.
var anyDimFamilies = []Family{
	{Name: "ackley", Title: "Ackley", About: "a nearly flat outer region of many small pits, and one deep hole",
		Source: library, MinDim: 1, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			return singleObjective(Box(d, -32.768, 32.768), at(0, repeated(d, 0)), ackley)
		}},
	{Name: "schwefel", Title: "Schwefel", About: "the best valley lies far from the second best, near the corner",
		Source: library, MinDim: 1, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			return singleObjective(Box(d, -500, 500),
				at(schwefel(repeated(d, schwefelOptimum)), repeated(d, schwefelOptimum)), schwefel)
		}},
	{Name: "rastrigin", Title: "Rastrigin", About: "a bowl covered with a regular grid of local minima",
		Source: library, MinDim: 1, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			return singleObjective(Box(d, -5.12, 5.12), at(0, repeated(d, 0)), func(x []float64) float64 {
				sum := 10 * float64(len(x))
				for _, v := range x {
					sum += v*v - 10*math.Cos(2*math.Pi*v)
				}
				return sum
			})
		}},
	{Name: "levy", Title: "Levy", About: "waves over a bowl, steeper in the last variable",
		Source: library, MinDim: 1, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			return singleObjective(Box(d, -10, 10), at(levy(repeated(d, 1)), repeated(d, 1)), levy)
		}},
	{Name: "michalewicz", Title: "Michalewicz", About: "steep narrow valleys, one for each variable, in a flat plain",
		Source: library + ", m = 10", MinDim: 1, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			x := make([]float64, d)
			for i := range x {
				x[i] = michalewiczOptimum(i)
			}
			return singleObjective(Box(d, 0, math.Pi), at(michalewicz(x), x), michalewicz)
		}},
	{Name: "styblinski-tang", Title: "Styblinski–Tang", About: "two valleys in every variable, one a little deeper",
		Source: library, MinDim: 1, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			return singleObjective(Box(d, -5, 5),
				at(styblinskiTang(repeated(d, styblinskiOptimum)), repeated(d, styblinskiOptimum)),
				styblinskiTang)
		}},
	{Name: "rosenbrock", Title: "Rosenbrock", About: "a long curved valley that is easy to find and hard to follow",
		Source: library, MinDim: 2, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			return singleObjective(Box(d, -5, 10), at(0, repeated(d, 1)), func(x []float64) float64 {
				sum := 0.0
				for i := range len(x) - 1 {
					a, b := x[i+1]-x[i]*x[i], x[i]-1
					sum += 100*a*a + b*b
				}
				return sum
			})
		}},
	{Name: "griewank", Title: "Griewank", About: "a wide bowl with ripples that are visible only close up",
		Source: library, MinDim: 1, MaxDim: anyDim, DefaultDim: 2,
		New: func(d int, _ uint64) Problem {
			return singleObjective(Box(d, -600, 600), at(0, repeated(d, 0)), func(x []float64) float64 {
				sum, product := 0.0, 1.0
				for i, v := range x {
					sum += v * v / 4000
					product *= math.Cos(v / math.Sqrt(float64(i+1)))
				}
				return sum - product + 1
			})
		}},
}

func ackley(x []float64) float64 {
	squares := 0.0
	waves := 0.0
	n := float64(len(x))
	for _, v := range x {
		squares += v * v
		waves += math.Cos(2 * math.Pi * v)
	}
	return -20*math.Exp(-0.2*math.Sqrt(squares/n)) - math.Exp(waves/n) + 20 + math.E
}

// schwefelOptimum is the minimum of the Schwefel function in every variable, the root of its derivative near 421.
const schwefelOptimum = 420.968746359982

func schwefel(x []float64) float64 {
	sum := 418.9828872724339 * float64(len(x))
	for _, v := range x {
		sum -= v * math.Sin(math.Sqrt(math.Abs(v)))
	}
	return sum
}

func levy(x []float64) float64 {
	w := func(v float64) float64 { return 1 + (v-1)/4 }
	first, last := w(x[0]), w(x[len(x)-1])
	s := math.Sin(math.Pi * first)
	sum := s * s
	for _, v := range x[:len(x)-1] {
		s := math.Sin(math.Pi*w(v) + 1)
		sum += (w(v) - 1) * (w(v) - 1) * (1 + 10*s*s)
	}
	s = math.Sin(2 * math.Pi * last)
	return sum + (last-1)*(last-1)*(1+s*s)
}

// michalewiczTerm is the part of the function that depends on variable i, from 0.
func michalewiczTerm(i int, v float64) float64 {
	return -math.Sin(v) * math.Pow(math.Sin(float64(i+1)*v*v/math.Pi), 20)
}

func michalewicz(x []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += michalewiczTerm(i, v)
	}
	return sum
}

// michalewiczOptimum is the minimum of one term. Between two zeros of its wave, at π√(k/(i+1)), lies one valley; the
// deepest is among those next to π/2, where the sine before the wave is greatest.
func michalewiczOptimum(i int) float64 {
	zero := func(k int) float64 { return math.Pi * math.Sqrt(float64(k)/float64(i+1)) }
	middle := (i + 1) / 4 // the valley that π/2 is in
	best, value := 0.0, math.Inf(1)
	for k := max(middle-1, 0); k <= min(middle+1, i); k++ {
		v := goldenSection(zero(k), zero(k+1), func(v float64) float64 { return michalewiczTerm(i, v) })
		if f := michalewiczTerm(i, v); f < value {
			best, value = v, f
		}
	}
	return best
}

// goldenSection finds the place of the only minimum of f between two values, as far as its values tell it, by
// golden sections.
func goldenSection(lo, hi float64, f func(float64) float64) float64 {
	const golden = 0.6180339887498949
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fa, fb := f(a), f(b)
	for hi-lo > 1e-13*(1+math.Abs(lo)) && a < b {
		if fa <= fb {
			hi = b
			b = a
			fb = fa
			a = hi - golden*(hi-lo)
			fa = f(a)
		} else {
			lo = a
			a = b
			fa = fb
			b = lo + golden*(hi-lo)
			fb = f(b)
		}
	}
	return (lo + hi) / 2
}

// styblinskiOptimum is the least root of the derivative 2x³ − 16x + 2.5.
const styblinskiOptimum = -2.9035340276896057

func styblinskiTang(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v*v*v*v - 16*v*v + 5*v
	}
	return sum / 2
}

// refine follows a smooth function down from a start and returns the place, never a higher one than the start.
func refine(f func([]float64) float64, start []float64) []float64 {
	r, _ := optimize.Minimize(optimize.Problem{Func: f}, start, &optimize.Settings{FuncEvaluations: 2000,
		Converger: &optimize.FunctionConverge{Absolute: 1e-15, Iterations: 100}},
		&optimize.NelderMead{SimplexSize: 0.01})
	if r == nil || !(r.F <= f(start)) {
		return start
	}
	return r.X
}
