package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// talker answers for a program.
type talker struct {
	greeting string
	answer   func(line map[string]any) string
	heard    []map[string]any // the lines, and the first ones before them
	hellos   int
	restarts int
}

// Exchange answers.
func (f *talker) Exchange(_ context.Context, _ string, hello, line []byte) (greeting, answer []byte, err error) {
	if f.hellos++; line == nil {
		return []byte(f.greeting), nil, nil
	}
	var heard map[string]any
	if err := json.Unmarshal(line, &heard); err != nil {
		return nil, nil, err
	}
	heard["first"] = string(hello)
	f.heard = append(f.heard, heard)
	return []byte(f.greeting), []byte(f.answer(heard)), nil
}

// Restart counts.
func (f *talker) Restart() { f.restarts++ }

const command = "test-program --fast"

// problem has a variable of each kind, a constraint, and two objectives, one on a logarithmic scale.
func problem(t testing.TB) *functions.Problem {
	t.Helper()
	cap := 3.0
	p := &functions.Problem{Name: "soup", Domain: functions.Domain{
		{Name: "salt", Low: 1, High: 3}, {Name: "heat", Low: 1, High: 100, Scale: functions.Log},
		{Name: "spoons", Low: 2, High: 6, Kind: functions.Integer}, functions.NewOrdered("pot", 1, 2, 5),
		functions.NewChoice("herb", "dill", "sage", "mint")},
		Objectives: []functions.Objective{{Name: "taste", Direction: functions.Maximize},
			{Name: "cost", Direction: functions.Minimize, Scale: functions.Log, Range: &[2]float64{0.1, 100}}},
		Limits: []functions.Objective{{Name: "smell", AtMost: &cap}}}
	c, err := functions.ParseConstraint("salt + spoons <= 8", p.Domain)
	require.NoError(t, err)
	p.Constraints = []functions.Constraint{c}
	return p
}

// input is an input of the problem with two results and a failure between them.
func input(t testing.TB, spec *optimizers.Spec, talk optimizers.Talker) optimizers.Input {
	t.Helper()
	p := problem(t)
	a, b, failed := []float64{1.1, 10, 2, 1, 0}, []float64{2, 20, 3, 5, 2}, []float64{1.5, 50, 4, 2, 1}
	positions := map[string][]float64{}
	var rows []float64
	for _, x := range [][]float64{a, b, failed} {
		u := p.Domain.ToUnit(x)
		positions[fmt.Sprint(u)] = x
		rows = append(rows, u...)
	}
	d := p.Dim()
	in := optimizers.Input{Dim: d, Objectives: 2, Step: 3, Budget: 20, Seed: 7,
		Params: param.Defaults(spec.ParamsForInputs(2, d)),
		Limits: []optimizers.Limit{{Name: "smell", Min: math.Inf(-1), Max: 3, Objective: -1}},
		Data: optimizers.Data{X: mat.NewDense(2, d, rows[:2*d]), Y: mat.NewDense(2, 2, []float64{-4, 1, -5, 0}),
			SE:     mat.NewDense(2, 2, []float64{0.5, math.NaN(), math.NaN(), 0.1}),
			Limits: mat.NewDense(2, 1, []float64{2, 4}), Failed: mat.NewDense(1, d, rows[2*d:]), FailedAfter: []int{1}},
		Source: &optimizers.Source{Problem: p, Talker: talk, Reason: func([]float64) string { return "the pump \a" }, Point: func(u []float64) []float64 {
			if x, ok := positions[fmt.Sprint(u)]; ok {
				return x
			}
			return p.Domain.FromUnit(u)
		}}}
	return in
}

// method is a program as a method; no other belief is drawn.
func newMethod(t testing.TB, d *Declaration) *optimizers.Spec {
	t.Helper()
	external.Allow(command, 0)
	if d == nil {
		d = &Declaration{Name: command, Command: command}
	}
	return Spec(d, func(int) *optimizers.Spec {
		return &optimizers.Spec{Name: "other", Title: "Other", Fit: func(context.Context, optimizers.Input) (
			optimizers.Belief, error) {
			return other{}, nil
		}}
	})
}

// other is the belief of another method.
type other struct{ optimizers.Unsupported }

func (other) Legend() optimizers.Legend { return optimizers.Legend{Band: "±2 sd", Mean: "mean"} }
func (other) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{}, errors.New("nobody asks for this")
}

// valid is a point that can be evaluated.
const valid = `{"salt": 1.25, "heat": 30, "spoons": 5, "pot": 2, "herb": "mint"}`

// A program gets the problem, the results in their order and units, and answers with a point, to the last digit.
func TestSuggest(t *testing.T) {
	f := &talker{greeting: `{"hello": 1, "name": "T"}`,
		answer: func(map[string]any) string { return `{"x": [` + valid + `], "note": "σ 0.3"}` }}
	spec := newMethod(t, nil)
	in := input(t, spec, f)
	in.Avoid = [][]float64{in.Source.Problem.Domain.ToUnit([]float64{1, 1, 2, 1, 0})}
	s, err := spec.Suggest(t.Context(), in)
	require.NoError(t, err)
	if want := []float64{1.25, 30, 5, 2, 2}; !reflect.DeepEqual(s.Inputs, [][]float64{want}) || s.Note != "σ 0.3" ||
		!reflect.DeepEqual(s.X.RawRowView(0), in.Source.Problem.Domain.ToUnit(want)) || s.Mean != nil || s.State != nil {
		t.Errorf("got %+v", s)
	}
	line, tenth := f.heard[0], 0.1
	var first map[string]any
	require.NoError(t, json.Unmarshal([]byte(line["first"].(string)), &first))
	delete(line, "first")
	stream := line["stream"].(string)
	delete(line, "stream")
	point := func(salt, heat, spoons, pot float64, herb string) map[string]any {
		return map[string]any{"salt": salt, "heat": heat, "spoons": spoons, "pot": pot, "herb": herb}
	}
	if want := map[string]any{"suggest": 1.0, "step": 4.0, "pending": []any{}, "avoid": []any{point(1, 1, 2, 1, "dill")},
		"data": []any{
			map[string]any{"x": point(1.1, 10, 2, 1, "dill"), "failed": nil,
				"y": map[string]any{"taste": 4.0, "cost": 10.0, "smell": 2.0}, "sd": map[string]any{"taste": 0.5}},
			map[string]any{"x": point(1.5, 50, 4, 2, "sage"), "failed": "the pump �"},
			map[string]any{"x": point(2, 20, 3, 5, "mint"), "failed": nil,
				"y": map[string]any{"taste": 5.0, "cost": 1.0, "smell": 4.0}, "sd": map[string]any{"cost": tenth * math.Ln10}},
		}}; !reflect.DeepEqual(line, want) {
		t.Errorf("got %v\nwant %v", line, want)
	}
	if len(stream) != 32 || first["seed"] != 7.0 || len(first["problem"].(map[string]any)["variables"].([]any)) != 5 {
		t.Errorf("got %v, stream %s", first, stream)
	}
	again, _ := spec.Suggest(t.Context(), in)
	if !reflect.DeepEqual(again, s) || f.heard[1]["stream"] != stream {
		t.Error("the same input has other lines")
	}
	in.Avoid = nil
	if spec.Suggest(t.Context(), in); f.heard[2]["stream"] == stream {
		t.Error("after another point is discarded, the stream is the same")
	}
}

// Every invalid answer is an error that shows the line, and says what is wrong with it.
func TestInvalidAnswers(t *testing.T) {
	with := func(key, value string) string {
		var m map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(valid), &m))
		if m[key] = json.RawMessage(value); value == "" {
			delete(m, key)
		}
		var parts []string
		for k, v := range m {
			parts = append(parts, fmt.Sprintf("%q: %s", k, v))
		}
		return `{"x": [{` + strings.Join(parts, ", ") + `}]}`
	}
	for answer, want := range map[string]string{
		`loading the model`:                    `with: loading the model`,
		`[1, 2]`:                               "must be a JSON object",
		"{\"x\": [\xff]}":                      "must be a JSON object",
		`{"x": 3}`:                             "has the wrong form",
		`{}`:                                   "it has no point",
		`{"x": []}`:                            "it has no point",
		`{"x": [` + valid + "," + valid + `]}`: "only a program that can batch",
		`{"error": "no idea \u001b[31m"}`:      "the program says: no idea �[31m",
		with("salt", "NaN"):                    "invalid character 'N'",
		with("salt", "null"):                   "null is not a value",
		with("salt", "3.1"):                    "salt must be in [1, 3], got 3.1",
		with("salt", `"much"`):                 "salt must be a number",
		with("spoons", "2.5"):                  "spoons must be a whole number",
		with("pot", "3"):                       "pot must be one of 1, 2, 5",
		with("herb", `"basil"`):                `no herb "basil"`,
		with("herb", "1"):                      `no herb "1"`,
		with("salt", ""):                       "the point has no value of salt",
		with("sugar", "1"):                     "sugar",
		with("spoons", "6") + " ":              "",
		with("salt", "3"):                      "",
		with("salt", "3.0000000001"):           "", // a rounding error
		`{"x": [{"salt": 2.5, "heat": 30, "spoons": 6, "pot": 2, "herb": "mint"}]}`:        "salt + spoons",
		`{"x": [{"salt": 1.1, "heat": 10, "spoons": 2, "pot": 1, "herb": "dill"}]}`:        "was evaluated before",
		`{"x": [{"salt": 1.5, "heat": 50, "spoons": 4, "pot": 2, "herb": "sage"}]}`:        "was evaluated before",
		`{"x": [{"salt": 1, "heat": 1, "spoons": 2, "pot": 1, "herb": "dill"}]}`:           "was discarded",
		`{"x": [{"salt": 1, "heat": 2, "spoons": 2, "pot": 1, "herb": "dill"}]}`:           "is pending",
		`{"x": [` + valid + `], "state": "` + strings.Repeat("a", maxState) + `"}`:         "its state has 1024 KiB",
		`{"x": [` + strings.TrimSuffix(strings.Repeat(valid+",", maxPoints+1), ",") + `]}`: "only a program that can batch",
	} {
		f := &talker{greeting: `{"hello": 1, "can": ["pending"]}`, answer: func(map[string]any) string { return answer }}
		spec := newMethod(t, nil)
		in := input(t, spec, f)
		in.Data.SE = nil
		in.Avoid = [][]float64{in.Source.Problem.Domain.ToUnit([]float64{1, 1, 2, 1, 0})}
		in.Pending = mat.NewDense(1, 5, in.Source.Problem.Domain.ToUnit([]float64{1, 2, 2, 1, 0}))
		_, err := spec.Suggest(t.Context(), in)
		if (err == nil) != (want == "") || (f.restarts > 0) != (want != "") || err != nil && (!strings.Contains(err.Error(), want) || len(err.Error()) > 1000) {
			t.Errorf("%.200s: got %v, want %s", answer, err, want)
		}
	}
}

// A program gets the step of a variable and the mixtures, and answers on the grid.
func TestStepsAndMixturesOfPrograms(t *testing.T) {
	answer := ""
	f := &talker{greeting: `{"hello": 1}`, answer: func(map[string]any) string { return answer }}
	spec := newMethod(t, nil)
	in := input(t, spec, f)
	in.Data.SE = nil
	p := in.Source.Problem
	p.Domain[0].Step = 0.1
	p.Mixtures = []functions.Mixture{{Components: []string{"salt", "spoons"}, Total: 8}}
	for value, want := range map[string]string{"1.3000000000001": "",
		"1.25": "salt must be 1 plus a multiple of its step 0.1, such as 1.2 or 1.3, got 1.25"} {
		answer = `{"x": [{"salt": ` + value + `, "heat": 30, "spoons": 3, "pot": 2, "herb": "mint"}]}`
		sug, err := spec.Suggest(t.Context(), in)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
		if err == nil && sug.Inputs[0][0] != 1.3 {
			t.Errorf("%s becomes %v", value, sug.Inputs)
		}
	}
	first, _ := f.heard[0]["first"].(string)
	for _, want := range []string{`"step":0.1`, `"mixtures":[{"components":["salt","spoons"],"total":8}]`} {
		assert.Contains(t, first, want, "the first line has no %s: %s", want, first)
	}
}

// The first answer is checked too.
func TestInvalidGreetings(t *testing.T) {
	for greeting, want := range map[string]string{
		`hi`:                               "must be a JSON object",
		`{}`:                               "it must begin with",
		`{"hello": 2}`:                     "it must begin with",
		`{"hello": 1, "can": ["fly"]}`:     `got "fly"`,
		`{"hello": 1, "state": "none"}`:    "state must be",
		`{"error": "there is no licence"}`: "the program says: there is no licence",
		`{"hello": 1, "can": ["sample"]}`:  "its declaration says that it can predict",
	} {
		f := &talker{greeting: greeting}
		spec := newMethod(t, &Declaration{Name: "t", Command: command, Can: []string{CanPredict}})
		if _, err := spec.Suggest(t.Context(), input(t, spec, f)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", greeting, err, want)
		}
		b, err := spec.Fit(t.Context(), input(t, spec, f))
		if err != nil || len(b.Legend().Warnings) != 1 || !strings.Contains(b.Legend().Warnings[0], want) {
			t.Errorf("%s: the belief is %v, %v", greeting, b, err)
		}
	}
}

// Pending points and several points need abilities.
func TestAbilities(t *testing.T) {
	f := &talker{greeting: `{"hello": 1}`, answer: func(map[string]any) string { return `{"x": [` + valid + `]}` }}
	spec := newMethod(t, nil)
	in := input(t, spec, f)
	in.Data.SE = nil
	in.Pending = mat.NewDense(1, 5, in.Source.Problem.Domain.ToUnit([]float64{1, 2, 2, 1, 0}))
	if _, err := spec.Suggest(t.Context(), in); err == nil || !strings.Contains(err.Error(), "pending points") {
		t.Errorf("without the ability: %v", err)
	}
	f.greeting = `{"hello": 1, "can": ["pending", "batch"]}`
	f.answer = func(map[string]any) string {
		return `{"x": [` + valid + `, ` + strings.Replace(valid, "mint", "dill", 1) + `]}`
	}
	if s, err := spec.Suggest(t.Context(), in); err != nil || len(s.Inputs) != 2 || len(f.heard[0]["pending"].([]any)) != 1 {
		t.Errorf("got %+v, %v", s, err)
	}
	f.answer = func(map[string]any) string { return `{"x": [` + valid + `, ` + valid + `]}` }
	if _, err := spec.Suggest(t.Context(), in); err == nil || !strings.Contains(err.Error(), "occurs twice") {
		t.Errorf("twice the same: %v", err)
	}
	in.Noisy = true
	if _, err := spec.Suggest(t.Context(), in); err != nil {
		t.Errorf("with noise: %v", err)
	}
}

// A state comes back with the results since then, unless what the program had seen has changed.
func TestState(t *testing.T) {
	f := &talker{greeting: `{"hello": 1, "state": "snapshot"}`,
		answer: func(map[string]any) string { return `{"x": [` + valid + `], "state": {"n": 1}}` }}
	spec := newMethod(t, nil)
	in := input(t, spec, f)
	whole := in.Data
	in.Data.X, in.Data.Y = mat.DenseCopyOf(whole.X.Slice(0, 1, 0, 5)), mat.DenseCopyOf(whole.Y.Slice(0, 1, 0, 2))
	in.Data.SE, in.Data.Failed, in.Data.FailedAfter = mat.DenseCopyOf(whole.SE.Slice(0, 1, 0, 2)), nil, nil
	in.Data.Limits = mat.DenseCopyOf(whole.Limits.Slice(0, 1, 0, 1))
	s, err := spec.Suggest(t.Context(), in)
	if err != nil || s.State == nil || string(s.State.Data) != `{"n": 1}` || s.State.Seen != 1 {
		t.Fatalf("got %+v, %v", s, err)
	}
	if f.heard[0]["state"] != nil || len(f.heard[0]["data"].([]any)) != 1 {
		t.Errorf("the first line: %v", f.heard[0])
	}
	in.Data = whole
	in.Source.States = []optimizers.State{{Data: []byte("1"), Seen: 9}, {Data: []byte("2"), Seen: 1, Digest: "x"}, *s.State}
	if _, err := spec.Suggest(t.Context(), in); err != nil || len(f.heard[1]["data"].([]any)) != 2 ||
		!reflect.DeepEqual(f.heard[1]["state"], map[string]any{"n": 1.0}) {
		t.Errorf("the second line: %v, %v", f.heard[1], err)
	}
	in.Data.Y = mat.DenseCopyOf(whole.Y)
	in.Data.Y.Set(0, 0, -4.5) // a correction
	if _, err := spec.Suggest(t.Context(), in); err != nil || len(f.heard[2]["data"].([]any)) != 3 || f.heard[2]["state"] != nil {
		t.Errorf("after a correction: %v, %v", f.heard[2], err)
	}
	in.Data.Y.Set(0, 0, -4)
	in.Seed++
	if _, err := spec.Suggest(t.Context(), in); err != nil || f.heard[3]["state"] != nil {
		t.Errorf("with another seed: %v, %v", f.heard[3], err)
	}
}

// What the program predicts is in the units of the problem; beliefs are minimized.
func TestBelief(t *testing.T) {
	f := &talker{greeting: `{"hello": 1, "name": "T", "version": "2", "can": ["predict", "sample", "acquisition"]}`}
	f.answer = func(line map[string]any) string {
		switch {
		case line["predict"] != nil:
			n := len(line["predict"].([]any))
			return fmt.Sprintf(`{"mean": [%s], "sd": [%s]}`, list(n, "[5, 10]"), list(n, "[0.5, 2]"))
		case line["sample"] != nil:
			return fmt.Sprintf(`{"samples": [%s]}`, list(int(line["count"].(float64)), "["+list(2, "[5, 10]")+"]"))
		case line["acquisition"] != nil:
			return fmt.Sprintf(`{"acquisition": [%s]}`, list(len(line["acquisition"].([]any)), "3"))
		}
		return `{"x": [` + valid + `]}`
	}
	spec := newMethod(t, nil)
	in := input(t, spec, f)
	b, err := spec.Fit(t.Context(), in)
	require.NoError(t, err)
	X := mat.NewDense(2, 5, nil)
	bands, err := b.Predict(t.Context(), X)
	ten := 10.0
	sd := 2 / (ten * math.Ln10)
	if want := []optimizers.Band{{Mean: []float64{-5, -5}, SD: []float64{0.5, 0.5}},
		{Mean: []float64{1, 1}, SD: []float64{sd, sd}}}; err != nil || !reflect.DeepEqual(bands, want) {
		t.Errorf("got %v, %v", bands, err)
	}
	samples, err := b.Samples(t.Context(), X, 3, 1)
	if err != nil || len(samples) != 2 || samples[0].At(2, 1) != -5 || samples[1].At(0, 0) != 1 {
		t.Errorf("got %v, %v", samples, err)
	}
	first := f.heard[len(f.heard)-1]["stream"]
	if b.Samples(t.Context(), X, 3, 2); f.heard[len(f.heard)-1]["stream"] == first {
		t.Error("another draw has the same stream")
	}
	many := mat.NewDense(maxRows+1, 5, nil)
	before := len(f.heard)
	if v, err := b.Acquisition(t.Context(), many); err != nil || len(v) != maxRows+1 || v[maxRows] != 3 ||
		len(f.heard) != before+2 {
		t.Errorf("got %d values, %v", len(v), err)
	}
	_, err = b.Used(t.Context(), X)
	assert.ErrorIs(t, err, optimizers.ErrUnsupported, "used: %v", err)
	if l := b.Legend(); !strings.Contains(l.Band, "T 2") || !strings.Contains(l.Acquisition, "T 2") {
		t.Errorf("got %+v", l)
	}
	s, err := b.Suggest(t.Context())
	if err != nil || !reflect.DeepEqual(s.Mean, []float64{-5}) || !reflect.DeepEqual(s.Acquisition, []float64{3}) {
		t.Errorf("got %+v, %v", s, err)
	}
	for answer, want := range map[string]string{
		`{"mean": [[5, 10]], "sd": [[1, 1], [1, 1]]}`:                    "a row for each of 2 points",
		`{"mean": [[5], [5]], "sd": [[1, 1], [1, 1]]}`:                   "must have 2 numbers",
		`{"mean": [[5, 10], [5, 10]], "sd": [[1, 1], [1, -1]]}`:          "at least 0",
		`{"mean": [[5, 10], [5, 1e999]], "sd": [[1, 1], [1, 1]]}`:        "has the wrong form",
		`{"mean": [[5, 10], [5, null]], "sd": [[1, 1], [1, 1]], "x": 1}`: "",
		`hm`: "must be a JSON object",
	} {
		f.answer = func(map[string]any) string { return answer }
		if _, err := b.Predict(t.Context(), X); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", answer, err, want)
		}
	}
}

// list repeats a text.
func list(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }

// Without the permission, or without a prediction, the belief of another method is drawn, and the legend says whose it
// is; nothing is suggested without the permission.
func TestOtherBelief(t *testing.T) {
	f := &talker{greeting: `{"hello": 1, "name": "T", "can": ["acquisition"]}`,
		answer: func(map[string]any) string { return `{"acquisition": [1]}` }}
	spec := newMethod(t, nil)
	b, err := spec.Fit(t.Context(), input(t, spec, f))
	require.NoError(t, err)
	if l := b.Legend(); l.Band != "±2 sd of Other, not of T" || l.Substitute != "the model is that of Other, because the program T does not predict" || l.Acquisition == "" || !strings.Contains(l.Meaning, "T does not choose by it") {
		t.Errorf("got %+v", l)
	}
	if v, err := b.Acquisition(t.Context(), mat.NewDense(1, 5, nil)); err != nil || v[0] != 1 {
		t.Errorf("got %v, %v", v, err)
	}
	f.hellos = 0
	spec = newMethod(t, &Declaration{Name: "not-allowed it's", Command: "not-allowed it's"})
	in := input(t, spec, f)
	b, err = spec.Fit(t.Context(), in)
	if err != nil || b.Legend().Acquisition != "" {
		t.Errorf("got %+v, %v", b.Legend(), err)
	}
	_, fromBelief := b.Suggest(t.Context())
	_, direct := spec.Suggest(t.Context(), in)
	for _, err := range []error{fromBelief, direct} {
		if e := (*NotAllowedError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), `give -o 'exec:not-allowed it'\''s' again`) {
			t.Errorf("got %v", err)
		}
	}
	assert.Equal(t, 0, f.hellos, "the program was asked")
}

// Narrowed bounds, to the last digit, are those of the variables; levels beyond them are left out.
func TestBounds(t *testing.T) {
	f := &talker{greeting: `{"hello": 1}`, answer: func(map[string]any) string { return `{"x": [` + valid + `]}` }}
	spec := newMethod(t, nil)
	in := input(t, spec, f)
	d := in.Source.Problem.Domain
	in.Source.Bounds = append(functions.Domain{}, d...)
	in.Source.Bounds[0].Low, in.Source.Bounds[0].High = 1.1, 1.3
	in.Source.Bounds[3].Low = 2
	in.Source.Bounds[4].Low = 1
	for j, v := range in.Source.Bounds {
		in.Low, in.High = append(in.Low, d[j].ToUnit(v.Low)), append(in.High, d[j].ToUnit(v.High))
	}
	if _, err := spec.Suggest(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	var first struct{ Problem problemData }
	require.NoError(t, json.Unmarshal([]byte(f.heard[0]["first"].(string)), &first))
	v := first.Problem.Variables
	if v[0].Low != 1.1 || v[0].High != 1.3 || !reflect.DeepEqual(v[3].Values, []float64{2, 5}) ||
		!reflect.DeepEqual(v[4].Choices, []string{"sage", "mint"}) {
		t.Errorf("got %+v", v)
	}
	for _, change := range [][2]string{{"1.25", "1.05"}, {"mint", "dill"}, {`"pot": 2`, `"pot": 1`}} {
		f.answer = func(map[string]any) string { return `{"x": [` + strings.Replace(valid, change[0], change[1], 1) + `]}` }
		if _, err := spec.Suggest(t.Context(), in); err == nil {
			t.Errorf("%s is beyond the bounds", change[1])
		}
	}
}
