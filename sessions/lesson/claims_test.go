package lesson

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/training"
)

// Claims are looked up in the trace of either run, of what is judged at some updates alone the last value until then;
// what is not true, or cannot be read, is told with the numbers and its page, and the lesson is left where it stood.
func TestCheck(t *testing.T) {
	l, err := training.Find("flops")
	require.NoError(t, err)
	s, err := training.New(l, map[string]any{"dim": 8, "hidden": 8, "batch": 8, "steps": 25},
		training.WithLesson(&sessions.Lesson{Title: "a lesson"}))
	require.NoError(t, err)
	right := []string{"weight > 0", "weight < 5 at step 10", "second.weight < weight",
		"weight > second.weight at step 10", "recall > -1 at step 15", "20 = 20", "eta = 0.2 at step 10"}
	broken := map[string]string{"weight < second.weight": "weight is 18, and second.weight is 1.4",
		"weight > 1e9": "weight is 18", "wieght > 1": "did you mean weight?",
		"recall > 0 at step 9": "recall is not measured before update 9", "weight > 0 at step 21": "between 1 and 20",
		"weight": "a claim compares", "weight ~ 1": "must be one of", "third.weight > 1": "no column"}
	_, err = s.Step(t.Context(), 10, nil)
	err = errors.Join(err, s.WritePage("# one", page.Page{Claims: []string{"second.weight > 0"}}))
	_, laid := s.AddRun(t.Context(), l.SecondRun, nil)
	_, stepped := s.Step(t.Context(), 10, nil)
	claimed := right
	for claim := range broken {
		claimed = append(claimed, claim)
	}
	if err = errors.Join(err, laid, stepped, s.WritePage("# two", page.Page{Claims: claimed})); err != nil {
		t.Fatal(err)
	}
	s.First()
	checked, found := Check(s)
	if checked != 1+len(claimed) || len(found) != 1+len(broken) {
		t.Errorf("%d claims are checked, broken are %v", checked, found)
	}
	for i, b := range found {
		page, title, want := 2, "two", broken[b.Claim]
		if i == 0 {
			page, title, want = 1, "one", "there is no second run"
		}
		if want == "" || b.Page != page || b.Title != title || !strings.Contains(b.Why, want) {
			t.Errorf("%+v; want %q", b, want)
		}
	}
	assert.Equal(t, 10, s.State().Step, "the session is left elsewhere")
}
