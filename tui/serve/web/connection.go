package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"bandscope/tui/serve/gate"
)

// protocol is the subprotocol of the WebSocket; the page has it too.
const protocol = "bandscope.terminal.1"

// The codes of a close, which the page has too.
const (
	codeLeft    = websocket.StatusNormalClosure   // the person has quit
	codeEnding  = websocket.StatusGoingAway       // the server ends
	codeGarbage = websocket.StatusPolicyViolation // the browser sent something that no browser with the page sends
	codeEnded   = websocket.StatusCode(4000)      // what served the person has ended with an error
	codeRefused = websocket.StatusCode(4001)      // the server refuses the hello
	codeBusy    = websocket.StatusCode(4002)      // a limit is reached; later it may not be
)

// An end is the reason why a connection ends.
type end struct {
	code websocket.StatusCode // 0 if the connection is lost
	err  error                // for the log and, if there is a code, for the person; nil if the person has quit
}

// Error is the reason for the log. Why a Join refuses a hello is left out, since it may quote the code.
func (e *end) Error() string {
	switch {
	case e.err == nil:
		return "the person has quit"
	case e.code == codeRefused:
		return "the hello is refused"
	}
	return e.err.Error()
}

var (
	errEnding = &end{codeEnding, errors.New("the server has ended")}
	errLost   = &end{err: errors.New("the connection is lost")}
)

func garbage(err error) *end { return &end{codeGarbage, err} }

// connection is the connection of one browser.
type connection struct {
	s     *Server
	ws    *websocket.Conn
	log   *slog.Logger
	hello Hello

	keys    *io.PipeWriter
	waiting atomic.Bool // for the program to read keys
	sizes   chan Size
	frames  atomic.Int64 // that have arrived
	output  output
}

// terminal answers a request for a WebSocket, and serves the terminal until it ends.
func (s *Server) terminal(w http.ResponseWriter, r *http.Request) {
	address := s.address(r)
	log := s.log.With("connection", s.number.Add(1), "address", address)
	if !s.allowedOrigin(r) {
		log.Warn("a page of another origin tried to connect")
		http.Error(w, "Only the page of this server can connect.", http.StatusForbidden)
		return
	}
	if !s.begin() {
		http.Error(w, "The server ends.", http.StatusServiceUnavailable)
		return
	}
	defer s.open.Done()
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{protocol},
		InsecureSkipVerify: true}) // the origin is checked above
	if err != nil {
		log.Debug("no WebSocket handshake")
		return
	}
	ws.SetReadLimit(maxFrame)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	c := &connection{s: s, ws: ws, log: log, sizes: make(chan Size, 1)}
	c.output = output{ctx: ctx, ws: ws, timeout: s.o.Limits.WriteTimeout, acknowledged: make(chan struct{}, 1)}
	defer ws.CloseNow()
	begun := time.Now()
	reason := c.run(ctx, address)
	c.close(ctx, reason)
	log.Info("a connection has ended", "code", int(reason.code), "reason", reason.Error(),
		"duration", time.Since(begun).Round(time.Millisecond))
}

// run lets a browser join and serves it, until one of them ends.
func (c *connection) run(ctx context.Context, address string) *end {
	if c.ws.Subprotocol() != protocol {
		return &end{codeRefused, errors.New("the page is of another version: reload it")}
	}
	token, serve, e := c.enter(ctx, address)
	if e != nil {
		return e
	}
	defer c.s.connections.Add(-1)
	if c.s.connections.Add(1) > int64(c.s.o.Limits.Connections) {
		return &end{codeBusy, errors.New("there are too many connections; try again later")}
	}
	if waiting, ok := ctx.Value(gateKey{}).(*gate.Conn); ok {
		waiting.Admit()
	}
	if err := c.send(ctx, message{Type: "joined", Token: token, Watch: c.hello.Watch}); err != nil {
		return errLost
	}
	c.log.Info("a browser has joined", "watch", c.hello.Watch, "cols", c.hello.Cols, "rows", c.hello.Rows)
	return c.serve(ctx, serve)
}

// enter reads the hello and lets the browser join, unless the server ends.
func (c *connection) enter(ctx context.Context, address string) (string, func(context.Context, Client) error, *end) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-c.s.ending:
			stop()
		case <-ctx.Done():
		}
	}()
	if e := c.readHello(ctx, address); e != nil {
		return "", nil, e
	}
	return c.join(ctx)
}

// readHello reads the first frame.
func (c *connection) readHello(ctx context.Context, address string) *end {
	ctx, cancel := context.WithTimeout(ctx, c.s.o.Limits.HelloTimeout)
	defer cancel()
	kind, frame, err := c.ws.Read(ctx)
	if err != nil {
		return &end{err: errors.New("no hello has arrived")}
	}
	if kind != websocket.MessageText {
		return garbage(errors.New("the first message is not a hello"))
	}
	c.hello, err = parseHello(frame)
	if err != nil {
		return &end{codeRefused, err}
	}
	c.hello.Remote = address
	return nil
}

// join asks the server whether the browser may join.
func (c *connection) join(ctx context.Context) (string, func(context.Context, Client) error, *end) {
	s := c.s
	ctx, cancel := context.WithTimeout(ctx, s.o.Limits.JoinTimeout)
	defer cancel()
	token, serve, err := s.o.Join(ctx, c.hello)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", nil, &end{codeBusy, errors.New("the server is busy; try again")}
	case err != nil:
		return "", nil, &end{codeRefused, err}
	}
	return token, serve, nil
}

// serve runs what serves the client, reads what the browser sends, and checks that it is there.
func (c *connection) serve(ctx context.Context, serve func(context.Context, Client) error) *end {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	in, keys := io.Pipe()
	defer in.Close()
	c.keys = keys
	go func() {
		e := errLost
		err := protect(func() error {
			e = c.read(context.WithoutCancel(ctx)) // ended by the close of the WebSocket, so that a close can have a code
			return nil
		})
		if err != nil {
			e = &end{codeEnded, err}
		}
		stop(e)
		keys.Close()
	}()
	go c.check(ctx, stop)
	served := make(chan error, 1)
	go func() {
		served <- protect(func() error {
			return serve(ctx, Client{Hello: c.hello, In: in, Out: &c.output, Sizes: c.sizes})
		})
	}()
	select {
	case err := <-served:
		return c.reason(ctx, err)
	case <-c.s.ending:
		stop(errEnding)
	case <-ctx.Done():
	}
	keys.Close()
	// The program may still write, to restore the terminal or to say something.
	late := time.NewTimer(c.s.o.Limits.EndTimeout)
	defer late.Stop()
	select {
	case err := <-served:
		return c.reason(ctx, err)
	case <-late.C:
		c.log.Warn("the program of a browser does not end")
	}
	e := c.reason(ctx, nil)
	c.close(c.output.ctx, e)
	<-served
	return e
}

// reason says why a client is no longer served: the cause of the end of its context or, without one, the error returned.
func (c *connection) reason(ctx context.Context, err error) *end {
	var e *end
	if errors.As(context.Cause(ctx), &e) {
		return e
	}
	if err != nil {
		return &end{codeEnded, err}
	}
	return &end{code: codeLeft}
}

// protect turns a panic into an error, so that it ends one terminal.
func protect(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p, debug.Stack()}
		}
	}()
	return f()
}

// panicError is a panic of what serves a client. The person reads that there was one, the log what and where.
type panicError struct {
	value any
	stack []byte
}

func (*panicError) Error() string { return "an error of the program ended your terminal" }

// close says why the connection ends, and closes it.
func (c *connection) close(ctx context.Context, e *end) {
	if p := (*panicError)(nil); errors.As(e.err, &p) {
		c.log.Error("a panic", "value", fmt.Sprint(p.value), "stack", string(p.stack))
	}
	if e.code == 0 {
		c.ws.CloseNow()
		return
	}
	m := message{Type: "end"}
	if e.err != nil {
		m = message{Type: "error", Text: sentence(e.err)}
	}
	if c.send(ctx, m) == nil {
		c.ws.Close(e.code, "")
	}
}

// send sends a text frame.
func (c *connection) send(ctx context.Context, m message) error {
	frame, err := m.encode()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.s.o.Limits.WriteTimeout)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageText, frame)
}

// read takes what the browser sends, as fast as the rates allow, until the connection or the program ends.
func (c *connection) read(ctx context.Context) *end {
	frames, volume := rate.NewLimiter(frameRate, frameBurst), rate.NewLimiter(byteRate, byteBurst)
	for {
		kind, frame, err := c.ws.Read(ctx)
		if errors.Is(err, websocket.ErrMessageTooBig) {
			return &end{err: errors.New("a frame of the browser is too long")} // the library has closed the connection
		} else if err != nil {
			return errLost
		}
		c.frames.Add(1)
		if frames.Wait(ctx) != nil || volume.WaitN(ctx, len(frame)) != nil {
			return errLost
		}
		if kind == websocket.MessageBinary {
			if err := c.press(frame); err != nil {
				return garbage(err)
			}
			continue
		}
		if err := c.receive(ctx, frame); err != nil {
			return garbage(err)
		}
	}
}

// press passes keys to the program, and waits until it has read them.
func (c *connection) press(keys []byte) error {
	if c.hello.Watch {
		return errors.New("a browser that watches sends no keys")
	}
	c.waiting.Store(true)
	defer c.waiting.Store(false)
	late := errors.New("the program does not read keys")
	timer := time.AfterFunc(c.s.o.Limits.InputTimeout, func() { c.keys.CloseWithError(late) })
	defer timer.Stop()
	if _, err := c.keys.Write(keys); err != nil {
		return late
	}
	return nil
}

// receive acts on a text frame.
func (c *connection) receive(ctx context.Context, frame []byte) error {
	m, err := parseMessage(frame)
	if err != nil {
		return err
	}
	switch m.Type {
	case "size":
		select { // the latest one only
		case <-c.sizes:
		default:
		}
		c.sizes <- Size{m.Cols, m.Rows} // this is the only sender
	case "ack":
		return c.output.acknowledge(m.Bytes)
	case "ping":
		return c.send(ctx, message{Type: "pong"})
	default:
		return errors.New("a second hello")
	}
	return nil
}

// check ends a connection whose browser answers no ping and sends nothing else either.
func (c *connection) check(ctx context.Context, stop context.CancelCauseFunc) {
	ticker := time.NewTicker(c.s.o.Limits.PingInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		before := c.frames.Load()
		ping, cancel := context.WithTimeout(ctx, c.s.o.Limits.PingTimeout)
		err := c.ws.Ping(ping)
		cancel()
		if err != nil && c.frames.Load() == before && !c.waiting.Load() {
			stop(&end{err: errors.New("the browser does not answer")})
			return
		}
	}
}
