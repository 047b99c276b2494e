package acts_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/acts"
)

const espresso = `name = "espresso"
[[variable]]
name = "dose"
low = 14
high = 20
[[variable]]
name = "time"
low = 20
high = 40
[[objective]]
name = "extraction"
direction = "maximize"
unit = "%"
range = [14, 24]
[[objective]]
name = "bitterness"
direction = "minimize"
range = [0, 10]
`

// begin is a session on an experiment with two objectives, in a file.
func begin(t testing.TB, method string) *sessions.Session {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.toml")
	require.NoError(t, os.WriteFile(file, []byte(espresso), 0o600))
	cfg, err := sessions.Config{Optimizer: method, Seed: 1}.WithExperiment(file)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, s.SaveAs(filepath.Join(filepath.Dir(file), "s.jsonl")))
	t.Cleanup(func() { s.Close() })
	return s
}

// single is a session on a test function with results.
func single(t testing.TB, method string, n int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: method, Seed: 3, Budget: 20})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	for range n {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// perform performs an act and checks the request and the answer against the schemas.
func perform(t testing.TB, turn acts.Turn, name, arguments string) (map[string]any, *acts.Error) {
	t.Helper()
	a, err := acts.Find(name)
	require.NoError(t, err)
	answer, err := a.Perform(t.Context(), turn, json.RawMessage(arguments))
	if err != nil {
		var e *acts.Error
		require.True(t, errors.As(err, &e), "%s %s: the error has no code: %v", name, arguments, err)
		return nil, e
	}
	valid(t, a.ArgumentsSchema(), []byte(arguments))
	text, err := json.Marshal(answer)
	require.NoError(t, err)
	valid(t, a.AnswerSchema(), text)
	if s := strings.TrimSpace(answer.Text()); len(s) < 5 {
		t.Errorf("%s says %q", name, s)
	}
	var m map[string]any
	require.NoError(t, json.Unmarshal(text, &m))
	return m, nil
}

// valid reports whether a text follows a schema.
func valid(t testing.TB, s *jsonschema.Schema, text []byte) {
	t.Helper()
	r, err := s.CloneSchemas().Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	require.NoError(t, err)
	var v any
	require.NoError(t, json.Unmarshal(text, &v), "%s", text)
	if err := r.Validate(v); err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
}

// Every act answers as its schema says, and says what happened.
func TestEveryAct(t *testing.T) {
	paint := func(context.Context, *sessions.Session, acts.PictureArgs) (string, error) { return "<svg/>", nil }
	two := acts.Turn{Session: begin(t, "mobo-rs-ts"), Paint: paint}
	item := acts.Turn{Session: single(t, "gp-ei", 6), Paint: paint}
	seen := map[string]bool{}
	do := func(turn acts.Turn, name, arguments string) map[string]any {
		t.Helper()
		m, err := perform(t, turn, name, arguments)
		if err != nil {
			t.Fatalf("%s %s: %s: %s (%s)", name, arguments, err.Code, err.Text, err.Hint)
		}
		seen[name] = true
		return m
	}
	do(two, "status", `{}`)
	do(two, "ask", `{"count": 3}`)
	do(two, "tell", `{"point": 2, "values": {"extraction": 18.2, "bitterness": 3}, "sd": {"extraction": 0.3}}`)
	do(two, "tell", `{"point": 1, "values": {"extraction": 17.5}, "at": {"dose": 17.9}}`)
	do(two, "correct", `{"point": 1, "values": {"extraction": 17.6}}`)
	do(two, "tell", `{"point": 1, "values": {"bitterness": 2}}`)
	do(two, "discard", `{"point": 3, "reason": "too hot"}`)
	for _, values := range []string{`"extraction": 19, "bitterness": 4`, `"extraction": 21, "bitterness": 6`,
		`"extraction": 20.5, "bitterness": 5.5`} {
		do(two, "add", `{"inputs": {"dose": 16, "time": 30}, "values": {`+values+`}}`)
	}
	do(two, "correct", `{"step": 1, "values": {"extraction": 18.4}, "reason": "misread"}`)
	do(two, "correct", `{"step": 5, "drop": true}`)
	m := do(two, "results", `{"from": 2}`)
	first := m["results"].([]any)[0].(map[string]any)
	if q := m["quantities"].([]any); len(q) != 2 || q[0] != "extraction" || first["step"] != 2. ||
		first["values"].(map[string]any)["extraction"] != 17.6 || first["inputs"].(map[string]any)["dose"] != 17.9 {
		t.Errorf("%v", m)
	}
	if m := do(two, "steer", `{"prior": "dirichlet(18,6)"}`); m["prior"] != "dirichlet(18,6)" {
		t.Errorf("%v", m)
	}
	do(two, "steer", `{"prefer": [1, 3]}`)
	do(two, "steer", `{"prefer": [3, 4], "answer": "tie"}`)
	do(two, "steer", `{"retract": 1}`)
	if m := do(two, "steer", `{"box": {"bitterness": [0, 4], "extraction": "60%..80%"}}`); m["prior"] !=
		"box(60%..80%, 0..4)" {
		t.Errorf("%v", m)
	}
	if m := do(two, "steer", `{"box": {"bitterness": [0, 0.1], "extraction": [23.8, 24]}}`); m["nearest"] == nil {
		t.Errorf("%v", m)
	}
	if m := do(two, "steer", `{"box": {"bitterness": [0, 9], "extraction": [14, 24]}}`); m["nearest"] != nil {
		t.Errorf("%v", m)
	}
	do(two, "set", `{"parameters": {"scalarization": "linear"}}`)
	do(two, "set", `{"method": "ehvi"}`)
	do(two, "status", `{}`)
	do(two, "front", `{}`)
	m = do(two, "set", `{"narrow": {"dose": [15, 18, 0.5], "time": 30}, "reason": "the grinder"}`)
	if d := m["domain"].(map[string]any)["dose"].(map[string]any); d["low"] != 15. || d["step"] != 0.5 || m["moved"] != nil {
		t.Errorf("%v", m)
	}
	if m := do(two, "set", `{"narrow": {"dose": "free"}}`); m["domain"].(map[string]any)["dose"].(map[string]any)["whole"] != true {
		t.Errorf("%v", m)
	}
	do(two, "set", `{}`)
	do(two, "predict", `{"inputs": [{"dose": 16, "time": 30}]}`)

	do(item, "predict", `{"inputs": [{"x": 0.3}, {"x": 0.5}], "quantiles": [0.05, 0.95]}`)
	m = do(item, "predict", `{"inputs": [{"x": 0.3}, {"x": 0.5}], "samples": 3, "seed": 7, "step": 4}`)
	if draws := m["draws"].(map[string]any)["f"].([]any); m["step"] != 4. || len(draws) != 3 || len(draws[0].([]any)) != 2 {
		t.Errorf("%v", m)
	}
	do(item, "why", `{}`)
	m = do(item, "why", `{"step": 5, "influence": true, "compare": "gp-ucb", "parameters": {"beta_scale": 4}}`)
	if c := m["comparison"].(map[string]any); m["step"] != 4. || c["method"] != "gp-ucb" {
		t.Errorf("%v", m)
	}
	do(item, "check", `{"alternatives": true}`)
	do(item, "best", `{}`)
	do(item, "best", `{"by": "data"}`)
	do(item, "picture", `{}`)
	do(item, "set", `{"parameters": {"kernel": "matern52", "restarts": 4}}`)
	do(item, "note", `{"text": "look here", "step": 2, "mark": true}`)
	do(item, "note", `{"text": "at the end"}`)
	if m := do(item, "back", `{}`); m["step"] != 5. {
		t.Errorf("%v", m)
	}
	do(item, "goto", `{"step": 3}`)
	if m := do(item, "status", `{}`); m["steps"] != 6. || m["place"].(map[string]any)["step"] != 3. {
		t.Errorf("status moves the session: %v", m)
	}
	if m := do(item, "fork", `{"name": "again", "method": "gp-ucb"}`); m["branch"] != "again" {
		t.Errorf("%v", m)
	}
	do(item, "goto", `{"branch": "main"}`)
	do(item, "history", `{"from": 2, "to": 5}`)
	ctx, cancel := context.WithCancel(t.Context())
	watched := acts.Turn{Session: item.Session, Emit: func(any) error { cancel(); return nil }}
	if _, err := acts.Watch.Perform(ctx, watched, json.RawMessage(`{"from": 1}`)); err != nil {
		t.Error(err)
	}
	seen["watch"] = true
	e := begin(t, "mobo-rs-ts")
	do(acts.Turn{Session: e}, "set", `{"objective": {"name": "body", "direction": "maximize", "range": [0, 5]}}`)
	do(acts.Turn{Session: e}, "set", `{"objective": {"name": "body", "noise": 0.2}}`)
	do(acts.Turn{Session: e}, "set", `{"objective": {"name": "body", "range": "none"}}`)
	do(acts.Turn{Session: e}, "set", `{"objective": {"name": "body", "change": "reverse"}}`)
	do(acts.Turn{Session: e}, "set", `{"objective": {"name": "body", "change": "drop"}}`)
	folder, err := acts.NewFolder(t.TempDir(), sessions.Author{}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { folder.Close() })
	text, _ := json.Marshal(espresso)
	do(acts.Turn{Folder: folder, Name: "new"}, "create", `{"problem": `+string(text)+`, "method": "ehvi", "seed": 4}`)
	for _, a := range acts.All() {
		assert.True(t, seen[a.Name], "%s is not tried", a.Name)
	}
}

// set changes how long a result usually takes, alone, and says what is wrong with a duration.
func TestSetDuration(t *testing.T) {
	s := begin(t, "mobo-rs-ts")
	turn := acts.Turn{Session: s}
	text, e := perform(t, turn, "set", `{"duration":"36h"}`)
	if e != nil || text["next_note"] != nil || s.State().ExpectedDuration() != 36*time.Hour {
		t.Errorf("%v, %v: a result takes %v", text, e, s.State().ExpectedDuration())
	}
	if _, e := perform(t, turn, "set", `{"duration":"soon"}`); e == nil || e.Code != acts.CodeRequest {
		t.Errorf("a duration that is none: %v", e)
	}
	if _, e := perform(t, turn, "set", `{"duration":"none","parameters":{"scalarization":"linear"}}`); e == nil || e.Code != acts.CodeRequest || s.State().ExpectedDuration() == 0 {
		t.Errorf("two changes at once: %v; a result takes %v", e, s.State().ExpectedDuration())
	}
}
