package diagnostics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// maxAnswerWords is how long an answer may be.
const maxAnswerWords = 33

var (
	number    = regexp.MustCompile(`\d+(\.\d+)?`)
	sentences = regexp.MustCompile(`[.!?] `)
)

// checkAnswer reports what is wrong with an answer: it is one sentence of few words, whose numbers have at most four
// significant digits.
func checkAnswer(t interface{ Errorf(string, ...any) }, text string) {
	if n := len(strings.Fields(text)); n < 5 || n > maxAnswerWords {
		t.Errorf("%d words: %s", n, text)
	}
	if !strings.HasSuffix(text, ".") || sentences.MatchString(text) || !unicode.IsUpper([]rune(text)[0]) ||
		strings.Contains(text, "  ") || strings.Contains(text, "%!") || strings.Contains(text, "NaN") ||
		strings.Contains(text, "Inf") {
		t.Errorf("this is not one sentence: %q", text)
	}
	for _, digits := range number.FindAllString(text, -1) {
		significant := strings.TrimLeft(strings.ReplaceAll(digits, ".", ""), "0")
		if !strings.Contains(digits, ".") {
			significant = strings.TrimRight(significant, "0")
		}
		if len(significant) > 4 {
			t.Errorf("%s has %d digits: %s", digits, len(significant), text)
		}
	}
}

// planned is a state of an experiment, or of a test function, with n results of one or two objectives.
func planned(t *testing.T, function string, objectives, n int, params map[string]any) sessions.State {
	t.Helper()
	cfg := sessions.Config{Problem: function, Optimizer: "gp-ei", Seed: 1, Params: params}
	if objectives > 1 {
		cfg.Optimizer = "ehvi"
	}
	if function == "" {
		path := filepath.Join(t.TempDir(), "p.toml")
		text := "name = \"brew\"\n[[variable]]\nname = \"dose\"\nlow = 10\nhigh = 20\n"
		for k := range objectives {
			text += fmt.Sprintf("[[objective]]\nname = \"yield%d\"\ndirection = \"maximize\"\n", k+1)
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		var err error
		if cfg, err = cfg.WithExperiment(path); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for i := range n {
		x := s.State().Problem.Domain.FromUnit([]float64{math.Mod(0.618*float64(i), 1)})
		y := make([]float64, objectives)
		for k := range y {
			y[k] = math.Sin(float64(3*i + k))
		}
		_, err = s.Record(sessions.ByPerson, [][]float64{x}, functions.Outcome{Values: y})
		require.NoError(t, err)
	}
	return s.State()
}

// predicted are leave-one-out predictions of a state's results with these residuals, of the minimized objective, by
// predictions that are a part of the results' range as uncertain.
func predicted(st sessions.State, k int, z []float64, sd float64) inspection.Predictions {
	y := st.Input().Data.Column(k)
	h := inspection.Predictions{Y: y, Z: z}
	for i := range y {
		h.SD = append(h.SD, sd)
		h.Mean = append(h.Mean, y[i]-z[i]*sd)
		h.LogDensity = append(h.LogDensity, 0)
	}
	return h
}

// judged is the verdict on a state with such residuals of each objective.
func judged(st sessions.State, change func(*Check), z ...[]float64) Verdict {
	r := &Check{Objectives: make([]ObjectiveCheck, len(z))}
	for k := range z {
		r.Objectives[k].Objective = st.Problem.Objectives[k]
		if z[k] != nil {
			r.Objectives[k].setPredictions(predicted(st, k, z[k], 0.1), Results(st), k)
		}
	}
	if change != nil {
		change(r)
	}
	return checker{state: st}.judge(r)
}

// fair are residuals of a model that is right, with others in their places.
func fair(n int, other map[int]float64) []float64 {
	z := make([]float64, n)
	for i := range z {
		z[i] = []float64{0.5, -1, 1.2, -0.3, 0.8, -1.1, 1.7, -0.7}[i%8]
	}
	for i, v := range other {
		z[i] = v
	}
	return z
}

// all are n residuals of one size, with alternating signs.
func all(n int, size float64) []float64 {
	z := make([]float64, n)
	for i := range z {
		z[i] = size * float64(1-2*(i%2))
	}
	return z
}

// The truth over the domain as far as a band of 95 % contains it.
func coveredDomain(share int) func(*Check) {
	return func(r *Check) {
		r.Objectives[0].DomainCoverage = []inspection.Coverage{{Nominal: 0.5, Inside: share / 2, Total: 100},
			{Nominal: 0.95, Inside: share, Total: 100}}
	}
}

// Each verdict has its answer, with the number that decides and what to do.
func TestVerdicts(t *testing.T) {
	experiment, function := planned(t, "", 1, 12, nil), planned(t, "forrester", 1, 12, nil)
	two, few := planned(t, "", 2, 12, nil), planned(t, "", 1, 6, nil)
	better := func(r *Check) {
		r.Compared = true
		a := Alternative{Name: "kernel", Label: "kernel", Value: "se", Better: true}
		a.Gain, a.SE = 4.13, 1.34
		r.Alternatives = []Alternative{a}
	}
	none := func(r *Check) { r.Compared = true }
	unavailable := func(refittable bool, then func(*Check)) func(*Check) {
		return func(r *Check) {
			if r.Unavailable, r.Refittable = "it has no closed form", refittable; then != nil {
				then(r)
			}
		}
	}
	narrow := fair(12, map[int]float64{1: -2.5, 3: 2.6, 5: 2.4, 8: -2.7})
	for _, c := range []struct {
		name   string
		st     sessions.State
		change func(*Check)
		z      [][]float64
		kind   VerdictKind
		want   string
	}{
		{"right", experiment, nil, [][]float64{fair(12, nil)}, VerdictBelievable, "Yes: 12 of 12 results lie inside the 95 % band"},
		{"few", few, nil, [][]float64{fair(6, nil)}, VerdictTooFew, "6 results are too few to check the band, which takes 8; evaluate 2 more points."},
		{"few that do not fit", few, nil, [][]float64{all(6, 2.5)}, VerdictNarrow, "No: the band is too narrow, because the errors of its predictions are 2.5 times as large as it says; set recalibration to loo."},
		{"narrow", experiment, nil, [][]float64{narrow}, VerdictNarrow, "No: the band is too narrow, because 4 of 12 results lie outside the 95 % band; set recalibration to loo."},
		{"narrow with an alternative", experiment, better, [][]float64{narrow}, VerdictNarrow, "; set kernel to se."},
		{"recalibrated", experiment, func(r *Check) { r.Objectives[0].BandFactor = 2.43 }, [][]float64{narrow},
			VerdictRecalibrated, "Yes, as it is drawn: 4 of 12 results lie outside the 95 % band of the model, so the drawn band is 2.4 times as wide"},
		{"outliers", experiment, nil, [][]float64{fair(12, map[int]float64{2: 3.2, 7: -4})}, VerdictOutliers,
			"No: 2 of 12 results are outliers, more than 3 standard deviations"},
		{"one outlier", experiment, nil, [][]float64{fair(12, map[int]float64{2: 3.24})}, VerdictOutlier,
			"Yes, except near result 3: it lies 3.2 standard deviations from its prediction; repeat it, or correct the record if it is wrong."},
		{"one outlier of a function", function, nil, [][]float64{fair(12, map[int]float64{2: 3.24})}, VerdictOutlier,
			"evaluate more points near it."},
		{"an infinite outlier", experiment, nil, [][]float64{fair(12, map[int]float64{2: math.Inf(1)})}, VerdictNarrow,
			"more than 1000 times as large"},
		{"wide", experiment, nil, [][]float64{all(12, 0.1)}, VerdictWide,
			"Partly: the band is too wide, because 12 of 12 results lie inside the 50 % band; try alternatives to narrow it."},
		{"drift", experiment, nil, [][]float64{append(all(4, 1), 1.2, 1.1, 0.9, 1, 0.8, 1.3, 1, 1.1)}, VerdictDrift,
			"Partly: the last 8 results all lie below their predictions"},
		{"alternative", experiment, better, [][]float64{fair(12, nil)}, VerdictAlternative,
			"Partly: with kernel se the model predicts the results better, by 4.1 ± 1.3 in log density; set kernel to se."},
		{"no alternative", experiment, none, [][]float64{fair(12, nil)}, VerdictBelievable, "Yes: "},
		{"beside the truth", function, coveredDomain(60), [][]float64{fair(12, nil)}, VerdictLocal,
			"Only near the results: 12 of 12 lie inside the 95 % band, but 60 % of the true function, which is known here; set recalibration to loo."},
		{"refits are needed", experiment, unavailable(true, nil), [][]float64{nil}, VerdictUnchecked,
			"Not known yet: GP-EI has no closed form for leave-one-out; refit without each result to check it."},
		{"the truth says no", function, unavailable(true, coveredDomain(48)), [][]float64{nil}, VerdictNarrow,
			"No: the 95 % band contains 48 % of the true function"},
		{"the truth says partly", function, unavailable(true, coveredDomain(80)), [][]float64{nil}, VerdictNarrow, "Partly: "},
		{"the truth says yes", function, unavailable(true, coveredDomain(93)), [][]float64{nil}, VerdictUnchecked,
			"Yes: the 95 % band contains 93 % of the true function, which is known here; refit without each result"},
		{"no model", experiment, unavailable(false, nil), [][]float64{nil}, VerdictNoModel, "There is no model to believe"},
		{"the worst of two", two, nil, [][]float64{fair(12, nil), narrow}, VerdictNarrow, "No for yield2: the band is too narrow"},
		{"the worst of two with few results", planned(t, "", 2, 6, nil), nil, [][]float64{fair(6, nil), all(6, 2.5)},
			VerdictNarrow, "No for yield2: the band is too narrow"},
		{"two that are right", two, nil, [][]float64{fair(12, nil), fair(12, map[int]float64{4: 2.1})}, VerdictBelievable,
			"Yes for all objectives: of yield2, the worst, 11 of 12 results lie inside"},
	} {
		v := judged(c.st, c.change, c.z...)
		if checkAnswer(t, v.Text); v.Kind != c.kind || !strings.Contains(v.Text, c.want) {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.name, v.Kind, v.Text, c.kind, c.want)
		}
	}
}

// Predictions that are no better than the mean of the others, and results that are all equal, are no fit.
func TestMisfit(t *testing.T) {
	st := planned(t, "", 1, 10, nil)
	r := &Check{Objectives: []ObjectiveCheck{{Objective: st.Problem.Objectives[0]}}}
	r.Objectives[0].setPredictions(predicted(st, 0, all(10, 1), 2), Results(st), 0)
	v := checker{state: st}.judge(r)
	if checkAnswer(t, v.Text); v.Kind != VerdictMisfit || !strings.Contains(v.Text, "evaluate more points, or try alternatives") {
		t.Errorf("%+v", v)
	}
	h := predicted(st, 0, all(10, 0), 2)
	for i := range h.Y {
		h.Y[i], h.Mean[i] = 3, 3
	}
	r.Objectives[0] = ObjectiveCheck{Objective: st.Problem.Objectives[0]}
	r.Objectives[0].setPredictions(h, Results(st), 0)
	r.Objectives[0].alarm = inspection.Alarm{}
	v = checker{state: st}.judge(r)
	if checkAnswer(t, v.Text); v.Kind != VerdictMisfit || !strings.Contains(v.Text, "all 10 results are equal") {
		t.Errorf("%+v", v)
	}
}

// Whatever the residuals are, the answer is one short sentence, and more extreme residuals never turn a no into a yes.
func TestVerdictProperties(t *testing.T) {
	var states []sessions.State
	for n := range 16 {
		states = append(states, planned(t, "", 1, n, nil))
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		n, scale := 2+rng.IntN(len(states)-2), math.Pow(10, 3*rng.Float64()-2)
		z := make([]float64, n)
		for i := range z {
			if z[i] = scale * rng.NormFloat64(); rng.IntN(20) == 0 {
				z[i] = []float64{0, math.Inf(1), 1e9, -1e-12}[rng.IntN(4)]
			}
		}
		v := judged(states[n], nil, z)
		checkAnswer(t, v.Text)
		distances := make([]float64, n)
		for i := range z {
			distances[i] = math.Copysign(max(10, math.Abs(z[i])), z[i])
		}
		if w := judged(states[n], nil, distances); n >= minResiduals && !strings.HasPrefix(w.Text, "No") {
			t.Errorf("with residuals %v the answer is %s", distances, w.Text)
		}
	}
}

// A real check has the verdict of its numbers, on sessions of methods with and without a closed form.
func TestVerdictOfASession(t *testing.T) {
	for _, c := range []struct {
		method string
		params map[string]any
		steps  int
		kinds  []VerdictKind
	}{
		{"gp-ei", nil, 10, []VerdictKind{VerdictBelievable, VerdictOutlier}},
		{"gp-ei", nil, 3, []VerdictKind{VerdictTooFew}},
		{"neural-greedy", map[string]any{"width": 16, "ensemble": 2}, 9, []VerdictKind{VerdictNarrow, VerdictUnchecked}},
		{"random", nil, 1, []VerdictKind{VerdictNoModel}},
	} {
		s := stepped(t, sessions.Config{Problem: "forrester", Optimizer: c.method, Seed: 3, Params: c.params}, c.steps)
		brief, err := CheckModel(t.Context(), s, CheckOptions{Brief: true}, nil)
		require.NoError(t, err)
		r, err := CheckModel(t.Context(), s, CheckOptions{}, nil)
		if err != nil || r.Verdict != brief.Verdict {
			t.Errorf("the verdict is %+v, in brief %+v (%v)", r.Verdict, brief.Verdict, err)
		}
		checkAnswer(t, r.Verdict.Text)
		known := false
		for _, kind := range c.kinds {
			known = known || kind == r.Verdict.Kind
		}
		assert.True(t, known, "%s after %d steps: %+v", c.method, c.steps, r.Verdict)
	}
}
