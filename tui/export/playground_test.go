package export

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// results are in the words of a screen of the playground.
var results = regexp.MustCompile(`\d results?`)

// The picture of a playground has its beliefs, results and handles, and nothing of a search; its recording plays every
// act.
func TestPlayground(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: "gp-ei",
		Params: map[string]any{"kernel": "1*se(length=0.2)", "noise": "fixed"}}, 1))
	require.NoError(t, err)
	for _, x := range []float64{0.2, 0.5, 0.7} {
		require.NoError(t, s.AddResult(x, x))
	}
	require.NoError(t, s.RemoveResult(s.State().Results()[2]))
	var b bytes.Buffer
	require.NoError(t, Write(t.Context(), &b, s, "svg", nil))
	for _, want := range []string{"belief: GP-EI, 1*se(length=0.2)", ">results<", ">lengthscale<", ">mean<"} {
		assert.Contains(t, b.String(), want, "the picture has no %s", want)
	}
	for _, no := range []string{"acquisition", "best", "regret", ">next<", "budget"} {
		assert.NotContains(t, b.String(), no, "the picture has %s", no)
	}
	if n := strings.Count(b.String(), "<circle"); n != 3 { // one is in the legend
		t.Errorf("the picture has %d marks of 2 results", n-1)
	}
	b.Reset()
	require.NoError(t, Write(t.Context(), &b, s, "cast", nil))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	var size struct{ Width, Height int }
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &size))
	screen, shown := vt.NewEmulator(size.Width, size.Height), []string{}
	for _, line := range lines[1:] {
		var event []any
		require.NoError(t, json.Unmarshal([]byte(line), &event))
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
