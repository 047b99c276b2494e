// Package web serves terminals to browsers: a page with a form to join and a terminal (xterm.js, embedded), and a
// WebSocket for each joined browser, which carries keys and sizes in one direction and escape sequences in the other.
// What a terminal shows, and who may join, is the caller's: it passes a [Join]. The package contains no code of the
// program's screens. It bounds what browsers may send and how many may connect, and logs no codes, tokens or keys.
//
// A browser opens the WebSocket /terminal with the subprotocol bandscope.terminal.1 and sends a hello within 10 seconds.
// Text frames are JSON objects with a type: hello, size, ack and ping from the browser, joined, error, end and pong from
// the server. Binary frames are the bytes of the terminal. A browser acknowledges the bytes that it has displayed;
// without acknowledgements, the server stops after 512 KiB.
package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// A Size is the size of a terminal, in cells.
type Size struct{ Cols, Rows int }

// The bounds of a size.
const (
	MaxCols = 500
	MaxRows = 200
)

// Hello is the request of a browser to join. Name has at most 40 characters, all of them visible, and is empty only
// for browsers that watch. Token is empty, or the one of an earlier join. Remote is the address, without a port.
// Dark is true if the browser prefers dark colors. The size is within the bounds.
type Hello struct {
	Name, Code, Token string
	Watch             bool
	Remote            string
	Dark              bool
	Cols, Rows        int
}

// Client is a joined browser: a terminal.
type Client struct {
	Hello
	In    io.Reader   // keys as a terminal sends them (none of a browser that watches); EOF after the end of the context
	Out   io.Writer   // escape sequences; a browser that does not read for Limits.WriteTimeout is disconnected
	Sizes <-chan Size // the latest size, if it differs from that of the Hello; never closed
}

// Join checks a Hello quickly: its context ends after Limits.JoinTimeout. It returns a token with which the same person
// comes back after a lost connection, and a function that serves the client until its context ends (the browser has
// gone, or the server ends) or the person quits. Both errors are shown to the person, so they are sentences without internals.
type Join func(ctx context.Context, h Hello) (token string, serve func(ctx context.Context, c Client) error, err error)

// Options say what a server serves, and to whom.
type Options struct {
	Join   Join         // required
	Limits Limits       // zero values are the defaults
	Log    *slog.Logger // nil: no log

	// Hosts are the names with which browsers may address the server, without ports. IP addresses, localhost and the
	// name of the machine are always allowed. Other names are refused: they can be those of an attacker's domain that
	// resolves to this machine.
	Hosts []string
	// Origins are further origins of pages that may connect, as in https://example.org:8443; the page's own always may.
	Origins []string
	// Proxy says that every request comes through a proxy that sets X-Forwarded-For and X-Forwarded-Host.
	Proxy bool
}

// Server is the handler of the page and of its WebSockets. Handlers of plain HTTP servers end by [Server.Shutdown].
type Server struct {
	o     Options
	log   *slog.Logger
	hosts map[string]bool
	files map[string]file

	connections atomic.Int64 // that have joined
	number      atomic.Uint64

	mu     sync.Mutex
	ended  bool
	ending chan struct{}
	open   sync.WaitGroup // connections
}

// New returns a server. It panics without a Join.
func New(o Options) *Server {
	if o.Join == nil {
		panic("web: Options.Join is nil")
	}
	o.Limits = o.Limits.orDefaults()
	s := &Server{o: o, log: o.Log, hosts: map[string]bool{"localhost": true}, files: staticFiles(),
		ending: make(chan struct{})}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if name, err := os.Hostname(); err == nil {
		s.hosts[hostname(name)] = true
		s.hosts[hostname(name)+".local"] = true
	}
	for _, name := range o.Hosts {
		s.hosts[hostname(name)] = true
	}
	return s
}

// ServeHTTP answers a request for a file of the page, or for a terminal.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	switch {
	case !validHost(s.requestHost(r)):
		http.Error(w, "The name of the host is not valid.", http.StatusBadRequest)
	case !s.allowedHost(r):
		http.Error(w, "This server does not know the name in the address. Use its IP address, or add the name.",
			http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	case r.URL.Path == "/terminal":
		s.terminal(w, r)
	default:
		s.serveFile(w, r)
	}
}

// Shutdown ends all terminals: it cancels the contexts of what serves them, waits until they return or ctx ends, and
// closes the WebSockets with the code 1001. Later connections are refused.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if !s.ended {
		s.ended = true
		close(s.ending)
	}
	s.mu.Unlock()
	closed := make(chan struct{})
	go func() {
		s.open.Wait()
		close(closed)
	}()
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return errors.New("terminals in browsers have not ended in time")
	}
}

// begin counts a connection in, unless the server ends.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.open.Add(1)
	return true
}

// validHost reports whether a host is a name or an address, with or without a port.
func validHost(host string) bool {
	u, err := url.Parse("//" + host)
	return err == nil && u.Host == host
}

// hostname returns the name of a host without its port, in lower case.
func hostname(host string) string {
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 && !strings.HasSuffix(host, "]") {
		if strings.Count(host, ":") == 1 || host[colon-1] == ']' {
			host = host[:colon]
		}
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
