package pipe

import (
	"fmt"
	"io"
	"testing"

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
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		newServer(Options{Session: s}, io.Discard, nil).perform(t.Context(), r, w)
		if got != c.want {
			t.Errorf("%s: given up with %q results on record, want %q", c.line, got, c.want)
		}
	}
}
