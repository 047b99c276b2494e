package web

import (
	"sync"
	"time"
)

// Limits bound what browsers can ask of the server. A class often has one address (a router), so the limits for
// an address have to suffice for a class.
type Limits struct {
	Connections int // WebSockets in total; 200
	PerAddress  int // WebSockets of an address (of a /64 network in IPv6); 100
	Joins       int // attempts to join, for an address and a minute; 240
	FailedJoins int // refused attempts to join, for an address and a minute; 60

	HelloTimeout time.Duration // until the hello has arrived; 10 s
	JoinTimeout  time.Duration // for a Join; 10 s
	WriteTimeout time.Duration // until a browser has taken the bytes of one Write; 5 s
	InputTimeout time.Duration // until the program has read a frame of keys; 30 s
	PingInterval time.Duration // between pings; 15 s
	PingTimeout  time.Duration // until a ping is answered; 20 s
	EndTimeout   time.Duration // until what serves a client returns after its context has ended; 5 s
}

// The bounds of what a browser sends.
const (
	maxFrame    = 64 << 10 // bytes of a frame
	maxHello    = 4 << 10  // bytes of a hello
	maxName     = 40       // characters
	maxSecret   = 256      // bytes of a code or a token
	byteRate    = 64 << 10 // bytes a second that are read, after the first byteBurst
	byteBurst   = 4 * maxFrame
	frameRate   = 200 // frames a second that are read, after the first frameBurst
	frameBurst  = 400
	maxUnread   = 512 << 10 // bytes of output that a browser has not acknowledged
	maxOutput   = 64 << 10  // bytes of a frame of output
	maxSentence = 500       // characters of an error that is shown
)

func (l Limits) orDefaults() Limits {
	number := func(v *int, otherwise int) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	duration := func(v *time.Duration, otherwise time.Duration) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	number(&l.Connections, 200)
	number(&l.PerAddress, 100)
	number(&l.Joins, 240)
	number(&l.FailedJoins, 60)
	duration(&l.HelloTimeout, 10*time.Second)
	duration(&l.JoinTimeout, 10*time.Second)
	duration(&l.WriteTimeout, 5*time.Second)
	duration(&l.InputTimeout, 30*time.Second)
	duration(&l.PingInterval, 15*time.Second)
	duration(&l.PingTimeout, 20*time.Second)
	duration(&l.EndTimeout, 5*time.Second)
	return l
}

// counter counts connections, in total and of each address.
type counter struct {
	max, maxEach int

	mu    sync.Mutex
	total int
	each  map[string]int
}

// add counts a connection of an address, unless there are too many.
func (c *counter) add(address string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total >= c.max || c.each[address] >= c.maxEach {
		return false
	}
	if c.each == nil {
		c.each = map[string]int{}
	}
	c.total++
	c.each[address]++
	return true
}

// remove takes back an add.
func (c *counter) remove(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total--
	if c.each[address]--; c.each[address] == 0 {
		delete(c.each, address)
	}
}

// attempts counts attempts of addresses within a minute, of at most maxAddresses.
type attempts struct {
	max int

	mu    sync.Mutex
	since time.Time
	count map[string]int
}

// maxAddresses bounds the memory for attempts.
const maxAddresses = 10_000

// add counts an attempt, unless there are too many of the address in this minute.
func (a *attempts) add(address string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over(address) {
		return false
	}
	a.count[address]++
	return true
}

// reached reports whether no further attempt of the address is counted in this minute.
func (a *attempts) reached(address string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.over(address)
}

// over is reached, with the lock held.
func (a *attempts) over(address string) bool {
	if now := time.Now(); a.count == nil || now.Sub(a.since) >= time.Minute {
		a.since, a.count = now, map[string]int{}
	}
	n, known := a.count[address]
	return n >= a.max || !known && len(a.count) >= maxAddresses
}
