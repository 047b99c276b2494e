package pixels

import (
	"math"

	"bandscope/tui/chart/vector"
)

// minStep is the length of the shortest segments of a stroke, in pixels: shorter ones become part of the next.
const minStep = 0.3

// stroke adds a line of a width: a quadrilateral for each segment, whose ends meet where the line turns little. Where it
// turns more, a circle joins them.
func (s *shape) stroke(line []vector.Point, closed bool, half float64) {
	line = distinct(line, closed)
	if len(line) < 2 {
		return
	}
	segments := len(line) - 1
	if closed {
		segments = len(line)
	}
	var start vector.Point // of the segment, from its first point to the one edge
	for i := range segments {
		a, b := line[i], line[(i+1)%len(line)]
		normal := normalOf(a, b, half)
		if i == 0 {
			start = normal
		}
		if i == 0 && closed {
			if miter, ok := join(line[len(line)-1], a, b, half); ok {
				start = miter
			}
		}
		end, next := normal, vector.Point{}
		if closed || i+1 < segments {
			c := line[(i+2)%len(line)]
			miter, ok := join(a, b, c, half)
			end, next = miter, miter
			if !ok {
				end, next = normal, normalOf(b, c, half)
				s.polygon(circle(b, half))
			}
		}
		s.polygon([]vector.Point{{X: a.X + start.X, Y: a.Y + start.Y}, {X: b.X + end.X, Y: b.Y + end.Y},
			{X: b.X - end.X, Y: b.Y - end.Y}, {X: a.X - start.X, Y: a.Y - start.Y}})
		start = next
	}
}

// distinct is a line without the points that are no step from the one before; its last point stays.
func distinct(line []vector.Point, closed bool) []vector.Point {
	if len(line) < 2 {
		return line
	}
	points := []vector.Point{line[0]}
	for _, p := range line[1:] {
		last := points[len(points)-1]
		if math.Abs(p.X-last.X)+math.Abs(p.Y-last.Y) >= minStep {
			points = append(points, p)
		}
	}
	last := line[len(line)-1]
	if len(points) > 1 && !closed {
		points[len(points)-1] = last
	}
	if closed && len(points) > 2 && math.Hypot(last.X-line[0].X, last.Y-line[0].Y) < minStep {
		points = points[:len(points)-1]
	}
	return points
}

// normalOf is across a segment, as long as half the width of the stroke.
func normalOf(a, b vector.Point, half float64) vector.Point {
	scale := half / math.Hypot(b.X-a.X, b.Y-a.Y)
	return vector.Point{X: -(b.Y - a.Y) * scale, Y: (b.X - a.X) * scale}
}

// minMiterCos is the cosine of the largest angle by which a line turns with a miter.
const minMiterCos = 0.5

// join is the miter of two segments: from the point where they meet to a corner of both edges. It is false where they
// need another join: they turn too much, or are too short.
func join(a, b, c vector.Point, half float64) (miter vector.Point, ok bool) {
	before, after := normalOf(a, b, half), normalOf(b, c, half)
	cos := (before.X*after.X + before.Y*after.Y) / (half * half)
	if cos < minMiterCos {
		return miter, false
	}
	sin := (before.X*after.Y - before.Y*after.X) / (half * half)
	inner := half * math.Abs(sin) / (1 + cos) // by which the inner edges are shorter
	if inner > min(math.Hypot(b.X-a.X, b.Y-a.Y), math.Hypot(c.X-b.X, c.Y-b.Y)) {
		return miter, false
	}
	return vector.Point{X: (before.X + after.X) / (1 + cos), Y: (before.Y + after.Y) / (1 + cos)}, true
}

// dashes are the pieces of a line that are drawn, by the lengths of dashes and gaps in turn.
func (p *Picture) dashes(line []vector.Point, lengths []float64) (pieces [][]vector.Point) {
	if len(lengths) == 0 {
		return [][]vector.Point{line}
	}
	k := 0
	left := lengths[0] * p.scale // of the dash, or of the gap
	var piece []vector.Point
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		for done := 0.0; done < length; {
			step := min(left, length-done)
			place := func(d float64) vector.Point {
				return vector.Point{X: a.X + (b.X-a.X)*d/length, Y: a.Y + (b.Y-a.Y)*d/length}
			}
			if k%2 == 0 {
				if len(piece) == 0 {
					piece = append(piece, place(done))
				}
				piece = append(piece, place(done+step))
			}
			done += step
			left -= step
			if left > 0 {
				continue
			}
			if k%2 == 0 {
				pieces = append(pieces, piece)
				piece = nil
			}
			k++
			left = lengths[k%len(lengths)] * p.scale
		}
	}
	if len(piece) > 1 {
		pieces = append(pieces, piece)
	}
	return pieces
}
