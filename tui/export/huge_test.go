package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/diagnostics"
)

// quick makes every method quick.
var quick = map[string]string{"width": "16", "activation": "erf", "ensemble": "2", "networks": "2", "features": "50",
	"trees": "10", "restarts": "1", "draws": "2", "subproblems": "10", "epochs": "50"}

// diverged is a session of a method with results of which some are as large as those of a simulation that diverged.
func diverged(t *testing.T, method string, huge ...float64) *sessions.Session {
	t.Helper()
	spec, err := registry.Find(method)
	require.NoError(t, err)
	cfg := sessions.Config{Problem: "forrester", Optimizer: method, Seed: 3, Params: map[string]any{}}
	if spec.Supports(2, false) && !spec.Supports(1, false) || spec.Multi {
		cfg.Problem = "schaffer"
	}
	p, err := functions.Find(cfg.Problem, 1)
	require.NoError(t, err)
	declared := param.Defaults(spec.ParamsForInputs(len(p.Objectives), p.Dim()))
	for key, value := range quick {
		if d, err := declared.Decl(key); err == nil {
			if cfg.Params[key], err = d.Parse(value); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err, method)
	v := p.Domain[0]
	for i, y := range append([]float64{5, 1, 7, 3}, huge...) {
		r := acts.AddArgs{Inputs: acts.Input{v.Name: encoding.Encode(v, v.FromUnit(0.1+0.12*float64(i)))},
			Result: acts.Result{Values: map[string]float64{}, Force: true}}
		for k, o := range p.Objectives {
			r.Values[o.Name] = y * float64(k+1)
			if k > 0 && math.Abs(y) > 1e100 {
				r.Values[o.Name] = -2
			}
		}
		_, err = acts.Add.Do(t.Context(), acts.Turn{Session: s}, r)
		require.NoError(t, err)
	}
	return s
}

// With results of a simulation that diverged among others every method suggests, the session says which they are and
// how to withdraw them, and can be written in every format.
func TestHugeResults(t *testing.T) {
	if testing.Short() {
		t.Skip("other tests write the same formats")
	}
	for i, spec := range sample.Of(registry.All(), 3, 1) {
		s := diverged(t, spec.Name, 1e155, 1e300, math.MaxFloat64)
		sug, err := s.Next(t.Context(), nil)
		if err != nil || sug.Note != "" {
			t.Errorf("%s suggests %v, %q, %v", spec.Name, sug.X, sug.Note, err)
		}
		status, err := acts.Status.Do(t.Context(), acts.Turn{Session: s}, acts.Nothing{})
		if err != nil || status.NoModel != "" || len(status.Clipped) != 3 || status.Clipped[0].Point != "5" {
			t.Errorf("the status of %s: %+v, %v", spec.Name, status, err)
		}
		if b, err := json.Marshal(status); err != nil {
			t.Errorf("%s: %s, %v", spec.Name, b, err)
		}
		_, err = diagnostics.CheckModel(t.Context(), s, diagnostics.CheckOptions{}, nil)
		assert.NoError(t, err, "whether %s can be believed", spec.Name)
		for _, format := range Formats() {
			if drawn := writers[format] != nil; drawn && i%7 > 0 || format == "cast" && i > 0 {
				// the pictures are the same code for all methods
				continue
			}
			var b bytes.Buffer
			if err := Write(t.Context(), &b, s, format, nil); err != nil || b.Len() == 0 || format == "svg" &&
				strings.Contains(b.String(), "No picture of the model") {
				t.Errorf("%s as %s: %v", spec.Name, format, err)
			}
		}
	}
}

// Where a method fails, or panics, the session says why, and every format still has all that happened.
func TestExportsDoWithoutAModel(t *testing.T) {
	spec, err := registry.Find("forest-ei")
	require.NoError(t, err)
	fit := spec.Fit
	t.Cleanup(func() { spec.Fit = fit })
	for name, failing := range map[string]func(context.Context, optimizers.Input) (optimizers.Belief, error){
		"an error": func(context.Context, optimizers.Input) (optimizers.Belief, error) {
			return nil, errors.New("no \x1b[2J trees")
		},
		"a panic": func(context.Context, optimizers.Input) (optimizers.Belief, error) { panic("no \x1b[2J trees") },
	} {
		s := diverged(t, spec.Name, 1e155)
		spec.Fit = failing
		status, err := acts.Status.Do(t.Context(), acts.Turn{Session: s}, acts.Nothing{})
		if err != nil || !strings.Contains(status.NoModel, "trees") || strings.Contains(status.NoModel, "\x1b") ||
			status.Best == nil || status.Best.Value["f"] != 1 || len(status.Clipped) != 1 {
			t.Errorf("%s: %+v, %v", name, status, err)
		}
		for _, format := range Formats() {
			var b bytes.Buffer
			err := Write(t.Context(), &b, s, format, nil)
			if drawn := format == "svg" || format == "html"; err != nil || b.Len() == 0 ||
				strings.Contains(b.String(), "\x1b") || drawn && !strings.Contains(b.String(), "trees") ||
				format == "html" && !strings.Contains(b.String(), "drop step 5") {
				t.Errorf("%s, as %s: %v", name, format, err)
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = acts.Status.Do(ended, acts.Turn{Session: s}, acts.Nothing{})
		assert.ErrorIs(t, err, context.Canceled, "%s: a status that is cancelled: %v", name, err)
		err = Write(ended, io.Discard, s, "svg", nil)
		assert.ErrorIs(t, err, context.Canceled, "%s: a picture that is cancelled: %v", name, err)
		spec.Fit = fit
	}
}
