package widenet

import "math"

// peak is a point of a function of one variable.
type peak struct{ at, value float64 }

// brentMax searches for a maximum between low and high, from a point between them, or at one of them, that is no worse
// than both: Brent 1973, ch. 5, with the two for the first parabola. It returns all evaluated points; the best of them
// is a maximum to gammaTolerance.
func brentMax(low, from, high peak, f func(float64) float64) (seen []peak) {
	const golden, most = 0.3819660112501051, 40
	a, b := low.at, high.at
	x := from
	w := low
	v := high // the best, the second and the one before
	if high.value > low.value {
		w, v = high, low
	}
	step, before := b-a, b-a
	for range most {
		middle := (a + b) / 2
		if math.Abs(x.at-middle) <= 2*gammaTolerance-(b-a)/2 {
			break
		}
		end, ok := vertex(x, w, v)
		if d := end - x.at; !ok || end <= a || end >= b || math.Abs(d) >= math.Abs(before)/2 {
			before = b - x.at
			if x.at >= middle {
				before = a - x.at
			}
			step = golden * before
		} else {
			before, step = step, d
			if end-a < 2*gammaTolerance || b-end < 2*gammaTolerance {
				step = math.Copysign(gammaTolerance, middle-x.at)
			}
		}
		if math.Abs(step) < gammaTolerance {
			step = math.Copysign(gammaTolerance, step)
		}
		u := peak{x.at + step, f(x.at + step)}
		seen = append(seen, u)
		left, right := x, u
		if u.at < x.at {
			left, right = u, x
		}
		if u.value >= x.value { // the worse of the two bounds the remaining interval
			v = w
			w = x
			x = u
			if left == u {
				b = right.at
			} else {
				a = left.at
			}
			continue
		}
		if left == u {
			a = u.at
		} else {
			b = u.at
		}
		if u.value >= w.value {
			v, w = w, u
		} else if u.value >= v.value {
			v = u
		}
	}
	return seen
}

// vertex is the maximum of the parabola through three points; false if it has none.
func vertex(x, w, v peak) (float64, bool) {
	r, q := (x.at-w.at)*(x.value-v.value), (x.at-v.at)*(x.value-w.value)
	top := x.at - ((x.at-v.at)*q-(x.at-w.at)*r)/(2*(q-r))
	return top, !math.IsNaN(top) && !math.IsInf(top, 0)
}
