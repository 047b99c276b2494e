package librarypage

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// A form that is opened on an experiment offers it first, with the methods that fit it; who chooses a function in its
// place can come back.
func TestFormOnAnExperiment(t *testing.T) {
	cfg, err := sessions.Config{Seed: 3}.WithExperiment("../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	m := newForm(cfg)
	if it, ok := m.on(fieldFunction); !ok || it.value != "espresso" || it.objectives != 2 || m.fitting.objectives != 2 {
		t.Fatalf("it stands on %+v", it)
	}
	choose := func(name string) sessions.Config {
		t.Helper()
		m.selectValue(fieldFunction, name)
		m.fit()
		for _, f := range []field{fieldFunction, fieldOptimizer, fieldCost} {
			require.NoError(t, m.take(f), name)
		}
		if _, err := sessions.New(t.Context(), m.config); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return m.config
	}
	if c := choose("espresso"); c.Experiment == nil || c.Problem != "espresso" {
		t.Errorf("the experiment is %+v", c)
	}
	if c := choose("branin"); c.Experiment != nil || c.ExperimentFile != nil || c.Problem != "branin" {
		t.Errorf("the function is %+v", c)
	}
	if c := choose("espresso"); !reflect.DeepEqual(c.Experiment, cfg.Experiment) || c.ExperimentFile == nil {
		t.Errorf("back at the experiment it is %+v", c)
	}
}
