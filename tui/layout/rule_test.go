package layout

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What gives way, what grows, and how far.
func TestSplit(t *testing.T) {
	side := Rule{Min: 20, Preferred: 30, Max: 40, Flex: 1, Priority: 1}
	plot := Rule{Min: 40, Flex: 3}
	for _, c := range []struct {
		name  string
		room  int
		rules []Rule
		want  []int
	}{
		{"all that is wanted, and the rest by shares", 100, []Rule{plot, side}, []int{70, 30}},
		{"what is wanted before anything grows", 75, []Rule{plot, side}, []int{45, 30}},
		{"the least of each", 60, []Rule{plot, side}, []int{40, 20}},
		{"the highest rank gives way", 59, []Rule{plot, side}, []int{59, 0}},
		{"up to the most, the rest goes to others", 300, []Rule{plot, side}, []int{260, 40}},
		{"a part of rank 0 stays, however small", 10, []Rule{plot, side}, []int{10, 0}},
		{"shares of the whole, within bounds", 121, []Rule{{Flex: 3}, {Min: 34, Flex: 2, Max: 76}}, []int{73, 48}},
		{"a share below the least", 80, []Rule{{Flex: 3}, {Min: 34, Flex: 2, Max: 76}}, []int{46, 34}},
		{"a share above the most", 200, []Rule{{Flex: 3}, {Min: 34, Flex: 2, Max: 76}}, []int{124, 76}},
		{"fixed", 10, []Rule{Fixed(1), {Flex: 1}, Fixed(2)}, []int{1, 7, 2}},
		{"of two that may go the higher rank goes", 50,
			[]Rule{{Min: 20, Priority: 1}, {Min: 20, Priority: 2}, {Min: 20, Flex: 1}}, []int{20, 0, 30}},
		{"nothing", 0, []Rule{plot, side}, []int{0, 0}},
		{"less than nothing", -3, []Rule{Fixed(2)}, []int{0}},
	} {
		if got := Split(c.room, c.rules...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Never is more given than there is, nor anything lost while a part may still grow; a part has none, or its least, or
// all that is left.
func TestSplitKeepsItsPromises(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		rules := make([]Rule, 1+rng.IntN(6))
		grows := false
		for i := range rules {
			r := Rule{Min: rng.IntN(20), Flex: rng.IntN(3), Priority: rng.IntN(3)}
			r.Preferred = r.Min + rng.IntN(20) - 5
			if rng.IntN(2) == 0 {
				r.Max = max(r.Min, r.Preferred) + rng.IntN(20)
			}
			rules[i] = r
		}
		room, sum := rng.IntN(120), 0
		sizes := Split(room, rules...)
		for i, r := range rules {
			sum += sizes[i]
			grows = grows || r.Flex > 0 && r.Max == 0 && sizes[i] > 0
			if r.Max > 0 && sizes[i] > r.Max {
				t.Fatalf("%+v in %d cells are %v: one is above its most", rules, room, sizes)
			}
			if r.Priority > 0 && sizes[i] > 0 && sizes[i] < r.Min {
				t.Fatalf("%+v in %d cells are %v: one that may be left out is below its least", rules, room, sizes)
			}
		}
		if sum > room || grows && sum < room {
			t.Fatalf("%+v in %d cells are %v", rules, room, sizes)
		}
	}
}

// Of two parts the second has its share rounded down, within its bounds, and the first the rest.
func TestSplitByShares(t *testing.T) {
	for room := 40; room < 300; room++ {
		for _, c := range []struct{ first, second, low, high int }{
			{3, 2, 8, 24}, {7, 3, 29, 52}, {9, 11, 20, 72}, {1, 1, 8, 28}} {
			want := min(max(room*c.second/(c.first+c.second), c.low), c.high)
			if got := Split(room, Rule{Flex: c.first}, Rule{Min: c.low, Flex: c.second, Max: c.high}); got[1] !=
				want || got[0] != room-want {
				t.Errorf("%d cells by %d to %d are %v, want %d for the second", room, c.first, c.second, got, want)
			}
		}
	}
}
