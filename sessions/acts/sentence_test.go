package acts

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
)

// Each way to write a correction does what it says.
func TestMake(t *testing.T) {
	s := start(t, sessions.Config{Problem: "branin", Optimizer: "random"})
	steps(t, s, 3)
	for _, c := range []struct{ text, said string }{
		{"step 2 = -30 because the decimal point slipped", "step 2 is corrected to -30"},
		{"step 1 sd 0.25", "step 1 is corrected, its standard error to 0.25"},
		{"step 1 = 4 sd ? at x2 = 2, x1 = -1 cost 2.5",
			"step 1 is corrected to 4, its standard error to unknown, its input to x1 = -1, x2 = 2, its cost to 2.5"},
		{"step 1 at x1=1 because the dial slipped", "step 1 is corrected, its input to x1 = 1, x2 = 2"},
		{"drop step 3.1", "the result of step 3 is withdrawn"},
		{"x1 in -1.1..2.7 because only that was allowed", "x1 stays within [-1.1, 2.7] from now on"},
		{"x2 = 7.3", "x2 is pinned at 7.3 from now on"},
		{"reject because the oven is broken", "the suggestion is discarded; the search avoids it from now on"},
	} {
		if message, err := Sentence(t.Context(), s, c.text, nil); err != nil || message != c.said {
			t.Errorf("%q says %q, %v; want %q", c.text, message, err, c.said)
		}
	}
	st := s.State()
	if it := st.Iterations[0]; it.Points[0].SE != nil || it.Points[0].X[0] != 1 || it.Points[0].X[1] != 2 ||
		it.Points[0].Cost != 2.5 || it.Points[0].Y[0] != 4 || len(it.Corrections) != 3 {
		t.Errorf("step 1 is %+v", it)
	}
	if c := st.Iterations[1].Corrections; len(c) != 1 || c[0].New[0] != -30 ||
		c[0].Reason != "the decimal point slipped" {
		t.Errorf("step 2 has %+v", c)
	}
	if c := st.Iterations[2].Corrections; len(c) != 1 || c[0].New != nil {
		t.Errorf("step 3 has %+v", c)
	}
	if b := st.Bounds; b[0].Low != -1.1 || b[0].High != 2.7 || b[1].Low != 7.3 || b[1].High != 7.3 {
		t.Errorf("the bounds are %+v", b)
	}
	if len(st.Rejections) != 1 || st.Rejections[0].Reason != "the oven is broken" {
		t.Errorf("rejected is %+v", st.Rejections)
	}
	if message, err := Sentence(t.Context(), s, "free x2", nil); err != nil ||
		message != "x2 has its whole domain again" ||
		!reflect.DeepEqual(s.State().Bounds[1], st.Problem.Domain[1]) {
		t.Errorf("%q, %v, %+v", message, err, s.State().Bounds)
	}
}

// Of several that are out one is rejected by its number.
func TestRejectByNumber(t *testing.T) {
	s := start(t, sessions.Config{Problem: "branin", Optimizer: "random"})
	for range 3 {
		if _, err := s.Ask(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	text, err := Sentence(t.Context(), s, "reject 2 because the oven is broken", nil)
	if err != nil || text != "point 2 is discarded; the search avoids it from now on" {
		t.Errorf("%q, %v", text, err)
	}
	if st := s.State(); len(st.Pending) != 2 || st.Pending[1].Number != 3 || st.Rejections[0].Number != 2 ||
		st.Rejections[0].Reason != "the oven is broken" {
		t.Errorf("%+v", st.Rejections)
	}
}

// What was reported of a pending point in part is corrected: values, ? for those that are not known yet, and what goes
// with them; what is not named stays, and so does what was there before, on record.
func TestPendingPoints(t *testing.T) {
	s := twoObjectives(t)
	it, err := s.Ask(t.Context(), nil)
	require.NoError(t, err)
	_, err = Sentence(t.Context(), s, "point 2 = 18, ?", nil)
	assert.ErrorContains(t, err, "point 2 has no reported value yet", "before something is reported")
	nan := math.NaN()
	if _, err := s.Tell(it.ID, functions.Outcome{Values: []float64{81, nan}, SE: []float64{0.5, nan}, Note: "warm",
		Partial: true}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, said, wrong string }{
		{text: "point 2 = 18", wrong: "point 2 needs 2 values"},
		{text: "point 2.2 = 18, ?", wrong: "there is no point 2 in suggestion 2, which has 1 point"},
		{text: "point 1 = 18, ?", wrong: "correct step 1 instead"},
		{text: "point 7 = 18, ?", wrong: "no suggestion 7"},
		{text: "point x = 18, ?", wrong: `"x" is not the number of a point`},
		{text: "point 2 at dose=99", wrong: "[14, 20]"},
		{text: "step 1 = 18, ?", wrong: "not a finite number"},
		{text: "point 2 = 18, ? because the digits were swapped",
			said: "point 2 is corrected to 18, ?; still missing: bitterness"},
		{text: "point 2 sd 0.25, ? at dose=15 cost 3",
			said: "point 2 is corrected to 18, ?; still missing: bitterness"},
	} {
		before := s.State().Head
		message, err := Sentence(t.Context(), s, c.text, nil)
		if message != c.said || (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%q says %q, %v", c.text, message, err)
		}
		if err != nil && s.State().Head != before {
			t.Errorf("%q changed something", c.text)
		}
	}
	got := s.State().Pending[0]
	if got.Points[0].Y[0] != 18 || !math.IsNaN(got.Points[0].Y[1]) || got.Points[0].SE[0] != 0.25 ||
		got.Points[0].X[0] != 15 || got.Points[0].Cost != 3 || got.Points[0].Note != "warm" {
		t.Errorf("%+v", got)
	}
	if message, err := Sentence(t.Context(), s, "point 2 = 19, 2", nil); err != nil ||
		message != "point 2 is corrected to 19, 2" {
		t.Errorf("%q, %v", message, err)
	}
	if st := s.State(); len(st.Pending) != 0 || st.Iterations[1].Points[0].Y[0] != 19 ||
		st.Iterations[1].Points[0].Y[1] != 2 || st.Iterations[1].Points[0].X[0] != 15 {
		t.Errorf("%+v", st.Iterations[1])
	}
}

func TestErrors(t *testing.T) {
	s := start(t, sessions.Config{Problem: "branin", Optimizer: "random"})
	steps(t, s, 2)
	for text, want := range map[string]string{
		"":                "a correction is one of: step 7",
		"step 3 = 1":      "there is no step 3; the session has 2 steps",
		"step 2.2 = 1":    "no point 2 at step 2",
		"step 2 = 1, 2":   "1 finite value,",
		"step 2 = NaN":    "not a finite number",
		"step x = 1":      `"x" is not the number of a step`,
		"drop step 0":     `"0" is not the number of a step`,
		"x3 = 1":          `no variable "x3"`,
		"x1 in 2..1":      "the lower one first",
		"x1 in 0..99":     "[-5, 10]",
		"x1 in 3":         "low..high",
		"free x9":         `no variable "x9"`,
		"step 2 = 1e999":  "not a finite number",
		"step 2 sd 0":     "positive",
		"step 2 sd 1, 2":  "there are 2 standard errors",
		"step 2 at x9=1":  `variable "x9"`,
		"step 2 at 3":     "at x1=0.4",
		"step 2 at x1=99": "[-5, 10]",
		"step 2 cost 0":   "positive",
		"step 2 cost 1,2": "one positive",
		"step 2 is 3":     "the step is followed by",
		"step 9 at x1=1":  "there is no step 9",
		"reject 7":        "no suggestion 7",
		"reject 2":        "already has its result",
		"drop step 2.0":   "not a point of a step",
		"bring me coffee": "a correction is one of: step 7",
	} {
		if _, err := Sentence(t.Context(), s, text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if st := s.State(); len(st.Rejections) > 0 || st.Bounds != nil || st.Iterations[1].Corrections != nil {
		t.Errorf("something is changed: %+v", st)
	}
}

func FuzzMake(f *testing.F) {
	for _, text := range []string{
		"step 7 = 1.25 because x", "drop step 1.2", "x1 in 0..1", "x1 = 3", "free x1", "reject", "reject 2",
		"step 1 sd ? at x1=1, x2 = 2 cost 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := start(t, sessions.Config{Problem: "branin", Optimizer: "random"})
		steps(t, s, 2)
		Sentence(t.Context(), s, text, nil)
		s.State().Input()
		steps(t, s, 1)
	})
}

func start(t *testing.T, cfg sessions.Config) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	return s
}

func steps(t *testing.T, s *sessions.Session, n int) {
	t.Helper()
	for range n {
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A correction changes how long a result usually takes, and a variable may have that name all the same.
func TestExpectedDuration(t *testing.T) {
	cfg, err := sessions.Config{Seed: 3, Optimizer: "random"}.WithExperiment("../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s := start(t, cfg)
	for _, c := range []struct {
		text string
		want time.Duration
	}{{"duration 36 h because the oven is slow", 36 * time.Hour}, {"duration none", 0}, {"duration 2d", 48 * time.Hour}} {
		if _, err := Sentence(t.Context(), s, c.text, nil); err != nil || s.State().ExpectedDuration() != c.want {
			t.Errorf("%q: %v, %v", c.text, s.State().ExpectedDuration(), err)
		}
	}
	_, err = Sentence(t.Context(), s, "duration soon", nil)
	assert.ErrorContains(t, err, "36h", "an invalid duration")
	for _, text := range []string{"duration = 3", "duration in 1..3"} {
		_, err = Sentence(t.Context(), s, text, nil)
		assert.ErrorContains(t, err, `no variable "duration"`, "%q", text)
	}
}

// The state, and the answer to best, say that a prediction is an extrapolation.
func TestExtrapolationText(t *testing.T) {
	st := start(t, sessions.Config{Problem: "forrester", Optimizer: "random"}).State()
	summary := diagnostics.Summary{Objectives: []diagnostics.ObjectiveSummary{{Objective: st.Problem.Objectives[0],
		ModelBest:     &diagnostics.Prediction{X: []float64{0.5}, Normals: []diagnostics.Normal{{Mean: -37, SD: 2}}},
		Extrapolation: "far beyond"}}}
	status := StatusAnswer{state: st}
	status.addModel(st, &summary)
	assert.Contains(t, status.Text(), "best by the model f = -37 ± 2 at x = 0.5  (an extrapolation: far beyond)\n")
	best := BestAnswer{Model: candidate(status.BestMean.X, status.BestMean.Value, 0)}
	best.Model.Extrapolation = status.BestMean.Extrapolation
	assert.Contains(t, best.Text(), "f = -37. This is an extrapolation: far beyond.")
}
