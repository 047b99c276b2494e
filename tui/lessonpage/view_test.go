package lessonpage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/tui/picture"
)

// What a page is to be seen with is read, and what there is not is refused with what there is.
func TestParseView(t *testing.T) {
	for _, c := range []struct {
		problem, text string
		want          View
		wrong         string // in the error
	}{
		{"forrester", "", View{}, ""},
		{"branin", "plane deviation", View{Picture: "plane", Field: picture.SDField}, ""},
		{"branin", "line x2 traces cumulative", View{Picture: "line", Variable: 1, Traces: true, Trace: "cumulative"},
			""},
		{"forrester", "theory evidence", View{Theory: true, Trace: "evidence"}, ""},
		{"forrester", "outlook", View{Summary: true}, ""},
		{"thesis-xy", "outcomes pair 3 5 traces bayes",
			View{Picture: "outcomes", Asked: [2]int{3, 5}, Traces: true, Trace: "bayes"}, ""},
		{"thesis-xy", "pair 3", View{}, "two steps"},
		{"forrester", "pair 3 5", View{}, "several objectives"},
		{"forrester", "line next", View{Picture: "line", Next: true}, ""},
		{"forrester", "traces evidence", View{}, "evidence"},
		{"forrester", "theory outlook", View{}, "not two of them"},
		{"forrester", "plane", View{}, "needs two variables"},
		{"branin", "outcomes", View{}, "several objectives"},
		{"forrester", "evidnce", View{}, "evidence"},
	} {
		s, err := sessions.New(t.Context(), sessions.Config{Problem: c.problem, Optimizer: "random", Seed: 1})
		require.NoError(t, err)
		if c.want.Picture != "plane" && c.wrong == "" {
			c.want.Field = picture.MeanField
		}
		v, err := ParseView(c.text, s.State().Problem)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) || err == nil &&
			v != c.want {
			t.Errorf("%s of %s is %+v, %v", c.text, c.problem, v, err)
		}
	}
}

// A page that is about two outcomes has them as they were observed, and one that is about outcomes which there are not
// has none.
func TestPair(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 1},
		sessions.WithLesson(&sessions.Lesson{Title: "a pair"}))
	for range 2 {
		if err == nil {
			_, err = s.Step(t.Context(), nil)
		}
	}
	for _, view := range []string{"pair 2 1", "pair 1 3", ""} {
		if err == nil {
			err = s.WritePage("# a page", page.Page{View: view})
		}
		require.NoError(t, err)
		st := s.State()
		pair := Page{State: st, Line: s.Timeline()}.Pair()
		if view != "pair 2 1" {
			assert.Nil(t, pair, "%q is about", view)
			continue
		}
		if len(pair) != 2 || pair[0][0] != st.Iterations[1].Points[0].Y[0] ||
			pair[1][1] != st.Iterations[0].Points[0].Y[1] {
			t.Errorf("%q is about %v", view, pair)
		}
	}
}
