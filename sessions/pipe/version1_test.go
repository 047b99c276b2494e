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
	if err := os.WriteFile(file, []byte(espresso), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := sessions.Config{Optimizer: "random", Seed: 1}.WithExperiment(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sessions.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveAs(filepath.Join(filepath.Dir(file), "s.jsonl")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// serve answers lines.
func serve(t testing.TB, s *sessions.Session, lines string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := pipe.Serve(context.Background(), pipe.Options{Session: s}, strings.NewReader(lines), &out); err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, a)
	}
	return list
}

// The example of PIPE.md is answered as its text says.
func TestTextOfPipe(t *testing.T) {
	text, err := os.ReadFile("../PIPE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example := examples(t, "../PIPE.md")
	var got strings.Builder
	for _, a := range serve(t, begin(t), example) {
		for _, key := range []string{"id", "told", "step", "missing", "failed", "code"} {
			if v, ok := a[key]; ok {
				b, _ := json.Marshal(v)
				got.WriteString(key + " " + string(b) + " ")
			}
		}
		points, _ := a["points"].([]any)
		for _, p := range points {
			b, _ := json.Marshal(p.(map[string]any)["point"])
			got.WriteString("point " + string(b) + " ")
		}
		if status, ok := a["status"].(map[string]any); ok {
			b, _ := json.Marshal(status["steps"])
			got.WriteString("steps " + string(b))
		}
		got.WriteString("\n")
	}
	const want = "id \"a\" point 1 point 2 \ntold 2 step 1 \ntold 1 missing [\"bitterness\"] \ntold 1 step 2 \n" +
		"told 3 step 3 \npoint 4 \ntold 4 step 4 failed \"it leaked\" \npoint 5 point 6 point 7 \nsteps 4\n" +
		"code \"told\" \n"
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	for _, word := range []string{"request", "not out", "told", "doubtful", "failed"} {
		if !strings.Contains(string(text), `"`+word+`"`) {
			t.Errorf("PIPE.md does not know the code %q", word)
		}
	}
}

// What is wrong with a line is its answer, with what would be right, and nothing is recorded of it.
func TestWrongLines(t *testing.T) {
	s := begin(t)
	serve(t, s, `{"ask":2}`)
	before := s.State().Head
	for line, want := range map[string][2]string{
		`junk`:                             {"request", "one JSON object on a line"},
		`[]`:                               {"request", "one JSON object on a line"},
		`null`:                             {"request", "it is null"},
		`{}`:                               {"request", "one of ask, tell, add and status"},
		`{"ask":1} {"ask":1}`:              {"request", "after top-level value"},
		`{"ask":1,"status":true}`:          {"request", "one of ask, tell, add and status"},
		`{"aks":1}`:                        {"request", "did you mean ask"},
		`{"ask":0}`:                        {"request", "1 to 1000 points"},
		`{"ask":1001}`:                     {"request", "1 to 1000 points"},
		`{"ask":2,"same":["dsoe"]}`:        {"request", "did you mean dose?"},
		`{"ask":2,"same":["dose","time"]}`: {"request", "at least one must differ"},
		`{"ask":2,"apart":-0.1}`:           {"request", "less than 1, as a fraction"},
		`{"ask":2,"beside":[{"dose":17}]}`: {"request", "missing: time"},
		`{"ask":2,"beside":[{"dose":17,"time":28},{"dose":99,"time":28}]}`: {"request", "dose must be in [14, 20]"},
		`{"ask":9,"apart":0.9}`:                                {"failed", "cannot find 9 points that are 0.9 apart"},
		`{"ask":1.5}`:                                          {"request", "ask must be a whole number"},
		`{"ask":"1"}`:                                          {"request", "ask must be a whole number, got string"},
		`{"ask":null}`:                                         {"request", "must not be"},
		`{"status":false}`:                                     {"request", "must not be"},
		`{"ask":1,"values":{}}`:                                {"request", "values cannot be used with ask"},
		`{"tell":1,"more":true}`:                               {"request", "more cannot be used with tell"},
		`{"tell":1.2,"values":{}}`:                             {"request", "is a string"},
		`{"tell":"1.02"}`:                                      {"request", "as 7, or 7.2 in a batch"},
		`{"tell":0}`:                                           {"request", "as 7, or 7.2 in a batch"},
		`{"tell":1}`:                                           {"request", "report a value or a failure"},
		`{"tell":1,"values":{"extraction":"x"}}`:               {"request", "must be a number, got string"},
		`{"tell":1,"values":{"extraction":null}}`:              {"request", "null is not a number"},
		`{"tell":1,"values":{"extraction":1e999}}`:             {"request", "number"},
		`{"tell":1,"values":{"extractoin":18}}`:                {"request", "did you mean extraction?"},
		`{"tell":1,"values":{"dose":18}}`:                      {"request", "dose is a variable"},
		`{"tell":1,"values":{"extraction":42,"bitterness":1}}`: {"doubtful", "is this correct?"},
		`{"tell":1,"values":{"extraction":18,"bitterness":1},"failed":"no"}`: {"request", "both values [18 1] and a failure"},
		`{"tell":1,"values":{"extraction":18},"sd":{"extraction":-1}}`:       {"request", "positive"},
		`{"tell":1,"values":{"extraction":18},"sd":{"bitterness":1}}`:        {"request", "no value"},
		`{"tell":1,"values":{"extraction":18},"at":{"dose":99}}`:             {"request", "dose must be in [14, 20]"},
		`{"tell":1,"values":{"extraction":18},"cost":-1}`:                    {"request", "positive"},
		`{"tell":3,"values":{"extraction":18}}`: {"not out",
			"; pending: 1, 2"},
		`{"tell":"1.1","values":{"extraction":18}}`:                  {"not out", "there is no point 1.1"},
		`{"add":{"dose":16},"values":{"extraction":18}}`:             {"request", "missing: time"},
		`{"add":{"dose":16,"tmie":3},"values":{"extraction":18}}`:    {"request", "did you mean time?"},
		`{"ask":1,"id":"` + strings.Repeat("a", pipe.MaxLine) + `"}`: {"request", "longer than"},
	} {
		a := serve(t, s, line+"\n")
		short := line[:min(len(line), 90)]
		if len(a) != 1 || a[0]["code"] != want[0] || !strings.Contains(a[0]["error"].(string), want[1]) {
			t.Errorf("%s: %v, want %v", short, a, want)
		}
		if s.State().Head != before {
			t.Fatalf("%s: something was recorded", short)
		}
	}
	if a := serve(t, s, `{"id":[3,"x"],"ask":0}`); len(a[0]["id"].([]any)) != 2 {
		t.Errorf("the id of a wrong line is lost: %v", a)
	}
}

// What was asked for is given again, until more is asked for.
func TestAskAgain(t *testing.T) {
	s := begin(t)
	number := func(a map[string]any) (list []any) {
		for _, p := range a["points"].([]any) {
			list = append(list, p.(map[string]any)["point"])
		}
		return list
	}
	for i, c := range []struct {
		line string
		want string
	}{{`{"ask":1}`, "[1]"}, {`{"ask":1}`, "[1]"}, {`{"ask":3}`, "[1,2,3]"}, {`{"ask":2}`, "[1,2]"},
		{`{"ask":2,"more":true}`, "[4,5]"},
		{`{"ask":2,"same":["dose"]}`, "[6,7]"}, {`{"ask":2,"same":["dose"]}`, "[6,7]"},
		{`{"ask":2,"same":["dose"],"more":true}`, "[8,9]"}, {`{"ask":2,"same":["dose"]}`, "[8,9]"},
		{`{"ask":2,"same":["time"]}`, "[10,11]"}, {`{"ask":0,"beside":[{"dose":17,"time":28}]}`, "[12]"},
		{`{"ask":1,"beside":[{"dose":17,"time":28}]}`, "[12,1]"}} {
		got, _ := json.Marshal(number(serve(t, s, c.line)[0]))
		if string(got) != c.want {
			t.Errorf("%d: %s gives %s, want %s", i, c.line, got, c.want)
		}
	}
	if n := len(s.State().Pending); n != 12 {
		t.Errorf("%d are out", n)
	}
}

// A result that is acknowledged is in a file that can be found: where another program took the session's away, it is in
// a new one, which the answer names, once.
func TestServeNoticesThatTheFileIsGone(t *testing.T) {
	s := begin(t)
	serve(t, s, `{"ask":2}`)
	path := s.Path()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	answers := serve(t, s, `{"tell":1,"values":{"extraction":18.2,"bitterness":3}}`+"\n"+
		`{"tell":2,"values":{"extraction":17,"bitterness":2}}`)
	notice, _ := answers[0]["notice"].(string)
	if answers[0]["step"] != 1.0 || !strings.Contains(notice, path+" was removed by another program") ||
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
	if err := pipe.Serve(t.Context(), pipe.Options{Session: s}, strings.NewReader("{\"ask\":1}\n"), failing{full}); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// No line breaks the service, which answers each with one line of JSON, and what is read of a line is a request that
// goes together.
func FuzzLine(f *testing.F) {
	_, example := examples(f, "../PIPE.md")
	for line := range strings.Lines(example) {
		f.Add(strings.TrimSpace(line))
	}
	for _, line := range []string{
		`{"tell":"7.2"}`, `{"id":null,"ask":1}`, `{"values":{"extraction":null}}`, "\x00", `{"ask":-1}`} {
		f.Add(line)
	}
	s := begin(f)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n") || strings.Contains(line, "ask") && len(s.State().Pending) > 20 {
			return
		}
		want := 1
		if strings.TrimSpace(line) == "" {
			want = 0
		}
		if got := serve(t, s, line+"\n"); len(got) != want {
			t.Errorf("%q: %d answers", line, len(got))
		}
	})
}
