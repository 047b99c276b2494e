package picture_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/picture"
	"bandscope/tui/picture/internal/trial"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// looked is a whole picture along the first variable, with what is drawn of it.
func computedDrawing(t *testing.T, s *sessions.Session) picture.Drawing {
	t.Helper()
	st := s.State()
	p, err := picture.Compute(t.Context(), s, picture.View{Samples: 3}, nil, nil, nil)
	require.NoError(t, err)
	return picture.Drawing{Style: theme.New(true, theme.NoColor, false), State: st, Posterior: p, Reveal: true}
}

// What is told of curves and band are the values that are drawn, and how far the nearest result is comes out as by
// hand.
func TestValuesAreThoseDrawn(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"initial": 3}}, 5)
	d := computedDrawing(t, s)
	a, p := picture.Describe(d, picture.MeanField, nil), d.Posterior
	says := func(name, want string) {
		t.Helper()
		if got, _ := a.Describe(name); !strings.Contains(got, want) {
			t.Errorf("of %q is told %q, which lacks %q", name, got, want)
		}
	}
	next := p.Next[0][0]
	along := func(k picture.FieldKind, x float64) float64 { return p.Fields[k].Along(x) }
	lo, hi, n := along(picture.LowerField, next), along(picture.UpperField, next), widget.Number
	says(p.Legend.Band, fmt.Sprintf("%s to %s at the next point, x = %s. Its width there is %s", n(lo), n(hi), n(next),
		n(hi-lo)))
	length, nearest := math.NaN(), math.Inf(1)
	for _, f := range p.Legend.Facts {
		if f.Name == "lengthscale" {
			fmt.Sscan(f.Value, &length)
		}
	}
	for _, it := range d.State.Iterations {
		nearest = min(nearest, math.Abs(it.Points[0].X[0]-next)/length)
	}
	says(p.Legend.Band, fmt.Sprintf("the nearest result is %.2g lengthscales away", nearest))
	says(p.Legend.Mean, n(along(picture.MeanField, next))+" at the next point")
	inside := 0
	truth := p.Fields[picture.TrueField]
	for i, x := range truth.X {
		if along(picture.LowerField, x) <= truth.Z[i] && truth.Z[i] <= along(picture.UpperField, x) {
			inside++
		}
	}
	says("truth", fmt.Sprintf("contains %.0f %% of it", 100*float64(inside)/float64(len(truth.X))))
	it := d.State.Iterations[4]
	says("newest", fmt.Sprintf("x = %s gave f = %s. The prediction was %s ± %s (1 sd)",
		n(it.Points[0].X[0]), n(it.Points[0].Y[0]), n(it.Points[0].Mean), n(it.Points[0].SD)))
	x, y, step, _ := d.State.Best()
	says("best", fmt.Sprintf("of step %d: f = %s at x = %s", step, n(y), n(x[0])))
	says("best", "The lowest value of the true function is -6.021")
	panel := a.Panel(picture.AcquisitionField)
	area, _ := panel.Axes.Marks(panel.Titles[0])
	if want := n(along(picture.AcquisitionField, next)) + " at the next point"; !strings.Contains(area, want) {
		t.Errorf("of the acquisition is told %q, which lacks %q", area, want)
	}
	d.Reveal, d.Cursor = false, []float64{0.7}
	a = picture.Describe(d, picture.MeanField, nil)
	if got, _ := a.Describe("best"); strings.Contains(got, "truth") {
		t.Errorf("of a truth that is hidden is told %q", got)
	}
	says(p.Legend.Band, fmt.Sprintf("%s to %s at the cursor, x = 0.7", n(along(picture.LowerField, 0.7)), n(along(picture.UpperField, 0.7))))
	a.Asking = true
	for _, name := range []string{p.Legend.Band, p.Legend.Mean} {
		if got, _ := a.Describe(name); got == "" || strings.Contains(got, "widest") || strings.Contains(got, "lowest") {
			t.Errorf("where something is asked is told %q", got)
		}
	}
	says("cursor", fmt.Sprintf("The model predicts f = %s to %s there", n(along(picture.LowerField, 0.7)), n(along(picture.UpperField, 0.7))))
}

// What became of results and suggestions is told: errors, replicates, corrections, rejections, failures, limits, and
// what the model does not understand.
func TestWhatBecameOfResults(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	for i, o := range []functions.Outcome{
		{Values: []float64{5}, SE: []float64{0.2}}, {Values: []float64{7}, SE: []float64{0.4}},
		{Values: []float64{7.2}, SE: []float64{0.4}}, {Values: []float64{math.NaN()}}} {
		_, err = s.Record(sessions.ByPerson, [][]float64{{[]float64{0.1, 0.5, 0.5, 0.9}[i]}}, o)
		require.NoError(t, err)
	}
	see := picture.Describe(picture.Drawing{State: s.State()}, picture.MeanField, []diagnostics.Outlier{
		{Result: diagnostics.Result{Label: "2", Y: []float64{7}}, Z: -4.25}})
	for name, want := range map[string]string{
		"data":               "3 results before the newest (f 5 to 7.2).",
		"±2 SE":              "3 results have a standard error, 0.2 to 0.4",
		"mean of replicates": "1 point evaluated more than once. At x = 0.5 the mean of 2 results is 7.1",
		"failed":             "1 evaluation without a value, the last at x = 0.9 in step 4",
		"outlier":            "result 2, f = 7, is 4.2 standard deviations below",
		"newest":             "", // it failed
		"corrected":          "", "discarded": "", "bounds": "", "beyond a limit": "", "next": "",
		"nothing of this name": "",
	} {
		got, term := see.Describe(name)
		if !strings.Contains(got, want) || want == "" && got != "" || got != "" && term == "" {
			t.Errorf("of %q is told %q (%s), want %q", name, got, term, want)
		}
	}
}
