package diagnostics

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// checkSession is a session on an experiment of two variables, of which more is better, under a noise that is fixed;
// the tenth result is off by so much.
func checkSession(t *testing.T, noise, blunder float64) *sessions.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.toml")
	text := "name = \"brew\"\n[[variable]]\nname = \"dose\"\nlow = 10\nhigh = 20\n[[variable]]\nname = \"heat\"\n" +
		"low = 0\nhigh = 1\n" +
		"[[objective]]\nname = \"yield\"\ndirection = \"maximize\"\nunit = \"%\"\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	cfg, err := sessions.Config{Seed: 1, Optimizer: "gp-ei",
		Params: map[string]any{"noise": "fixed", "noise_sd": noise}}.WithExperiment(path)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for i := range 16 {
		x := []float64{10 + math.Mod(6.18*float64(i), 10), math.Mod(0.382*float64(i), 1)}
		y := 20 - 0.3*math.Pow(x[0]-14, 2)
		if i == 9 {
			y += blunder
		}
		_, err = s.Record(sessions.ByPerson, [][]float64{x}, functions.Outcome{Values: []float64{y}})
		require.NoError(t, err)
	}
	return s
}

// What is told is in the objective's own direction: a blunder upwards is above what is expected, and in the last bin.
// Asked again nothing is computed anew.
func TestCheck(t *testing.T) {
	s := checkSession(t, 0.05, 12)
	r, err := CheckModel(t.Context(), s, CheckOptions{}, nil)
	require.NoError(t, err)
	o := r.Objectives[0]
	d := o.Data[9]
	if len(o.Data) != 16 || !d.Outlier || d.Z < 3 || d.Prediction.Mean > 25 ||
		math.Abs(d.Z-(d.Value-d.Prediction.Mean)/d.Prediction.SD) > 1e-9 || o.Histogram[HistogramBins-1] == 0 {
		t.Errorf("the blunder is %+v, in %v", d, o.Histogram)
	}
	if o.DomainCoverage != nil || o.First == nil || o.Total[0] < o.First[0]-0.05 || len(o.Lengthscales) != 2 ||
		o.Lengthscales[0] == "" || math.IsNaN(o.LogEvidence) {
		t.Errorf("%+v", o)
	}
	if again, err := CheckModel(t.Context(), s, CheckOptions{}, nil); err != nil || again != r ||
		CachedCheck(s.State(), CheckOptions{Refit: true}) != nil || r.Compared {
		t.Errorf("asked again, it is found anew (%v)", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = CheckModel(cancelled, s, CheckOptions{Refit: true}, nil)
	assert.ErrorIs(t, err, context.Canceled, "cancelled: %v", err)
}

// Where there is a truth, its coverage over the domain is told; what has no closed form says so, and what would help.
func TestReportOfAFunction(t *testing.T) {
	for method, c := range map[string]struct{ retrainable, held, over bool }{
		"gp-ei": {held: true, over: true}, "forest-ei": {retrainable: true, over: true}, "random": {}} {
		s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: method, Seed: 2})
		require.NoError(t, err)
		for range 8 {
			_, err = s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		r, err := CheckModel(t.Context(), s, CheckOptions{}, nil)
		require.NoError(t, err)
		o := r.Objectives[0]
		if r.Refittable != c.retrainable || (r.Unavailable == "") != c.held || (o.Data != nil) != c.held ||
			(o.DomainCoverage != nil) != c.over {
			t.Errorf("%s: %+v", method, r)
		}
		if c.over && (o.DomainCoverage[2].Total != 512 || !math.IsNaN(o.DomainCoverage[0].Low) ||
			o.DomainCoverage[2].Inside < o.DomainCoverage[0].Inside) {
			t.Errorf("%s: over the domain %+v", method, o.DomainCoverage)
		}
	}
}

// A noise that is taken for far more than it is is seen, and what explains the results better is suggested as it can be
// set.
func TestSuggestion(t *testing.T) {
	s := checkSession(t, 0.8, 0)
	r, err := CheckModel(t.Context(), s, CheckOptions{Alternatives: true}, nil)
	require.NoError(t, err)
	a := r.Recommendation()
	if a == nil || !r.Compared || a.Gain < 2*a.SE || !(a.Evidence > 0) {
		t.Fatalf("suggested is %+v of %+v", a, r.Alternatives)
	}
	assert.NoError(t, a.Apply(s), "what is suggested cannot be set")
	if o := r.Objectives[0]; o.RMSZ > 0.75 || o.Coverage[0].Inside < 12 {
		t.Errorf("residuals are %g times as large as promised, coverage %+v", o.RMSZ, o.Coverage)
	}
}

// What training again does not understand is known to who draws the results, once it was asked for; before, nothing is.
func TestStrangersOfNetworks(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "forest-ei", Seed: 2,
		Params: map[string]any{"trees": 20}})
	require.NoError(t, err)
	for i := range 12 {
		y := 0.1 * math.Sin(float64(i))
		if i == 5 {
			y = 50
		}
		if _, err := s.Record(sessions.ByPerson, [][]float64{{float64(i) / 11}},
			functions.Outcome{Values: []float64{y}}); err != nil {
			t.Fatal(err)
		}
	}
	assert.Nil(t, CachedOutliers(s.State()), "before")
	_, err = CheckModel(t.Context(), s, CheckOptions{Refit: true}, nil)
	require.NoError(t, err)
	if all := CachedOutliers(s.State()); len(all) == 0 || all[0].Label != "6" || all[0].Z < 3 {
		t.Errorf("after: %+v", all)
	}
}

// The values of an experiment that spread over decades are better explained along a logarithmic scale, by densities in
// their own unit, and so they are taken; back it is worse. Values below 0 have no such scale.
func TestScaleOfAnObjective(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.toml")
	text := "name = \"decay\"\n[[variable]]\nname = \"time\"\nlow = 0\nhigh = 10\n[[objective]]\nname = \"rest\"\n" +
		"direction = \"minimize\"\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	begin := func(add float64) *sessions.Session {
		cfg, err := sessions.Config{Seed: 1, Optimizer: "gp-ei"}.WithExperiment(path)
		require.NoError(t, err)
		s, err := sessions.New(t.Context(), cfg)
		require.NoError(t, err)
		for i := range 14 {
			x := math.Mod(6.18*float64(i), 10)
			y := math.Pow(10, 2-0.5*x+0.4*math.Sin(2*x)+0.05*math.Cos(40*float64(i))) + add
			_, err = s.Record(sessions.ByPerson, [][]float64{{x}}, functions.Outcome{Values: []float64{y}})
			require.NoError(t, err)
		}
		return s
	}
	scaleOf := func(s *sessions.Session) *Alternative {
		r, err := CheckModel(t.Context(), s, CheckOptions{Alternatives: true}, nil)
		require.NoError(t, err)
		for _, a := range r.Alternatives {
			if a.Name == "scale of rest" {
				return &a
			}
		}
		return nil
	}
	score := func(s *sessions.Session) float64 {
		r, err := CheckModel(t.Context(), s, CheckOptions{}, nil)
		require.NoError(t, err)
		return r.Objectives[0].LogScore
	}
	s := begin(0)
	a, linear, slopes := scaleOf(s), score(s), 0.0
	for _, it := range s.State().Iterations {
		slopes -= math.Log(it.Points[0].Y[0] * math.Ln10)
	}
	if a == nil || a.Value != "log" || !a.Better {
		t.Fatalf("%+v", a)
	}
	if err := a.Apply(s); err != nil || s.State().Problem.Objectives[0].Scale != functions.Log {
		t.Fatalf("the scale is %q (%v)", s.State().Problem.Objectives[0].Scale, err)
	}
	if want := score(s) + slopes - linear; math.Abs(a.Gain-want) > 1e-9 {
		t.Errorf("it gains %g, by hand %g", a.Gain, want)
	}
	if back := scaleOf(s); back == nil || back.Value != "linear" || math.Abs(back.Gain+a.Gain) > 1e-9 || back.Better {
		t.Errorf("back %+v, there %+v", back, a)
	}
	assert.Nil(t, scaleOf(begin(-50)), "of values below 0")
}
