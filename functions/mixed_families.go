package functions

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"bandscope/functions/pareto"
	"bandscope/functions/synthetic"
)

// searchTolerance is the violation up to which searches count a constraint as satisfied.
const searchTolerance = 1e-9

// mixedFamilies are problems whose variables are not all real numbers.
var mixedFamilies = []Family{
	{Name: "branin-mixed", Title: "Branin with two switches",
		About:  "two choices flip and damp a smooth landscape; two of its forms have almost the same minimum",
		Source: "Pelamatti, Brevault, Balesdent, Talbi & Guerin 2019, with the constants of Surjanovic & Bingham",
		MinDim: 4, MaxDim: 4, DefaultDim: 4,
		New: func(d int, seed uint64) Problem {
			p, optimum := branin.New(2, seed), at(synthetic.Branin(Branin(math.Pi, 2.275), false, false))
			for _, x := range p.Truth.Optimum.X {
				optimum.X = append(optimum.X, []float64{x[0], x[1], 0, 0})
			}
			dom := append(p.Domain, NewChoice("form", "upright", "turned"), NewChoice("size", "full", "damped"))
			return singleObjective(dom, optimum, func(x []float64) float64 {
				return synthetic.Branin(Branin(x[0], x[1]), x[2] == 1, x[3] == 1)
			})
		}},
	{Name: "ackley-mixed", Title: "mixed Ackley",
		About:  "all variables except the last three are binary; the hole lies in a corner of the binary variables",
		Source: "Bliek, Guijt, Verwer & de Weerdt 2021; with 13 variables Daulton et al. 2022", MinDim: 4,
		MaxDim: anyDim, DefaultDim: 13,
		New: func(d int, _ uint64) Problem {
			dom := Box(d, -1, 1)
			for i := range dom[:d-3] {
				dom[i].Kind, dom[i].Low = Integer, 0
			}
			return singleObjective(dom, at(0, repeated(d, 0)), ackley)
		}},
	{Name: "labs", Title: "low autocorrelation",
		About:  "binary sequences that should differ from their own shifts; all variables are discrete, and good sequences are rare",
		Source: "Golay 1977; the best by Mertens 1996", MinDim: 3, MaxDim: synthetic.MaxSequenceLength, DefaultDim: 10,
		New: func(d int, _ uint64) Problem {
			dom := make(Domain, d)
			for i := range dom {
				dom[i] = NewOrdered(fmt.Sprintf("s%d", i+1), -1, 1)
			}
			p := singleObjective(dom, at(synthetic.MinAutocorrelation(d), synthetic.LowAutocorrelationSequences(d)...),
				synthetic.Autocorrelation)
			p.Objectives[0].Name = "energy"
			return p
		}},
	{Name: "solvents", Title: "yield over five solvents",
		About:  "a product that reacts further; each solvent has its own best temperature and time, and two solvents are almost equal",
		Source: "two consecutive first-order reactions, with the polarities of Reichardt 1994; the rates are ours", MinDim: 3, MaxDim: 3, DefaultDim: 3,
		New: func(int, uint64) Problem {
			p := singleObjective(solventDomain(), at(84.1073973581721, []float64{3, 24.590725756645199, 120}),
				func(x []float64) float64 {
					return synthetic.Solvents[int(x[0])].Yield(x[1], x[2])
				})
			p.Objectives = []Objective{{Name: "yield", Unit: "%", Direction: Maximize}}
			return p
		}},
	{Name: "solvents-price", Title: "yield and price over five solvents",
		About:  "the front moves from one solvent to another; the best solvent depends on what a yield may cost",
		Source: "as solvents; the prices are ours", MinDim: 3, MaxDim: 3, DefaultDim: 3,
		New: func(int, uint64) Problem {
			front := solventFront()
			last := len(front) - 1
			return Problem{Domain: solventDomain(),
				Objectives: []Objective{{Name: "yield", Unit: "%", Direction: Maximize},
					{Name: "price", Direction: Minimize}},
				Range: &Range{Ideal: []float64{front[last][0], front[0][1]},
					Nadir: []float64{front[0][0], front[last][1]}},
				Truth: &Truth{Value: solventValues,
					Front: &Front{Points: func(int) [][]float64 { return front }, Computed: true}}}
		}},
	{Name: "pressure-vessel", Title: "pressure vessel",
		About:  "the cost of a vessel made of plates in sixteenths of an inch; the best design lies in a corner of its three constraints",
		Source: "Sandgren 1990; Kannan & Kramer 1994; the best by Yang, Huyck, Karamanoglu & Khan 2013", MinDim: 4,
		MaxDim: 4, DefaultDim: 4,
		New: func(int, uint64) Problem {
			dom := Domain{{Name: "shell", Low: 1, High: 99, Unit: "in/16", Kind: Integer},
				{Name: "head", Low: 1, High: 99, Unit: "in/16", Kind: Integer},
				{Name: "radius", Low: 10, High: 200, Unit: "in"}, {Name: "length", Low: 10, High: 200, Unit: "in"}}
			p := singleObjective(dom, at(6059.714335048436, []float64{13, 7, 0.8125 / 0.0193, 176.63659584243}),
				func(x []float64) float64 {
					return synthetic.PressureVessel(x[0]/16, x[1]/16, x[2], x[3])
				})
			p.Objectives = []Objective{{Name: "price", Unit: "$", Direction: Minimize}}
			p.Constraints = mustParseConstraints(dom, "0.0193 * radius <= shell / 16", "0.00954 * radius <= head / 16",
				"3.141592653589793 * radius^2 * (length + 4/3 * radius) >= 1296000")
			return p
		}},
	{Name: "welded-beam", Title: "welded beam",
		About:  "the cost of a bar welded to a wall, with a choice of material and weld; few designs are feasible, and the best ones barely are",
		Source: "Deb & Goyal 1996; Tran, Tran & Wang 2019; the best by Datta & Figueira 2011", MinDim: 6, MaxDim: 6,
		DefaultDim: 6,
		New: func(int, uint64) Problem {
			material := NewChoice("material")
			for _, m := range synthetic.Materials {
				material.Choices = append(material.Choices, m.Name)
			}
			material.High = float64(len(synthetic.Materials) - 1)
			dom := Domain{NewChoice("joint", "two sides", "four sides"), material,
				{Name: "weld", Low: 1, High: 32, Unit: "in/16", Kind: Integer},
				{Name: "length", Low: 0.1, High: 10, Unit: "in"},
				{Name: "height", Low: 32, High: 320, Unit: "in/16", Kind: Integer},
				{Name: "breadth", Low: 1, High: 32, Unit: "in/16", Kind: Integer}}
			p := singleObjective(dom, at(1.9553010341180734, []float64{1, 0, 3, 1.7821022531266797, 132, 4}),
				func(x []float64) float64 { return beam(x).Cost() })
			p.Objectives = []Objective{{Name: "price", Unit: "$", Direction: Minimize}}
			p.Constraints = mustParseConstraints(dom, "weld <= breadth")
			// without the tolerance of constraints, which would allow prices below that of the optimum
			for i, text := range []string{
				"shear stress <= 0.577 strength", "bending stress <= strength", "", "buckling load >= 6000 lb",
				"deflection <= 0.25 in"} {
				if text != "" {
					p.Constraints = append(p.Constraints,
						Constraint{Text: text, Excess: func(x []float64) float64 {
							return searchTolerance - beam(x).Slack()[i]
						}})
				}
			}
			return p
		}},
}

// beam is the welded beam of an input.
func beam(x []float64) synthetic.Beam {
	return synthetic.Beam{FourSides: x[0] == 1, Material: synthetic.Materials[int(x[1])], H: x[2] / 16, L: x[3],
		T: x[4] / 16, B: x[5] / 16}
}

// mustParseConstraints are constraints that are part of the program.
func mustParseConstraints(d Domain, texts ...string) (list []Constraint) {
	for _, text := range texts {
		c, err := ParseConstraint(text, d)
		if err != nil {
			panic("functions: " + err.Error()) // tested
		}
		list = append(list, c)
	}
	return list
}

// solventDomain are a solvent, a temperature and a time.
func solventDomain() Domain {
	choice, polarity := NewChoice("solvent"), Descriptor{Name: "polarity"}
	for _, s := range synthetic.Solvents {
		choice.Choices, polarity.Values = append(choice.Choices, s.Name), append(polarity.Values, s.Polarity)
	}
	choice.High, choice.Descriptors = float64(len(synthetic.Solvents)-1), []Descriptor{polarity}
	return Domain{choice, {Name: "temperature", Low: 20, High: 60, Unit: "°C"},
		{Name: "time", Low: 5, High: 120, Unit: "min"}}
}

// solventValues are the yield and the cost.
func solventValues(x []float64) []float64 {
	s := synthetic.Solvents[int(x[0])]
	return []float64{s.Yield(x[1], x[2]), s.Cost(x[1], x[2])}
}

// solventFront is the front of yield and cost, from the cheapest on: in every solvent, for each of many costs, the
// temperature and with it the time that yield the most, found along the line of that cost, and of all these what
// nothing dominates.
var solventFront = sync.OnceValue(func() [][]float64 {
	const levels = 80
	dom := solventDomain()
	heat, time := dom[1], dom[2]
	var points, minimized [][]float64
	for i, s := range synthetic.Solvents {
		best := func(cost float64) []float64 {
			length := func(temperature float64) float64 { // that the cost leaves
				return time.Low + (cost-s.Cost(temperature, time.Low))/(s.Cost(heat.Low, 1)-s.Cost(heat.Low, 0))
			}
			degree := s.Cost(1, 0) - s.Cost(0, 0)
			lo := max(heat.Low, heat.Low+(cost-s.Cost(heat.Low, time.High))/degree)
			hi := min(heat.High, heat.Low+(cost-s.Cost(heat.Low, time.Low))/degree)
			temperature := goldenSection(lo, hi, func(v float64) float64 { return -s.Yield(v, length(v)) })
			return []float64{float64(i), temperature, min(max(length(temperature), time.Low), time.High)}
		}
		least, most := s.Cost(heat.Low, time.Low), s.Cost(heat.High, time.High)
		top := goldenSection(least, most, func(cost float64) float64 { return -solventValues(best(cost))[0] })
		for k := range levels + 1 {
			y := solventValues(best(least + (top-least)*float64(k)/levels))
			points, minimized = append(points, y), append(minimized, []float64{-y[0], y[1]})
		}
	}
	var front [][]float64
	for _, i := range pareto.Front(minimized) {
		front = append(front, points[i])
	}
	slices.SortFunc(front, func(a, b []float64) int { return cmp.Compare(a[1], b[1]) })
	return front
})
