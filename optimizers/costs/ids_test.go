package costs

import (
	"testing"

	"bandscope/optimizers/testbed"
)

// The name of an acquisition says where it may be maximized.
func TestCostIDSNamesItsConstraint(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 5)
	for set, want := range map[string]string{"rho=2.5": "cost × information ratio (log10), lower is better; where R ≤ 2.5 R*", "rho_inf=on": "cost × information ratio (log10), lower is better"} {
		in := testbed.InputFor(t, CostIDS, 1, data, set)
		if got := testbed.Fit(t, CostIDS, in).Legend().Acquisition; got != want {
			t.Errorf("with %s the acquisition is %q, want %q", set, got, want)
		}
	}
}
