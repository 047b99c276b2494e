package bbob

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCOCO compares with COCO's own values: testdata/coco.txt says how they were made.
func TestCOCO(t *testing.T) {
	file, err := os.Open("testdata/coco.txt")
	require.NoError(t, err)
	defer file.Close()
	rows := 0
	made := map[string]*Function{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var f, d, instance int
		var point string
		var want float64
		_, err = fmt.Sscan(lines.Text(), &f, &d, &instance, &point, &want)
		require.NoError(t, err)
		key := fmt.Sprint(f, d, instance)
		if made[key] == nil {
			if made[key], err = New(f, d, instance); err != nil {
				t.Fatal(err)
			}
		}
		got := made[key].Best
		if point != "best" {
			got = made[key].Value(at(point, d))
		}
		if scale := max(1, math.Abs(want), math.Abs(want-made[key].Best)); !(math.Abs(got-want) <= 1e-10*scale) {
			// the offset may cancel most of a value
			t.Errorf("%s: %s, got %.17g", key, lines.Text(), got)
		}
		rows++
	}
	assert.Equal(t, Count*5*4*4, rows, "%d rows", rows)
}

func at(point string, d int) []float64 {
	x := make([]float64, d)
	for i := range x {
		switch k := float64(i + 1); point {
		case "wave":
			x[i] = 4 * math.Cos(k)
		case "out":
			x[i] = 7 * math.Sin(2*k)
		}
	}
	return x
}

// TestOptimum: the least value is reached where it is said to be, and nowhere undercut, far off and near by.
func TestOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for f := 1; f <= Count; f++ {
		for _, d := range []int{2, 3, 7} {
			p, err := New(f, d, 3)
			require.NoError(t, err)
			if v := p.Value(p.Optimum); math.Abs(v-p.Best) > 1e-9 {
				t.Errorf("function %d in %d dimensions: %g at its optimum, least %g", f, d, v, p.Best)
			}
			for k := range 400 {
				x := make([]float64, d)
				for i := range x {
					if x[i] = 10*rng.Float64() - 5; k%2 == 0 {
						x[i] = p.Optimum[i] + 1e-3*rng.NormFloat64()
					}
				}
				if v := p.Value(x); v < p.Best-1e-9 {
					t.Fatalf("function %d in %d dimensions: %.12g at %g, less than %.12g", f, d, v, x, p.Best)
				}
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range [][3]int{{0, 2, 1}, {25, 2, 1}, {1, 1, 1}, {1, 41, 1}, {1, 2, 0}, {1, 2, Instances + 1}} {
		if _, err := New(c[0], c[1], c[2]); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}
