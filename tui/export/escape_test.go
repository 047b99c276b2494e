package export

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// No text of a session reaches the page unescaped, from whatever field it comes: each is a different piece of markup,
// which the page shows as text.
func TestNotebookEscapesEveryText(t *testing.T) {
	fields := map[string]bool{}
	evil := func(field string) string {
		fields[field] = true
		return fmt.Sprintf(`<x-%s a="b">'&amp;`, field)
	}
	limit := 5.0
	cfg := sessions.Config{Optimizer: "random", Seed: 4, Budget: 20, Experiment: &experiment.Declaration{Name: "p",
		About: evil("about"), Variables: functions.Domain{{Name: "x", High: 1, Unit: evil("unit")},
			functions.NewChoice("c", "<x-one>", "<x-two>")},
		Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize, Unit: evil("objective")}},
		Limits:     []functions.Objective{{Name: "l", AtMost: &limit, Unit: evil("limit")}}},
		ExperimentFile: &sessions.ExperimentFile{Path: evil("path"), SHA256: evil("sha")}}
	s, err := sessions.New(t.Context(), cfg, sessions.WithClock(clock()))
	require.NoError(t, err)
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	s.SetAuthor(sessions.Author{Kind: evil("kind"), Name: evil("author"), Via: evil("via")})
	for i, o := range []functions.Outcome{{Values: []float64{1, 1}, Note: evil("remark")}, {Reason: evil("failure")},
		{Values: []float64{2, 3}}} {
		it, err := s.Ask(t.Context(), nil)
		must(err)
		_, err = s.Tell(it.ID, o)
		must(err)
		must(s.Note(evil(fmt.Sprint("note", i)) + " [" + evil("link") + "](javascript:alert(1)) `" + evil("code") + "`"))
	}
	must(s.Revise(s.State().LastNote().ID, evil("revised")))
	must(s.Correct(1, 0, []float64{3, 4}, evil("correction")))
	must(s.Bound(t.Context(), "x", 0.1, 0.9, evil("bound")))
	must(s.Fork(evil("branch"), ""))
	page := pageFor(t, s)
	assert.Nil(t, regexp.MustCompile(`<x-[a-z]+`).FindAllString(page, -1), "markup of the session reaches the page")
	for field := range fields {
		assert.Contains(t, page, "x-"+field, "the page does not show the text of %s", field)
	}
}
