package hierarchy

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bandscope/functions/trainer"
)

// The numbers are those of another implementation, in numpy.
func TestRegularizerOfRandomEmbeddings(t *testing.T) {
	tree := NewPanel(1).Tree
	theta := trainer.NewSource(5, 60).Normals(85 * 3)
	g := make([]float64, len(theta))
	near(t, "E_reg", regularizer(tree, theta, 3, 1, g), 1069.3397328812455, 1e-12)
	mean := make([]float64, 3)
	tree.MeanOfLeaves(mean, theta, 0)
	for j := range 3 {
		near(t, "θ of the root", theta[j], []float64{-0.52022535, -1.13704153, 1.03012523}[j], 5e-9)
		near(t, "m of the root", mean[j], []float64{-0.04020747, -0.04558477, -0.32890174}[j], 5e-9)
		near(t, "the gradient at the root", g[j], []float64{-61.44228862, -139.70646514, 173.9554521}[j], 5e-9)
		near(t, "the gradient at the first leaf", g[21*3+j], []float64{6.24115782, 6.71779532, -3.81823522}[j], 5e-9)
	}
	tree.Mean(theta, 3)
	clear(g)
	near(t, "E_reg of embeddings that are means", regularizer(tree, theta, 3, 1, g), 577.3741716946855, 1e-12)
	for _, d := range g[:21*3] {
		near(t, "the gradient at what is a mean", d, 0, 1e-11)
	}
}

// E_reg is Σ_p |L(p)|·‖θ_p-m_p‖² and the scatter of the leaves about m_p, of which the embeddings above the leaves
// change the first alone; its gradient is that of differences, scaled as asked and added to what was there.
func TestRegularizerIsGapsAndScatter(t *testing.T) {
	tree := NewPanel(1).Tree
	for seed := range uint64(5) {
		const k = 2
		theta := trainer.NewSource(seed, 61).Normals(85 * k)
		want, mean := 0.0, make([]float64, k)
		for p := range tree.Size() {
			tree.MeanOfLeaves(mean, theta, p)
			for j := range k {
				want += float64(len(tree.Leaves(p))) * math.Pow(theta[p*k+j]-mean[j], 2)
				for _, i := range tree.Leaves(p) {
					want += math.Pow(mean[j]-theta[i*k+j], 2)
				}
			}
		}
		got := slices.Repeat([]float64{1}, len(theta))
		near(t, "E_reg", regularizer(tree, theta, k, 0.5, got), want, 1e-12)
		scratch := make([]float64, len(theta))
		for i, d := range fd.Gradient(nil, func(theta []float64) float64 {
			return regularizer(tree, theta, k, 0, scratch)
		}, theta, &fd.Settings{Formula: fd.Central}) {
			near(t, "the gradient", got[i], 1+0.5*d, 1e-6)
		}
	}
}
