package search

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Halton fills the rows with a scrambled Halton sequence in the unit cube: the digits of every column are permuted at
// random, each position independently (Owen 2017). The error is that of the context.
func Halton(ctx context.Context, rows *mat.Dense, rng *rand.Rand) error {
	n, d := rows.Dims()
	column := make([]float64, n)
	base := 1
	for j := range d {
		if err := ctx.Err(); err != nil {
			return err
		}
		base = nextPrime(base)
		vanDerCorput(column, base, rng)
		for i, v := range column {
			rows.Set(i, j, v)
		}
	}
	return nil
}

// vanDerCorput fills one column: the digits of 0 to n−1 in a base, reversed behind the point, with each position
// permuted. From some position on all digits are 0, which adds the same number to all of them.
func vanDerCorput(column []float64, base int, rng *rand.Rand) {
	clear(column)
	tail, width := 0.0, 1
	for weight := 1 / float64(base); 1-weight < 1; weight /= float64(base) {
		digits := rng.Perm(base)
		if width >= len(column) {
			tail += float64(digits[0]) * weight
			continue
		}
		for from, k := 0, 0; from < len(column); from, k = from+width, k+1 {
			// width numbers in a row have the same digit
			v := float64(digits[k%base]) * weight
			for i := from; i < min(from+width, len(column)); i++ {
				column[i] += v
			}
		}
		width *= base
	}
	for i := range column {
		column[i] += tail
	}
}

// nextPrime is the smallest prime above p.
func nextPrime(p int) int {
	for p++; ; p++ {
		prime := p > 1
		for q := 2; q*q <= p; q++ {
			if p%q == 0 {
				prime = false
				break
			}
		}
		if prime {
			return p
		}
	}
}
