package lesson

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/report"
)

const played = `> lesson playground gp-ei 1 kernel=1*se(length=0.2) noise=fixed noise_sd=0.05
# What a lengthscale does
Three results and two beliefs.
> begin
# Nothing is known
> query 0.2 = 1
> query 0.5 = -1
# Two results
> claim points = 2
> correct step 2 = 0.5
> configure gp-ei kernel=1*se(length=0.05) over gp-ei kernel=periodic*se+linear hyperparameters=fitted
# Two beliefs
> edit kernel 1*se(length=0.1)
# Another one
`

// A script makes a lesson over a playground, whose results and beliefs its acts change.
func TestPlaygroundScript(t *testing.T) {
	s, err := ReadScript(played, nil)
	require.NoError(t, err)
	made, err := s.Perform(t.Context(), nil)
	require.NoError(t, err)
	defer made.Close()
	st := made.State()
	results := st.Results()
	if !st.Config.Playground || len(results) != 2 || results[1].Y != 0.5 || st.Params.Choice("kernel") !=
		"1*se(length=0.1)" || st.Second.Params["kernel"] != "periodic*se + linear" {
		t.Errorf("it ends with %+v, %v, %+v", results, st.Params.Choice("kernel"), st.Second)
	}
	if stops := made.Timeline().Stops; len(stops) != 4 {
		t.Errorf("the lesson has %d pages: %+v", len(stops), stops)
	}
	if v, err := report.Verify(t.Context(), made, nil); err != nil || v.FirstDivergence != nil {
		t.Errorf("verified: %+v, %v", v, err)
	}
	for act, want := range map[string]string{
		"configure gp-ei kernel=rbf":                  `no kernel "rbf"`,
		"configure gp-eii":                            "did you mean gp-ei",
		"configure gp-ei kernel":                      "KEY=VALUE",
		"configure gp-ei over":                        "name an optimizer before and after over",
		"configure gp-ei over gp-ei kernel=se(len=2)": "did you mean length",
	} {
		if err := Do(t.Context(), made, act, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", act, err, want)
		}
	}
}
