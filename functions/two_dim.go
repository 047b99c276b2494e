package functions

import (
	"math"
)

// square2 is the box [low, high]².
func square2(low, high float64) Domain { return Box(2, low, high) }

// rect is the box [a, b]×[c, d].
func rect(a, b, c, d float64) Domain {
	return Domain{{Name: "x1", Low: a, High: b}, {Name: "x2", Low: c, High: d}}
}

// plane makes a family of two variables.
func plane(name, title, about string, dom Domain, opt *Optimum, f func(x, y float64) float64) Family {
	return Family{Name: name, Title: title, About: about, Source: library, MinDim: 2, MaxDim: 2, DefaultDim: 2,
		New: func(int, uint64) Problem {
			return singleObjective(dom, opt, func(x []float64) float64 { return f(x[0], x[1]) })
		}}
}

// mirrored is a place with all combinations of signs.
func mirrored(x, y float64) [][]float64 { return [][]float64{{x, y}, {-x, y}, {x, -y}, {-x, -y}} }

var branin = plane("branin", "Branin–Hoo", "three global minima in a smooth landscape", rect(-5, 10, 0, 15),
	at(0.39788735772973816, []float64{-math.Pi, 12.275}, []float64{math.Pi, 2.275}, []float64{3 * math.Pi, 2.475}),
	Branin)

// twoDimFamilies are the families of two variables only.
var twoDimFamilies = []Family{
	branin,
	plane("six-hump", "six-hump camel", "six local minima, two of them global", rect(-3, 3, -2, 2),
		at(-1.031628453489877, []float64{0.08984201368301331, -0.7126564032704135},
			[]float64{-0.08984201368301331, 0.7126564032704135}),
		func(x, y float64) float64 { return (4-2.1*x*x+x*x*x*x/3)*x*x + x*y + (-4+4*y*y)*y*y }),
	plane("goldstein-price", "Goldstein–Price", "values over six orders of magnitude", square2(-2, 2),
		at(3, []float64{0, -1}), goldsteinPrice),
	plane("himmelblau", "Himmelblau", "four global minima of equal depth", square2(-5, 5),
		at(0, []float64{3, 2}, []float64{-2.805118086952745, 3.131312518250573},
			[]float64{-3.779310253377747, -3.283185991286170},
			[]float64{3.584428340330492, -1.848126526964404}),
		func(x, y float64) float64 { a, b := x*x+y-11, x+y*y-7; return a*a + b*b }),
	plane("eggholder", "Eggholder", "rugged everywhere, the minimum on the edge", square2(-512, 512),
		at(-959.6406627208506, []float64{512, 404.2318058008512}), func(x, y float64) float64 {
			return -(y+47)*math.Sin(math.Sqrt(math.Abs(y+x/2+47))) - x*math.Sin(math.Sqrt(math.Abs(x-(y+47))))
		}),
	plane("holder-table", "Hölder table", "four global minima, one near each corner", square2(-10, 10),
		at(-19.20850256788675, mirrored(8.055023472141116, 9.664590028909654)...), func(x, y float64) float64 {
			return -math.Abs(math.Sin(x) * math.Cos(y) * math.Exp(math.Abs(1-math.Hypot(x, y)/math.Pi)))
		}),
	plane("cross-in-tray", "cross-in-tray", "a sharp cross with four global minima next to it", square2(-10, 10),
		at(-2.062611870822739, mirrored(1.349406608602084, 1.349406608602084)...), func(x, y float64) float64 {
			e := math.Exp(math.Abs(100 - math.Hypot(x, y)/math.Pi))
			return -0.0001 * math.Pow(math.Abs(math.Sin(x)*math.Sin(y)*e)+1, 0.1)
		}),
	plane("bukin6", "Bukin no. 6", "a narrow curved ridge full of kinks", rect(-15, -5, -3, 3),
		at(0, []float64{-10, 1}),
		func(x, y float64) float64 { return 100*math.Sqrt(math.Abs(y-0.01*x*x)) + 0.01*math.Abs(x+10) }),
	plane("easom", "Easom", "flat except for one small hole", square2(-100, 100), at(-1, []float64{math.Pi, math.Pi}),
		func(x, y float64) float64 {
			return -math.Cos(x) * math.Cos(y) * math.Exp(-(x-math.Pi)*(x-math.Pi)-(y-math.Pi)*(y-math.Pi))
		}),
	plane("beale", "Beale", "steep corners around a flat valley", square2(-4.5, 4.5), at(0, []float64{3, 0.5}),
		func(x, y float64) float64 {
			a := 1.5 - x + x*y
			b := 2.25 - x + x*y*y
			c := 2.625 - x + x*y*y*y
			return a*a + b*b + c*c
		}),
	plane("mccormick", "McCormick", "a tilted trough with a gentle minimum", rect(-1.5, 4, -3, 4),
		at(-1.913222954981037, []float64{0.5 - math.Pi/3, -0.5 - math.Pi/3}),
		func(x, y float64) float64 { return math.Sin(x+y) + (x-y)*(x-y) - 1.5*x + 2.5*y + 1 }),
	plane("drop-wave", "drop-wave", "rings around a single deepest point",
		square2(-5.12, 5.12), at(-1, []float64{0, 0}),
		func(x, y float64) float64 { r2 := x*x + y*y; return -(1 + math.Cos(12*math.Sqrt(r2))) / (0.5*r2 + 2) }),
	plane("shubert", "Shubert", "18 global minima among hundreds of local ones", square2(-10, 10),
		at(-186.73090883102384, []float64{-7.083506407651521, 4.858056878726819},
			[]float64{4.858056878726819, -7.083506407651521}),
		func(x, y float64) float64 { return shubertSum(x) * shubertSum(y) }),
	{Name: "currin", Title: "Currin exponential", About: "smooth, with a steep edge where the second variable is small",
		Source: "Currin et al. 1991; " + library, MinDim: 2, MaxDim: 2, DefaultDim: 2,
		New: func(int, uint64) Problem {
			p := singleObjective(Box(2, 0, 1), nil, func(x []float64) float64 { return Currin(x[0], x[1]) })
			p.Objectives[0].Direction = Maximize
			// In y it falls, and towards y = 0 the first factor goes to 1: the maximum is that of the rational part in
			// x.
			x := goldenSection(0, 1, func(x float64) float64 { return -Currin(x, 0) })
			p.Truth.Optimum = at(Currin(x, 0), []float64{x, 0})
			return p
		}},
}

// Branin is the Branin–Hoo function in its usual units, x in [−5, 10] and y in [0, 15].
func Branin(x, y float64) float64 {
	a := y - 5.1/(4*math.Pi*math.Pi)*x*x + 5/math.Pi*x - 6
	return a*a + 10*(1-1/(8*math.Pi))*math.Cos(x) + 10
}

// Currin is the Currin exponential function on [0, 1]²; at y = 0 it is its limit.
func Currin(x, y float64) float64 {
	factor := 1.0
	if y > 0 {
		factor = -math.Expm1(-1 / (2 * y))
	}
	return factor * (2300*x*x*x + 1900*x*x + 2092*x + 60) / (100*x*x*x + 500*x*x + 4*x + 20)
}

func goldsteinPrice(x, y float64) float64 {
	a, b := x+y+1, 2*x-3*y
	return (1 + a*a*(19-14*x+3*x*x-14*y+6*x*y+3*y*y)) * (30 + b*b*(18-32*x+12*x*x+48*y-36*x*y+27*y*y))
}

func shubertSum(v float64) float64 {
	sum := 0.0
	for i := 1.0; i <= 5; i++ {
		sum += i * math.Cos((i+1)*v+i)
	}
	return sum
}
