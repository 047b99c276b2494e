package modelcheck

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/chart"
	"bandscope/tui/internal/explained"
)

// The plot has each result at its value and its leave-one-out prediction with a bar of 2 standard deviations, and a
// diagonal from corner to corner.
func TestPredictedAgainstObserved(t *testing.T) {
	m := openCheck(t, stepped(t, "branin", "gp-ei", 14, nil), 120, 36, trueColor, "d")
	explained.Check(t, "predictions", m.Frame(), 120, 36)
	c, data := m.predictedChart(), m.objective().Data
	drawn := 0
	for _, l := range c.Layers {
		switch l := l.(type) {
		case chart.Points:
			for i, x := range l.X {
				for _, d := range data {
					if d.Value == x && math.Abs(d.Prediction.Mean-l.Y[i]) < 1e-9 {
						drawn++
					}
				}
			}
		case chart.Errors:
			for i, d := range data {
				assert.Equal(t, d.Value, l.At[i])
				assert.InDelta(t, 4*d.Prediction.SD, l.Hi[i]-l.Lo[i], 1e-9)
			}
		case chart.Curve:
			assert.Equal(t, l.X, l.Y)
			assert.InDelta(t, c.X.Max, l.X[len(l.X)-1], 1e-9)
		}
	}
	assert.Equal(t, len(data), drawn)
	assert.Contains(t, openCheck(t, m.session, 120, 36, trueColor, "d", "d").residualsTitle(), "residuals")
}
