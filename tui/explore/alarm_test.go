package explore

import (
	"strings"
	"testing"

	"bandscope/sessions"
)

// One line says that the band is wrong, where the results say so: of noisy ones under a law that knows of no noise. Of a model that fits them nothing is said.
func TestAlarm(t *testing.T) {
	for noise, want := range map[float64]string{1e-4: "! the band is too narrow: ", 0.3: ""} {
		d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "ntk-ucb", Seed: 3, Noise: 3, Params: map[string]any{"initial": 12, "auto_gamma": false, "gamma": 1.0, "sigma2": noise}}, 120, 36, trueColor)
		for range 12 {
			d.press("space")
		}
		said := d.text()
		if want == "" && strings.Contains(said, "the band is too") || !strings.Contains(said, want) {
			t.Errorf("with the noise %g:\n%s", noise, said)
		}
		d.press("b", "b", "b", "b", "b")
		if said := d.text(); strings.Contains(said, "the band is too") {
			t.Errorf("of seven results:\n%s", said)
		}
	}
}
