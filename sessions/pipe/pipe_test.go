package pipe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/golden"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/pipe"
)

// examples are the requests in a document.
func examples(t testing.TB, path string) (lines string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, block := range strings.Split(string(text), "```json\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		lines += block
	}
	return lines
}

// resolved is a schema that can validate.
func resolved(t testing.TB, s *jsonschema.Schema) *jsonschema.Resolved {
	t.Helper()
	r, err := s.CloneSchemas().Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	require.NoError(t, err)
	return r
}

// folder is a folder with the session of begin as espresso.jsonl.
func folder(t testing.TB) *acts.Folder {
	t.Helper()
	s := begin(t)
	dir := filepath.Dir(s.Path())
	require.NoError(t, s.Close())
	require.NoError(t, os.Rename(s.Path(), filepath.Join(dir, "espresso.jsonl")))
	f, err := acts.NewFolder(dir, sessions.Author{Kind: sessions.AuthorProgram, Name: "test", Via: sessions.ViaPipe}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// answers are those to lines, by the id; the others have the name "".
func answers(t testing.TB, o pipe.Options, lines string) map[string][]map[string]any {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, pipe.Serve(context.Background(), o, strings.NewReader(lines), &out))
	all := map[string][]map[string]any{}
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &a), line)
		id := ""
		if a["id"] != nil {
			id = fmt.Sprint(a["id"])
		}
		all[id] = append(all[id], a)
	}
	return all
}

// The examples of PIPE.md follow the schema, and so do their answers.
func TestExamplesFollowTheSchema(t *testing.T) {
	requests := examples(t, "../PIPE.md")
	whole := resolved(t, acts.Schema())
	for line := range strings.Lines(requests) {
		var v any
		require.NoError(t, json.Unmarshal([]byte(line), &v))
		assert.NoError(t, whole.Validate(v), line)
	}
	for _, wrong := range []string{`{"act":"steer"}`, `{"session":"s","act":"aks"}`, `{"session":"s","act":"ask","count":-1}`,
		`{"session":"s","act":"ask","cuont":1}`, `{"session":"s","act":"tell"}`} {
		var v any
		json.Unmarshal([]byte(wrong), &v)
		assert.Error(t, whole.Validate(v), "%s follows the schema", wrong)
	}
	found := answers(t, pipe.Options{Folder: folder(t)}, requests)
	for line := range strings.Lines(requests) {
		r, err := pipe.ParseRequest([]byte(line))
		require.NoError(t, err)
		list := found[string(r.ID)]
		if len(list) == 0 {
			t.Errorf("%s is not answered", line)
			continue
		}
		reply := resolved(t, r.Act.ReplySchema())
		for _, a := range list {
			assert.NoError(t, reply.Validate(a), "%s\n%v", line, a)
		}
		_, failed := list[len(list)-1]["error"]
		assert.Equal(t, string(r.ID) == "18", failed, "%s: %v", line, list)
	}
	if e := found["18"][0]["error"].(map[string]any); e["code"] != "reported" ||
		!strings.Contains(e["hint"].(string), "correct step 1") {
		t.Errorf("%v", e)
	}
}

// PIPE.md lists all acts with their arguments.
func TestTableOfActs(t *testing.T) {
	text, err := os.ReadFile("../PIPE.md")
	require.NoError(t, err)
	table := "| act | arguments | |\n| --- | --- | --- |\n"
	for _, a := range acts.All() {
		var names []string
		for _, name := range a.ArgumentsSchema().PropertyOrder {
			names = append(names, "`"+name+"`")
		}
		table += fmt.Sprintf("| `%s` | %s | %s |\n", a.Name, strings.Join(names, ", "), a.About)
	}
	before, rest, _ := strings.Cut(string(text), "| act | arguments | |\n")
	_, after, _ := strings.Cut(rest, "\n\n")
	want := before + table + "\n" + after
	if golden.Updating() {
		require.NoError(t, os.WriteFile("../PIPE.md", []byte(want), 0o644))
	} else if string(text) != want {
		t.Error("the table of acts in PIPE.md is not that of the declarations: -update writes it")
	}
}

// What is wrong with a request is its answer, with a code and what would be right, and nothing is recorded of it.
func TestWrongRequests(t *testing.T) {
	f := folder(t)
	o := pipe.Options{Folder: f}
	answers(t, o, `{"session":"espresso","act":"ask","count":2}`)
	s, err := f.Session(t.Context(), "espresso.jsonl")
	require.NoError(t, err)
	require.NoError(t, os.Symlink("/etc", filepath.Join(f.Dir(), "link")))
	head := s.State().Head
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for line, want := range map[string][2]string{
		`"act":"aks"`:                                                      {"request", "did you mean ask"},
		`"act":"ask","count":0`:                                            {"request", "ask for 1 to 1000 points"},
		`"act":"ask","count":1e9`:                                          {"request", "count must be from 0 to 1000"},
		`"act":"ask","count":"2"`:                                          {"request", "count must be a whole number, got a text"},
		`"act":"ask","cuont":2`:                                            {"request", "did you mean count"},
		`"act":"ask","shared":["dsoe"]`:                                    {"request", "did you mean dose?"},
		`"act":"ask","fixed":` + deep:                                      {"request", "must be an object"},
		`"act":"ask","count":9,"min_distance":0.9`:                         {"failed", "cannot find 9 points"},
		`"act":"tell"`:                                                     {"request", "point is missing"},
		`"act":"tell","point":9,"values":{}`:                               {"not pending", "pending: 1, 2"},
		`"act":"tell","point":-1`:                                          {"request", "a point has a number"},
		`"act":"tell","point":1,"values":{"extraction":42}`:                {"unexpected", "is this correct?"},
		`"act":"tell","point":1,"values":{"extraction":null}`:              {"request", "must be a number, got null"},
		`"act":"steer"`:                                                    {"request", "exactly one of"},
		`"act":"steer","prior":"dirichlet(1,2,3)"`:                         {"request", "has 3 values"},
		`"act":"set","method":"ehv"`:                                       {"request", "did you mean ehvi"},
		`"act":"set","parameters":{"gama":1}`:                              {"request", "no parameter"},
		`"act":"set","narrow":{"dose":[15,99]}`:                            {"request", "must lie in [14, 20]"},
		`"act":"set","narrow":{"dose":[15,99,3,4]}`:                        {"request", "bounds are [low, high]"},
		`"act":"set","narrow":{"dose":null}`:                               {"request", "bounds are [low, high]"},
		`"act":"set","objective":{"name":"dose","direction":"maximize"}`:   {"request", "dose"},
		`"act":"set","objective":{"change":"ad","name":"body"}`:            {"request", "did you mean add"},
		`"act":"goto","step":7`:                                            {"request", "there is no step 7"},
		`"act":"goto","branch":"mian"`:                                     {"request", "did you mean main"},
		`"act":"predict","inputs":[{"dose":16}]`:                           {"request", "missing: time"},
		`"act":"predict","inputs":[{"dose":16,"time":99}]`:                 {"request", "time must be in [20, 40]"},
		`"act":"predict","inputs":[{"dose":16,"time":30}],"quantiles":[2]`: {"request", "between 0 and 1"},
		`"act":"why","step":9`:                                             {"request", "there is no step 9"},
		`"act":"best"`:                                                     {"request", "no single best point"},
		`"act":"create","function":"forrester"`:                            {"request", "already a session"},
		`"act":"note"`:                                                     {"request", "the note is empty"},
		`"act":"picture"`:                                                  {"failed", "nothing to draw with"},
		`"act":"correct","step":1,"point":1,"values":{"extraction":1}`:     {"request", "and not both"},
		`"act":7`: {"request", "act must be a text"},
	} {
		a := answers(t, o, `{"id":1,"session":"espresso.jsonl",`+line+"}\n")["1"]
		if len(a) != 1 {
			t.Errorf("%.80s: %v", line, a)
			continue
		}
		e, _ := a[0]["error"].(map[string]any)
		if e == nil || e["code"] != want[0] || !strings.Contains(e["text"].(string), want[1]) || e["hint"] == "" {
			t.Errorf("%.80s: %v, want %v", line, a[0], want)
		}
		require.Equal(t, head, s.State().Head, "%.80s: something was recorded", line)
	}
	for name, want := range map[string]string{"../espresso.jsonl": "not the name", "/etc/passwd": "not the name",
		"link/passwd": "leads out of the folder", "espreso.jsonl": "did you mean espresso.jsonl", "": "which session?",
		"a\\u0000b": "no session", "link": "leads out"} {
		a := answers(t, o, `{"id":1,"session":"`+name+`","act":"status"}`)["1"]
		if e, _ := a[0]["error"].(map[string]any); e == nil || !strings.Contains(e["text"].(string), want) {
			t.Errorf("%s: %v, want %s", name, a, want)
		}
	}
}

// Requests are answered while a watch goes on; a cancelled request says so, and what follows is carried out.
func TestCancelAndWatch(t *testing.T) {
	o := pipe.Options{Folder: folder(t)}
	in, lines := io.Pipe()
	out, written := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- pipe.Serve(t.Context(), o, in, written)
		written.Close()
	}()
	replies := json.NewDecoder(out)
	ask := func(line string) map[string]any {
		t.Helper()
		if line != "" {
			io.WriteString(lines, line+"\n")
		}
		var a map[string]any
		require.NoError(t, replies.Decode(&a))
		return a
	}
	io.WriteString(lines, `{"id":"w","session":"espresso","act":"watch"}`+"\n")
	if a := ask(`{"id":1,"session":"espresso","act":"note","text":"hello"}`); a["ok"] == nil {
		t.Fatalf("%v", a)
	}
	if a := ask(""); a["id"] != "w" || a["event"].(map[string]any)["text"] != "note: hello" {
		t.Errorf("%v", a)
	}
	if a := ask(`{"id":2,"cancel":"nothing"}`); a["ok"].(map[string]any)["cancelled"] != false {
		t.Errorf("%v", a)
	}
	if a := ask(`{"cancel":"w"}`); a["id"] != "w" || a["ok"].(map[string]any)["last"] != 1. {
		t.Errorf("%v", a)
	}
	for range 100 { // an id that is answered can be used again
		if a := ask(`{"id":3,"session":"espresso","act":"history"}`); a["ok"] == nil {
			t.Fatalf("%v", a)
		}
	}
	lines.Close()
	assert.NoError(t, <-done)
}

// No line breaks the service, and each request is answered with one line that follows the schema.
func FuzzRequest(f *testing.F) {
	requests := examples(f, "../PIPE.md")
	for line := range strings.Lines(requests) {
		f.Add(strings.TrimSpace(line))
	}
	f.Add(`{"act":"ask","count":1e300}`)
	f.Add(`{"act":"steer","box":{"extraction":["NaN",1]}}`)
	position := folder(f)
	s, err := position.Session(context.Background(), "espresso.jsonl")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, line string) {
		r, err := pipe.ParseRequest([]byte(line))
		if strings.TrimSpace(line) == "" || strings.Contains(line, "\n") || r.Act != nil && (r.Act.Waits || r.Act.Creates) ||
			len(s.State().Pending) > 20 && strings.Contains(line, "ask") || r.Cancel != nil {
			return
		}
		for id, list := range answers(t, pipe.Options{Folder: position, Session: s}, line+"\n") {
			assert.Equal(t, 1, len(list), "%q: %d answers to %s", line, len(list), id)
			if err == nil {
				assert.NoError(t, resolved(t, r.Act.ReplySchema()).Validate(list[0]), "%q", line)
			}
		}
	})
}
