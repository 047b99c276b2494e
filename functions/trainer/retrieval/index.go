package retrieval

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

// Index is an inverted index (Algorithm 5.1): for each dimension j the list C[j] of the rows that are not 0 there, with
// their values. It is searched from one goroutine at a time.
type Index struct {
	starts []int // dim + 1: list j is from starts[j] to starts[j+1]
	rows   []int32
	values []float64
	scores []float64 // of the running search
}

// NewIndex is the index of n×d rows.
func NewIndex(rows *mat.Dense) *Index {
	n, d := rows.Dims()
	ix := &Index{starts: make([]int, d+1), scores: make([]float64, n)}
	for i := range n {
		for j, v := range rows.RawRowView(i) {
			if v != 0 {
				ix.starts[j+1]++
			}
		}
	}
	for j := range d {
		ix.starts[j+1] += ix.starts[j]
	}
	ix.rows, ix.values = make([]int32, ix.starts[d]), make([]float64, ix.starts[d])
	end := append([]int(nil), ix.starts[:d]...)
	for i := range n {
		for j, v := range rows.RawRowView(i) {
			if v != 0 {
				ix.rows[end[j]], ix.values[end[j]] = int32(i), v
				end[j]++
			}
		}
	}
	return ix
}

// Hit is a found row, with its dot product with the query.
type Hit struct {
	Row   int
	Score float64
}

// Search returns the k rows with the highest scores above least, the highest first (equal ones in the order of the
// rows), and the number of multiplications.
func (ix *Index) Search(query []float64, k int, least float64) (hits []Hit, touched int) {
	clear(ix.scores)
	for j, q := range query {
		if q == 0 {
			continue
		}
		from, end := ix.starts[j], ix.starts[j+1]
		values := ix.values[from:end]
		for i, row := range ix.rows[from:end] {
			ix.scores[row] += q * values[i]
		}
		touched += end - from
	}
	return topK(ix.scores, k, least), touched
}

// Lists is |C[j]| for every dimension, the number of rows that are not 0 there.
func (ix *Index) Lists() []int {
	lengths := make([]int, len(ix.starts)-1)
	for j := range lengths {
		lengths[j] = ix.starts[j+1] - ix.starts[j]
	}
	return lengths
}

// Bytes is the memory of the lists, 12 for every value that is not 0.
func (ix *Index) Bytes() int { return 12 * len(ix.rows) }

// denseSearch is the same search without an index.
func denseSearch(rows *mat.Dense, scores, query []float64, k int, least float64) []Hit {
	for i := range scores {
		scores[i] = floats.Dot(rows.RawRowView(i), query)
	}
	return topK(scores, k, least)
}

// topK are the k highest scores above least, in order.
func topK(scores []float64, k int, least float64) []Hit {
	hits := make([]Hit, 0, min(k, len(scores)))
	if k < 1 {
		return hits
	}
	for i, score := range scores {
		if !(score > least) {
			continue
		}
		if len(hits) < k {
			hits = append(hits, Hit{})
		}
		rank := len(hits) - 1
		for ; rank > 0 && hits[rank-1].Score < score; rank-- {
			hits[rank] = hits[rank-1]
		}
		hits[rank] = Hit{i, score}
		if len(hits) == k {
			least = hits[k-1].Score
		}
	}
	return hits
}

// PermuteDimensions are the same rows with the dimensions of each shuffled at random. As many values are 0, but all
// dimensions are equally active, so that F falls to about d·p̄², and search finds nothing any more.
func PermuteDimensions(rows *mat.Dense, seed uint64) *mat.Dense {
	n, d := rows.Dims()
	dealt := mat.NewDense(n, d, nil)
	random := trainer.NewSource(seed, 20)
	order := make([]int, d)
	for i := range n {
		row := dealt.RawRowView(i)
		for j := range order { // Fisher and Yates
			order[j] = j
			k := random.IntN(j + 1)
			order[j], order[k] = order[k], order[j]
		}
		for j, v := range rows.RawRowView(i) {
			row[order[j]] = v
		}
	}
	return dealt
}
