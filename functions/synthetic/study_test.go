//go:build study

package synthetic

import (
	"math"
	"testing"
)

// TestSearchBeam finds the best welded beam by looking at every level of everything but the length of the weld, of
// which the least that holds is found.
func TestSearchBeam(t *testing.T) {
	for _, m := range Materials {
		for _, four := range []bool{false, true} {
			best, cost := Beam{}, math.Inf(1)
			for h := 1; h <= 32; h++ {
				for th := 32; th <= 320; th++ {
					for b := h; b <= 32; b++ {
						beam := Beam{four, m, float64(h) / 16, 10, float64(th) / 16, float64(b) / 16}
						s := beam.Slack()
						if min(s[1], s[2], s[3], s[4]) < 0 {
							continue
						}
						beam.L = 0.1
						if beam.Cost() >= cost {
							continue
						}
						for k := 0; k < 400; k++ { // the first length that holds, on a mesh, and then by halving
							beam.L = 0.1 + 9.9*float64(k)/399
							if beam.Slack()[0] >= 0 {
								break
							}
						}
						if beam.Slack()[0] < 0 {
							continue
						}
						lo, hi := max(beam.L-9.9/399, 0.1), beam.L
						for range 60 {
							beam.L = (lo + hi) / 2
							if beam.Slack()[0] >= 0 {
								hi = beam.L
							} else {
								lo = beam.L
							}
						}
						beam.L = hi
						if c := beam.Cost(); c < cost {
							best, cost = beam, c
						}
					}
				}
			}
			t.Logf("%s, four sides %v: %.12g at h %g, l %.17g, t %g, b %g", m.Name, four, cost, best.H, best.L, best.T,
				best.B)
		}
	}
}

// TestSearchVessel finds the best pressure vessels over all plates and a fine mesh of radii, with the least length that
// holds.
func TestSearchVessel(t *testing.T) {
	best, design := math.Inf(1), [4]float64{}
	for shell := 1; shell <= 99; shell++ {
		for head := 1; head <= 99; head++ {
			s, h := float64(shell)/16, float64(head)/16
			most := min(s/0.0193, h/0.00954, 200)
			for k := 0; k <= 2000 && most >= 10; k++ {
				r := 10 + (most-10)*float64(k)/2000
				l := max((1_296_000-4.0/3*math.Pi*r*r*r)/(math.Pi*r*r), 10)
				if c := PressureVessel(s, h, r, l); l <= 200 && c < best {
					best, design = c, [4]float64{s, h, r, l}
				}
			}
		}
	}
	t.Logf("%.15g at %.17g", best, design)
}

// TestSearchSolvents finds the best yield in every solvent on a fine mesh and by narrowing it.
func TestSearchSolvents(t *testing.T) {
	for _, s := range Solvents {
		lo, hi := [2]float64{20, 5}, [2]float64{60, 120}
		var point [2]float64
		best := 0.0
		for range 40 {
			for i := 0; i <= 200; i++ {
				for j := 0; j <= 200; j++ {
					x := [2]float64{lo[0] + (hi[0]-lo[0])*float64(i)/200, lo[1] + (hi[1]-lo[1])*float64(j)/200}
					if y := s.Yield(x[0], x[1]); y > best {
						best, point = y, x
					}
				}
			}
			for k, b := range [2][2]float64{{20, 60}, {5, 120}} {
				w := (hi[k] - lo[k]) / 8
				lo[k], hi[k] = max(point[k]-w, b[0]), min(point[k]+w, b[1])
			}
		}
		t.Logf("%s: %.15g at %.17g, %.17g", s.Name, best, point[0], point[1])
	}
}
