package layout

import "slices"

// Rule is what a part of a row, or of a column, needs of its cells.
type Rule struct {
	Min       int // it is left out if it cannot have so many, unless its priority is 0
	Preferred int // its size before any part grows, if it fits; less than Min counts as Min
	Max       int // beyond which it does not grow; 0 for no bound
	Flex      int // its share of the space of all growing parts
	Priority  int // what gives way first in a small window: the part with the highest number; one with 0 never does
}

// Fixed is a rule for a part that has so many cells, and is never left out.
func Fixed(n int) Rule { return Rule{Min: n, Preferred: n, Max: n} }

// Split divides cells among parts by their rules: parts are left out, the highest priority number first, until the
// others have their minimum; then each gets its preferred size, the lowest number first; the rest goes to the flexible
// ones, by their shares. A part that is left out has 0 cells.
func Split(room int, rules ...Rule) []int {
	sizes, included := make([]int, len(rules)), make([]bool, len(rules))
	for i := range included {
		included[i] = true
	}
	room = max(room, 0)
	for minSum(rules, included) > room {
		worst := -1
		for i, r := range rules {
			if included[i] && r.Priority > 0 && (worst < 0 || r.Priority > rules[worst].Priority) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		included[worst] = false
	}
	for i, r := range rules {
		if included[i] {
			sizes[i] = min(r.Min, room)
			room -= sizes[i]
		}
	}
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rules[a].Priority - rules[b].Priority })
	for _, i := range order {
		if growth := min(rules[i].Preferred-sizes[i], room); included[i] && growth > 0 {
			sizes[i] += growth
			room -= growth
		}
	}
	grow(room, rules, included, sizes)
	return sizes
}

// minSum is the sum of what the parts that are kept need.
func minSum(rules []Rule, included []bool) (sum int) {
	for i, r := range rules {
		if included[i] {
			sum += r.Min
		}
	}
	return sum
}

// grow divides the rest among the parts that grow, so that they come as near to their shares of their total as their
// bounds allow; cells that remain from fractions go to the first ones.
func grow(room int, rules []Rule, included []bool, sizes []int) {
	grows := func(i int) bool {
		return included[i] && rules[i].Flex > 0 && (rules[i].Max == 0 || sizes[i] < rules[i].Max)
	}
	total := room
	for i := range rules {
		if grows(i) {
			total += sizes[i]
		}
	}
	sizeAt := func(level float64, i int) float64 {
		n := max(level*float64(rules[i].Flex), float64(sizes[i]))
		if rules[i].Max > 0 {
			n = min(n, float64(rules[i].Max))
		}
		return n
	}
	low, high := 0.0, float64(total)
	for range 60 { // the level at which all have what there is
		level, sum := (low+high)/2, 0.0
		for i := range rules {
			if grows(i) {
				sum += sizeAt(level, i)
			}
		}
		if sum <= float64(total) {
			low = level
		} else {
			high = level
		}
	}
	increments := make([]int, len(rules))
	for i := range rules {
		if grows(i) {
			increments[i] = int(sizeAt(low, i)+1e-9) - sizes[i]
		}
	}
	for i, n := range increments {
		sizes[i] += n
		room -= n
	}
	for i := 0; i < len(rules) && room > 0; i++ {
		if grows(i) {
			sizes[i]++
			room--
		}
	}
}
