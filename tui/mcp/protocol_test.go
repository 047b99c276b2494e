package mcp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/mcp"
)

// wire is a client that writes and reads lines by hand.
type wire struct {
	t     *testing.T
	in    io.Writer
	out   *bufio.Scanner
	ended chan error
	close func()
}

// open is a wire to a server over a folder that has greeted with a version of the protocol.
func open(t *testing.T, version string) (*wire, map[string]any) {
	t.Helper()
	folder, err := acts.NewFolder(t.TempDir(), sessions.Author{}, nil)
	require.NoError(t, err)
	theirs, in := io.Pipe()
	out, ours := io.Pipe()
	w := &wire{t: t, in: in, out: bufio.NewScanner(out), ended: make(chan error, 1), close: func() { in.Close() }}
	w.out.Buffer(nil, 8<<20)
	go func() { w.ended <- mcp.New(folder).Run(t.Context(), mcp.NewTransport(theirs, ours)) }()
	t.Cleanup(func() {
		in.Close()
		folder.Close()
	})
	greeting := w.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{},"clientInfo":{"name":"by-hand","version":"1"}}}`)
	w.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w, greeting
}

func (w *wire) write(line string) { io.WriteString(w.in, line+"\n") }

// ask writes a line and reads its answer.
func (w *wire) ask(line string) map[string]any {
	w.t.Helper()
	w.write(line)
	return w.read()
}

func (w *wire) read() (m map[string]any) {
	w.t.Helper()
	for w.out.Scan() {
		m = nil
		if err := json.Unmarshal(w.out.Bytes(), &m); err != nil || m["jsonrpc"] != "2.0" {
			w.t.Fatalf("%s: %v", w.out.Bytes(), err)
		}
		if m["method"] == nil { // no notification
			return m
		}
	}
	w.t.Fatalf("the connection ended: %v", w.out.Err())
	return nil
}

// call requests a method and returns its result or the code of its error.
func (w *wire) call(id int, method, params string) (result map[string]any, code float64) {
	w.t.Helper()
	m := w.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	if m["id"] != float64(id) {
		w.t.Fatalf("%s: the answer has the id %v", method, m["id"])
	}
	if e, failed := m["error"].(map[string]any); failed {
		if text, _ := e["message"].(string); text == "" {
			w.t.Errorf("%s: an error without a message", method)
		}
		return nil, e["code"].(float64)
	}
	return m["result"].(map[string]any), 0
}

// The version of the protocol is the client's if the server knows it, and otherwise one that the server knows.
func TestVersions(t *testing.T) {
	for asked, want := range map[string]string{"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26",
		"2025-06-18": "2025-06-18", "1999-01-01": "", "": ""} {
		w, greeting := open(t, asked)
		result, _ := greeting["result"].(map[string]any)
		got, _ := result["protocolVersion"].(string)
		if want != "" && got != want || len(got) != len("2025-06-18") || got == asked && want == "" {
			t.Errorf("asked for %q, got %q: %v", asked, got, greeting)
		}
		info := result["serverInfo"].(map[string]any)
		can := result["capabilities"].(map[string]any)
		if info["name"] != "bandscope" || can["tools"] == nil || can["resources"] == nil || can["prompts"] == nil ||
			result["instructions"] == "" {
			t.Errorf("%v", result)
		}
		w.close()
		<-w.ended
	}
}

// What the Inspector checks: lists with their schemas and annotations, calls with right and wrong arguments, and the
// codes of errors.
func TestProtocol(t *testing.T) {
	w, _ := open(t, "2025-06-18")
	result, _ := w.call(1, "tools/list", `{}`)
	tools := result["tools"].([]any)
	assert.Equal(t, len(acts.All())-1, len(tools), "%d tools", len(tools))
	for _, tool := range tools {
		m := tool.(map[string]any)
		in, out := m["inputSchema"].(map[string]any), m["outputSchema"].(map[string]any)
		hints := m["annotations"].(map[string]any)
		a, err := acts.Find(m["name"].(string))
		if err != nil || in["type"] != "object" || out["type"] != "object" || m["description"] == "" {
			t.Errorf("%v: %v", m["name"], err)
		}
		if (hints["readOnlyHint"] == true) == a.Changes || hints["openWorldHint"] != false ||
			(hints["idempotentHint"] == true) != a.Idempotent || a.Changes && hints["destructiveHint"] != a.Destructive {
			t.Errorf("%v: %v", m["name"], hints)
		}
	}
	id := 10
	for _, c := range []struct {
		method, params string
		code           float64 // 0: a result
		has            string
	}{
		{"ping", `{}`, 0, "map[]"},
		{"tools/call", `{"name":"create","arguments":{"session":"s","function":"forrester","method":"random"}}`, 0, "isError:<nil>"},
		{"tools/call", `{"name":"ask","arguments":{"session":"s","count":"many"}}`, 0, "isError:true"},
		{"tools/call", `{"name":"ask","arguments":{"session":"s","colour":1}}`, 0, "isError:true"},
		{"tools/call", `{"name":"ask","arguments":{}}`, 0, "isError:true"},
		{"tools/call", `{"name":"ask"}`, 0, "isError:true"},
		{"tools/call", `{"name":"ask","arguments":[1]}`, 0, "isError:true"},
		{"tools/call", `{"name":"ask","arguments":{"session":"s"},"_meta":{"progressToken":"p"}}`, 0, "structuredContent"},
		{"tools/call", `{"name":"exec","arguments":{}}`, -32602, ""},
		{"tools/call", `{}`, -32602, ""},
		{"tools/call", `7`, -32602, ""},
		{"tools/dance", `{}`, -32601, ""},
		{"resources/list", `{}`, 0, "session://s.jsonl"},
		{"resources/templates/list", `{}`, 0, "session://{name}/picture.svg"},
		{"resources/read", `{"uri":"session://s.jsonl"}`, 0, "random"},
		{"resources/read", `{"uri":"session://nothing.jsonl"}`, -32602, ""},
		{"resources/read", `{"uri":"file:///etc/passwd"}`, -32602, ""},
		{"resources/read", `{"uri":"guide://nothing"}`, -32602, ""},
		{"prompts/list", `{}`, 0, "explain-the-next-point"},
		{"prompts/get", `{"name":"explain-the-next-point","arguments":{"session":"s.jsonl"}}`, 0, "s.jsonl"},
		{"prompts/get", `{"name":"explain-the-next-point"}`, -32602, ""},
		{"prompts/get", `{"name":"nothing"}`, -32602, ""},
	} {
		id++
		result, code := w.call(id, c.method, c.params)
		text := fmt.Sprint(result)
		if c.has == "isError:<nil>" {
			c.has = ""
			assert.Nil(t, result["isError"], "%s %s: %v", c.method, c.params, result)
		}
		if code != c.code || !strings.Contains(text, c.has) {
			t.Errorf("%s %s: code %v, %.300s", c.method, c.params, code, text)
		}
	}
}

// A line that is no message is answered with an error, with its id where it has one; the connection stays open.
// Notifications, also unknown ones and a cancellation of nothing, are not answered.
func TestNoMessages(t *testing.T) {
	w, _ := open(t, "2025-06-18")
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	for _, c := range []struct {
		line string
		code float64
		id   any
	}{
		{`{"jsonrpc":"2.0","id":1,`, -32700, 1.},
		{`rubbish`, -32700, nil},
		{"\xff\xfe", -32700, nil},
		{deep, -32600, nil},
		{strings.Repeat("[", 100_000), -32600, nil},
		{`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"ask","arguments":{"session":` + deep + `}}}`, -32600, "a"},
		{`{"jsonrpc":"2.0","method":"tools/call","params":{"id":3,"x":` + deep + `},"id":2}`, -32600, 2.},
		{`{"jsonrpc":"1.0","id":3,"method":"ping"}`, -32600, 3.},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, nil},
		{`{"jsonrpc":"2.0","id":4,"method":7}`, -32600, 4.},
		{`[{"jsonrpc":"2.0","id":5,"method":"ping"}]`, -32600, nil},
		{`7`, -32600, nil},
		{`{"x":"` + strings.Repeat("x", 5<<20) + `"}`, -32600, nil},
	} {
		m := w.ask(c.line)
		e, _ := m["error"].(map[string]any)
		if e["code"] != c.code || m["id"] != c.id || e["message"] == "" {
			t.Errorf("%.60s: %v", c.line, m)
		}
		if _, has := m["id"]; !has {
			t.Errorf("%.60s: an answer without an id", c.line)
		}
	}
	for _, line := range []string{``, `{"jsonrpc":"2.0","method":"notifications/nothing"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99,"reason":"no"}}`} {
		w.write(line)
	}
	if _, code := w.call(9, "ping", `{}`); code != 0 {
		t.Errorf("code %v", code)
	}
	w.close()
	assert.NoError(t, <-w.ended, "the client has left")
}

// A call that is cancelled ends, and the session goes on.
func TestCancelled(t *testing.T) {
	w, _ := open(t, "2025-06-18")
	w.call(1, "tools/call", `{"name":"create","arguments":{"session":"s","function":"hartmann","method":"gp-ei"}}`)
	w.write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{"session":"s","count":1000,"new":true}}}`)
	w.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	m := w.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"status","arguments":{"session":"s"}}}`)
	if m["id"] == 2. { // the answer of a cancelled call is allowed
		m = w.read()
	}
	if m["id"] != 3. || m["result"].(map[string]any)["isError"] != nil {
		t.Errorf("%v", m)
	}
}
