package serve

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/serve/web"
)

// browser is a page that has joined.
type browser struct {
	t      *testing.T
	conn   *websocket.Conn
	screen *vt.Emulator
	token  string
	said   string // the error that the person reads
}

// webAt serves browsers until the test ends, and returns the address.
func (c *served) webAt(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Web(false, nil).Serve(ctx, l, web.Certificate{}) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	return l.Addr().String()
}

// visit joins with a hello.
func visit(t *testing.T, place string, hello map[string]any) *browser {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+place+"/terminal", &websocket.DialOptions{HTTPHeader: map[string][]string{
		"Origin": {"http://" + place}}, Subprotocols: []string{"bandscope.terminal.1"}})
	require.NoError(t, err)
	conn.SetReadLimit(1 << 24)
	hello["type"], hello["cols"], hello["rows"] = "hello", 100, 30
	text, _ := json.Marshal(hello)
	require.NoError(t, conn.Write(ctx, websocket.MessageText, text))
	b := &browser{t: t, conn: conn, screen: vt.NewEmulator(100, 30)}
	go func() {
		p := make([]byte, 1<<12)
		for {
			if _, err := b.screen.Read(p); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { conn.CloseNow() })
	return b
}

// wait reads until the screen, or the error, has a text.
func (b *browser) wait(want string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	for !strings.Contains(b.screen.String(), want) && !strings.Contains(b.said, want) {
		kind, data, err := b.conn.Read(ctx)
		if err != nil {
			b.t.Fatalf("waited in vain for %q: %v, %s; the screen:\n%s", want, err, b.said, b.screen.String())
		}
		if kind == websocket.MessageBinary {
			b.screen.Write(data)
			text, _ := json.Marshal(map[string]any{"type": "ack", "bytes": len(data)})
			b.conn.Write(ctx, websocket.MessageText, text)
			continue
		}
		var m struct{ Type, Token, Text string }
		json.Unmarshal(data, &m)
		if m.Token != "" {
			b.token = m.Token
		}
		if m.Text != "" {
			b.said = m.Text
		}
	}
}

func (b *browser) press(keys string) {
	b.t.Helper()
	if err := b.conn.Write(b.t.Context(), websocket.MessageBinary, []byte(keys)); err != nil {
		b.t.Fatal(err)
	}
}

// People in browsers join, follow, answer, and come back by a token; a projector only shows the class.
func TestBrowsers(t *testing.T) {
	c := begin(t, options(t))
	position := c.webAt(t)
	join, teacher := c.Codes()
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	bob := visit(t, position, map[string]any{"name": "Bob", "code": join})
	bob.wait("ada teaches")
	wall := visit(t, position, map[string]any{"code": join, "watch": true})
	wall.wait("ada teaches")
	ada.press(" ")
	ada.wait("step 1/50")
	bob.wait("step 1/50")
	wall.wait("step 1/50")
	ada.press(":ask what the band will do\r")
	bob.wait("What will the band do")
	bob.press("1")
	bob.wait("answered")
	bob.conn.CloseNow()
	again := visit(t, position, map[string]any{"name": "Bob", "token": bob.token})
	again.wait("What will the band do")

	for _, test := range []struct {
		what, want string
		hello      map[string]any
	}{
		{"another code", "join code is not right", map[string]any{"name": "eve", "code": "aaaa-aaaa"}},
		{"another token", "join again", map[string]any{"name": "eve", "token": "x"}},
		{"a name that is taken", "taken", map[string]any{"name": "bob", "code": join}},
		{"the name of a teacher", "taken", map[string]any{"name": "ada", "code": teacher}},
		{"another PIN", "PIN", map[string]any{"name": "ada 4321", "code": teacher}},
		{"a path", "letters", map[string]any{"name": "../x", "code": join}},
	} {
		t.Run(test.what, func(t *testing.T) { visit(t, position, test.hello).wait(test.want) })
	}
	visit(t, position, map[string]any{"name": "ada 1234", "code": join}).wait("not answered yet")
}
