package summary

import (
	"fmt"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/theme"
)

// Every part of the outlook is described in every size, before the model was asked and afterwards.
func TestDescribed(t *testing.T) {
	for problem, method := range map[string]string{"forrester": "gp-ei", "branin": "gp-ei", "thesis-xy": "mobo-rs-ts"} {
		s, p := modetest.Session(t, sessions.Config{Problem: problem, Optimizer: method, Seed: 3}, 8), Summary{}
		check := func(at string) {
			for p.kind = range summaryKindCount {
				for _, size := range [][2]int{{29, 8}, {34, 10}, {40, 14}, {36, 28}, {52, 40}} {
					scene := view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false), W: size[0],
						H: size[1]}
					explained.Check(t, fmt.Sprint(problem, at, p.kind, size), p.Box(scene), size[0], size[1])
				}
			}
		}
		check(" before it is asked, part ")
		for CanSummarize(s.State()) {
			if msg := Compute(t.Context(), s, s.Snapshot(), nil).(ComputedMsg); msg.Err != nil {
				t.Fatal(msg.Err)
			}
		}
		check(" asked, part ")
	}
}
