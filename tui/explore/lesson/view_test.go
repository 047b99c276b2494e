package lesson

import (
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/belief"
)

// What a page is to be seen with is read, and what there is not is refused with what there is.
func TestParseView(t *testing.T) {
	for _, c := range []struct {
		problem, text string
		want          View
		wrong         string // in the error
	}{
		{"forrester", "", View{}, ""},
		{"branin", "plane deviation", View{Picture: "plane", Field: belief.SDField}, ""},
		{"branin", "line x2 traces cumulative", View{Picture: "line", Variable: 1, Traces: true, Trace: "cumulative"}, ""},
		{"forrester", "theory evidence", View{Theory: true, Trace: "evidence"}, ""},
		{"forrester", "outlook", View{Outlook: true}, ""},
		{"forrester", "traces evidence", View{}, "evidence"},
		{"forrester", "theory outlook", View{}, "one of them"},
		{"forrester", "plane", View{}, "over two variables"},
		{"branin", "outcomes", View{}, "several objectives"},
		{"forrester", "evidnce", View{}, "evidence"},
	} {
		s, err := sessions.New(sessions.Config{Problem: c.problem, Optimizer: "random", Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if c.want.Picture != "plane" && c.wrong == "" {
			c.want.Field = belief.MeanField
		}
		v, err := ParseView(c.text, s.State().Problem)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) || err == nil && v != c.want {
			t.Errorf("%s of %s is %+v, %v", c.text, c.problem, v, err)
		}
	}
}
