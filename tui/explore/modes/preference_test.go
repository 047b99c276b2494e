package modes

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

func preferenceMessage(text string) []widget.Action { return []widget.Action{mode.Say{Text: text}} }

// asking is a session of six steps of two objectives, as the explorer shows its outcomes.
func asking(t *testing.T) (*sessions.Session, mode.Scene) {
	t.Helper()
	s := modetest.Session(t, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3}, 6)
	return s, preferenceScene(s)
}

func preferenceScene(s *sessions.Session) mode.Scene {
	scene := modetest.Scene(s)
	scene.Outcomes = &mode.Outcomes{}
	return scene
}

func TestPreferenceStart(t *testing.T) {
	_, scene := asking(t)
	elsewhere, single := scene, preferenceScene(
		modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 2))
	elsewhere.Outcomes = nil
	young := preferenceScene(modetest.Session(t, sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3},
		1))
	for _, c := range []struct {
		name  string
		scene mode.Scene
		want  []widget.Action
	}{
		{"another picture", elsewhere, preferenceMessage(
			"a preference question needs several objectives and the outcomes view (d)")},
		{"no weights", single, preferenceMessage(single.State.Spec.Title + " has no prior over weights")},
		{"one outcome", young, preferenceMessage(
			"a preference question needs two results; press space for the first points")},
	} {
		assert.Equal(t, c.want, modetest.Start(NewPreferenceMode(), c.scene), c.name)
	}
	q := &PreferenceMode{}
	cmd, actions := q.Start(scene)
	assert.Equal(t, []widget.Action{mode.Enter{Mode: q}}, actions)
	assert.Equal(t, preferenceMessage("the next question is being chosen"), modetest.Press(q, scene, "1"))
	pair, _ := report.NextPair(scene.State)
	got := modetest.Take(q, scene, done(t, cmd))
	if got != nil || q.pair != pair {
		t.Errorf("it comes to %+v and asks about %+v, want %+v", got, q.pair, pair)
	}
	for _, c := range []struct {
		next pairMsg
		want []widget.Action
	}{
		{pairMsg{}, append([]widget.Action{mode.Leave{}},
			preferenceMessage("you have compared all pairs of the newest outcomes")...)},
		{pairMsg{report.Pair{Gain: 2 * minInformation}, true}, nil},
		{pairMsg{report.Pair{Gain: minInformation / 2}, true},
			preferenceMessage("further answers add little information; press esc to leave")},
	} {
		turn := preferenceTurn{&PreferenceMode{}, &mode.Turn{Scene: scene}}
		turn.ask(c.next)
		assert.Equal(t, c.want, turn.Actions, "of %+v", c.next)
	}
}

// After an answer the mode stays, and asks about the next pair; until then it takes no answer.
func TestPreferenceGoesOn(t *testing.T) {
	s, scene := asking(t)
	q := &PreferenceMode{}
	cmd, _ := q.Start(scene)
	modetest.Take(q, scene, done(t, cmd))
	first := q.pair
	answer := modetest.Press(q, scene, "1")
	assert.Equal(t, []widget.Action{Answer{first, sessions.PreferA}}, answer)
	assert.Equal(t, preferenceMessage("the next question is being chosen"), modetest.Press(q, scene, "2"))
	_, err := answer[0].(mode.Change).Do(t.Context(), s, nil)
	require.NoError(t, err)
	cmd, actions := q.Update(preferenceScene(s), mode.Changed{})
	require.Empty(t, actions)
	modetest.Take(q, scene, done(t, cmd))
	if q.pair == first || q.waiting {
		t.Errorf("after the answer it asks about %+v again, waiting %v", q.pair, q.waiting)
	}
}

func TestPreferenceKeys(t *testing.T) {
	s, none := asking(t)
	pair := report.Pair{A: [2]int{5, 0}, B: [2]int{6, 0}}
	for _, answer := range []string{sessions.PreferA, sessions.Tie} {
		require.NoError(t, s.Answer([2]int{1, 0}, [2]int{2, 0}, answer))
	}
	two := preferenceScene(s)
	require.NoError(t, s.Retract(2))
	single := preferenceScene(s)
	answered := func(answer string) []widget.Action { return []widget.Action{Answer{pair, answer}} }
	for _, c := range []struct {
		keys  string
		scene mode.Scene
		want  []widget.Action
	}{
		{"1", none, answered(sessions.PreferA)},
		{"left", none, answered(sessions.PreferA)},
		{"2", none, answered(sessions.PreferB)},
		{"right", none, answered(sessions.PreferB)},
		{"3", none, answered(sessions.Tie)},
		{"4", none, answered(sessions.Unsure)},
		{"esc", none, []widget.Action{mode.Leave{}}},
		{"ctrl+u", none, preferenceMessage("there is no answer to withdraw")},
		{"ctrl+u", two, []widget.Action{WithdrawAnswer{2}}},
		{"ctrl+u", single, []widget.Action{WithdrawAnswer{1}}},
		{"5", none, nil},
	} {
		assert.Equal(t, c.want, modetest.Press(&PreferenceMode{pair: pair}, c.scene, c.keys), c.keys)
	}
	assert.Nil(t, modetest.Take(&PreferenceMode{pair: pair}, none, tea.MouseClickMsg{}), "a click")
}

// An answer is recorded and judged by those before it; the last one is taken back.
func TestChanges(t *testing.T) {
	s, _ := asking(t)
	pair := report.Pair{A: [2]int{1, 0}, B: [2]int{2, 0}}
	for i, c := range []struct {
		change mode.Change
		said   string
	}{
		{Answer{pair, sessions.PreferB}, "answer recorded; the dashed line"},
		{Answer{pair, sessions.PreferB}, "answer recorded; the dashed line"},
		{Answer{pair, sessions.PreferB}, "answer recorded; the dashed line"},
		{Answer{pair, sessions.PreferA}, "answer recorded; it contradicts"},
		{WithdrawAnswer{4}, "answer 4 is withdrawn"},
		{Answer{pair, sessions.PreferB}, "answer recorded; the dashed line"},
	} {
		if text, err := c.change.Do(t.Context(), s, nil); err != nil || !strings.HasPrefix(text, c.said) {
			t.Errorf("%d: %q, %v, want %q", i, text, err, c.said)
		}
	}
	if _, err := (WithdrawAnswer{4}).Do(t.Context(), s, nil); err == nil {
		t.Error("an answer is taken back twice")
	}
	if _, err := (Answer{report.Pair{A: [2]int{9, 0}}, sessions.Tie}).Do(t.Context(), s, nil); err == nil {
		t.Error("outcomes that are not there are compared")
	}
}

// The two outcomes are marked and told, in as many lines as there are.
func TestPreferenceDrawing(t *testing.T) {
	s, scene := asking(t)
	q := &PreferenceMode{pair: report.Pair{A: [2]int{1, 0}, B: [2]int{2, 0}}}
	if text := modetest.Text(q.Below(scene, 110, 6)); strings.TrimSpace(text) != "" {
		t.Errorf("before the outcomes are there: %q", text)
	}
	o, err := front.Compute(t.Context(), s.Snapshot(), nil)
	require.NoError(t, err)
	scene.Outcomes.Displayed = o
	it := scene.State.Iterations
	if got := q.Overlay(scene).Question; len(got) != 2 || !slices.Equal(got[0], it[0].Points[0].Y) ||
		!slices.Equal(got[1], it[1].Points[0].Y) {
		t.Errorf("marked is %v", got)
	}
	text := modetest.Text(q.Below(scene, 110, 6))
	for _, want := range []string{"A step 1", "B step 2", widget.Number(it[0].Points[0].Y[0]),
		widget.Number(it[1].Points[0].Y[1])} {
		assert.Contains(t, text, want, "not shown is %q:\n%s", want, text)
	}
	for _, size := range [][2]int{{110, 6}, {60, 3}, {30, 1}} {
		explained.Check(t, "the question", q.Below(scene, size[0], size[1]), size[0], size[1])
	}
	assert.Equal(t, []string{"which do you prefer?"}, q.BelowTitles(scene), "titles")
	o.Particles, o.Effective = 512, 99.6
	explained.Check(t, "the question behind answers", q.Below(scene, 110, 6), 110, 6)
	if got := q.BelowTitles(scene); !reflect.DeepEqual(got,
		[]string{"which do you prefer? (particles: N_eff 100 of 512)", "which do you prefer? N_eff 100 of 512"}) {
		t.Errorf("titles %q", got)
	}
}
