package functions

// mixtureFamilies are problems over mixtures.
var mixtureFamilies = []Family{
	{Name: "cornell-yarn", Title: "elongation of a yarn of three polymers",
		About:  "the published quadratic model of a mixture experiment; the best yarn has no polystyrene, which lies on an edge of the triangle, and --noise 0.85 adds the standard deviation of the replicates",
		Source: "Cornell 2002, Experiments with Mixtures, §2.3; NIST/SEMATECH e-Handbook, §5.5.4.2", MinDim: 3, MaxDim: 3,
		DefaultDim: 3,
		New: func(int, uint64) Problem {
			dom := Domain{{Name: "polyethylene", High: 1}, {Name: "polystyrene", High: 1}, {Name: "polypropylene", High: 1}}
			// with x₂ = 0 the model is 16.4 + 6.7·x₁ − 11.4·x₁²
			p := singleObjective(dom, at(16.4+6.7*6.7/45.6, []float64{6.7 / 22.8, 0, 16.1 / 22.8}), yarnElongation)
			p.Objectives = []Objective{{Name: "elongation", Direction: Maximize}}
			return withMixtures(p, Mixture{Components: []string{"polyethylene", "polystyrene", "polypropylene"}})
		}},
}

// yarnElongation is the canonical polynomial of the elongation, in the unit of the measurements, which Cornell gives as
// kilograms of force.
func yarnElongation(x []float64) float64 {
	return 11.7*x[0] + 9.4*x[1] + 16.4*x[2] + 19*x[0]*x[1] + 11.4*x[0]*x[2] - 9.6*x[1]*x[2]
}

// withMixtures is a problem with mixtures, which are right.
func withMixtures(p Problem, list ...Mixture) Problem {
	if err := p.SetMixtures(list...); err != nil {
		panic("functions: " + err.Error()) // part of the program, and tested
	}
	return p
}
