//go:build study

package explore

import (
	"testing"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
)

// Every method tells all that is seen of it, on problems of every kind that it takes, with each of the traces and the
// theory.
func TestEveryMethodIsDescribed(t *testing.T) {
	count := 0
	for _, problem := range []string{
		"forrester", "currin", "forrester-cost", "forrester-hot", "solvents", "pressure-vessel", "thesis-xy",
		"binh-korn", "branin-fidelity"} {
		for _, m := range registry.All() {
			params := map[string]any{}
			for _, d := range m.Params {
				if d.Key == "width" {
					params[d.Key] = 50
				}
			}
			s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: m.Name, Seed: 3,
				Params: params})
			for range 5 {
				if err == nil {
					_, err = s.Step(t.Context(), nil)
				}
			}
			if err != nil { // it does not take problems of that kind
				continue
			}
			count++
			d := driveSession(t, s, 200, 60, trueColor)
			for _, key := range []string{"", "v", "v", "t", "v", "v", "t", "d", "i", "v", "v"} {
				if key != "" {
					d.Press(key)
				}
				d.told(t, m.Name+" on "+problem+" "+key)
			}
		}
	}
	if count < 60 {
		t.Errorf("%d sessions were told", count)
	}
}
