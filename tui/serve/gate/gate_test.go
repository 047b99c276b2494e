package gate

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// source is a listener whose connections come from the addresses in turn.
type source struct {
	net.Listener
	hosts []string
	open  map[string]int // connections, by host
}

type conn struct {
	net.Conn
	host string
	of   *source
}

func (s *source) Accept() (net.Conn, error) {
	host := s.hosts[0]
	s.hosts = s.hosts[1:]
	s.open[host]++
	return conn{host: host, of: s}, nil
}

func (c conn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(c.host), Port: 9} }

func (c conn) Close() error {
	c.of.open[c.host]--
	return nil
}

// accept takes n connections of an address, and admits them or not.
func accept(t *testing.T, l *Listener, host string, n int, admit bool) (all []*Conn) {
	t.Helper()
	from := l.Listener.(*source)
	for range n {
		from.hosts = append(from.hosts, host)
		c, err := l.Accept()
		require.NoError(t, err)
		if admit {
			c.(*Conn).Admit()
		}
		all = append(all, c.(*Conn))
	}
	return all
}

// The oldest connections that wait are closed; those that were admitted stay, and new ones always come in.
func TestGate(t *testing.T) {
	const school, home = "192.0.2.7", "198.51.100.7"
	from := &source{open: map[string]int{}}
	l := New(from)
	class := accept(t, l, school, 40, true)
	quiet := accept(t, l, home, 3, false)
	accept(t, l, school, 700, false)
	if from.open[school] != 40+maxEach || from.open[home] != 3 {
		t.Errorf("after a flood: %v", from.open)
	}
	late := accept(t, l, school, 1, true)
	accept(t, l, school, maxEach, false)
	assert.Equal(t, 41+maxEach, from.open[school], "with one who joined late: %v", from.open)
	class[0].Wait()
	accept(t, l, school, maxEach, false)
	assert.Equal(t, 40+maxEach, from.open[school], "with one who waits again: %v", from.open)
	for _, c := range append(append(class[1:], late...), quiet...) {
		c.Close()
	}
	if from.open[school] != maxEach || from.open[home] != 0 {
		t.Errorf("after the end: %v", from.open)
	}
	for i := range maxAll {
		accept(t, l, net.IPv4(10, 0, byte(i/200), byte(i%200)).String(), 1, false)
	}
	if len(l.waiting) != maxAll || from.open[school] != 0 {
		t.Errorf("%d connections of many addresses wait, %d of the first one", len(l.waiting), from.open[school])
	}
}
