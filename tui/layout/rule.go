package layout

import "slices"

// Rule is what a part of a row, or of a column, needs of its cells.
type Rule struct {
	Least int // it is left out where it cannot have so many, unless its rank is 0
	Want  int // what it takes where there is room, before any part grows; less than Least counts as that
	Most  int // beyond which it does not grow; 0 for no bound
	Grow  int // its share of what is left
	Rank  int // what gives way first in a small window: the part of the highest rank; one of rank 0 never does
}

// Fixed is a rule for a part that has so many cells, and is never left out.
func Fixed(n int) Rule { return Rule{Least: n, Want: n, Most: n} }

// Split divides cells among parts by their rules: parts are left out, the highest rank first, until all that stay have their least; then each gets what it
// wants, the lowest rank first; what is left goes to those that grow, by their shares. A part that is left out has 0 cells.
func Split(room int, rules ...Rule) []int {
	sizes, kept := make([]int, len(rules)), make([]bool, len(rules))
	for i := range kept {
		kept[i] = true
	}
	room = max(room, 0)
	for least(rules, kept) > room {
		worst := -1
		for i, r := range rules {
			if kept[i] && r.Rank > 0 && (worst < 0 || r.Rank > rules[worst].Rank) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		kept[worst] = false
	}
	for i, r := range rules {
		if kept[i] {
			sizes[i] = min(r.Least, room)
			room -= sizes[i]
		}
	}
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rules[a].Rank - rules[b].Rank })
	for _, i := range order {
		if more := min(rules[i].Want-sizes[i], room); kept[i] && more > 0 {
			sizes[i] += more
			room -= more
		}
	}
	grow(room, rules, kept, sizes)
	return sizes
}

// least is the sum of what the parts that are kept need.
func least(rules []Rule, kept []bool) (sum int) {
	for i, r := range rules {
		if kept[i] {
			sum += r.Least
		}
	}
	return sum
}

// grow divides what is left among the parts that grow, by their shares, until all are as large as they may be.
func grow(room int, rules []Rule, kept []bool, sizes []int) {
	for room > 0 {
		shares := 0
		for i, r := range rules {
			if kept[i] && r.Grow > 0 && (r.Most == 0 || sizes[i] < r.Most) {
				shares += r.Grow
			}
		}
		if shares == 0 {
			return
		}
		left := room
		for i, r := range rules {
			if !kept[i] || r.Grow == 0 || r.Most > 0 && sizes[i] >= r.Most || left == 0 {
				continue
			}
			more := min((room*r.Grow+shares-1)/shares, left)
			if r.Most > 0 {
				more = min(more, r.Most-sizes[i])
			}
			sizes[i] += more
			left -= more
		}
		room = left
	}
}
