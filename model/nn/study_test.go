//go:build study

package nn

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAdamBaseline trains the network of BenchmarkFit by 5,000 epochs of Adam at rate 0.001, as Paria et al. 2022, App.
// F.2, do, and checks that Gauss–Newton is at least a hundred times faster to a loss that is no greater.
func TestAdamBaseline(t *testing.T) {
	X, y := branin50()
	train := func(opt Options) (Report, time.Duration) {
		start := time.Now()
		f, err := SimpleSMB(context.Background(), wide, X, y, opt, newRand(51))
		require.NoError(t, err)
		return f.Report, time.Since(start)
	}
	adam, slow := train(Options{Trainer: Adam, Epochs: 5000, Rate: 0.001})
	gn, fast := train(Options{Trainer: GaussNewton})
	t.Logf("Adam: mean squared error %.2e in %v; Gauss–Newton: %.2e in %v, %.0f times faster",
		adam.RMSE*adam.RMSE, slow, gn.RMSE*gn.RMSE, fast, slow.Seconds()/fast.Seconds())
	if mse := adam.RMSE * adam.RMSE; mse < adamLoss {
		t.Errorf("Adam reaches %g, the benchmark compares with %g", mse, adamLoss)
	}
	if gn.RMSE > adam.RMSE || slow < 100*fast {
		t.Error("Gauss–Newton is not a hundred times faster to Adam's loss")
	}
}
