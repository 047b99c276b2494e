//go:build study

package inspection

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/model/gp"
	"bandscope/model/kernel"
)

// How often the alarm is false: of data of a process whose hyper-parameters are fitted as methods do, and of one that
// knows them, where the residuals of a few data hang together and it is not kept below one in a hundred.
func TestAlarmsThatAreFalse(t *testing.T) {
	const draws = 1000
	rng := rand.New(rand.NewPCG(21, 22))
	total, fitted, known := 0, 0, 0
	for _, n := range []int{8, 12, 20} {
		for _, length := range []float64{0.1, 0.3} {
			for _, noise := range []float64{0.05, 0.3} {
				for range draws / 4 {
					x, y, k := drawn(t, n, length, noise, rng)
					sure, err := gp.New(k, noise, x, y)
					require.NoError(t, err)
					fit, err := gp.Fit(t.Context(), x, y, 1,
						gp.Options{Form: kernel.SE, FitNoise: true, Priors: &gp.WeakPriors, Starts: 2}, rng)
					require.NoError(t, err)
					total++
					for count, g := range map[*int]*gp.GP{&fitted: fit, &known: sure} {
						mean, sd, err := g.LeaveOneOut()
						require.NoError(t, err)
						if _, alarm := newPredictions(y, mean, sd, nil).Alarm(); alarm {
							*count++
						}
					}
				}
			}
		}
	}
	low, high := ClopperPearson(fitted, total)
	t.Logf("of %d: %d false alarms where hyper-parameters are fitted (%.2f to %.2f %%), %d where they are known", total,
		fitted, 100*low, 100*high, known)
	if high > 0.01 {
		t.Errorf("%d false alarms of %d", fitted, total)
	}
}
