package retrieval

import (
	"context"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

// A search with the index gives what sorting all scores gives, and so does the one without.
func TestSearchFindsTheBest(t *testing.T) {
	draws := trainer.NewSource(4, 60)
	for range 60 {
		n, d, k := 1+draws.IntN(40), 1+draws.IntN(12), draws.IntN(9)
		rows, query := mat.NewDense(n, d, nil), make([]float64, d)
		value := func() float64 { // few different ones, so that scores are equal often
			return float64(draws.IntN(2) * (draws.IntN(4) - 1))
		}
		for j := range d {
			query[j] = value()
			for i := range n {
				rows.Set(i, j, value())
			}
		}
		for _, least := range []float64{0, 1, -2, math.Inf(-1)} {
			want := []Hit{}
			for i := range n {
				if score := mat.Dot(rows.RowView(i), mat.NewVecDense(d, query)); score > least {
					want = append(want, Hit{i, score})
				}
			}
			sort.SliceStable(want, func(a, b int) bool { return want[a].Score > want[b].Score })
			want = want[:min(k, len(want))]
			got, _ := NewIndex(rows).Search(query, k, least)
			if !slices.Equal(got, want) {
				t.Fatalf("the %d best above %v are %v, want %v", k, least, got, want)
			}
			if got := denseSearch(rows, make([]float64, n), query, k, least); !slices.Equal(got, want) {
				t.Fatalf("without an index the %d best above %v are %v, want %v", k, least, got, want)
			}
		}
	}
}

// The multiplications that searches did, over queries and rows, are Σ p̄_j p̄'_j exactly, however the dimensions are
// correlated (5.1); what the index holds is what is not 0.
func TestSearchesMultiplyAsOftenAsFlopsSays(t *testing.T) {
	draws := trainer.NewSource(5, 60)
	for range 30 {
		n, m, d := 1+draws.IntN(30), 1+draws.IntN(20), 2+draws.IntN(15)
		rows, queries := sparse(draws, n, d, 0.3), sparse(draws, m, d, 0.6)
		for i := range n {
			rows.Set(i, 1, rows.At(i, 0)) // active together
		}
		index, touched, want := NewIndex(rows), 0, 0
		for q := range m {
			_, count := index.Search(queries.RawRowView(q), 3, 0)
			touched += count
		}
		p, asked := ActivationRates(rows), ActivationRates(queries)
		for j, length := range index.Lists() {
			if length != int(math.Round(p[j]*float64(n))) {
				t.Fatalf("list %d has %d rows, p̄ is %v of %d", j, length, p[j], n)
			}
			want += length * int(math.Round(asked[j]*float64(m)))
		}
		require.Equal(t, want, touched, "%d multiplications", touched)
		if got := EvaluateEmbeddings(rows, queries); len(got.Active) != d {
			t.Fatal("the activity is not of every dimension")
		} else {
			near(t, "F of the judgement", got.Flops, float64(want)/float64(n*m), 1e-15)
			near(t, "the bytes for a row", got.IndexBytes, 12*total(p), 1e-12)
		}
	}
}

// Dealing the values of each row to other dimensions leaves them as they are, and makes all dimensions equally busy:
// what is counted for a query against a row of which a and b are not 0 is a·b/d on average.
func TestPermutedRowsAreEquallyBusyEverywhere(t *testing.T) {
	draws := trainer.NewSource(6, 60)
	const n, d = 3000, 16
	rows := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range 4 { // packed into a quarter
			if draws.Float64() < 0.4+0.1*float64(j) {
				rows.Set(i, j, draws.Float64()+0.1)
			}
		}
	}
	dealt := PermuteDimensions(rows, 1)
	for i := range n {
		a, b := slices.Sorted(slices.Values(rows.RawRowView(i))), slices.Sorted(slices.Values(dealt.RawRowView(i)))
		if !slices.Equal(a, b) {
			t.Fatalf("row %d was %v and has %v", i, a, b)
		}
	}
	p := ActivationRates(dealt)
	mean := Mean(p)
	within(t, "p̄", mean, Mean(ActivationRates(rows)), 1e-12)
	error := math.Sqrt(mean * (1 - mean) / n)
	for j, x := range p {
		assert.InDelta(t, mean, x, 5*error, "dimension %d is active in %v, of all %v ± %v", j, x, mean, error)
	}
	// d·p̄², and the variance of the p̄_j, about p̄(1-p̄)/n in each dimension.
	within(t, "F", Flops(p), d*mean*mean, 3*d*error*error)
	if before := Suboptimality(ActivationRates(rows)); before < 4 {
		t.Errorf("before, R_sub was %v", before)
	}
	if mat.Equal(dealt, PermuteDimensions(rows, 2)) || !mat.Equal(dealt, PermuteDimensions(rows, 1)) {
		t.Error("the seed does not say how rows are dealt")
	}
}

// even are dim probabilities that are the same.
func even(dim int, density float64) []float64 { return slices.Repeat([]float64{density}, dim) }

// A race counts what its density says, and ends with its context.
func TestRaceCountsAndEnds(t *testing.T) {
	const n, d, density = 500, 32, 0.2
	s, err := MeasureSearch(t.Context(), n, even(d, density), 3)
	require.NoError(t, err)
	if s.Rows != n || s.Dim != d || s.Queries < 1 || s.Sparse <= 0 || s.Dense <= 0 {
		t.Errorf("the race was %+v", s)
	}
	// Fifty queries, d coins each: the error of the mean share of the query is √(p(1-p)/50d), that of the rows much
	// less.
	within(t, "F", s.Flops, d*density*density, 5*d*density*math.Sqrt(density*(1-density)/(50*d)))
	packed := make([]float64, d)
	for j := range d / 4 {
		packed[j] = 4 * density
	}
	four, err := MeasureSearch(t.Context(), n, packed, 3)
	require.NoError(t, err)
	if r := four.Flops / s.Flops; r < 3 || r > 5 {
		t.Errorf("packed into a quarter, F is %v times as much, want 4", r)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = MeasureSearch(ended, n, even(d, density), 3)
	assert.ErrorIs(t, err, context.Canceled, "a race that is ended gives %v", err)
	for _, c := range []struct {
		rows, dim int
		density   float64
	}{{0, 8, 0.1}, {8, 0, 0.1}, {1e6, 1e3, 0.1}, {8, 8, 1.1}, {8, 8, math.NaN()}} {
		_, err = MeasureSearch(t.Context(), c.rows, even(c.dim, c.density), 1)
		assert.Error(t, err, "there is a race of %+v", c)
	}
}
