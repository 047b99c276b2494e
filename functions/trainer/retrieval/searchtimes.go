package retrieval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/trainer"
)

// SearchTimes is the time of searches on this machine for the ten best rows, with an inverted index and without. Both
// give the same rows.
type SearchTimes struct {
	Rows, Dim     int
	Queries       int           // timed queries, each with both
	Sparse, Dense time.Duration // of one query, the median
	Flops         float64       // multiplications per row with the index; without it they are Dim
}

// Speedup is the time without the index divided by the time with it.
func (s SearchTimes) Speedup() float64 { return float64(s.Dense) / float64(max(s.Sparse, 1)) }

// MeasureSearch times both searches over random unit rows, whose value j is not 0 with the probability p[j],
// independently of the others. With the same mean, the more unequal the p[j] are, the more it costs. It stops with an
// error when the context ends.
func MeasureSearch(ctx context.Context, rows int, p []float64, seed uint64) (SearchTimes, error) {
	const most, queries, asked, rounds = 1e7, 50, 10, 3
	if rows < 1 || len(p) < 1 || rows*len(p) > most {
		return SearchTimes{}, fmt.Errorf("%d rows of %d values cannot be searched; the number of values must be in [1, %d]",
			rows, len(p), int(most))
	}
	for _, x := range p {
		if !(x >= 0 && x <= 1) {
			return SearchTimes{}, fmt.Errorf("the density must be in [0, 1], got %v", x)
		}
	}
	draws := trainer.NewSource(seed, 21)
	searched, err := sparseRows(ctx, draws, rows, p)
	if err != nil {
		return SearchTimes{}, err
	}
	asking, err := sparseRows(ctx, draws, queries, p)
	if err != nil {
		return SearchTimes{}, err
	}
	index, scores := NewIndex(searched), make([]float64, rows)
	speed := SearchTimes{Rows: rows, Dim: len(p), Queries: queries * rounds}
	var with, without []time.Duration
	touched := 0
	for i := range queries * rounds {
		if err := ctx.Err(); err != nil {
			return SearchTimes{}, err
		}
		query := asking.RawRowView(i % queries)
		begun := time.Now()
		_, count := index.Search(query, asked, 0)
		with = append(with, time.Since(begun))
		begun = time.Now()
		denseSearch(searched, scores, query, asked, 0)
		without = append(without, time.Since(begun))
		touched += count
	}
	speed.Sparse, speed.Dense = median(with), median(without)
	speed.Flops = float64(touched) / float64(len(with)) / float64(rows)
	return speed, nil
}

// sparseRows are n random unit rows; a row without values is all 0.
func sparseRows(ctx context.Context, draws *trainer.Source, n int, p []float64) (*mat.Dense, error) {
	rows := mat.NewDense(n, len(p), nil)
	for i := range n {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := rows.RawRowView(i)
		for j, density := range p {
			if draws.Float64() < density {
				row[j] = 0.05 + draws.Float64()
			}
		}
		if norm := floats.Norm(row, 2); norm > 0 {
			floats.Scale(1/norm, row)
		}
	}
	return rows, nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
