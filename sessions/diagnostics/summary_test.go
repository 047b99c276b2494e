package diagnostics

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
)

// brewed is a session on an experiment, of which more is better, with results at places.
func brewed(t *testing.T, declared string, results ...[2][]float64) *sessions.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.toml")
	text := "name = \"brew\"\n[[variable]]\nname = \"dose\"\nlow = 10\nhigh = 20\n[[variable]]\nname = \"heat\"\n" +
		"low = 0\nhigh = 1\n" +
		"[[objective]]\nname = \"yield\"\ndirection = \"maximize\"\nunit = \"%\"\n" + declared
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	cfg, err := sessions.Config{Seed: 1, Optimizer: "gp-ei", Params: map[string]any{"initial": 2}}.WithExperiment(path)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for _, r := range results {
		_, err = s.Record(sessions.ByPerson, [][]float64{r[0]}, functions.Outcome{Values: r[1]})
		require.NoError(t, err)
	}
	return s
}

// stubBelief is a belief with a fixed mean and deviation of the minimized objective over the unit square, and
// fixed residuals.
type stubBelief struct {
	optimizers.Unsupported
	stubSource
}

// stubSource is where a belief is held.
type stubSource struct {
	state     sessions.State
	mean      func(u []float64) float64
	sd        float64
	residuals optimizers.Residuals
}

func (stubBelief) Legend() optimizers.Legend { return optimizers.Legend{} }

func (stubBelief) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{}, optimizers.ErrUnsupported
}

func (b stubBelief) Predict(_ context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	n, _ := X.Dims()
	band := optimizers.Band{Mean: make([]float64, n), SD: make([]float64, n)}
	for i := range n {
		band.Mean[i], band.SD[i] = b.mean(X.RawRowView(i)), b.sd
	}
	return []optimizers.Band{band}, nil
}

func (b stubBelief) LeaveOneOut(context.Context) ([]optimizers.Residuals, error) {
	if b.residuals.Z == nil {
		return nil, optimizers.ErrUnsupported
	}
	return []optimizers.Residuals{b.residuals}, nil
}

func (o stubSource) State() sessions.State { return o.state }

func (o stubSource) Belief(context.Context, sessions.Progress) (optimizers.Belief, error) {
	return stubBelief{stubSource: o}, nil
}

// six are results of which the first is best.
var six = [][2][]float64{{{15, 0.5}, {20}}, {{12, 0.5}, {17}}, {{18, 0.5}, {17}}, {{15, 0}, {18}}, {{15, 1}, {16}},
	{{11, 0.9}, {15}}}

// What is told is in the objective's own units and directions: of a yield whose belief is 21 − 9 (dose/10 − 1.3)² −
// heat², 21 at a dose of 13 without heat.
func TestAppraisal(t *testing.T) {
	mean := func(u []float64) float64 { return -(21 - 9*math.Pow(u[0]-0.3, 2) - u[1]*u[1]) }
	believed := func(x []float64) float64 { return -mean([]float64{x[0]/10 - 1, x[1]}) }
	incumbent := math.Inf(-1)
	for _, r := range six {
		incumbent = max(incumbent, believed(r[0]))
	}
	z := (21 - incumbent) / 0.5
	// the deviation is the same everywhere, so it is greatest where the mean is best
	expected := 0.5 * (z*math.Erfc(-z/math.Sqrt2)/2 + math.Exp(-z*z/2)/math.Sqrt(2*math.Pi))
	for declared, c := range map[string]struct {
		span float64
		of   string
	}{"range = [10, 30]\n": {20, "the expected range"}, "": {5, "the spread of the results"}} {
		s := brewed(t, declared, six...)
		a, err := Summarize(t.Context(), stubSource{state: s.State(), mean: mean, sd: 0.5}, nil)
		require.NoError(t, err)
		o := a.Objectives[0]
		if o.Best.Label != "1" || o.Best.Y[0] != 20 ||
			math.Abs(o.Best.Predictions[0].Mean-believed(six[0][0])) > 1e-12 || o.Best.Predictions[0].SD != 0.5 {
			t.Errorf("the best observed is %+v", o.Best)
		}
		if m := o.ModelBest; math.Abs(m.X[0]-13) > 1e-2 || m.X[1] > 1e-3 || math.Abs(m.Normals[0].Mean-21) > 1e-4 ||
			math.Abs(o.Gain-1) > 1e-4 {
			t.Errorf("the best by the model is %+v, better by %g", m, o.Gain)
		}
		if math.Abs(o.Improvement.Value-expected) > 1e-4 || math.Abs(o.Improvement.Share-expected/c.span) > 1e-5 ||
			o.Improvement.Reference != c.of {
			t.Errorf("left is %+v, want %g of %g", o.Improvement, expected, c.span)
		}
		main := 81 * (1.0/5 - 0.3 + 6*0.09/3 - 4*0.027/2 + 0.0081) // E of the square of 9(u − 0.3)²
		square := 9 * (1.0/3 - 0.3 + 0.09)
		dose, heat := main-square*square, 1.0/5-1.0/9
		if f := o.Sensitivity; math.Abs(f[0]-dose/(dose+heat)) > 0.02 || math.Abs(f[1]-heat/(dose+heat)) > 0.02 {
			t.Errorf("the sensitivity is %v, want %g and %g", f, dose/(dose+heat), heat/(dose+heat))
		}
		if a.Validated {
			t.Error("a model without leave-one-out is validated")
		}
		if again, err := Summarize(t.Context(), stubSource{state: s.State()}, nil); err != nil || again != a ||
			CachedSummary(s.State()) != a {
			t.Errorf("asked again, it is appraised anew (%v)", err)
		}
	}
}

// A best mean far beyond the results, or where the band is wider than they are spread, is an extrapolation.
func TestExtrapolation(t *testing.T) {
	eight := append(slices.Clone(six), [2][]float64{{13, 0.2}, {19}}, [2][]float64{{17, 0.8}, {16}})
	var residuals optimizers.Residuals
	for i, r := range eight {
		z := []float64{0.5, -1, 1.2, -0.3, 0.8, -1.1}[i%6]
		residuals.Mean, residuals.SD = append(residuals.Mean, -r[1][0]-z), append(residuals.SD, 1)
		residuals.Z = append(residuals.Z, z)
	}
	for _, c := range []struct {
		name     string
		best, sd float64 // of the belief; the standard deviation of the results is 1.67 and the best of them is 20
		want     string
		verdict  VerdictKind
	}{
		{"within the results", 19, 5, "", VerdictBelievable},
		{"a little better", 23, 0.8, "", VerdictBelievable},
		{"far better", 37, 0.5, "10.2 standard deviations of the results better than the best result",
			VerdictExtrapolated},
		{"a wide band", 21, 0.9, "its standard deviation is more than half that of the results", VerdictExtrapolated},
	} {
		t.Run(c.name, func(t *testing.T) {
			mean := func(u []float64) float64 { return -c.best + 9*math.Pow(u[0]-0.3, 2) + u[1]*u[1] }
			source := stubSource{state: brewed(t, "", eight...).State(), mean: mean, sd: c.sd, residuals: residuals}
			a, err := Summarize(t.Context(), source, nil)
			require.NoError(t, err)
			assert.Equal(t, c.want, a.Objectives[0].Extrapolation)
			check, err := CheckModel(t.Context(), source, CheckOptions{Brief: true}, nil)
			require.NoError(t, err)
			assert.Equal(t, c.verdict, check.Verdict.Kind, check.Verdict.Text)
			checkAnswer(t, check.Verdict.Text)
		})
	}
}

// A model is not to be believed while the first points are being spread, and where what it says of left out results is
// wrong; the strangers are told, which way they are off too.
func TestDoubt(t *testing.T) {
	fair := func(i int) float64 { return []float64{0.5, -1, 1.2, -0.3, 0.8, -1.1}[i%6] }
	for _, c := range []struct {
		name  string
		n     int
		z     func(i int) float64
		sd    func(i int) float64
		doubt string
		odd   string
	}{
		{"understood", 6, fair, nil, "", ""},
		{"one is strange", 6, func(i int) float64 {
			return map[bool]float64{true: -3.5, false: fair(i) / 2}[i == 3]
		}, nil, "", "4 +3.5"},
		{"as strange as is allowed", 6, func(i int) float64 {
			return map[bool]float64{true: 3, false: fair(i) / 2}[i == 3]
		}, nil, "", ""},
		{"two are strange", 6, func(i int) float64 {
			return map[bool]float64{true: 3.1 + float64(i), false: 0}[i < 2]
		}, nil, "2 of 6 results are outliers of the model", "2 -4.1 1 -3.1"},
		{"too sure", 6, func(i int) float64 { return 2.5 }, nil, "2.5 times as large as the model expects", ""},
		{"no better than the mean", 6, fair, func(int) float64 { return 30 }, "no better than the mean", ""},
		{"too few to be checked", 4, func(i int) float64 { return 2.5 }, nil, "", ""},
		{"the design runs", 1, fair, nil, "the initial design is not complete: 1 of 2", ""},
	} {
		s := brewed(t, "", six[:c.n]...)
		r := optimizers.Residuals{}
		for i := range c.n {
			sd := 0.1
			if c.sd != nil {
				sd = c.sd(i)
			}
			r.Z, r.SD, r.Mean = append(r.Z, c.z(i)), append(r.SD, sd), append(r.Mean, -six[i][1][0]-c.z(i)*sd)
		}
		a, err := Summarize(t.Context(), stubSource{state: s.State(), mean: func(u []float64) float64 {
			return u[0]
		}, sd: 1, residuals: r}, nil)
		require.NoError(t, err)
		if (c.doubt == "") != (a.Caveat == "") || !strings.Contains(a.Caveat, c.doubt) || !a.Validated {
			t.Errorf("%s: the doubt is %q, want %q", c.name, a.Caveat, c.doubt)
		}
		var odd []string
		for _, s := range a.Outliers {
			odd = append(odd, s.Label, strings.TrimSuffix(signed(s.Z), ".0"))
		}
		assert.Equal(t, c.odd, strings.Join(odd, " "), "%s: strange are %q", c.name, odd)
	}
}

func signed(z float64) string {
	sign := "+"
	if z < 0 {
		sign = "-"
	}
	tenths := int(math.Round(10 * math.Abs(z)))
	return sign + string(rune('0'+tenths/10)) + "." + string(rune('0'+tenths%10))
}

// What was expected before is the same, whether it was asked for at its time or is found afterwards; where it is not
// stubBelief it stays as it was.
func TestExpected(t *testing.T) {
	s := brewed(t, "", six...)
	st := s.State()
	if v := BestMeanTrace(st, 0); len(v) != 6 || !math.IsNaN(v[5]) {
		t.Errorf("before it is asked for, %v is expected", v)
	}
	suggestions, err := s.Suggestions()
	require.NoError(t, err)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	err = FitTrace(cancelled, st, suggestions, nil)
	assert.ErrorIs(t, err, context.Canceled, "cancelled: %v", err)
	require.NoError(t, FitTrace(t.Context(), st, suggestions, nil))
	afterwards := BestMeanTrace(st, 0)
	for n := 1; n < 6; n++ {
		s := brewed(t, "", six[:n]...)
		a, err := Summarize(t.Context(), s, nil)
		require.NoError(t, err)
		if got, want := afterwards[n-1], a.Objectives[0].ModelBest.Normals[0].Mean; got != want ||
			BestMeanTrace(s.State(), 0)[n-1] != want {
			t.Errorf("after %d results %g was expected, afterwards %g", n, want, got)
		}
	}
	assert.Equal(t, afterwards[4], afterwards[5], "after all %v", afterwards)
	assert.True(t, HasTrace(st), "something is to be found yet")
	if !math.IsNaN(BestMeanTrace(brewed(t, "", six...).State(), 0)[5]) {
		t.Error("another session knows what was expected in this one")
	}
}

// Of several objectives each is appraised, and the fronts are those that were observed and that the model expects; a
// method without a band tells only what was observed.
func TestSeveral(t *testing.T) {
	for method, band := range map[string]bool{"mobo-rs-ucb": true, "random": false} {
		s, err := sessions.New(t.Context(), sessions.Config{Problem: "schaffer", Optimizer: method, Seed: 3})
		require.NoError(t, err)
		for range 6 {
			_, err = s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		part, err := SummarizeBest(t.Context(), s, nil)
		if err != nil || CachedSummary(s.State()) != nil {
			t.Fatalf("%s: a part of a summary is cached (%v)", method, err)
		}
		a, err := Summarize(t.Context(), s, nil)
		if err != nil || !reflect.DeepEqual(part.MeanFront, a.MeanFront) || !reflect.DeepEqual(part.Front, a.Front) ||
			part.Caveat != a.Caveat || part.Objectives[0].ModelBest != nil {
			t.Errorf("%s: a part of %+v is %+v (%v)", method, a, part, err)
		}
		if err != nil || len(a.Objectives) != 2 || len(a.Front) == 0 || a.Validated != band ||
			(len(a.MeanFront) > 0) != band {
			t.Fatalf("%s: %+v (%v)", method, a, err)
		}
		for k, o := range a.Objectives {
			for _, it := range s.State().Iterations {
				if it.Points[0].Y[k] < o.Best.Y[k] {
					t.Errorf("%s: %g is not the best of objective %d, %g is there", method, o.Best.Y[k], k,
						it.Points[0].Y[k])
				}
			}
			if (o.ModelBest != nil) != band || (o.Improvement != nil) != band {
				t.Errorf("%s: objective %d is %+v", method, k, o)
			}
		}
		if band && len(a.MeanFront[0].Normals) != 2 {
			t.Errorf("the front by the model is %+v", a.MeanFront)
		}
	}
}
