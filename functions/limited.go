package functions

import "math"

// limitedFamilies are problems with limits on measured quantities: their optimum lies on a limit, or better values lie
// beyond one.
var limitedFamilies = []Family{
	{Name: "forrester-hot", Title: "Forrester with a heat limit",
		About:  "the global minimum is too hot; the best feasible point lies on the limit, which is known only from measurements",
		Source: "Forrester, Sóbester & Keane 2008; the limit is ours", MinDim: 1, MaxDim: 1,
		DefaultDim: 1,
		New: func(d int, seed uint64) Problem {
			p := forrester.New(d, seed)
			return withLimits(p, at(-4.302556569461379, []float64{math.Ln2}),
				[]Objective{{Name: "heat", AtMost: bound(4)}}, func(x []float64) []float64 {
					return []float64{math.Exp(2 * x[0])}
				})
		}},
	{Name: "branin-disk", Title: "Branin on a disk", About: "a limit leaves one of three global minima",
		Source: "Gelbart, Snoek & Adams 2014, §5.1", MinDim: 2, MaxDim: 2, DefaultDim: 2,
		New: func(d int, seed uint64) Problem {
			p := branin.New(d, seed)
			return withLimits(p, at(p.Truth.Optimum.Value, []float64{math.Pi, 2.275}),
				[]Objective{{Name: "disk", AtMost: bound(50)}}, func(x []float64) []float64 {
					a, b := x[0]-2.5, x[1]-7.5
					return []float64{a*a + b*b}
				})
		}},
	{Name: "gramacy-toy", Title: "Gramacy's toy",
		About:  "a plane with two limits, one of them wavy; three local minima lie along that limit",
		Source: "Gramacy, Gray, Le Digabel, Lee, Ranjan, Wells & Wild 2016, eq. 3", MinDim: 2, MaxDim: 2, DefaultDim: 2,
		New: func(int, uint64) Problem {
			p := singleObjective(square2(0, 1), nil, func(x []float64) float64 { return x[0] + x[1] })
			return withLimits(p, at(0.5997880520100679, []float64{0.19512268347207168, 0.4046653685379961}),
				[]Objective{{Name: "wave", AtMost: bound(0)}, {Name: "radius", AtMost: bound(1.5)}},
				func(x []float64) []float64 {
					return []float64{1.5 - x[0] - 2*x[1] - 0.5*math.Sin(2*math.Pi*(x[0]*x[0]-2*x[1])),
						x[0]*x[0] + x[1]*x[1]}
				})
		}},
	{Name: "binh-korn", Title: "Binh & Korn",
		About:  "two objectives with two limits, which keep the whole front and exclude a part of the region that it dominates",
		Source: "Binh & Korn 1997", MinDim: 2, MaxDim: 2, DefaultDim: 2, New: func(int, uint64) Problem {
			f := func(x []float64) []float64 {
				return []float64{4*x[0]*x[0] + 4*x[1]*x[1], (x[0]-5)*(x[0]-5) + (x[1]-5)*(x[1]-5)}
			}
			p := multiObjective(rect(0, 5, 0, 3), []Direction{Minimize, Minimize}, f)
			p.Truth.Front = &Front{Points: pieces(func(t float64) []float64 {
				return f([]float64{t, min(t, 3)})
			}, [][2]float64{{0, 5}})}
			p.Range = &Range{Ideal: []float64{0, 4}, Nadir: []float64{136, 50}}
			return withLimits(p, nil, []Objective{{Name: "g1", AtMost: bound(25)}, {Name: "g2", AtLeast: bound(7.7)}},
				func(x []float64) []float64 {
					return []float64{(x[0]-5)*(x[0]-5) + x[1]*x[1], (x[0]-8)*(x[0]-8) + (x[1]+3)*(x[1]+3)}
				})
		}},
}

func bound(v float64) *float64 { return &v }

// withLimits is a problem with limits, a known optimum, and a function of all measured values.
func withLimits(p Problem, best *Optimum, limits []Objective, values func(x []float64) []float64) Problem {
	value := p.Truth.Value
	p.Limits = limits
	p.Truth = &Truth{Optimum: best, Front: p.Truth.Front, Value: func(x []float64) []float64 {
		return append(value(x), values(x)...)
	}}
	return p
}
