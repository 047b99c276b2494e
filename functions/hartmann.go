package functions

import "math"

// hartmannFamilies are the families of a few dimensions only.
var hartmannFamilies = []Family{
	{Name: "hartmann", Title: "Hartmann", About: "four Gaussian wells in a flat plain", Source: library,
		MinDim: 3, MaxDim: 6, DefaultDim: 6, Dims: []int{3, 6},
		New: func(d int, _ uint64) Problem {
			if d == 3 {
				return singleObjective(Box(3, 0, 1), at(-3.862779787332663,
					[]float64{0.1145888801574707, 0.5556488948822021, 0.8525469851493837}),
					func(x []float64) float64 { return hartmann(hartmann3A, hartmann3P, x) })
			}
			return singleObjective(Box(6, 0, 1), at(-3.322368011415515,
				[]float64{0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730053}),
				func(x []float64) float64 { return hartmann(hartmann6A, hartmann6P, x) })
		}},
}

var (
	hartmannAlpha = [4]float64{1, 1.2, 3, 3.2}
	hartmann3A    = [4][]float64{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}}
	hartmann3P    = [4][]float64{{0.3689, 0.1170, 0.2673}, {0.4699, 0.4387, 0.7470}, {0.1091, 0.8732, 0.5547},
		{0.0381, 0.5743, 0.8828}}
	hartmann6A = [4][]float64{{10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8},
		{17, 8, 0.05, 10, 0.1, 14}}
	hartmann6P = [4][]float64{{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
		{0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
		{0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650}, {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}}
)

func hartmann(a, p [4][]float64, x []float64) float64 {
	sum := 0.0
	for i, alpha := range hartmannAlpha {
		e := 0.0
		for j, v := range x {
			e += a[i][j] * (v - p[i][j]) * (v - p[i][j])
		}
		sum -= alpha * math.Exp(-e)
	}
	return sum
}
