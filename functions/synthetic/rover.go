package synthetic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// The square of the points, and the start and the goal of the rover. The obstacles are in the unit square, whose
// outside is an obstacle too.
const (
	Low, High   = -0.1, 1.1
	start, goal = 0.05, 0.95
)

const (
	maxReward       = 5    // the reward of a way that costs nothing
	obstacleCost    = 20   // cost of a length of 1 where an obstacle is
	baseCost        = 0.05 // cost of a length of 1 everywhere
	endpointPenalty = 10   // cost of ending a distance of 1 from where it should, in city blocks
	pathSamples     = 1000 // places at which a way is looked at
)

// Task is one landscape, and how a trajectory through it is described.
type Task struct {
	Points int // that are chosen: two coordinates each

	obstacles [][2]float64 // centres of squares
	half      float64      // of an obstacle's side
	fixedEnds bool         // the way begins at the start and ends at the goal, otherwise it costs to miss them
}

// Large is the task of 30 points, 60 variables, among 113 obstacles (Wang et al. 2018). Small is the task of 10 points,
// 20 variables, among 30 obstacles, which Dai et al. 2022, §5.3, optimize: its way begins and ends where it should.
var (
	Large = Task{Points: 30, obstacles: largeObstacles, half: 0.025}
	Small = Task{Points: 10, obstacles: smallObstacles, half: 0.05, fixedEnds: true}
)

// Reward is that of a way along points x, y, x, y, …; NaN where a coordinate is none.
func (t Task) Reward(x []float64) float64 {
	path := t.trajectory(x)
	cost := 0.0
	px, py := path.at(0)
	before := t.cost(px, py)
	if !t.fixedEnds {
		cost += endpointPenalty * (math.Abs(px-start) + math.Abs(py-start))
	}
	for i := 1; i < pathSamples; i++ {
		qx, qy := path.at(float64(i) / (pathSamples - 1))
		here := t.cost(qx, qy)
		cost += (before + here) / 2 * math.Hypot(qx-px, qy-py)
		px = qx
		py = qy
		before = here
	}
	if !t.fixedEnds {
		cost += endpointPenalty * (math.Abs(px-goal) + math.Abs(py-goal))
	}
	return maxReward - cost
}

// cost is that of a length of 1 at a place.
func (t Task) cost(x, y float64) float64 {
	inside := !(0 <= x && x < 1 && 0 <= y && y < 1)
	for _, c := range t.obstacles {
		if inside {
			break
		}
		inside = c[0]-t.half <= x && x < c[0]+t.half && c[1]-t.half <= y && y < c[1]+t.half
	}
	if inside {
		return baseCost + obstacleCost
	}
	return baseCost
}

// trajectory is a cubic curve by its four control points, of Bézier's form.
type trajectory [4][2]float64

// trajectory fits the curve by least squares along the points, each at its share of the length of the lines that join
// them. The published program smooths with a spline until the squared distances sum to m − √(2m) for m points. The
// cubic polynomial satisfies that without further knots, unless points jump between opposite corners all the way.
func (t Task) trajectory(x []float64) trajectory {
	points := make([][2]float64, 0, t.Points+2)
	if t.fixedEnds {
		points = append(points, [2]float64{start, start})
	}
	for i := 0; i+1 < len(x); i += 2 {
		points = append(points, [2]float64{x[i], x[i+1]})
	}
	if t.fixedEnds {
		points = append(points, [2]float64{goal, goal})
	}
	along := make([]float64, len(points))
	for i := 1; i < len(points); i++ {
		along[i] = along[i-1] + math.Hypot(points[i][0]-points[i-1][0], points[i][1]-points[i-1][1])
	}
	basis, where := mat.NewDense(len(points), 4, nil), mat.NewDense(len(points), 2, nil)
	for i, p := range points {
		b := bernstein(along[i] / along[len(along)-1])
		basis.SetRow(i, b[:])
		where.SetRow(i, p[:])
	}
	var fitted mat.Dense
	err := fitted.Solve(basis, where)
	var w trajectory
	for k := range w {
		w[k] = points[0]
		if _, rough := err.(mat.Condition); err == nil || rough && !math.IsNaN(fitted.At(k, 0)+fitted.At(k, 1)) {
			w[k] = [2]float64{fitted.At(k, 0), fitted.At(k, 1)}
		}
	}
	if t.fixedEnds {
		w[0], w[3] = points[0], points[len(points)-1]
	}
	return w
}

// at is the place at a share of the way.
func (w trajectory) at(share float64) (x, y float64) {
	for k, b := range bernstein(share) {
		x, y = x+b*w[k][0], y+b*w[k][1]
	}
	return x, y
}

// bernstein are the four cubic polynomials of Bézier's form.
func bernstein(u float64) [4]float64 {
	v := 1 - u
	return [4]float64{v * v * v, 3 * u * v * v, 3 * u * u * v, u * u * u}
}
