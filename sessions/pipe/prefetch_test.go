package pipe

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// A suggestion that is computed ahead is cancelled before the session changes: it is of other data then. An ask computes
// its own, which reports progress and can be cancelled. Acts that only read leave it alone.
func TestWhatIsForeseenIsGivenUpBeforeATell(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random",
		Experiment: &experiment.Declaration{Name: "p", Variables: functions.Domain{{Name: "x", High: 1}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize}}}})
	require.NoError(t, err)
	for _, c := range []struct {
		line string
		want string // results on record when what was foreseen is given up
	}{
		{`{"act":"ask"}`, "0"}, {`{"act":"status"}`, ""}, {`{"act":"tell","point":1,"values":{"y":2}}`, "0"},
		{`{"act":"add","inputs":{"x":0.5},"values":{"y":1}}`, "1"}, {`{"act":"predict","inputs":[{"x":0.5}]}`, ""},
	} {
		got := ""
		w := &worker{giveUp: func() { got += fmt.Sprint(len(s.State().Iterations)) }}
		r, err := ParseRequest([]byte(c.line))
		require.NoError(t, err)
		newServer(Options{Session: s}, io.Discard, nil).perform(t.Context(), r, w)
		assert.Equal(t, c.want, got, "%s: given up with %q results on record", c.line, got)
	}
}
