package acts

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// mixed is a session on an experiment with variables of all kinds in which one result is reported.
func mixed(t *testing.T) *sessions.Session {
	t.Helper()
	solvent := functions.NewChoice("solvent", "THF", "DMF")
	solvent.Descriptors = []functions.Descriptor{{Name: "boiling", Values: []float64{66, 153}}}
	d := &experiment.Declaration{Name: "coupling",
		Variables: functions.Domain{{Name: "T", Low: 60, High: 100, Step: 10, Unit: "°C"}, solvent,
			functions.NewChoice("base", "K2CO3", "KOH"), functions.NewOrdered("loading", 1, 5),
			{Name: "portions", Low: 1, High: 4, Kind: functions.Integer}},
		Objectives: []functions.Objective{{Name: "yield", Direction: functions.Maximize}}}
	s := start(t, sessions.Config{Problem: d.Name, Experiment: d, Optimizer: "gp-ei"})
	_, err := s.Record(sessions.ByPerson, [][]float64{{80, 0, 1, 5, 2}}, functions.Outcome{Values: []float64{40}})
	require.NoError(t, err)
	return s
}

// Each way to widen the domain does what it says, as JSON and as a line on the screen; what cannot be done says what
// would be right, and records nothing.
func TestWiden(t *testing.T) {
	for _, c := range []struct{ arguments, sentence, said, wrong string }{
		{`{"name":"T","high":120}`, "widen T 60..120", "T lies within [60, 120] °C in steps of 10 from now on", ""},
		{`{"name":"T","low":60,"high":100,"step":2.5}`, "widen T 60..100,2.5",
			"T lies within [60, 100] °C in steps of 2.5 from now on", ""},
		{`{"name":"T","low":60,"high":100,"step":0}`, "widen T 60..100,0", "T lies within [60, 100] °C from now on", ""},
		{`{"name":"T","high":125}`, "widen T 60..125", "", "T must be 60 plus a multiple of its step 10"},
		{`{"name":"T","high":90}`, "widen T 60..90", "", "can only become wider"},
		{`{"name":"T","low":60,"high":100}`, "widen T 60..100", "", "T takes these values already"},
		{`{"name":"T","choices":["hot"]}`, "widen T hot", "", "T is a number; change low, high or step"},
		{`{"name":"base","choices":["1,8-DBN","1"]}`, `widen base "1,8-DBN", 1`,
			"base takes K2CO3, KOH, 1,8-DBN, 1 from now on", ""},
		{`{"name":"base","choices":["KOH"]}`, "widen base KOH", "", `choices contains "KOH" twice`},
		{`{"name":"base","choices":["7"]}`, "widen base 7", "base takes K2CO3, KOH, 7 from now on", ""},
		{`{"name":"solvent","choices":["NMP"]}`, "widen solvent NMP", "", "the other names have the descriptor boiling"},
		{`{"name":"solvent","choices":["NMP"],"descriptors":{"boiling":202}}`, "", "solvent takes THF, DMF, NMP from now on", ""},
		{`{"name":"solvent","choices":["NMP"],"descriptors":{"boiling":202,"mass":99}}`, "", "", "no descriptor mass"},
		{`{"name":"loading","values":[10,2.5]}`, "widen loading 10, 2.5", "loading takes 1, 2.5, 5, 10 from now on", ""},
		{`{"name":"portions","high":6}`, "widen portions 1..6", "portions lies within [1, 6] from now on", ""},
		{`{"name":"p","low":1,"high":9,"unit":"bar","earlier":1}`, "",
			"p lies within [1, 9] bar from now on; it was 1 in 1 earlier result", ""},
		{`{"name":"p","low":1,"high":9,"earlier":1}`, "widen p 1..9 was 1",
			"p lies within [1, 9] from now on; it was 1 in 1 earlier result", ""},
		{`{"name":"ligand","choices":["XPhos","none, at all"],"earlier":"none, at all"}`,
			`widen ligand XPhos, "none, at all" was "none, at all"`,
			"ligand takes XPhos, none, at all from now on; it was none, at all in 1 earlier result", ""},
		{`{"name":"stage","values":[1,2],"earlier":2}`, "widen stage 1, 2 was 2",
			"stage takes 1, 2 from now on; it was 2 in 1 earlier result", ""},
		{`{"name":"p","low":1,"high":9}`, "widen p 1..9", "", "which value did p have so far?"},
		{`{"name":"p","low":1,"high":9,"earlier":12}`, "widen p 1..9 was 12", "", "p must be in [1, 9], got 12"},
		{`{"name":"ligand","choices":["XPhos","SPhos"],"earlier":"none"}`, "widen ligand XPhos, SPhos was none", "",
			`no ligand "none"`},
		{`{"name":"Tmp"}`, "", "", "a new variable needs low and high, choices or values"},
		{`{"name":"T","high":120,"unit":"K"}`, "", "", "its kind, unit and scale stay"},
	} {
		check := func(way string, s *sessions.Session, head, said string, err error) {
			if c.wrong != "" {
				assert.ErrorContains(t, err, c.wrong, way)
				assert.Equal(t, head, s.State().Head, way)
				return
			}
			require.NoError(t, err, way)
			assert.Equal(t, c.said, said, way)
			_, err = s.Next(t.Context(), nil)
			assert.NoError(t, err, way)
		}
		s, head := mixed(t), ""
		head = s.State().Head
		var a VariableArgs
		require.NoError(t, json.Unmarshal([]byte(c.arguments), &a))
		said, err := a.Apply(s, "")
		check(c.arguments, s, head, said, err)
		if c.sentence != "" {
			s := mixed(t)
			head := s.State().Head
			said, err := Sentence(t.Context(), s, c.sentence, nil)
			check(c.sentence, s, head, said, err)
		}
	}
}

// A result outside of the bounds is recorded with its true value after a confirmation, and the model uses it.
func TestTellOutside(t *testing.T) {
	s := mixed(t)
	it, err := s.Ask(t.Context(), nil)
	require.NoError(t, err)
	for _, c := range []struct {
		at    map[string]float64
		wrong string
	}{
		{map[string]float64{"T": 105}, "T = 105 °C is outside of its bounds, 60 to 100: is this correct?"},
		{map[string]float64{"T": 105, "portions": 9}, "portions = 9 is outside of its bounds, 1 to 4"},
	} {
		_, err := tell(s, Name{Suggestion: it.Number}, functions.Result{Values: map[string]float64{"yield": 50}, At: c.at}, false)
		assert.ErrorContains(t, err, c.wrong)
		assert.Equal(t, it.ID, s.State().Head, "nothing is recorded")
	}
	_, err = tell(s, Name{Suggestion: it.Number}, functions.Result{Values: map[string]float64{"yield": 50},
		At: map[string]float64{"portions": 9.5}}, true)
	assert.ErrorContains(t, err, "portions must be in [1, 4], got 9.5")
	assert.Equal(t, it.ID, s.State().Head, "nothing is recorded")
	_, err = tell(s, Name{Suggestion: it.Number}, functions.Result{Values: map[string]float64{"yield": 50},
		At: map[string]float64{"T": 105}}, true)
	require.NoError(t, err)
	st := s.State()
	assert.Equal(t, 105.0, st.Iterations[1].Points[0].X[0])
	assert.Equal(t, [2]float64{60, 100}, [2]float64{st.Bounds[0].Low, st.Bounds[0].High})
	assert.Equal(t, 0.9, st.Input().Data.X.At(1, 0), "on the grid up to 110")
}
