package web

import "time"

// Limits bound what browsers can ask of the server. A class often has one address (a router), so there are no limits for
// an address: connections that have not joined are closed for others, see package gate.
type Limits struct {
	Connections int // WebSockets that have joined; 200

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
	duration := func(v *time.Duration, otherwise time.Duration) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	if l.Connections <= 0 {
		l.Connections = 200
	}
	duration(&l.HelloTimeout, 10*time.Second)
	duration(&l.JoinTimeout, 10*time.Second)
	duration(&l.WriteTimeout, 5*time.Second)
	duration(&l.InputTimeout, 30*time.Second)
	duration(&l.PingInterval, 15*time.Second)
	duration(&l.PingTimeout, 20*time.Second)
	duration(&l.EndTimeout, 5*time.Second)
	return l
}
