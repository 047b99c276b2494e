package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/mcp"
)

// connect is a client of a server over a folder, in the same process.
func connect(t testing.TB, dir string) *sdk.ClientSession {
	t.Helper()
	folder, err := acts.NewFolder(dir, sessions.Author{}, nil)
	require.NoError(t, err)
	there, here := sdk.NewInMemoryTransports()
	served, err := mcp.New(folder).Connect(t.Context(), there, nil)
	require.NoError(t, err)
	client, err := sdk.NewClient(&sdk.Implementation{Name: "lab-agent", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		client.Close()
		served.Wait()
		folder.Close()
	})
	return client
}

// call calls a tool, and checks a structured answer against the schema of the tool.
func call(t testing.TB, c *sdk.ClientSession, name, arguments string) (structured map[string]any, text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	require.NoError(t, err, "%s %s", name, arguments)
	for _, content := range r.Content {
		text += content.(*sdk.TextContent).Text
	}
	if !r.IsError {
		a, err := acts.Find(name)
		require.NoError(t, err)
		schema, err := a.AnswerSchema().CloneSchemas().Resolve(&jsonschema.ResolveOptions{})
		require.NoError(t, err)
		structured = r.StructuredContent.(map[string]any)
		assert.NoError(t, schema.Validate(structured), name)
	}
	return structured, text, r.IsError
}

// An agent sets up a session, runs it, and reads about it; the record names the client.
func TestAgent(t *testing.T) {
	dir := t.TempDir()
	c := connect(t, dir)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != len(acts.All())-1 {
		t.Fatalf("%d tools, %v", len(tools.Tools), err)
	}
	for _, tool := range tools.Tools {
		a, err := acts.Find(tool.Name)
		if err != nil || tool.Annotations.ReadOnlyHint == a.Changes || tool.OutputSchema == nil || tool.Description == "" ||
			a.Changes && *tool.Annotations.DestructiveHint != a.Destructive {
			t.Errorf("%+v, %v", tool, err)
		}
	}
	if m, text, failed := call(t, c, "create", `{"session": "s", "function": "forrester", "method": "gp-ei", "seed": 7}`); failed ||
		m["method"] != "gp-ei" || !strings.Contains(text, "is created") {
		t.Fatalf("%v %s", m, text)
	}
	for i := range 4 {
		m, text, failed := call(t, c, "ask", `{"session": "s.jsonl"}`)
		require.False(t, failed, text)
		point := m["points"].([]any)[0].(map[string]any)
		x := point["x"].(map[string]any)["x"].(float64)
		if _, text, failed := call(t, c, "tell", fmt.Sprintf(`{"session": "s.jsonl", "point": %d, "values": {"f": %g}}`, i+1,
			(x-0.3)*(x-0.3))); failed {
			t.Fatal(text)
		}
	}
	for uri, want := range map[string]string{"session://s.jsonl": `"steps":4`, "session://s.jsonl/history": "lab-agent",
		"session://s.jsonl/picture.svg": "<svg", "guide://agents": "# Agents", "glossary://posterior": "# "} {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: %v", uri, err)
		}
	}
	list, err := c.ListResources(t.Context(), nil)
	if err != nil || !strings.Contains(fmt.Sprint(uris(list)), "session://s.jsonl") {
		t.Errorf("%v, %v", uris(list), err)
	}
	s, err := sessions.OpenReadOnly(t.Context(), filepath.Join(dir, "s.jsonl"))
	require.NoError(t, err)
	events, err := s.Events(1)
	if err != nil || len(events) != 8 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	for _, e := range events {
		if e.By != (sessions.Author{Kind: sessions.AuthorAgent, Name: "lab-agent", Via: sessions.ViaMCP}) {
			t.Errorf("event %d is by %v", e.Number, e.By)
		}
	}
}

func uris(list *sdk.ListResourcesResult) (all []string) {
	for _, r := range list.Resources {
		all = append(all, r.URI)
	}
	return all
}

// Prompts have what they are asked for.
func TestPrompts(t *testing.T) {
	c := connect(t, t.TempDir())
	list, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, p := range list.Prompts {
		r, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name,
			Arguments: map[string]string{"session": "oven.jsonl", "about": "bread"}})
		if err != nil || !strings.Contains(r.Messages[0].Content.(*sdk.TextContent).Text, "oven.jsonl") {
			t.Errorf("%s: %v", p.Name, err)
		}
		if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name}); (err == nil) != (p.Name == "set-up-an-experiment") {
			t.Errorf("%s without arguments: %v", p.Name, err)
		}
	}
}

// Nothing that an agent sends leads out of the folder or ends the server; it hears what would be right.
func TestHostileAgent(t *testing.T) {
	out := t.TempDir()
	secret := filepath.Join(out, "secret.jsonl")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	dir := t.TempDir()
	for name, target := range map[string]string{"link.jsonl": secret, "out": out, "dangling.jsonl": filepath.Join(out, "new.jsonl")} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	c := connect(t, dir)
	for _, name := range []string{"../secret.jsonl", secret, "link.jsonl", "out/secret.jsonl", "dangling.jsonl", "out/new.jsonl",
		"./../x", "a/../../x", "", "\u0000", strings.Repeat("x", 100_000), "..", ".", "missing/x.jsonl", "\x1b[31m"} {
		for _, tool := range []string{"status", "ask", "create"} {
			arguments, _ := json.Marshal(map[string]any{"session": name})
			if tool == "create" {
				arguments, _ = json.Marshal(map[string]any{"session": name, "function": "forrester"})
			}
			m, text, failed := call(t, c, tool, string(arguments))
			if tool == "create" && strings.Contains(name, "\x1b") {
				continue // an odd name, but inside
			}
			if !failed || strings.ContainsRune(text, '\x1b') {
				t.Errorf("%s %.40q: %v %.200s", tool, name, m, text)
			}
		}
	}
	if left, _ := os.ReadDir(out); len(left) != 1 {
		t.Errorf("files were made outside: %v", left)
	}
	for _, arguments := range []string{`{}`, `[]`, `{"session":7}`, `{"session":"s","count":1e300}`, `{"session":"s","x":{}}`,
		`{"session":"s","fixed":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`} {
		if _, text, failed := call(t, c, "ask", arguments); !failed {
			t.Errorf("%.60s: %s", arguments, text)
		}
	}
	for _, uri := range []string{"session://..%2Fsecret.jsonl", "session://link.jsonl", "session://%2Fetc%2Fpasswd",
		"session://s.jsonl/nothing", "guide://../keys", "glossary://qwertz"} {
		if r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %v", uri, r)
		}
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "exec"}); err == nil {
		t.Error("there is a tool exec")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.CallTool(ctx, &sdk.CallToolParams{Name: "ask", Arguments: map[string]any{"session": "s"}})
	if _, text, failed := call(t, c, "create", `{"session": "alive", "function": "forrester"}`); failed {
		t.Error(text)
	}
}
