package pipe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/pipe"
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

// begin is a session on the experiment, in a file.
func begin(t testing.TB) *sessions.Session {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.toml")
	require.NoError(t, os.WriteFile(file, []byte(espresso), 0o600))
	cfg, err := sessions.Config{Optimizer: "random", Seed: 1}.WithExperiment(file)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, s.SaveAs(filepath.Join(filepath.Dir(file), "s.jsonl")))
	t.Cleanup(func() { s.Close() })
	return s
}

// serve answers lines.
func serve(t testing.TB, s *sessions.Session, lines string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, pipe.Serve(context.Background(), pipe.Options{Session: s}, strings.NewReader(lines), &out))
	var list []map[string]any
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &a), line)
		list = append(list, a)
	}
	return list
}

// What was asked for is given again, until more is asked for.
func TestAskAgain(t *testing.T) {
	s := begin(t)
	number := func(a map[string]any) (list []any) {
		for _, p := range a["ok"].(map[string]any)["points"].([]any) {
			list = append(list, p.(map[string]any)["point"])
		}
		return list
	}
	for i, c := range []struct {
		line string
		want string
	}{{`{"act":"ask","count":1}`, "[1]"}, {`{"act":"ask","count":1}`, "[1]"}, {`{"act":"ask","count":3}`, "[1,2,3]"}, {`{"act":"ask","count":2}`, "[1,2]"},
		{`{"act":"ask","count":2,"new":true}`, "[4,5]"},
		{`{"act":"ask","count":2,"shared":["dose"]}`, "[6,7]"}, {`{"act":"ask","count":2,"shared":["dose"]}`, "[6,7]"},
		{`{"act":"ask","count":2,"shared":["dose"],"new":true}`, "[8,9]"}, {`{"act":"ask","count":2,"shared":["dose"]}`, "[8,9]"},
		{`{"act":"ask","count":2,"shared":["time"]}`, "[10,11]"}, {`{"act":"ask","count":0,"fixed":[{"dose":17,"time":28}]}`, "[12]"},
		{`{"act":"ask","count":1,"fixed":[{"dose":17,"time":28}]}`, "[12,1]"}} {
		got, _ := json.Marshal(number(serve(t, s, c.line)[0]))
		assert.Equal(t, c.want, string(got), "%d: %s gives %s", i, c.line, got)
	}
	if n := len(s.State().Pending); n != 12 {
		t.Errorf("%d are out", n)
	}
}

// A result that is acknowledged is in a file that can be found: where another program took the session's away, it is in
// a new one, which the answer names, once.
func TestServeNoticesThatTheFileIsGone(t *testing.T) {
	s := begin(t)
	serve(t, s, `{"act":"ask","count":2}`)
	path := s.Path()
	require.NoError(t, os.Remove(path))
	answers := serve(t, s, `{"act":"tell","point":1,"values":{"extraction":18.2,"bitterness":3}}`+"\n"+
		`{"act":"tell","point":2,"values":{"extraction":17,"bitterness":2}}`)
	notice, _ := answers[0]["notice"].(string)
	if answers[0]["ok"].(map[string]any)["step"] != 1.0 || !strings.Contains(notice, path+" was removed by another program") ||
		!strings.HasSuffix(notice, "is now in "+s.Path()) || answers[1]["notice"] != nil {
		t.Errorf("%v", answers)
	}
	if found, err := sessions.OpenReadOnly(t.Context(), s.Path()); err != nil || len(found.State().Iterations) != 2 {
		t.Errorf("%s has %d steps, %v", s.Path(), len(found.State().Iterations), err)
	}
}

// A context ends the service while it waits for a line, and an output that fails ends it.
func TestServeEnds(t *testing.T) {
	s := begin(t)
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- pipe.Serve(ctx, pipe.Options{Session: s}, r, io.Discard) }()
	io.WriteString(w, "\n")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	w.Close()
	full := errors.New("full")
	if err := pipe.Serve(t.Context(), pipe.Options{Session: s}, strings.NewReader("{\"act\":\"ask\"}\n"), failing{full}); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
