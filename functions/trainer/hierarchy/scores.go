package hierarchy

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Scores are the scores of forecasts of held-out windows by level, over all nodes, windows and days of a level, as
// fractions.
type Scores struct {
	WAPE  []float64 // Σ|ŷ-y| / Σ|y| (§6.5)
	SMAPE []float64 // (2/n) Σ |ŷ-y|/(|y|+|ŷ|), 0 where both are 0
	// Coherence is the WAPE between the forecasts and the means c of the forecasts of their leaves, Σ|ŷ-c| / Σ|c|
	// (table 6.3): 0 where the forecasts add up, and of leaves.
	Coherence []float64
}

// Score is the scores of forecasts of the windows from the first on, in the units of the data: nodes × Horizon each.
func (p *Panel) Score(first int, forecasts []*mat.Dense) Scores {
	levels := p.Tree.Levels()
	truths := make([][]float64, levels)
	means := make([][]float64, levels)
	values := make([][]float64, levels)
	for k, forecast := range forecasts {
		leaves := mat.DenseCopyOf(forecast)
		p.Tree.Mean(leaves.RawMatrix().Data, Horizon)
		for i, level := range p.Tree.Level {
			values[level] = append(values[level], forecast.RawRowView(i)...)
			means[level] = append(means[level], leaves.RawRowView(i)...)
			for f := range Horizon {
				truths[level] = append(truths[level], p.Series.At(WindowStart(first+k)+f, i))
			}
		}
	}
	var s Scores
	for level := range levels {
		s.WAPE = append(s.WAPE, wape(values[level], truths[level]))
		s.SMAPE = append(s.SMAPE, smape(values[level], truths[level]))
		s.Coherence = append(s.Coherence, wape(values[level], means[level]))
	}
	return s
}

// Naive are the scores of repeating the last week, on the test windows.
func (p *Panel) Naive() Scores { return p.reference(p.Series, -Horizon) }

// reference are the scores of forecasting the days of the test by those of m so many days later.
func (p *Panel) reference(m *mat.Dense, later int) Scores {
	var forecasts []*mat.Dense
	for k := Validation; k < Windows; k++ {
		from := WindowStart(k) + later
		forecasts = append(forecasts, mat.DenseCopyOf(m.Slice(from, from+Horizon, 0, p.Tree.Size()).T()))
	}
	return p.Score(Validation, forecasts)
}

func wape(forecast, truth []float64) float64 {
	off, size := 0.0, 0.0
	for i, y := range truth {
		off += math.Abs(forecast[i] - y)
		size += math.Abs(y)
	}
	if off == 0 {
		return 0
	}
	return off / size
}

func smape(forecast, truth []float64) float64 {
	sum := 0.0
	for i, y := range truth {
		if off := math.Abs(forecast[i] - y); off > 0 {
			sum += off / (math.Abs(y) + math.Abs(forecast[i]))
		}
	}
	return 2 * sum / float64(len(truth))
}
