package retrieval

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// near fails where got is not want to a relative tolerance.
func near(t *testing.T, subject string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s is %.17g, want %.17g to %g", subject, got, want, tolerance)
	}
}

// within fails where got is not want to an absolute tolerance.
func within(t *testing.T, subject string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.17g, want %.17g ± %g", subject, got, want, tolerance)
	}
}

// The sums of the data of seed 1, by another implementation.
func TestDataAreThoseOfTheReference(t *testing.T) {
	d := newData(1)
	sums := func(rows [][]float64) (sum, square float64) {
		for _, row := range rows {
			sum += total(row)
			square += squares(row)
		}
		return sum, square
	}
	for i, want := range []float64{-0.85316892548, -0.907974591741, -0.086113421719, 0.00724918984} {
		within(t, "a number of the first vector", d.train[0][i], want, 1e-11)
	}
	for i, want := range []float64{-0.165062277891, 0.287998021209, -0.894691271069} {
		within(t, "a number of the last query", d.queries[len(d.queries)-1][i], want, 1e-11)
	}
	sum, square := sums(d.train)
	near(t, "Σ of training", sum, -174.08307153750795, 1e-10)
	near(t, "Σ² of training", square, 29773.606496813914, 1e-10)
	sum, _ = sums(d.rows)
	near(t, "Σ of rows", sum, 379.06139403714377, 1e-10)
	sum, _ = sums(d.queries)
	near(t, "Σ of queries", sum, 263.2025517301804, 1e-10)
	if len(d.train) != 2000 || len(d.rows) != 800 || len(d.queries) != 400 {
		t.Errorf("there are %d, %d and %d vectors", len(d.train), len(d.rows), len(d.queries))
	}
	raw := EvaluateEmbeddings(unit(matrix(d.rows)), unit(matrix(d.queries)))
	within(t, "recall@1 of the vectors as they are", raw.Recall1, 36.5, 1e-9)
	within(t, "precision@4 of the vectors as they are", raw.Precision4, 23.625, 1e-9)
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

// What the first updates measure, by another implementation; the tolerance grows as rounding does.
func TestTrainingsBeginAsTheReferenceDoes(t *testing.T) {
	type at struct {
		step                 int
		metric, relaxation   float64
		lambda, tolerance    float64
		example              int
		active, activeWithin float64
	}
	even := Defaults()
	even.Steps, even.Anneal = 21, 1
	uneven := Defaults()
	uneven.Seed, uneven.Steps, uneven.Anneal, uneven.Lambda, uneven.Activation, uneven.SpreadGamma = 1, 3, 1, 18,
		SThresh, 0.8
	for _, c := range []struct {
		name string
		s    Setting
		want []at
	}{
		{"even", even, []at{
			{0, 9.659086370050709, 0.3297561341804258, 0.027210884353741492, 1e-8, 78, 0.50341796875, 0},
			{1, 9.458947853376033, 0.332793966403898, 0.10884353741496597, 1e-7, 502, 0, 1},
			{2, 9.46677635479856, 0.33140428689704315, 12 * 9.0 / 441, 1e-6, -1, 0, 1},
			{5, 8.743634327207197, 0.3260636539904594, 12 * 36.0 / 441, 1e-5, -1, 0, 1},
			{10, 8.435286841057712, 0.32263605089412967, 12 * 121.0 / 441, 1e-3, -1, 0, 1},
			{20, 7.697157817966521, 0.3025574653615701, 12, 1e-2, -1, 0, 1},
		}},
		{"uneven", uneven, []at{
			{0, 9.582110248800976, 0.5634850317545028, 2, 1e-8, -1, 0.54986572265625, 0},
			{1, 9.357530455012272, 0.5697427041584582, 8, 1e-7, -1, 0, 1},
			{2, 9.25340509574224, 0.5736146470096164, 18, 1e-6, -1, 0, 1},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, err := New(c.s)
			require.NoError(t, err)
			if c.s.SpreadGamma > 0 {
				for j, want := range []float64{.15665871, .56487365, 1.213629} {
					within(t, "γ", tr.p.gamma[j], want, 5e-8)
				}
			}
			for _, want := range c.want {
				for tr.At() <= want.step {
					require.NoError(t, tr.Step())
				}
				got := tr.Last()
				near(t, "the metric loss", got.Metric, want.metric, want.tolerance)
				near(t, "the relaxation", got.Relaxation, want.relaxation, want.tolerance)
				near(t, "λ(t)", got.Lambda, want.lambda, 1e-12)
				within(t, "the share of values that are not 0", got.Mean, want.active, want.activeWithin)
				if want.example >= 0 && tr.workspace.example[0] != want.example {
					t.Errorf("the first example is %d, want %d", tr.workspace.example[0], want.example)
				}
			}
		})
	}
}
