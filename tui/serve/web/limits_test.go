package web

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Connections that have joined are bounded, and only they; the end of one makes place for another.
func TestConnectionsAreBounded(t *testing.T) {
	inBubble(t, Options{Join: serving(echo), Limits: Limits{Connections: 2}}, func(t *testing.T, s *site) {
		for range 5 {
			s.dial(t, address)
		}
		first := s.joined(t, address, hello())
		s.joined(t, address, hello())
		wantEnd(t, s.browser(t, "192.0.2.3", hello()), codeBusy, "There are too many connections")
		first.CloseNow()
		synctest.Wait()
		s.joined(t, "192.0.2.3", hello())
	})
}

// A browser has to send its hello in time, and the server has to let it join in time.
func TestJoiningIsBounded(t *testing.T) {
	slow := func(ctx context.Context, _ Hello) (string, func(context.Context, Client) error, error) {
		<-ctx.Done()
		return "", nil, ctx.Err()
	}
	inBubble(t, Options{Join: slow}, func(t *testing.T, s *site) {
		begun := time.Now()
		if code, _ := closing(t, s.dial(t, address)); code != -1 || time.Since(begun) != s.server.o.Limits.HelloTimeout {
			t.Errorf("without a hello: %v after %v", code, time.Since(begun))
		}
		begun = time.Now()
		wantEnd(t, s.browser(t, address, hello()), codeBusy, "The server is busy")
		assert.Equal(t, s.server.o.Limits.JoinTimeout, time.Since(begun), "the server has tried for")
	})
}

// A frame has at most 64 KiB.
func TestFramesAreBounded(t *testing.T) {
	inBubble(t, Options{Join: serving(idle)}, func(t *testing.T, s *site) {
		c := s.joined(t, address, hello())
		go c.Write(t.Context(), websocket.MessageBinary, make([]byte, maxFrame+1))
		if code, _ := closing(t, c); code != websocket.StatusMessageTooBig {
			t.Errorf("the connection ends with %v", code)
		}
	})
}

// A paste of a megabyte is read slowly, and arrives whole.
func TestPasteIsSlow(t *testing.T) {
	var read int64
	serve := func(_ context.Context, c Client) (err error) {
		read, err = io.Copy(io.Discard, c.In)
		return err
	}
	inBubble(t, Options{Join: serving(serve)}, func(t *testing.T, s *site) {
		c := s.joined(t, address, hello())
		begun := time.Now()
		for range 16 {
			press(t, c, strings.Repeat("x", maxFrame))
		}
		took := time.Since(begun)
		c.Close(websocket.StatusGoingAway, "")
		synctest.Wait()
		if want := time.Second * (1<<20 - byteBurst - 2*maxFrame) / byteRate; took < want || read != 1<<20 {
			t.Errorf("%d bytes are read in %v, want at least %v", read, took, want)
		}
	})
}

// Many small frames are read slowly too.
func TestFramesAreSlow(t *testing.T) {
	inBubble(t, Options{Join: serving(echo)}, func(t *testing.T, s *site) {
		c := s.joined(t, address, hello())
		begun := time.Now()
		for range frameBurst + 10*frameRate {
			say(t, c, message{Type: "size", Cols: 80, Rows: 24})
		}
		if took := time.Since(begun); took < 9*time.Second {
			t.Errorf("the frames are read in %v", took)
		}
	})
}

// A program that reads no keys does not let them pile up.
func TestUnreadKeysEndTheConnection(t *testing.T) {
	inBubble(t, Options{Join: serving(idle), Limits: Limits{InputTimeout: 10 * time.Second}}, func(t *testing.T, s *site) {
		c := s.joined(t, address, hello())
		begun := time.Now()
		press(t, c, "x")
		wantEnd(t, c, codeGarbage, "The program does not read keys.")
		assert.Equal(t, s.server.o.Limits.InputTimeout, time.Since(begun), "the connection ends after")
	})
}

// A browser that does not read is disconnected in time, whether the network is full or the browser acknowledges nothing.
func TestUnreadOutputEndsTheConnection(t *testing.T) {
	var took time.Duration
	var failure error
	serve := func(_ context.Context, c Client) error {
		for failure == nil {
			begun := time.Now()
			_, failure = c.Out.Write(make([]byte, 100_000))
			took = time.Since(begun)
		}
		if _, err := c.Out.Write(nil); err == nil {
			t.Error("output can be written after an error")
		}
		return failure
	}
	for name, reads := range map[string]bool{"reads nothing": false, "acknowledges nothing": true} {
		failure = nil
		inBubble(t, Options{Join: serving(serve)}, func(t *testing.T, s *site) {
			c := s.joined(t, address, hello())
			received := 0
			for reads {
				_, frame, err := c.Read(t.Context())
				if received += len(frame); err != nil {
					break
				}
			}
			s.server.open.Wait()
			if failure == nil || took != s.server.o.Limits.WriteTimeout || received > maxUnread {
				t.Errorf("%s: %v after %v and %d bytes", name, failure, took, received)
			}
			c.CloseNow()
		})
	}
}

// Acknowledgements let the output continue.
func TestAcknowledgements(t *testing.T) {
	const size = 3 * maxUnread
	serve := func(_ context.Context, c Client) error {
		_, err := c.Out.Write(make([]byte, size))
		return err
	}
	inBubble(t, Options{Join: serving(serve)}, func(t *testing.T, s *site) {
		c := s.joined(t, address, hello())
		for received := 0; received < size; {
			_, frame, err := c.Read(t.Context())
			require.NoError(t, err)
			received += len(frame)
			ack, err := message{Type: "ack", Bytes: int64(len(frame))}.encode()
			require.NoError(t, err)
			go c.Write(t.Context(), websocket.MessageText, ack) // while the server writes
		}
		wantEnd(t, c, codeLeft, "")
	})
}

// A browser that is gone without a word is noticed by a ping; one that answers stays.
func TestPing(t *testing.T) {
	inBubble(t, Options{Join: serving(idle)}, func(t *testing.T, s *site) {
		stays := s.joined(t, address, hello())
		go stays.Read(t.Context())
		gone := s.dial(t, address, func(o *websocket.DialOptions) {
			o.OnPingReceived = func(context.Context, []byte) bool { return false }
		})
		say(t, gone, hello())
		begun := time.Now()
		if code, _ := closing(t, gone); code != -1 {
			t.Errorf("the connection ends with %v", code)
		}
		if took, want := time.Since(begun), s.server.o.Limits.PingInterval+s.server.o.Limits.PingTimeout; took != want {
			t.Errorf("the connection ends after %v, want %v", took, want)
		}
		time.Sleep(10 * time.Minute)
		say(t, stays, message{Type: "size", Cols: 80, Rows: 24})
		synctest.Wait()
		if n := s.server.connections.Load(); n != 1 {
			t.Errorf("there are %d connections", n)
		}
		stays.CloseNow()
	})
}

// A page of another version asks the person to reload it.
func TestProtocolVersion(t *testing.T) {
	inBubble(t, Options{Join: serving(idle)}, func(t *testing.T, s *site) {
		c := s.dial(t, address, func(o *websocket.DialOptions) { o.Subprotocols = []string{"bandscope.terminal.0"} })
		wantEnd(t, c, codeRefused, "The page is of another version: reload it.")
	})
}
