package bbob

import "math"

// minus is x − at, in a slice of its own.
func minus(x, point []float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = v - point[i]
	}
	return z
}

// scaled multiplies z by lengths, in place.
func scaled(z, lengths []float64) []float64 {
	for i, l := range lengths {
		z[i] *= l
	}
	return z
}

// oscillateScalar is T_osz of one number, which keeps its sign and makes small waves on it (RR-6829, §0.2).
func oscillateScalar(v float64) float64 {
	if v == 0 {
		return 0
	}
	a, b := 1.0, 0.79
	if v < 0 {
		a, b = 0.55, 0.31
	}
	t := math.Log(math.Abs(v)) / 0.1
	return math.Copysign(math.Pow(math.Exp(t+0.49*(math.Sin(a*t)+math.Sin(b*t))), 0.1), v)
}

// oscillate is T_osz of every coordinate, in place.
func oscillate(z []float64) []float64 {
	for i, v := range z {
		z[i] = oscillateScalar(v)
	}
	return z
}

// asymmetric is T_asy^β, which stretches positive values, in place.
func (m *builder) asymmetric(z []float64, beta float64) []float64 {
	for i, v := range z {
		if v > 0 {
			z[i] = math.Pow(v, 1+beta*m.share(i)*math.Sqrt(v))
		}
	}
	return z
}

// boundaryPenalty is f_pen, the squared distance to the cube [−5, 5]^d.
func boundaryPenalty(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		if over := math.Abs(v) - 5; over > 0 {
			sum += over * over
		}
	}
	return sum
}

// round is to the nearest whole number, halves upwards.
func round(v float64) float64 { return math.Floor(v + 0.5) }

func squares(z []float64) float64 { return dot(z, z) }

// ellipsoid is Σ condition^share z².
func (m *builder) ellipsoid(condition float64) func(z []float64) float64 {
	w := m.lengths(condition)
	return func(z []float64) float64 {
		sum := 0.0
		for i, v := range z {
			sum += w[i] * v * v
		}
		return sum
	}
}

func rastrigin(z []float64) float64 {
	cosines := 0.0
	for _, v := range z {
		cosines += math.Cos(2 * math.Pi * v)
	}
	return 10*(float64(len(z))-cosines) + squares(z)
}

func rosenbrock(z []float64) float64 {
	sum := 0.0
	for i := range len(z) - 1 {
		sum += valley(z[i], z[i+1])
	}
	return sum
}

// valley is one summand of Rosenbrock's function.
func valley(a, b float64) float64 {
	c, e := a*a-b, a-1
	return 100*c*c + e*e
}

func schaffers(z []float64) float64 {
	sum := 0.0
	for i := range len(z) - 1 {
		s := z[i]*z[i] + z[i+1]*z[i+1]
		wave := math.Sin(50 * math.Pow(s, 0.1))
		sum += math.Pow(s, 0.25) * (1 + wave*wave)
	}
	mean := sum / float64(len(z)-1)
	return mean * mean
}

// weierstrass are cosines of half the size and three times the frequency, twelve times over.
func weierstrass(z []float64) float64 {
	sum, least := 0.0, 0.0
	for k := range 12 {
		size, frequency := math.Pow(0.5, float64(k)), math.Pow(3, float64(k))
		least += size * math.Cos(math.Pi*frequency)
		for _, v := range z {
			sum += math.Cos(2*math.Pi*(v+0.5)*frequency) * size
		}
	}
	return 10 * math.Pow(sum/float64(len(z))-least, 3)
}

// katsuura is rough at 32 scales.
func katsuura(z []float64) float64 {
	product, d := 1.0, float64(len(z))
	for i, v := range z {
		sum := 0.0
		for j := 1; j <= 32; j++ {
			scaled := math.Ldexp(v, j)
			sum += math.Ldexp(math.Abs(scaled-round(scaled)), -j)
		}
		product *= math.Pow(1+float64(i+1)*sum, 10/math.Pow(d, 1.2))
	}
	return 10 / d / d * (product - 1)
}
