package lesson

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/report"
	"bandscope/sessions/training"
)

// A session becomes a lesson: its branch with the notes as they read last as pages, in their places, and the same
// decisions.
func TestRetell(t *testing.T) {
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	path := filepath.Join(t.TempDir(), "session.jsonl")
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"initial": 2}}, sessions.WithTask(&sessions.Task{Text: "x"}))
	must(err)
	must(s.SaveAs(path))
	do := func(acts ...string) {
		t.Helper()
		for _, act := range acts {
			must(Do(t.Context(), s, act, nil))
		}
	}
	do("step 1", "pending 2", "tell 3", "tell 4")
	must(s.Note("Three."))
	do("step 1")
	must(s.Mark())
	must(s.Note("Withdrawn."))
	must(s.Revise(s.State().LastNote().ID, ""))
	do("correct step 2 = 3.5")
	must(s.Fork("other", ""))
	must(s.WritePage("Four.", page.Page{Ask: true, Claims: []string{"points = 4"}}))
	do("step 1")
	must(s.Revise(s.State().LastNote().ID, "Four of them."))
	s.Seek(1)
	must(s.WritePage("One.", page.Page{View: "line"}))
	s.Seek(0)
	must(s.Note("None."))
	s.Last()
	must(s.Close())
	in, err := os.Open(path)
	must(err)
	defer in.Close()
	made, err := FromLog(t.Context(), in, sessions.Lesson{Title: "Mine", About: "Made."})
	must(err)
	l, err := sessions.Read(t.Context(), bytes.NewReader(made))
	must(err)
	if len(l.Notices()) > 0 || l.Lesson().Title != "Mine" || l.Task() != nil {
		t.Errorf("%v, %+v", l.Notices(), l.Lesson())
	}
	reported := ""
	for i, stop := range l.Timeline().Stops {
		l.GoTo(i)
		n := l.State().LastNote()
		reported += n.Text + strings.ReplaceAll(n.Lines(), "\n", " ") + map[bool]string{true: " asks"}[stop.Ask] + "|"
	}
	if want := "None.|One.@ line|Three.|Four of them.?\u0020! points = 4 asks|Four of them.?\u0020! points = 4|"; reported != want {
		t.Errorf("it reads %q, want %q", reported, want)
	}
	st := l.State()
	if len(st.Iterations) != 5 || st.Iterations[1].Points[0].Y[0] != 3.5 || st.Iterations[2].Points[0].Y[0] != 4 ||
		st.Branch != "other" {
		t.Errorf("%+v", st)
	}
	if v, err := report.Verify(t.Context(), l, nil); err != nil || v.FirstDivergence != nil {
		t.Errorf("verified: %+v, %v", v, err)
	}

	bare, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random"})
	must(err)
	path = filepath.Join(t.TempDir(), "bare.jsonl")
	must(bare.SaveAs(path))
	must(bare.Close())
	text, err := os.ReadFile(path)
	must(err)
	_, err = FromLog(t.Context(), bytes.NewReader(text), sessions.Lesson{Title: "x"})
	assert.ErrorContains(t, err, "has no notes", "of a session without notes")
	_, err = FromLog(t.Context(), bytes.NewReader(text[:len(text)/2]), sessions.Lesson{})
	assert.Error(t, err, "of half a session a lesson is made")
}

// So does a session of a lab.
func TestRetellLab(t *testing.T) {
	flops, err := training.Find("flops")
	require.NoError(t, err)
	s, err := training.New(flops, map[string]any{"dim": 8, "hidden": 8, "batch": 8, "steps": 20})
	require.NoError(t, err)
	_, err = s.Step(t.Context(), 5, nil)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "lab.jsonl")
	require.NoError(t, s.WritePage("Five.", page.Page{Claims: []string{"metric > 0"}}))
	require.NoError(t, s.SaveAs(path))
	s.Close()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	made, err := FromLog(t.Context(), bytes.NewReader(text), sessions.Lesson{Title: "Mine"})
	require.NoError(t, err)
	l, err := training.Read(t.Context(), bytes.NewReader(made))
	if err != nil || l.Lesson() == nil || l.State().LastNote().Text != "Five." || l.State().Step != 5 {
		t.Errorf("%v, %+v", err, l)
	}
}
