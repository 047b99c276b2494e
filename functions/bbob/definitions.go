package bbob

import (
	"math"
	"slices"
)

// definitions make the functions, less the values of their optima, in their order.
var definitions = [Count]struct {
	title, about string
	make         func(m *builder) func(x []float64) float64
}{
	{"sphere", "a round bowl", func(m *builder) func(x []float64) float64 {
		optimum := m.drawOptimum(m.seed)
		return func(x []float64) float64 { return squares(minus(x, optimum)) }
	}},
	{"separable ellipsoid", "a bowl a thousand times longer in one direction than in another, with small waves",
		func(m *builder) func(x []float64) float64 {
			optimum, f := m.drawOptimum(m.seed), m.ellipsoid(1e6)
			return func(x []float64) float64 { return f(oscillate(minus(x, optimum))) }
		}},
	{"separable Rastrigin", "a bowl covered with local minima, uneven, along the axes",
		func(m *builder) func(x []float64) float64 {
			optimum, lengths := m.drawOptimum(m.seed), m.lengths(math.Sqrt(10))
			return func(x []float64) float64 {
				return rastrigin(scaled(m.asymmetric(oscillate(minus(x, optimum)), 0.2), lengths))
			}
		}},
	{"Büche–Rastrigin", "a Rastrigin function whose slopes mislead on one side", buecheRastrigin},
	{"linear slope", "a slope to a corner of the cube", linearSlope},
	{"attractive sector", "a function that is low in only one sector", func(m *builder) func(x []float64) float64 {
		optimum, turn := m.drawOptimum(m.seed), m.conditionedRotation(math.Sqrt(10))
		return func(x []float64) float64 {
			sum := 0.0
			for i, v := range turn.times(minus(x, optimum)) {
				if v*optimum[i] > 0 {
					v *= 100
				}
				sum += v * v
			}
			return math.Pow(oscillateScalar(sum), 0.9)
		}
	}},
	{"step ellipsoid", "an ellipsoid of plateaus, with zero slope on each of them", stepEllipsoid},
	{"Rosenbrock", "a long curved valley", func(m *builder) func(x []float64) float64 {
		optimum, stretch := m.drawOptimum(m.seed), m.stretch()
		for i := range optimum {
			optimum[i] *= 0.75
		}
		return func(x []float64) float64 {
			z := minus(x, optimum)
			for i, v := range z {
				z[i] = stretch*v + 1
			}
			return rosenbrock(z)
		}
	}},
	{"rotated Rosenbrock", "a long curved valley, rotated against the axes",
		func(m *builder) func(x []float64) float64 {
			place := m.rosenbrockTransform()
			return func(x []float64) float64 { return rosenbrock(place(x)) }
		}},
	{"ellipsoid", "a long narrow bowl with small waves, rotated against the axes",
		func(m *builder) func(x []float64) float64 {
			optimum := m.drawOptimum(m.seed)
			turn := m.rotation(m.seed + secondSeed)
			f := m.ellipsoid(1e6)
			return func(x []float64) float64 { return f(oscillate(turn.times(minus(x, optimum)))) }
		}},
	{"discus", "one direction matters a thousand times more than all others",
		func(m *builder) func(x []float64) float64 {
			optimum, turn := m.drawOptimum(m.seed), m.rotation(m.seed+secondSeed)
			return func(x []float64) float64 {
				z := oscillate(turn.times(minus(x, optimum)))
				return squares(z) + (1e6-1)*z[0]*z[0]
			}
		}},
	{"bent cigar", "a narrow bent ridge", func(m *builder) func(x []float64) float64 {
		optimum, turn := m.drawOptimum(m.seed+secondSeed), m.rotation(m.seed+secondSeed)
		return func(x []float64) float64 {
			z := turn.times(m.asymmetric(turn.times(minus(x, optimum)), 0.5))
			return z[0]*z[0] + 1e6*squares(z[1:])
		}
	}},
	{"sharp ridge", "a ridge that is not differentiable at its top, where the optimum lies",
		func(m *builder) func(x []float64) float64 {
			optimum, turn := m.drawOptimum(m.seed), m.conditionedRotation(math.Sqrt(10))
			return func(x []float64) float64 {
				z := turn.times(minus(x, optimum))
				return z[0]*z[0] + 100*math.Sqrt(squares(z[1:]))
			}
		}},
	{"sum of different powers", "a bowl that flattens towards the optimum, faster in some directions than in others",
		func(m *builder) func(x []float64) float64 {
			optimum, turn := m.drawOptimum(m.seed), m.rotation(m.seed+secondSeed)
			return func(x []float64) float64 {
				sum := 0.0
				for i, v := range turn.times(minus(x, optimum)) {
					sum += math.Pow(math.Abs(v), 2+4*m.share(i))
				}
				return math.Sqrt(sum)
			}
		}},
	{"Rastrigin", "a bowl covered with local minima, uneven, rotated against the axes",
		func(m *builder) func(x []float64) float64 {
			optimum := m.drawOptimum(m.seed)
			turn := m.rotation(m.seed + secondSeed)
			bent := m.conditionedRotation(math.Sqrt(10))
			return func(x []float64) float64 {
				return rastrigin(bent.times(m.asymmetric(oscillate(turn.times(minus(x, optimum))), 0.2)))
			}
		}},
	{"Weierstrass", "rugged and periodic, with many global optima", func(m *builder) func(x []float64) float64 {
		optimum := m.drawOptimum(m.seed)
		turn := m.rotation(m.seed + secondSeed)
		bent := m.conditionedRotation(0.1)
		return func(x []float64) float64 {
			return weierstrass(bent.times(oscillate(turn.times(minus(x, optimum))))) + 10/float64(m.d)*boundaryPenalty(x)
		}
	}},
	{"Schaffers F7", "waves whose size and frequency change with the distance",
		func(m *builder) func(x []float64) float64 { return m.schaffers(10) }},
	{"ill-conditioned Schaffers F7", "waves of changing size and frequency, thirty times longer in one direction than in another",
		func(m *builder) func(x []float64) float64 { return m.schaffers(1000) }},
	{"Griewank–Rosenbrock", "waves over a curved valley", func(m *builder) func(x []float64) float64 {
		place := m.rosenbrockTransform()
		return func(x []float64) float64 {
			z, sum := place(x), 0.0
			for i := range len(z) - 1 {
				v := valley(z[i], z[i+1])
				sum += v/4000 - math.Cos(v)
			}
			return 10 + 10*sum/float64(len(z)-1)
		}
	}},
	{"Schwefel", "the best of many minima lies near a corner, far from the second best", schwefel},
	{"Gallagher's 101 peaks", "101 peaks at random places; the second best peak is wide",
		func(m *builder) func(x []float64) float64 {
			return m.gallagher(101, 10, 5, math.Sqrt(1000))
		}},
	{"Gallagher's 21 peaks", "21 narrow peaks at random places", func(m *builder) func(x []float64) float64 {
		return m.gallagher(21, 9.8, 4.9, 1000)
	}},
	{"Katsuura", "rugged at every scale, with more than 10^d global optima",
		func(m *builder) func(x []float64) float64 {
			optimum, bent := m.drawOptimum(m.seed), m.conditionedRotation(10)
			return func(x []float64) float64 { return katsuura(bent.times(minus(x, optimum))) + boundaryPenalty(x) }
		}},
	{"Lunacek bi-Rastrigin", "two bowls covered with local minima; the wider bowl is not the better one", lunacek},
}

// conditionedRotation is R·Λ·Q for the rotations of both seeds, where the lengths of Λ go from 1 to base.
func (m *builder) conditionedRotation(base float64) matrix {
	return sandwich(m.rotation(m.seed+secondSeed), m.lengths(base), m.rotation(m.seed))
}

// stretch is by how much Rosenbrock's valley is longer in many dimensions.
func (m *builder) stretch() float64 { return max(1, math.Sqrt(float64(m.d))/8) }

// rosenbrockTransform rotates and shifts Rosenbrock's valley, and returns its optimum.
func (m *builder) rosenbrockTransform() func(x []float64) []float64 {
	turn, stretch := m.rotation(m.seed), m.stretch()
	half := slices.Repeat([]float64{0.5 / stretch}, m.d)
	m.optimum = turn.transposed().times(half)
	return func(x []float64) []float64 {
		z := turn.times(x)
		for i, v := range z {
			z[i] = stretch*v + 0.5
		}
		return z
	}
}

func buecheRastrigin(m *builder) func(x []float64) float64 {
	optimum, lengths := m.drawOptimum(m.seed), m.lengths(math.Sqrt(10))
	for i := 0; i < m.d; i += 2 {
		optimum[i] = math.Abs(optimum[i])
	}
	return func(x []float64) float64 {
		z := scaled(oscillate(minus(x, optimum)), lengths)
		for i := 0; i < m.d; i += 2 {
			if z[i] > 0 {
				z[i] *= 10
			}
		}
		return rastrigin(z) + 100*boundaryPenalty(x)
	}
}

func linearSlope(m *builder) func(x []float64) float64 {
	slopes := m.lengths(10)
	for i, v := range m.drawOptimum(m.seed) {
		m.optimum[i] = math.Copysign(5, v)
	}
	return func(x []float64) float64 {
		sum := 0.0
		for i, s := range slopes {
			v := x[i] * math.Copysign(1, m.optimum[i])
			sum += s * (5 - min(v, 5))
		}
		return sum
	}
}

func stepEllipsoid(m *builder) func(x []float64) float64 {
	optimum := m.drawOptimum(m.seed)
	first := m.rotation(m.seed)
	last := m.rotation(m.seed + secondSeed)
	lengths := m.lengths(math.Sqrt(10))
	f := m.ellipsoid(100)
	return func(x []float64) float64 {
		z := scaled(first.times(minus(x, optimum)), lengths)
		before := math.Abs(z[0])
		for i, v := range z {
			if math.Abs(v) > 0.5 {
				z[i] = round(v)
			} else {
				z[i] = round(10*v) / 10
			}
		}
		return 0.1*max(before*1e-4, f(last.times(z))) + boundaryPenalty(x)
	}
}

// schaffers is Schaffers' function F7 where one direction is so much longer than another.
func (m *builder) schaffers(condition float64) func(x []float64) float64 {
	optimum := m.drawOptimum(m.seed)
	turn := m.rotation(m.seed + secondSeed)
	other := m.rotation(m.seed)
	lengths := m.lengths(math.Sqrt(condition))
	return func(x []float64) float64 {
		z := m.asymmetric(turn.times(minus(x, optimum)), 0.5)
		return schaffers(scaled(other.times(z), lengths)) + 10*boundaryPenalty(x)
	}
}

func schwefel(m *builder) func(x []float64) float64 {
	const place = 4.2096874637
	signs, lengths := uniform(m.d, m.seed), m.lengths(math.Sqrt(10))
	m.optimum = make([]float64, m.d)
	for i, u := range signs {
		signs[i] = 1
		if u < 0.5 {
			signs[i] = -1
		}
		m.optimum[i] = signs[i] * place / 2
	}
	return func(x []float64) float64 {
		sum := 0.0
		over := 0.0
		before := 0.0
		for i, v := range x {
			v *= 2 * signs[i]
			coordinate := v
			if i > 0 {
				coordinate += 0.25 * (before - place)
			}
			before = v
			z := 100 * (lengths[i]*(coordinate-place) + place)
			sum += z * math.Sin(math.Sqrt(math.Abs(z)))
			if excess := math.Abs(z) - 500; excess > 0 {
				over += excess * excess
			}
		}
		return 0.01 * (over + 418.9828872724339 - sum/float64(m.d))
	}
}

// gallagher has so many peaks at spread·u − shift, of which the first is the highest; condition is that of the first
// one.
func (m *builder) gallagher(peaks int, spread, shift, condition float64) func(x []float64) float64 {
	turn := m.rotation(m.seed)
	order := ranked(uniform(peaks-1, m.seed))
	places := uniform(m.d*peaks, m.seed)
	heights := make([]float64, peaks)
	scales := make(matrix, peaks)
	centres := make(matrix, peaks)
	for k := range peaks {
		heights[k] = 10
		if k > 0 {
			condition = math.Pow(1000, float64(order[k-1])/float64(peaks-2))
			heights[k] = 1.1 + 8*float64(k-1)/float64(peaks-2)
		}
		scales[k] = make([]float64, m.d)
		for j, rank := range ranked(uniform(m.d, m.seed+1000*int64(k))) {
			scales[k][j] = math.Pow(condition, m.share(rank)-0.5)
		}
		position := places[k*m.d : (k+1)*m.d]
		for j, u := range position {
			position[j] = spread*u - shift
			if k == 0 {
				position[j] *= 0.8
			}
		}
		if k == 0 {
			m.optimum = slices.Clone(position)
		}
		centres[k] = turn.times(position)
	}
	return func(x []float64) float64 {
		z, highest := turn.times(x), 0.0
		for k, height := range heights {
			distance2 := 0.0
			for j, s := range scales[k] {
				distance2 += s * (z[j] - centres[k][j]) * (z[j] - centres[k][j])
			}
			highest = max(highest, height*math.Exp(-distance2/2/float64(m.d)))
		}
		v := oscillateScalar(10 - highest)
		return v*v + boundaryPenalty(x)
	}
}

// ranked are the places of the numbers, the least first.
func ranked(v []float64) []int {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case v[a] < v[b]:
			return -1
		case v[a] > v[b]:
			return 1
		}
		return 0
	})
	return order
}

func lunacek(m *builder) func(x []float64) float64 {
	const mu0 = 2.5
	d := float64(m.d)
	s := 1 - 0.5/(math.Sqrt(d+20)-4.1)
	mu1 := -math.Sqrt((mu0*mu0 - 1) / s)
	first := m.rotation(m.seed)
	last := m.rotation(m.seed + secondSeed)
	lengths := m.lengths(10)
	m.optimum = normal(m.d, m.seed)
	for i, g := range m.optimum {
		m.optimum[i] = math.Copysign(mu0/2, g)
	}
	return func(x []float64) float64 {
		z := make([]float64, m.d)
		better := 0.0
		wider := 0.0
		for i, v := range x {
			v *= 2 * math.Copysign(1, m.optimum[i])
			z[i] = v - mu0
			better += z[i] * z[i]
			wider += (v - mu1) * (v - mu1)
		}
		cosines := 0.0
		for _, v := range last.times(scaled(first.times(z), lengths)) {
			cosines += math.Cos(2 * math.Pi * v)
		}
		return min(better, d+s*wider) + 10*(d-cosines) + 1e4*boundaryPenalty(x)
	}
}
