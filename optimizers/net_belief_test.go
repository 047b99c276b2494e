package optimizers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/nn"
)

// A training that diverges is tried again three times, each at a tenth of the rate before, and each is counted.
func TestDivergedTrainingIsTriedAtATenthOfTheRate(t *testing.T) {
	for _, fails := range []int{0, 1, 3, 4} {
		var rates []float64
		b := &netBelief{in: input(t, neuralGreedy, 1, Data{}, "trainer=adam", "rate=0.1")}
		b.how.build = func(_ context.Context, _ nn.Arch, _ *mat.Dense, _ []float64, opt nn.Options, _ *rand.Rand) (*nn.Fitted, error) {
			if rates = append(rates, opt.Rate); len(rates) <= fails {
				return nil, fmt.Errorf("training: %w", nn.ErrDiverged)
			}
			return &nn.Fitted{}, nil
		}
		_, err := b.train(context.Background(), "test", nil)
		if (err != nil) != (fails > 3) {
			t.Errorf("after %d failures the error is %v", fails, err)
		}
		for i, r := range rates {
			if want := 0.1 * math.Pow(10, -float64(i)); math.Abs(r-want) > 1e-12 {
				t.Errorf("attempt %d is at the rate %g, want %g", i+1, r, want)
			}
		}
		if want := min(fails, 3); int(b.diverged.Load()) != want || len(rates) != want+1 {
			t.Errorf("%d failures: %d attempts, %d counted", fails, len(rates), b.diverged.Load())
		}
	}
}
