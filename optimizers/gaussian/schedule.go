package gaussian

import (
	"math"
	"slices"
)

// When the hyperparameters are searched for, and when those of an earlier fit are adjusted or reused.
const (
	fitEvery          = 5    // observations from one scheduled search to the next, up to refitEveryBelow
	shortAbove        = 20   // observations above which a search between two scheduled ones is short
	refitEveryBelow   = 50   // observations above which the searches are scheduled by refitGrowth
	refitGrowth       = 1.25 // ratio of the numbers of observations of two scheduled searches, at least
	checksPerDoubling = 40   // checks of new observations while their number doubles, at most one per observation
)

// schedule says after how many observations fits are made on which later ones build. It holds the imports: ranges of
// observations that were added together, from the first up to, but not, the last. No fit is made to a part of an
// import; a fit that is scheduled within one is made at its end. So the fits of a session begin with one to all
// results that it was started with.
type schedule [][2]int

// scheduleFor returns the schedule of the first n observations.
func scheduleFor(imports [][2]int, n int) (s schedule) {
	for _, r := range imports {
		if r[0] < n {
			s = append(s, [2]int{r[0], min(r[1], n)})
		}
	}
	return s
}

// end returns n, or the end of the import that has observations both among the first n and after them.
func (s schedule) end(n int) int {
	for _, r := range s {
		if r[0] < n && n < r[1] {
			return r[1]
		}
	}
	return n
}

// search returns the greatest number of observations, up to n, at which a search always runs; 0 if there is none.
func (s schedule) search(n int) int {
	last := 0
	for {
		next := (last/fitEvery + 1) * fitEvery
		if last >= refitEveryBelow {
			next = int(math.Ceil(refitGrowth*float64(last)/fitEvery)) * fitEvery
		}
		next = s.end(next)
		if next > n {
			return last
		}
		last = next
	}
}

// checks returns the numbers of observations, up to n, at which a fit is made on which later ones build: the last
// scheduled search, and the checks of the observations after it.
func (s schedule) checks(n int) []int {
	start := s.search(n)
	all := []int{start}
	for position := start; start > 0; {
		position = s.end(position + max(1, start/checksPerDoubling))
		if position > n {
			break
		}
		all = append(all, position)
	}
	return slices.Clip(all)
}
