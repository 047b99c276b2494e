package bbob

import "math"

// uniform draws n numbers in (0, 1) by Park and Miller's generator with the shuffling table of Bays and Durham.
func uniform(n int, seed int64) []float64 {
	const modulus = 2147483647
	seed = max(seed, -seed)
	if seed == 0 {
		seed = 1
	}
	next := func() int64 {
		q := seed / 127773
		seed = 16807*(seed-127773*q) - 2836*q
		if seed < 0 {
			seed += modulus
		}
		return seed
	}
	var table [32]int64
	for i := 39; i >= 0; i-- {
		if v := next(); i < len(table) {
			table[i] = v
		}
	}
	out, drawn := make([]float64, n), table[0]
	for i := range out {
		v := next()
		place := drawn / 67108865
		drawn, table[place] = table[place], v
		out[i] = float64(drawn) / modulus
		if out[i] == 0 {
			out[i] = 1e-99
		}
	}
	return out
}

// normal draws n standard normal numbers by the method of Box and Muller.
func normal(n int, seed int64) []float64 {
	u := uniform(2*n, seed)
	g := make([]float64, n)
	for i := range g {
		g[i] = math.Sqrt(-2*math.Log(u[i])) * math.Cos(2*math.Pi*u[n+i])
		if g[i] == 0 {
			g[i] = 1e-99
		}
	}
	return g
}

// matrix is d×d, by rows.
type matrix [][]float64

// rotation draws an orthogonal matrix: normal numbers column by column, made orthonormal by Gram and Schmidt.
func (m *builder) rotation(seed int64) matrix {
	columns := make(matrix, m.d)
	for g, i := normal(m.d*m.d, seed), 0; i < m.d; i++ {
		c := g[i*m.d : (i+1)*m.d]
		for _, before := range columns[:i] {
			p := dot(c, before)
			for k := range c {
				c[k] -= p * before[k]
			}
		}
		size := math.Sqrt(dot(c, c))
		for k := range c {
			c[k] /= size
		}
		columns[i] = c
	}
	return columns.transposed()
}

func (a matrix) transposed() matrix {
	t := make(matrix, len(a))
	for i := range t {
		t[i] = make([]float64, len(a))
		for j := range a {
			t[i][j] = a[j][i]
		}
	}
	return t
}

// times is A·z.
func (a matrix) times(z []float64) []float64 {
	out := make([]float64, len(a))
	for i, row := range a {
		out[i] = dot(row, z)
	}
	return out
}

// sandwich is A·Λ·B for a diagonal Λ.
func sandwich(a matrix, diagonal []float64, b matrix) matrix {
	out, t := make(matrix, len(a)), b.transposed()
	for i := range out {
		out[i] = make([]float64, len(a))
		row := make([]float64, len(a))
		for k, l := range diagonal {
			row[k] = a[i][k] * l
		}
		for j := range out[i] {
			out[i][j] = dot(row, t[j])
		}
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
