package acts_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/report"
)

// An objective named cost and choices with any name come through corrections, bounds, requests and tables.
func TestNamesOfChemists(t *testing.T) {
	d, err := experiment.Parse("bases.toml", []byte(`name = "bases"
[[variable]]
name = "base"
kind = "choice"
choices = ["2,6-lutidine", "N,N,O-x", "CC(=O)[O-].[Na+]", "\"q\"", "50%", "1,500"]
[[variable]]
name = "dose"
low = 1
high = 9
[[objective]]
name = "cost"
direction = "minimize"
`))
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "bases", Experiment: d, Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	defer s.Close()
	result := functions.Result{At: map[string]float64{"base": 0, "dose": 4}, Values: map[string]float64{"cost": 12}, Cost: 3}
	_, err = addResult(s, result, false)
	require.NoError(t, err)
	table := "base,dose,cost,evaluation_cost\n\"\"\"q\"\"\",2,31,5\n50%,3,32,\n\"1,500\",6,33,\n\"2,6-lutidine\",7,34,\n"
	reported, err := acts.TellTable(t.Context(), s, strings.NewReader(table), sheet.Options{}, false, nil)
	if err != nil || len(reported.Results) != 4 {
		t.Fatalf("%+v, %v", reported, err)
	}
	its := s.State().Iterations
	if its[0].Points[0].Y[0] != 12 || its[0].Points[0].Cost != 3 || its[1].Points[0].Y[0] != 31 || its[1].Points[0].Cost != 5 {
		t.Errorf("%+v", its)
	}
	for i, want := range []float64{0, 3, 4, 5, 0} {
		assert.Equal(t, want, its[i].Points[0].X[0], "base of step %d", i+1)
	}
	for _, c := range []struct {
		text string
		want float64
	}{{`step 1 at base=N,N,O-x, dose=5`, 1}, {`step 1 at dose=6, base="2,6-lutidine" cost 8`, 0},
		{`step 1 at base=CC(=O)[O-].[Na+]`, 2}} {
		if _, err := acts.Sentence(t.Context(), s, c.text, nil); err != nil ||
			s.State().Iterations[0].Points[0].X[0] != c.want {
			t.Errorf("%s: %v, %v", c.text, err, s.State().Iterations[0].Points[0].X)
		}
	}
	for _, c := range []struct {
		text string
		want float64
	}{{"2,6-lutidine", 0}, {"N,N,O-x", 1}, {`"1,500"`, 5}} {
		if _, err := (acts.SetArgs{Narrow: map[string]acts.Bounds{"base": acts.ParseBounds(c.text)}}).Apply(t.Context(), s); err != nil || s.State().Bounds[0].Low != c.want {
			t.Errorf("%s: %v, %+v", c.text, err, s.State().Bounds)
		}
	}
	var export bytes.Buffer
	require.NoError(t, report.Export(t.Context(), s.State(), &export, "csv"))
	again, err := acts.TellTable(t.Context(), s, &export, sheet.Options{}, false, nil)
	if err != nil || again.Duplicates != 5 {
		t.Errorf("%+v, %v", again, err)
	}
}
