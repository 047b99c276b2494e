package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"bandscope/sessions/pipe"
)

// The bounds of a message.
const (
	maxMessage = maxArguments + 1<<16 // in bytes
	maxDepth   = 100                  // of lists and objects in each other
)

// transport has one message a line, as the transport of the SDK. That ends the connection at a line that it cannot
// read; this one answers such a line with an error, and goes on.
type transport struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// NewTransport is a transport over an input and an output.
func NewTransport(in io.ReadCloser, out io.WriteCloser) mcp.Transport { return transport{in, out} }

// Connect begins to read.
func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	ctx, cancel := context.WithCancel(ctx)
	c := &connection{transport: t, lines: make(chan pipe.Line), closed: ctx.Done(), cancel: cancel}
	go pipe.ReadLines(ctx, t.in, maxMessage, c.lines)
	return c, nil
}

// connection is a connection to one client.
type connection struct {
	transport
	lines  chan pipe.Line
	closed <-chan struct{}
	cancel func()

	writing sync.Mutex
	once    sync.Once
}

// SessionID is empty: there is one session.
func (c *connection) SessionID() string { return "" }

// Read reads the next message. It answers lines that are none.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l, open := <-c.lines:
			switch {
			case !open:
				return nil, io.EOF
			case l.Err != nil && !errors.Is(l.Err, pipe.ErrLong):
				return nil, l.Err
			case l.Err == nil && len(bytes.TrimSpace(l.Text)) == 0:
				continue
			}
			m, refusal := readMessage(l)
			if refusal == nil {
				return m, nil
			}
			if err := c.writeLine(refusal); err != nil {
				return nil, err
			}
		}
	}
}

// Write writes a message.
func (c *connection) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return c.writeLine(json.RawMessage(text))
}

func (c *connection) writeLine(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err = c.out.Write(append(text, '\n'))
	return err
}

// Close closes the input and the output.
func (c *connection) Close() (err error) {
	c.once.Do(func() {
		c.cancel()
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}

// refusal is the answer to a line that is no message.
type refusal struct {
	Version string         `json:"jsonrpc"`
	ID      any            `json:"id"` // null if the line has none that can be read
	Error   *jsonrpc.Error `json:"error"`
}

// readMessage reads a line as a message, or returns the answer that says why it is none.
func readMessage(l pipe.Line) (jsonrpc.Message, *refusal) {
	refuse := func(code int64, err error) (jsonrpc.Message, *refusal) {
		return nil, &refusal{Version: "2.0", ID: idOf(l.Text), Error: &jsonrpc.Error{Code: code, Message: err.Error()}}
	}
	switch {
	case l.Err != nil:
		return refuse(jsonrpc.CodeInvalidRequest, l.Err)
	case depth(l.Text) > maxDepth:
		return refuse(jsonrpc.CodeInvalidRequest, fmt.Errorf("lists and objects are nested deeper than %d levels", maxDepth))
	case !json.Valid(l.Text):
		return refuse(jsonrpc.CodeParseError, errors.New("the line is not JSON: a message is one JSON object on one line"))
	}
	m, err := jsonrpc.DecodeMessage(l.Text)
	if err != nil {
		return refuse(jsonrpc.CodeInvalidRequest, fmt.Errorf("a message is one JSON object as in JSON-RPC 2.0: %w", err))
	}
	return m, nil
}

// idOf is the id of a message that may be nested too deep to be read as a whole; nil if it has none.
func idOf(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	level, name := 0, "" // name is that of the next value of the message; empty in front of a name
	for {
		t, err := d.Token()
		if err != nil {
			return nil
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			level++
			continue
		case json.Delim('}'), json.Delim(']'):
			level--
		}
		word, isWord := t.(string)
		_, isNumber := t.(json.Number)
		switch {
		case level != 1:
		case name == "" && isWord:
			name = "." + word
		case name == ".id" && (isWord || isNumber):
			return t
		default:
			name = ""
		}
	}
}

// depth is how deep lists and objects of a JSON text are nested.
func depth(text []byte) (deepest int) {
	now := 0
	quoted := false
	escaped := false
	for _, b := range text {
		switch {
		case escaped:
			escaped = false
		case quoted:
			quoted, escaped = b != '"', b == '\\'
		case b == '"':
			quoted = true
		case b == '[', b == '{':
			now++
			deepest = max(deepest, now)
		case b == ']', b == '}':
			now--
		}
	}
	return deepest
}
