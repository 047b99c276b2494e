package web

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"bandscope/tui/serve/gate"
)

// Certificate names the files of a certificate for TLS, in PEM. Both are empty to serve without TLS, as behind a proxy.
type Certificate struct{ CertFile, KeyFile string }

// The bounds of requests that are no WebSockets.
const (
	headerTimeout   = 5 * time.Second
	requestTimeout  = 30 * time.Second
	idleTimeout     = time.Minute
	maxHeader       = 16 << 10         // bytes
	shutdownTimeout = 10 * time.Second // of terminals, after Limits.EndTimeout
	closeTimeout    = time.Second      // of other requests: browsers keep connections without a request
)

// gateKey is the key of a connection in the contexts of its requests.
type gateKey struct{}

// Serve serves on the listener until the context ends, then ends all terminals as [Server.Shutdown] does and closes the
// listener. It returns nil after a graceful end.
func (s *Server) Serve(ctx context.Context, l net.Listener, c Certificate) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // a WebSocket needs it
	server := &http.Server{Handler: s, Protocols: protocols, BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, WriteTimeout: requestTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug)}
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if secured, ok := c.(*tls.Conn); ok {
			c = secured.NetConn()
		}
		return context.WithValue(ctx, gateKey{}, c)
	}
	l = gate.New(l)
	failed := make(chan error, 1)
	go func() {
		if c == (Certificate{}) {
			failed <- server.Serve(l)
		} else {
			failed <- server.ServeTLS(l, c.CertFile, c.KeyFile)
		}
	}()
	var err error
	select {
	case err = <-failed:
		failed <- nil
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Limits.EndTimeout+shutdownTimeout)
	defer cancel()
	err = errors.Join(err, s.Shutdown(grace))
	grace, cancel = context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	<-failed
	return err
}
