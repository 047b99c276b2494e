package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// One line says that the band is wrong, where the results say so: of noisy ones under a law that knows of no noise. Of
// a model that fits them nothing is said.
func TestAlarm(t *testing.T) {
	for noise, want := range map[float64]string{1e-4: "! the band is too narrow: ", 0.3: ""} {
		d := driveAfter(t, 12, sessions.Config{Problem: "forrester", Optimizer: "ntk-ucb", Seed: 3, Noise: 3,
			Params: map[string]any{"initial": 12, "auto_gamma": false, "gamma": 1.0, "sigma2": noise}}, 120, 36,
			trueColor)
		text := d.Text()
		if want == "" && strings.Contains(text, "the band is too") || !strings.Contains(text, want) {
			t.Errorf("with the noise %g:\n%s", noise, text)
		}
		if want != "" {
			d.Press("!")
			if text := d.Text(); strings.Contains(text, "the band is too") || !strings.Contains(text, "recalibration is now loo") {
				t.Errorf("after the cure:\n%s", text)
			}
			d.Press("u")
		}
		d.Press("b", "b", "b", "b", "b")
		if text := d.Text(); strings.Contains(text, "the band is too") {
			t.Errorf("of seven results:\n%s", text)
		}
	}
}

// A result that is too large for the model is named with what withdraws it, which then says nothing more of it.
func TestHugeResultIsNamed(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	require.NoError(t, err)
	for i, y := range []float64{5, 1, 1e155, 3} {
		_, err = s.Record(sessions.ByPerson, [][]float64{{0.1 + 0.2*float64(i)}}, functions.Outcome{Values: []float64{y}})
		require.NoError(t, err)
	}
	d := driveSession(t, s, 120, 36, trueColor)
	d.Shows("! f = 1e155 of step 3 is too large for the model: press delete, drop step 3")
	d.Shows("1e155 as 9")
	d.Press("delete", "ctrl+u")
	for _, key := range "drop step 3" {
		d.Press(strings.ReplaceAll(string(key), " ", "space"))
	}
	d.Press("enter")
	if text := d.Text(); strings.Contains(text, "too large") || !s.State().Iterations[2].Points[0].Failed {
		t.Errorf("after it is withdrawn:\n%s", text)
	}
}
