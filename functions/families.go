package functions

import "math"

// families is the registry: a test function is added by one entry here.
var families = []Family{
	{Name: "forrester", Title: "Forrester", About: "one global and one local minimum, with a flat stretch between them",
		Source: "Forrester, Sóbester & Keane 2008", MinDim: 1, MaxDim: 1, Default: 1,
		New: func(int, uint64) Problem {
			return Problem{Domain: Box(1, 0, 1), Objectives: []Objective{{Name: "f", Direction: Minimize}},
				Optimum: &Optimum{Value: -6.020740055767083, X: [][]float64{{0.7572487144081974}}},
				Func: func(x []float64) []float64 {
					a := 6*x[0] - 2
					return []float64{a * a * math.Sin(12*x[0]-4)}
				}}
		}},
}
