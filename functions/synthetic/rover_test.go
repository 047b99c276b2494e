package synthetic

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRewards compares with rewards of ways that scipy lays; testdata/scipy.txt names its version. The points are those
// of path.
func TestRewards(t *testing.T) {
	text, err := os.ReadFile("testdata/scipy.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	require.Equal(t, 8, len(lines), "%d rewards", len(lines))
	for _, line := range lines {
		var name, kind string
		var want float64
		_, err = fmt.Sscan(line, &name, &kind, &want)
		require.NoError(t, err)
		task := map[string]Task{"large": Large, "small": Small}[name]
		assert.InDelta(t, want, task.Reward(path(kind, task.Points)), 1e-9, line)
	}
}

func path(kind string, points int) []float64 {
	x := make([]float64, 2*points)
	for i := range x {
		k, share := float64(i), float64(i/2)/float64(points-1)
		switch kind {
		case "wave":
			x[i] = 0.5 + 0.6*math.Sin(1.7*k)
		case "line":
			x[i] = 0.1 + 0.8*share
		case "arc":
			if x[i] = 0.1 + 0.8*share; i%2 == 1 {
				x[i] = 0.1 + 0.8*share*share
			}
		default:
			x[i] = 0.5 + 0.3*math.Cos(k*k*0.37) + 0.2*math.Sin(k/7)
		}
	}
	return x
}

// TestOnePlace: where all points are one, the way is that place.
func TestOnePlace(t *testing.T) {
	x := make([]float64, 60)
	for i := range x {
		x[i] = 0.05
	}
	if got, want := Large.Reward(x), 5-20*0.9; math.Abs(got-want) > 1e-9 {
		t.Errorf("staying at the start gives %g, want %g", got, want)
	}
}
