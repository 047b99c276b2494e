package registry

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/testbed"
)

// Every method says how it keeps to limits. One that is met everywhere by far changes nothing that it suggests. Where
// one is met in a part of the domain only, what is suggested is allowed, and nowhere among many points that are allowed
// the acquisition is better.
func TestLimitsAreKept(t *testing.T) {
	_, single := testbed.Observe(t, "branin", 8)
	several := testbed.ObserveAll(t, "branin-currin", 8)
	probes := testbed.Probes(100, 2)
	fronts := false
	var limited []optimizers.Spec
	for _, spec := range All() {
		if spec.Limits == 0 {
			t.Errorf("%s does not say how it keeps to limits", spec.Name)
		}
		if spec.Supports(1, true) && spec.Limits != optimizers.LimitsIgnored {
			limited = append(limited, spec)
		}
	}
	for _, spec := range sample.Of(limited, 3, 11) {
		data, objectives := single, 1
		if spec.Multi {
			data, objectives = several, 2
		}
		set := []string{"width=32", "activation=erf", "ensemble=2", "networks=3", "features=100", "trees=20",
			"restarts=1", "hyperparameters=fitted", "draws=2", "subproblems=10", "epochs=100"}
		if d, err := param.Defaults(spec.Params).Decl("kernel"); err == nil && slices.Contains(d.Choices, "se") {
			set = append(set, "kernel=se")
		}
		in := testbed.InputFor(t, spec, 2, data, set...)
		in.Objectives = objectives
		_, free := ask(t, spec, in)
		in.Data.Limits = mat.NewDense(8, 1, mat.Col(nil, 0, data.X)) // the first input itself
		in.Limits = []optimizers.Limit{{Name: "c", Min: math.Inf(-1), Max: 1e6, Objective: -1}}
		if _, s := ask(t, spec, in); !mat.EqualApprox(s.X, free.X, 1e-6) {
			t.Errorf("%s: with a limit that is met by far it suggests %v, without %v", spec.Name, s.X, free.X)
		}
		in.Limits[0].Max = 0.4
		b, s := ask(t, spec, in)
		if s.X.At(0, 0) > 0.45 {
			t.Errorf("%s: it suggests %v, where x₁ ≤ 0.4 is the limit", spec.Name, s.X)
		}
		f := optimizers.FeasibilityFor(b)
		if f == nil || len(b.Legend().Facts) == 0 {
			t.Errorf("%s: the belief knows nothing of limits", spec.Name)
			continue
		}
		if front, ok := b.(optimizers.ParetoSolver); ok && !fronts { // the same of all
			frontIsWithin(t, spec.Name, front, f)
			fronts = true
		}
		allowed, err := b.(optimizers.Constrained).Feasible(t.Context(), probes)
		require.NoError(t, err)
		here, err := b.Acquisition(t.Context(), s.X)
		if err != nil || math.Abs(here[0]-s.Acquisition[0]) > 1e-6*(1+math.Abs(here[0])) {
			t.Errorf("%s: it suggests a point of %v, the acquisition there is %v (%v)", spec.Name, s.Acquisition, here,
				err)
		}
		all, err := b.Acquisition(t.Context(), probes)
		require.NoError(t, err)
		sign := 1.0
		if b.Legend().LowerIsBetter {
			sign = -1
		}
		for i, v := range all {
			if (allowed == nil || allowed[i]) && sign*(v-here[0]) > 1e-6*(1+math.Abs(here[0])) {
				t.Errorf("%s: %q is %g at %v, which is allowed, and %g at the suggestion %v", spec.Name,
					b.Legend().Acquisition, v, probes.RawRowView(i), here[0], s.X)
				break
			}
		}
	}
}

// frontIsWithin is that the front of the means lies where limits are believed to be met, and drawn fronts where limits
// are likely enough to be drawn so.
func frontIsWithin(t *testing.T, name string, front optimizers.ParetoSolver, f optimizers.Feasibility) {
	t.Helper()
	expected, err := front.ExpectedFront(t.Context())
	if err != nil || len(expected) == 0 {
		t.Fatalf("%s: %v, %v", name, expected, err)
	}
	drawn, err := front.DrawnFronts(t.Context(), 1)
	if err != nil || len(drawn[0]) == 0 {
		t.Fatalf("%s: %v, %v", name, drawn, err)
	}
	for deviations, points := range map[float64][]optimizers.FrontPoint{0: expected, 4: drawn[0]} {
		for _, p := range points {
			if over, err := f.OptimisticExcess(deviations)(t.Context(), mat.NewDense(1, len(p.X), p.X)); err != nil ||
				over[0] > 0 {
				t.Errorf("%s: a point of a front at %v is beyond the limits by %g standard deviations, and %v (%v)",
					name, p.X, deviations, over, err)
			}
		}
	}
}
