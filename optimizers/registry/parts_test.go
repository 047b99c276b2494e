package registry

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// joined is what the parts of a part make.
func joined(p optimizers.Term) float64 { return optimizers.NewTerm("", p.Operation, p.Terms...).Value }

// adds checks that parts make their whole, all the way down, to ten digits of the greatest of them.
func adds(t *testing.T, subject string, p optimizers.Term) {
	t.Helper()
	if (p.Operation == "") != (len(p.Terms) == 0) || p.Name == "" {
		t.Errorf("%s: %+v", subject, p)
	}
	if len(p.Terms) == 0 {
		return
	}
	scale := math.Abs(p.Value)
	for _, term := range p.Terms {
		if p.Operation == optimizers.OperationSum {
			scale = max(scale, math.Abs(term.Value))
		}
		adds(t, subject, term)
	}
	if got := joined(p); math.Abs(got-p.Value) > 1e-10*scale {
		t.Errorf("%s: the parts of %q make %.14g, it is %.14g: %+v", subject, p.Name, got, p.Value, p.Terms)
	}
}

// The parts of an acquisition make what the acquisition is, of every method that knows any: with limits, costs and
// points out too.
func TestPartsMakeTheAcquisition(t *testing.T) {
	_, single := testbed.Observe(t, "branin", 7)
	several := testbed.ObserveAll(t, "branin-currin", 7)
	probes, divided := testbed.Probes(6, 2), 0
	for i, spec := range All() {
		if spec.Name == "random" || spec.Family == "neural network" && i%3 > 0 {
			continue
		}
		data, objectives := single, 1
		if spec.Multi {
			data, objectives = several, 2
		}
		plain := testbed.InputFor(t, spec, 2, data, append([]string{"restarts=1", "draws=3"}, cheap...)...)
		plain.Objectives = objectives
		cases := map[string]optimizers.Input{"plain": plain}
		out := plain
		out.Pending = mat.NewDense(2, 2, []float64{0.2, 0.3, 0.7, 0.6})
		cases["out"] = out
		if spec.Supports(1, true) && spec.Limits == optimizers.LimitsByProbability {
			limited := plain
			limited.Data.Limits = mat.NewDense(7, 2, append(mat.Col(nil, 0, data.X), mat.Col(nil, 1, data.X)...))
			limited.Limits = []optimizers.Limit{{Name: "a", Min: math.Inf(-1), Max: 0.6, Objective: -1},
				{Name: "b", Min: 0.1, Max: 9, Objective: -1}}
			cases["limited"] = limited
			limited.Limits = []optimizers.Limit{{Name: "a", Min: math.Inf(-1), Max: -0.1, Objective: -1},
				{Name: "b", Min: 0.1, Max: 9, Objective: -1}}
			cases["nothing within limits"] = limited
		}
		costly := plain
		costly.Cost = func(u []float64) float64 { return 1 + 3*u[0] }
		cases["costly"] = costly
		for subject, in := range cases {
			if objectives > 1 && subject == "costly" {
				continue
			}
			subject = spec.Name + ", " + subject
			b, err := spec.Fit(t.Context(), in)
			require.NoError(t, err, subject)
			decomposer, ok := b.(optimizers.Decomposer)
			if !ok {
				break
			}
			parts, err := decomposer.Decompose(t.Context(), probes)
			if errors.Is(err, optimizers.ErrUnsupported) {
				break
			}
			acq, other := b.Acquisition(t.Context(), probes)
			if err != nil || other != nil || len(parts) != len(acq) {
				t.Fatalf("%s: %d parts of %d acquisitions (%v, %v)", subject, len(parts), len(acq), err, other)
			}
			divided++
			for i, p := range parts {
				adds(t, subject, p)
				assert.NotEqual(t, 0, len(p.Terms), "%s: nothing is made of parts", subject)
				if math.Abs(p.Value-acq[i]) > 1e-9*(1+math.Abs(acq[i])) {
					t.Errorf("%s: the whole is %.14g, the acquisition %.14g", subject, p.Value, acq[i])
				}
			}
		}
	}
	if divided < 30 {
		t.Errorf("of %d beliefs the parts are known", divided)
	}
}
