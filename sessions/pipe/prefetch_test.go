package pipe

import (
	"fmt"
	"testing"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// What was computed ahead is given up before a result is recorded, as it is of other data then; who asks, or looks,
// waits for it.
func TestWhatIsForeseenIsGivenUpBeforeATell(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random",
		Experiment: &experiment.Declaration{Name: "p", Variables: functions.Domain{{Name: "x", High: 1}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize}}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		line string
		want string // results on record when what was foreseen is given up
	}{
		{`{"ask":1}`, ""}, {`{"status":true}`, ""}, {`{"tell":1,"values":{"y":2}}`, "0"},
		{`{"add":{"x":0.5},"values":{"y":1}}`, "1"}, {`{"tell":1,"value":3}`, ""}, {`{"ask":2}`, ""},
	} {
		got := ""
		w := &worker{giveUp: func() { got += fmt.Sprint(len(s.State().Iterations)) }}
		a := (&server{Options: Options{Session: s}}).firstAnswer(t.Context(), Line{Text: []byte(c.line)}, w)
		if a.TellResult != nil {
			w.stopPrefetch()
		}
		if got != c.want || (a.Error != "") != (i == 4) {
			t.Errorf("%s: given up with %q results on record, want %q (%s)", c.line, got, c.want, a.Error)
		}
	}
}
