package functions

import "math"

var forrester = Family{Name: "forrester", Title: "Forrester",
	About:  "a global and a local minimum with a flat stretch between them",
	Source: "Forrester, Sóbester & Keane 2008; " + library, MinDim: 1, MaxDim: 1, DefaultDim: 1,
	New: func(int, uint64) Problem {
		return singleObjective(Box(1, 0, 1), at(-6.020740055767083, []float64{0.7572487578418559}),
			func(x []float64) float64 {
				a := 6*x[0] - 2
				return a * a * math.Sin(12*x[0]-4)
			})
	}}

// oneDimFamilies are the families of one variable only.
var oneDimFamilies = []Family{
	forrester,
	{Name: "gramacy-lee", Title: "Gramacy & Lee", About: "many local minima whose depth changes along a trend",
		Source: "Gramacy & Lee 2012; " + library, MinDim: 1, MaxDim: 1, DefaultDim: 1,
		New: func(int, uint64) Problem {
			return singleObjective(Box(1, 0.5, 2.5), at(-0.8690111349894997, []float64{0.548563444114526}),
				func(x []float64) float64 {
					return math.Sin(10*math.Pi*x[0])/(2*x[0]) + math.Pow(x[0]-1, 4)
				})
		}},
	{Name: "sine-trend", Title: "sinusoid with trend",
		About:  "equal waves on a slope; the last full wave contains the minimum",
		Source: "sin 4πx − x, whose minimum is where cos 4πx = 1/(4π) and the sine falls to −1 last", MinDim: 1,
		MaxDim: 1, DefaultDim: 1,
		New: func(int, uint64) Problem {
			// f' = 4π cos 4πx − 1 = 0 with f” > 0: 4πx = 2πk − arccos(1/4π). In [0, 1] the last is k = 2.
			x := (4*math.Pi - math.Acos(1/(4*math.Pi))) / (4 * math.Pi)
			return singleObjective(Box(1, 0, 1), at(-math.Sqrt(1-1/(16*math.Pi*math.Pi))-x, []float64{x}),
				func(x []float64) float64 {
					return math.Sin(4*math.Pi*x[0]) - x[0]
				})
		}},
	gpDraw,
}
