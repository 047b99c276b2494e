package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Source is a stream of random numbers.
type Source = *rand.Rand

// Features is a function drawn from the prior of a kernel, as a sum of random features (Rahimi & Recht 2007):
//
//	f(x) = Σ_i w_i cos(ω_i·x + φ_i) Π_l (a_il0 + a_il1 x_1 + … + a_ild x_d).
//
// The frequencies of a product of stationary kernels are sums of frequencies of its factors, as the spectral density of
// a product is the convolution of theirs. Linear kernels contribute drawn linear functions. The covariance of f over
// draws is that of the kernel.
type Features struct {
	Freq   *mat.Dense   // ω, features×d
	Phase  []float64    // φ
	Weight []float64    // w, with the common factor of the features
	Affine []*mat.Dense // a, features×(1+d) each; nil without linear kernels
}

// Features draws a function from the prior.
func (k Stationary) Features(count int, rng Source) Features {
	d := len(k.Lengths)
	f := newFeatures(count, d)
	spread := k.Form.Spread(rng)
	for i := range count {
		stretch := spread()
		row := f.Freq.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64() * stretch / k.Lengths[j]
		}
		f.Phase[i] = 2 * math.Pi * rng.Float64()
		f.Weight[i] = rng.NormFloat64() * k.Scale * math.Sqrt(2/float64(count))
	}
	return f
}

func newFeatures(count, d int) Features {
	return Features{Freq: mat.NewDense(count, d, nil), Phase: make([]float64, count), Weight: make([]float64, count)}
}

// term is a product of leaves in the expansion of a kernel to a sum of products.
type term struct {
	scale  float64
	leaves []leaf
}

// expand returns the terms of a part of the kernel. Their number is bounded as that of the leaves is.
func (k *Composite) expand(n *part) (terms []term) {
	switch {
	case n.kind != nil:
		terms = []term{{1, []leaf{k.leaves[n.leaf]}}}
	case n.adds:
		for _, kid := range n.kids {
			terms = append(terms, k.expand(kid)...)
		}
	default:
		terms = []term{{scale: 1}}
		for _, kid := range n.kids {
			var next []term
			for _, a := range terms {
				for _, b := range k.expand(kid) {
					next = append(next, term{a.scale * b.scale, append(append([]leaf(nil), a.leaves...), b.leaves...)})
				}
			}
			terms = next
		}
	}
	for i := range terms {
		if n.scale >= 0 {
			terms[i].scale *= k.values[n.scale]
		}
	}
	return terms
}

// Features draws a function from the prior. Every term that contains a stationary kernel has that many features; the
// others are drawn exactly, as polynomials with 1+d coefficients for each linear kernel or, if these were more than
// the features, with random ones.
func (k *Composite) Features(count int, rng Source) Features {
	d := len(k.family.columns)
	var parts []Features
	total, most := 0, 0
	for _, t := range k.expand(k.family.root) {
		p := t.features(count, d, rng)
		parts = append(parts, p)
		total = total + len(p.Weight)
		most = max(most, len(p.Affine))
	}
	all := newFeatures(total, d)
	for range most {
		all.Affine = append(all.Affine, mat.NewDense(total, 1+d, nil))
	}
	row := 0
	for _, p := range parts {
		for i, w := range p.Weight {
			all.Weight[row], all.Phase[row] = w, p.Phase[i]
			all.Freq.SetRow(row, p.Freq.RawRowView(i))
			for l, a := range all.Affine {
				a.Set(row, 0, 1)
				if l < len(p.Affine) {
					a.SetRow(row, p.Affine[l].RawRowView(i))
				}
			}
			row++
		}
	}
	return all
}

// features draws a function with the covariance of a term.
func (t term) features(count, d int, rng Source) Features {
	var linear []linearLeaf
	var frequencies []func([]float64)
	for _, l := range t.leaves {
		if leaf, ok := l.(linearLeaf); ok {
			linear = append(linear, leaf)
		} else {
			frequencies = append(frequencies, l.frequencies(rng))
		}
	}
	if len(frequencies) == 0 {
		return t.polynomial(linear, count, d, rng)
	}
	f := newFeatures(count, d)
	f.addAffine(linear)
	freq := make([]float64, d)
	for i := range count {
		for _, draw := range frequencies {
			draw(freq)
			row := f.Freq.RawRowView(i)
			for j, v := range freq {
				row[j] += v
			}
		}
		f.Phase[i] = 2 * math.Pi * rng.Float64()
		f.Weight[i] = rng.NormFloat64() * t.scale * math.Sqrt(2/float64(count))
		for l, leaf := range linear {
			leaf.affine(f.Affine[l].RawRowView(i), rng.NormFloat64)
		}
	}
	return f
}

// addAffine adds a factor for every linear kernel.
func (f *Features) addAffine(linear []linearLeaf) {
	n, d := f.Freq.Dims()
	for range linear {
		f.Affine = append(f.Affine, mat.NewDense(n, 1+d, nil))
	}
}

// polynomial draws a function of a term without stationary kernels: all products of one coefficient of each linear
// kernel, with a normal weight each.
func (t term) polynomial(linear []linearLeaf, count, d int, rng Source) Features {
	n := 1
	for range linear {
		n *= 1 + d
		if n > count {
			break
		}
	}
	exact := n <= count
	n = min(n, count)
	f := newFeatures(n, d)
	f.addAffine(linear)
	for i := range n {
		f.Weight[i] = rng.NormFloat64() * t.scale
		if !exact {
			f.Weight[i] /= math.Sqrt(float64(n))
		}
		rest := i
		for l, leaf := range linear {
			k, chosen := 0, rest%(1+d)
			rest /= 1 + d
			leaf.affine(f.Affine[l].RawRowView(i), func() float64 {
				if !exact {
					return rng.NormFloat64()
				}
				k++
				if k-1 == chosen {
					return 1
				}
				return 0
			})
		}
	}
	return f
}
