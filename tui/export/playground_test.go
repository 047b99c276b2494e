package export

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"bandscope/sessions"
)

// results are in the words of a screen of the playground.
var results = regexp.MustCompile(`\d results?`)

// The picture of a playground has its beliefs, results and handles, and nothing of a search; its recording plays every
// act.
func TestPlayground(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: "gp-ei",
		Params: map[string]any{"kernel": "1*se(length=0.2)", "noise": "fixed"}}, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0.2, 0.5, 0.7} {
		if err := s.AddResult(x, x); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RemoveResult(s.State().Results()[2]); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(t.Context(), &b, s, "svg", nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"belief: GP-EI, 1*se(length=0.2)", ">results<", ">lengthscale<", ">mean<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	for _, no := range []string{"acquisition", "best", "regret", ">next<", "budget"} {
		if strings.Contains(b.String(), no) {
			t.Errorf("the picture has %s", no)
		}
	}
	if n := strings.Count(b.String(), "<circle"); n != 3 { // one is in the legend
		t.Errorf("the picture has %d marks of 2 results", n-1)
	}
	b.Reset()
	if err := Write(t.Context(), &b, s, "cast", nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	var size struct{ Width, Height int }
	if err := json.Unmarshal([]byte(lines[0]), &size); err != nil {
		t.Fatal(err)
	}
	screen, shown := vt.NewEmulator(size.Width, size.Height), []string{}
	for _, line := range lines[1:] {
		var event []any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		screen.WriteString(event[2].(string))
		if now := results.FindString(screen.String()); len(shown) == 0 || shown[len(shown)-1] != now {
			shown = append(shown, now)
		}
	}
	if want := []string{"0 results", "1 result", "2 results", "3 results", "2 results"}; !slices.Equal(shown, want) {
		t.Errorf("the recording of 4 acts shows %q, want %q", shown, want)
	}
	if !s.State().Config.Playground || len(s.State().Results()) != 2 {
		t.Error("the session is changed")
	}
}
