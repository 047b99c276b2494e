package report

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/rng"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
)

// A person who cares for the first objective alone is learned from answers to the questions that tell most; the answers
// are on record, survive a restart and a verification, and can be taken back.
func TestAnswersSteer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ucb", Seed: 5,
		Params: map[string]any{"initial": 10}})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 10)
	mean := func(st sessions.State) float64 {
		sum := 0.0
		for _, w := range weights.DrawScalarizations(st.Input(), 2000, rng.New(1, 0, "test")) {
			sum += w.Weights[0] / 2000
		}
		return sum
	}
	if _, ok := NextPair(start(t, sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 5}).State()); ok {
		t.Error("a question is asked before there is an outcome")
	}
	before := mean(s.State())
	for i := range 8 {
		q, ok := NextPair(s.State())
		require.True(t, ok, "no question after %d answers", i)
		a, _ := s.State().ObservedValues(q.A)
		b, _ := s.State().ObservedValues(q.B)
		answer := sessions.PreferA
		if b[0] > a[0] {
			answer = sessions.PreferB
		}
		require.NoError(t, s.Answer(q.A, q.B, answer))
	}
	st := s.State()
	// Who wants the first objective gives it the greater weight of a sum, and the lesser one where the least decides:
	// what they aim at is what counts.
	if len(st.Input().Answers) != 8 || mean(st) == before {
		t.Errorf("%d answers, mean weight %g after %g", len(st.Input().Answers), mean(st), before)
	}
	steps(t, s, 10)
	right := 0
	for _, it := range s.State().Iterations[10:] {
		if it.Points[0].Truth[0] > it.Points[0].Truth[1] {
			right++
		}
	}
	if right < 8 {
		t.Errorf("%d of 10 points lie where the person wants them", right)
	}
	q, _ := NextPair(st)
	if q.Gain <= 0 {
		t.Error("a question that tells nothing")
	}
	for _, edit := range [][2]string{
		{"prior", "0.5 box(0.2..0.4, 60%..90%) + 0.5 flat"}, {"scalarization", "linear"}, {"reference", "0%, -20%"},
		{"prior", "flat"}} {
		require.NoError(t, s.Edit(edit[0], edit[1]))
		steps(t, s, 1)
	}
	require.NoError(t, s.Close())
	again := reopen(t, path)
	if v, err := Verify(t.Context(), again, nil); err != nil || v.FirstDivergence != nil || v.Checked != 24 {
		t.Errorf("verification gives %+v, %v", v, err)
	}
	if err := again.Retract(8); err != nil || len(again.State().Input().Answers) != 7 ||
		!again.State().Answers[7].Retracted {
		t.Errorf("after a retraction: %v, %v", again.State().Answers, err)
	}
	for _, bad := range []func() error{
		func() error { return again.Retract(8) }, func() error { return again.Retract(99) },
		func() error { return again.Answer([2]int{99, 0}, [2]int{1, 0}, sessions.PreferA) },
		func() error { return again.Answer([2]int{1, 0}, [2]int{2, 0}, "maybe") },
	} {
		assert.Error(t, bad(), "a wrong answer is taken")
	}
	again.First()
	assert.Equal(t, 0, len(again.State().Answers), "at the start there are answers")
}
