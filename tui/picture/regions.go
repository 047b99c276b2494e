package picture

import (
	"fmt"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// Region is a part of the space in which the method looks for the next point, in the problem's units.
type Region struct {
	Name      string
	Low, High []float64 // the ends of its sides, on the axes of the variables
	Text      string    // what it is and how it changes
}

// regionsOf are the regions in which the method of a belief looks for the next point; nil if it looks everywhere.
func regionsOf(st sessions.State, b optimizers.Belief) (list []Region) {
	local, ok := b.(optimizers.LocalSearcher)
	if !ok {
		return nil
	}
	for _, r := range local.SearchRegions() {
		region := Region{Name: r.Name, Text: r.Text}
		for j, v := range st.Problem.Domain {
			region.Low = append(region.Low, regionEnd(v, r.Low[j], -1))
			region.High = append(region.High, regionEnd(v, r.High[j], 1))
		}
		list = append(list, region)
	}
	return list
}

// regionEnd is where a side of a region ends on the axis of a variable, u in the unit cube: of a variable with levels at
// the edge of the slot of the last level inside, in a direction.
func regionEnd(v functions.Variable, u, direction float64) float64 {
	x := v.FromUnit(u)
	n := v.Levels()
	if n < 2 {
		return x
	}
	i := v.Nearest(x)
	center, next := AxisFraction(v, v.Level(i)), AxisFraction(v, v.Level(min(i+1, n-1)))
	if i == n-1 {
		center, next = AxisFraction(v, v.Level(n-2)), center
	}
	return AxisValue(v, AxisFraction(v, v.Level(i))+direction*(next-center)/2)
}

// crossing are the regions that a slice along some variables through a point passes through.
func crossing(all []Region, domain functions.Domain, point []float64, along ...int) (list []Region) {
	const rounding = 1e-9
	for _, r := range all {
		inside := true
		for j, v := range domain {
			shown := false
			for _, k := range along {
				shown = shown || j == k
			}
			u := AxisFraction(v, point[j])
			inside = inside && (shown || u >= AxisFraction(v, r.Low[j])-rounding && u <= AxisFraction(v, r.High[j])+rounding)
		}
		if inside {
			list = append(list, r)
		}
	}
	return list
}

// region describes a region by its name; empty for another name.
func (s Description) region(name string) string {
	for _, r := range s.Posterior.Regions {
		if r.Name != name {
			continue
		}
		side := ""
		shortest := 2.0
		longest := 0.0
		for j, v := range s.State.Problem.Domain {
			width := AxisFraction(v, r.High[j]) - AxisFraction(v, r.Low[j])
			shortest, longest = min(shortest, width), max(longest, width)
		}
		side = fmt.Sprintf("%.2g", longest)
		if longest-shortest > 0.01 {
			side = fmt.Sprintf("%.2g to %.2g", shortest, longest)
		}
		return sanitize.Text(fmt.Sprintf(
			"The %s: the method looks for the next point only there. Its sides are %s of the ranges of the variables. %s",
			r.Name, side, r.Text))
	}
	return ""
}

// limitsSearch reports whether a mask of the points that a method allows says more than its regions do.
func limitsSearch(b optimizers.Belief, regions []Region) bool {
	return regions == nil || optimizers.FeasibilityFor(b) != nil
}
