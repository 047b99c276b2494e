package functions

import (
	"fmt"

	"bandscope/functions/synthetic"
)

// roverFamilies is the way of a rover among obstacles, in the two sizes that are published.
var roverFamilies = []Family{
	{Name: "rover", Title: "rover trajectory", About: "the trajectory of a rover among obstacles; almost all trajectories have a high cost", Source: "Wang et al. 2018, §4 (60 variables); Dai et al. 2022, §5.3 (20)",
		MinDim: 20, MaxDim: 60, DefaultDim: 60, Dims: []int{20, 60},
		New: func(d int, _ uint64) Problem {
			task := synthetic.Large
			if d == 20 {
				task = synthetic.Small
			}
			dom := Box(d, synthetic.Low, synthetic.High)
			for i := range dom {
				dom[i].Name = fmt.Sprintf("%c%d", 'x'+rune(i%2), i/2+1)
			}
			return Problem{Domain: dom, Objectives: []Objective{{Name: "reward", Direction: Maximize}},
				Truth: &Truth{Value: func(x []float64) []float64 { return []float64{task.Reward(x)} }}}
		}},
}
