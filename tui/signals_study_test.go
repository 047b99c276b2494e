//go:build study

package tui_test

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestStudyEnds ends the explorer a hundred times in each of four ways, and the program more than a hundred times over
// all other screens and modes, of which a fit is under way in one: each within 200 ms. It needs a quiet machine.
func TestStudyEnds(t *testing.T) {
	ways := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, hang}
	for _, mode := range ways {
		ends(t, fmt.Sprintf("the explorer, %v", mode), signalCases[:1], []syscall.Signal{mode}, 100)
	}
	ends(t, "all other places", signalCases[1:], ways, 2)
}

// ends ends the program so often in each of the places in each of the ways, and tells how long that took.
func ends(t *testing.T, name string, places []signalCase, ways []syscall.Signal, times int) {
	var took []time.Duration
	for _, s := range places {
		for _, mode := range ways {
			for i := range times {
				t.Run(fmt.Sprintf("%s/%s/%v/%d", name, s.name, mode, i), func(t *testing.T) {
					took = append(took, s.end(t, mode))
				})
			}
		}
	}
	slices.Sort(took)
	soon, _ := slices.BinarySearch(took, 200*time.Millisecond)
	t.Logf("%s: %d of %d within 200 ms, median %v, longest %v", name, soon, len(took), took[len(took)/2],
		took[len(took)-1])
	if soon < len(took) {
		t.Errorf("%s: %d took longer than 200 ms", name, len(took)-soon)
	}
}
