package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// What a person tells is exported, each thing under its name, and what is missing is neither a failure nor a value.
func TestToldIsExported(t *testing.T) {
	cfg, err := sessions.Config{Optimizer: "random",
		Seed: 3}.WithExperiment("../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s := start(t, cfg)
	tell := func(x []float64, r functions.Result) {
		t.Helper()
		o, err := s.State().Problem.Outcome(x, r)
		if err == nil {
			_, err = s.Record(sessions.ByPerson, [][]float64{x}, o)
		}
		require.NoError(t, err)
	}
	type named = map[string]float64
	tell([]float64{15, 25}, functions.Result{Values: named{"extraction": 18, "bitterness": 3},
		SE: named{"bitterness": 0.5}, At: named{"dose": 16}, Note: "=slow"})
	tell([]float64{17, 30}, functions.Result{Failed: "burnt"})
	require.NoError(t, s.AddObjective(functions.Objective{Name: "body", Direction: functions.Maximize}, ""))
	var text bytes.Buffer
	require.NoError(t, Export(t.Context(), s.State(), &text, "csv"))
	const want = `step,source,dose,time,extraction,extraction_true,extraction_se,bitterness,bitterness_true,bitterness_se,body,body_true,body_se,dose_suggested,time_suggested,reason,failed,seconds,notes
1,person,16,25,18,,,3,,0.5,,,,15,25,,false,0,'=slow
2,person,17,30,NaN,,,NaN,,,NaN,,,17,30,burnt,true,0,
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	text.Reset()
	require.NoError(t, Export(t.Context(), s.State(), &text, "json"))
	var all struct{ Iterations []map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(text.Bytes(), &all))
	compact := func(raw json.RawMessage) string {
		var b bytes.Buffer
		if json.Compact(&b, raw) != nil {
			return ""
		}
		return b.String()
	}
	for name, want := range map[string][2]string{
		"suggested": {"[[15,25]]", ""}, "se": {"[[null,0.5,null]]", ""}, "missing": {`[["body"]]`, ""},
		"reasons": {"", `["burnt"]`}, "notes": {`["=slow"]`, ""}} {
		for i, w := range want {
			assert.Equal(t, w, compact(all.Iterations[i][name]), "%s of %d", name, i+1)
		}
	}
	text.Reset()
	if err := Export(t.Context(), s.State(), &text, "txt"); err != nil ||
		!strings.Contains(text.String(), "(still missing: body) (=slow)") ||
		strings.Count(text.String(), "(failed)") != 1 {
		t.Errorf("%s, %v", text.String(), err)
	}
	AllTracesFor(s.State())
}
