package cli_test

import (
	"os/exec"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A client starts the server as a process, creates a session, and leaves; the file is whole.
func TestMCPProcess(t *testing.T) {
	path, err := program()
	require.NoError(t, err)
	dir := t.TempDir()
	c := exec.Command(path, "mcp")
	c.Dir = dir
	client, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: c}, nil)
	require.NoError(t, err)
	for _, call := range []struct {
		name string
		args map[string]any
	}{{"create", map[string]any{"session": "s", "function": "forrester", "method": "random"}},
		{"ask", map[string]any{"session": "s", "count": 2}}, {"status", map[string]any{"session": "s"}}} {
		r, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: call.name, Arguments: call.args})
		if err != nil || r.IsError {
			t.Fatalf("%s: %v %+v", call.name, err, r)
		}
	}
	assert.NoError(t, client.Close())
	if out, errs, status := run(t, dir, "show s.jsonl"); status != 0 {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}
