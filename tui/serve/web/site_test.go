package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// network is a network in memory: its listener, and connections from any address.
type network struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func newNetwork() *network {
	return &network{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.accepted:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error {
	select {
	case <-n.closed:
	default:
		close(n.closed)
	}
	return nil
}

func (n *network) Addr() net.Addr { return &net.TCPAddr{} }

// from is a connection whose other end has an address.
type from struct {
	net.Conn
	address net.Addr
}

func (f from) RemoteAddr() net.Addr { return f.address }

// client is an HTTP client at an address.
func (n *network) client(address string) *http.Client {
	position := net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), 4321))
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			select {
			case n.accepted <- from{there, position}:
				return here, nil
			case <-n.closed:
				return nil, errors.New("refused")
			}
		}}}
}

// site is a server in a bubble of its own time.
type site struct {
	*network
	server *Server
	stop   func()
	ended  chan error
}

// inBubble runs a test with a server on a network in memory, where time passes only when everything waits. At its end,
// goroutines that are still there fail the test.
func inBubble(t *testing.T, o Options, test func(t *testing.T, s *site)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := &site{network: newNetwork(), server: New(o), stop: stop, ended: make(chan error, 1)}
		go func() { s.ended <- s.server.Serve(ctx, s.network, Certificate{}) }()
		defer func() {
			stop()
			assert.NoError(t, <-s.ended)
		}()
		test(t, s)
	})
}

const address = "192.0.2.1"

// dial opens a WebSocket without a hello.
func (s *site) dial(t *testing.T, address string, change ...func(*websocket.DialOptions)) *websocket.Conn {
	t.Helper()
	o := &websocket.DialOptions{HTTPClient: s.client(address), HTTPHeader: http.Header{"Origin": {"http://localhost"}},
		Subprotocols: []string{protocol}}
	for _, f := range change {
		f(o)
	}
	c, _, err := websocket.Dial(t.Context(), "ws://localhost/terminal", o)
	require.NoError(t, err)
	c.SetReadLimit(-1)
	return c
}

// hello is what a browser of the tests sends.
func hello() message { return message{Type: "hello", Name: "Ada", Code: "abc", Cols: 80, Rows: 24} }

// browser opens a WebSocket and sends a hello.
func (s *site) browser(t *testing.T, address string, m message) *websocket.Conn {
	t.Helper()
	c := s.dial(t, address)
	say(t, c, m)
	return c
}

// joined is browser, and reads the answer.
func (s *site) joined(t *testing.T, address string, m message) *websocket.Conn {
	t.Helper()
	c := s.browser(t, address, m)
	if got := hear(t, c); got.Type != "joined" {
		t.Fatalf("the answer is %+v", got)
	}
	return c
}

func say(t *testing.T, c *websocket.Conn, m message) {
	t.Helper()
	frame, err := m.encode()
	if err == nil {
		err = c.Write(t.Context(), websocket.MessageText, frame)
	}
	require.NoError(t, err)
}

func hear(t *testing.T, c *websocket.Conn) (m message) {
	t.Helper()
	kind, frame, err := c.Read(t.Context())
	if err == nil && kind == websocket.MessageText {
		err = json.Unmarshal(frame, &m)
	}
	if err != nil || kind != websocket.MessageText {
		t.Fatalf("no message: %v %q %v", kind, frame, err)
	}
	return m
}

// closing reads until the connection is closed: with a code or -1, after an error for the person.
func closing(t *testing.T, c *websocket.Conn) (code websocket.StatusCode, text string) {
	t.Helper()
	for {
		kind, frame, err := c.Read(t.Context())
		if err != nil {
			c.CloseNow()
			return websocket.CloseStatus(err), text
		}
		var m message
		if kind == websocket.MessageText && json.Unmarshal(frame, &m) == nil && m.Type == "error" {
			text = m.Text
		}
	}
}

// wantEnd checks how a connection ends.
func wantEnd(t *testing.T, c *websocket.Conn, code websocket.StatusCode, text string) {
	t.Helper()
	if got, message := closing(t, c); got != code || !strings.Contains(message, text) || (text == "") != (message == "") {
		t.Errorf("the connection ends with %v, %q; want %v, %q", got, message, code, text)
	}
}

// serving is a Join that lets everybody in.
func serving(serve func(context.Context, Client) error) Join {
	return func(context.Context, Hello) (string, func(context.Context, Client) error, error) {
		return "token", serve, nil
	}
}

// echo serves a client by sending back its keys, until it sends a q or has gone.
func echo(_ context.Context, c Client) error {
	p := make([]byte, 4096)
	for {
		n, err := c.In.Read(p)
		if errors.Is(err, io.EOF) || n > 0 && p[0] == 'q' {
			return nil
		}
		if _, err := c.Out.Write(p[:n]); err != nil {
			return err
		}
	}
}

// idle serves a client until its context ends.
func idle(ctx context.Context, _ Client) error {
	<-ctx.Done()
	return nil
}
