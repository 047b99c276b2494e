package summary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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
		check := func(place string) {
			for p.kind = range summaryKindCount {
				for _, size := range [][2]int{{29, 8}, {34, 10}, {40, 14}, {36, 28}, {52, 40}} {
					scene := view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false), W: size[0],
						H: size[1]}
					explained.Check(t, fmt.Sprint(problem, place, p.kind, size), p.Box(scene), size[0], size[1])
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

// The panel of a window of 120×36 has all horizons of the forecast with their probabilities and the advice, before the
// sensitivity; a smaller one has the horizon of the advice.
func TestHorizons(t *testing.T) {
	s := modetest.Session(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 4, Budget: 30}, 8)
	for CanSummarize(s.State()) {
		if msg := Compute(t.Context(), s, s.Snapshot(), nil).(ComputedMsg); msg.Err != nil {
			t.Fatal(msg.Err)
		}
	}
	for h, want := range map[int][]string{13: {"+1 run", "+5 runs", "+10 runs", "+22 runs", "10 more runs"},
		8: {"+10 runs", "10 more runs"}} {
		text := modetest.Text((&Summary{}).Box(view.Scene{State: s.State(), Style: theme.New(true, theme.NoColor, false),
			W: 36, H: h}))
		for _, w := range want {
			assert.Contains(t, text, w, "in %d rows %q is missing:\n%s", h, w, text)
		}
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "│ +") && !strings.Contains(line, " % │") {
				t.Errorf("in %d rows a horizon lacks its probability: %s", h, line)
			}
		}
	}
}
