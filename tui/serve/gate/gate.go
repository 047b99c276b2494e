// Package gate bounds the connections of a server that have not joined. A class often has one address, so nobody is
// refused for what others of that address do: where too many connections wait, the oldest of them are closed.
package gate

import (
	"net"
	"slices"
	"sync"
)

// The bounds of waiting connections.
const (
	maxEach = 200 // of an address
	maxAll  = 600
)

// Listener is a listener whose connections wait until they are admitted or closed.
type Listener struct {
	net.Listener

	mu      sync.Mutex
	waiting []*Conn // in the order in which they came
}

// Conn is a connection of a Listener.
type Conn struct {
	net.Conn
	host string
	at   *Listener
}

// New returns a listener for the connections of another one.
func New(l net.Listener) *Listener { return &Listener{Listener: l} }

// Accept waits for a connection.
func (l *Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		host = c.RemoteAddr().String()
	}
	gated := &Conn{Conn: c, host: host, at: l}
	l.Wait(gated)
	return gated, nil
}

// Wait counts a connection as one that waits, and closes the oldest of its address, or of all, if there are too many.
func (l *Listener) Wait(c *Conn) {
	l.mu.Lock()
	l.waiting = append(l.waiting, c)
	var oldest *Conn
	each := 0
	for _, other := range slices.Backward(l.waiting) {
		if other.host != c.host {
			continue
		}
		each++
		if each > maxEach {
			oldest = other
		}
	}
	if oldest == nil && len(l.waiting) > maxAll {
		oldest = l.waiting[0]
	}
	l.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close()
	}
}

// Admit has the connection wait no longer: nothing closes it for another one.
func (c *Conn) Admit() {
	c.at.mu.Lock()
	defer c.at.mu.Unlock()
	c.at.waiting = slices.DeleteFunc(c.at.waiting, func(other *Conn) bool { return other == c })
}

// Wait has the connection wait again.
func (c *Conn) Wait() {
	c.Admit()
	c.at.Wait(c)
}

// Close closes the connection.
func (c *Conn) Close() error {
	c.Admit()
	return c.Conn.Close()
}
