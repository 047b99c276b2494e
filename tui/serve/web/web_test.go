package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A browser joins, its keys and sizes arrive, the output comes back, and it leaves.
func TestTerminal(t *testing.T) {
	var got Hello
	var size Size
	join := func(_ context.Context, h Hello) (string, func(context.Context, Client) error, error) {
		got = h
		return "the token", func(ctx context.Context, c Client) error {
			size = <-c.Sizes
			return echo(ctx, c)
		}, nil
	}
	inBubble(t, Options{Join: join}, func(t *testing.T, s *site) {
		m := hello()
		m.Name, m.Dark, m.Token = " Ada ", true, "before"
		c := s.browser(t, address, m)
		if m := hear(t, c); m.Token != "the token" || m.Watch {
			t.Errorf("the answer is %+v", m)
		}
		want := Hello{Name: "Ada", Code: "abc", Token: "before", Remote: address, Dark: true, Cols: 80, Rows: 24}
		assert.Equal(t, want, got, "the hello")
		say(t, c, message{Type: "size", Cols: 100_000, Rows: 50})
		say(t, c, message{Type: "ping"})
		if m := hear(t, c); m.Type != "pong" {
			t.Errorf("the answer to a ping is %+v", m)
		}
		press(t, c, "ä\x1b[A")
		if _, frame, err := c.Read(t.Context()); err != nil || string(frame) != "ä\x1b[A" {
			t.Errorf("the output is %q, %v", frame, err)
		}
		if want := (Size{MaxCols, 50}); size != want {
			t.Errorf("the size is %v, want %v", size, want)
		}
		press(t, c, "q")
		wantEnd(t, c, codeLeft, "")
	})
}

func press(t *testing.T, c *websocket.Conn, keys string) {
	t.Helper()
	require.NoError(t, c.Write(t.Context(), websocket.MessageBinary, []byte(keys)))
}

// The person reads why a hello is refused, and why a terminal has ended; a panic ends one terminal.
func TestErrorsAreShown(t *testing.T) {
	join := func(_ context.Context, h Hello) (string, func(context.Context, Client) error, error) {
		switch h.Code {
		case "ended":
			return "", func(context.Context, Client) error { return errors.New("you were idle for an hour\x1b[2J") }, nil
		case "panic":
			return "", func(context.Context, Client) error { panic("secret") }, nil
		case "abc":
			return "", echo, nil
		}
		return "", nil, errors.New("the join code is wrong")
	}
	inBubble(t, Options{Join: join}, func(t *testing.T, s *site) {
		other := s.joined(t, address, hello())
		for code, want := range map[string]struct {
			code websocket.StatusCode
			text string
		}{
			"ended": {codeEnded, "You were idle for an hour␛[2J."},
			"panic": {codeEnded, "An error of the program ended your terminal."},
			"other": {codeRefused, "The join code is wrong."},
		} {
			m := hello()
			m.Code = code
			wantEnd(t, s.browser(t, address, m), want.code, want.text)
		}
		press(t, other, "x")
		if _, frame, err := other.Read(t.Context()); string(frame) != "x" {
			t.Errorf("another terminal answers %q, %v", frame, err)
		}
		press(t, other, "q")
		wantEnd(t, other, codeLeft, "")
	})
}

// What no browser with the page sends closes the connection.
func TestGarbage(t *testing.T) {
	inBubble(t, Options{Join: serving(echo)}, func(t *testing.T, s *site) {
		for _, frame := range []string{"", "{", "null", "[]", `{"type":"ping","name":"` + "\xff" + `"}`,
			`{"type":"x"}`, `{"type":"size"}`,
			`{"type":"size","cols":-1,"rows":2}`, `{"type":"size","cols":1e99,"rows":1}`, `{"type":"ack","bytes":1}`,
			`{"type":"ack","bytes":-1}`, `{"type":"hello"}`,
			`{"type":"ping"}{}`, `{"type":"ping","more":1}`, strings.Repeat("[", 10_000)} {
			c := s.joined(t, address, hello())
			require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(frame)))
			if code, _ := closing(t, c); code != codeGarbage {
				t.Errorf("%.40q: the connection ends with %v", frame, code)
			}
		}
		c := s.dial(t, address)
		press(t, c, "x")
		wantEnd(t, c, codeGarbage, "The first message is not a hello.")
		for name, change := range map[string]func(*message){
			"no name":   func(m *message) { m.Name = " " },
			"long name": func(m *message) { m.Name = strings.Repeat("ä", maxName+1) },
			"control":   func(m *message) { m.Name = "a\x1b[2J" },
			"direction": func(m *message) { m.Name = "a\u202eb" },
			"long code": func(m *message) { m.Code = strings.Repeat("a", maxSecret+1) },
			"no size":   func(m *message) { m.Cols = 0 },
			"long":      func(m *message) { m.Text = strings.Repeat("a", maxHello) },
			"type":      func(m *message) { m.Type = "ping" },
		} {
			m := hello()
			change(&m)
			if code, text := closing(t, s.browser(t, address, m)); code != codeRefused || text == "" {
				t.Errorf("%s: the connection ends with %v, %q", name, code, text)
			}
		}
	})
}

// A browser that watches has no keys, and needs no name.
func TestWatch(t *testing.T) {
	var read []byte
	serve := func(_ context.Context, c Client) (err error) {
		read, err = io.ReadAll(c.In)
		return err
	}
	inBubble(t, Options{Join: serving(serve)}, func(t *testing.T, s *site) {
		m := hello()
		m.Name, m.Watch = "", true
		c := s.joined(t, address, m)
		press(t, c, "x")
		wantEnd(t, c, codeGarbage, "A browser that watches sends no keys.")
		if len(read) > 0 {
			t.Errorf("the program has read %q", read)
		}
	})
}

// Of many sizes the program gets the latest; the browser does not wait for it.
func TestLatestSize(t *testing.T) {
	var got []Size
	serve := func(ctx context.Context, c Client) error {
		c.In.Read(make([]byte, 1))
		for len(c.Sizes) > 0 {
			got = append(got, <-c.Sizes)
		}
		return nil
	}
	inBubble(t, Options{Join: serving(serve)}, func(t *testing.T, s *site) {
		c := s.joined(t, address, hello())
		for n := range 150 {
			say(t, c, message{Type: "size", Cols: n + 1, Rows: n + 1})
		}
		press(t, c, "x")
		wantEnd(t, c, codeLeft, "")
		if len(got) != 1 || got[0] != (Size{150, 150}) {
			t.Errorf("the program gets %v", got)
		}
	})
}

// At the end of the server, terminals can say goodbye, and browsers are given the reason.
func TestEnd(t *testing.T) {
	serve := func(ctx context.Context, c Client) error {
		<-ctx.Done()
		io.WriteString(c.Out, "goodbye")
		return ctx.Err()
	}
	inBubble(t, Options{Join: serving(serve)}, func(t *testing.T, s *site) {
		c, early := s.joined(t, address, hello()), s.dial(t, address)
		synctest.Wait()
		s.stop()
		if _, frame, err := c.Read(t.Context()); string(frame) != "goodbye" {
			t.Errorf("the last output is %q, %v", frame, err)
		}
		wantEnd(t, c, codeEnding, "The server has ended.")
		closing(t, early)
	})
}

// What serves a client and does not end keeps neither the browser nor the server for long.
func TestEndIsNotDelayed(t *testing.T) {
	release := make(chan struct{})
	synctest.Test(t, func(t *testing.T) {
		serve := func(context.Context, Client) error { <-release; return nil }
		release = make(chan struct{})
		ctx, stop := context.WithCancel(t.Context())
		s := &site{network: newNetwork(), server: New(Options{Join: serving(serve)}), ended: make(chan error, 1)}
		go func() { s.ended <- s.server.Serve(ctx, s.network, Certificate{}) }()
		c := s.joined(t, address, hello())
		begun := time.Now()
		stop()
		wantEnd(t, c, codeEnding, "The server has ended.")
		assert.Equal(t, s.server.o.Limits.EndTimeout, time.Since(begun), "the browser reads of the end after")
		assert.Error(t, <-s.ended, "the end of the server is said to be graceful")
		close(release)
	})
}

// Nothing is left of 1,000 browsers that connect and disconnect, politely or not.
func TestNothingIsLeft(t *testing.T) {
	inBubble(t, Options{Join: serving(echo)}, func(t *testing.T, s *site) {
		visit := func(n int) {
			switch n % 5 {
			case 0: // quits
				c := s.joined(t, address, hello())
				press(t, c, "q")
				closing(t, c)
			case 1: // closes the tab
				s.joined(t, address, hello()).Close(websocket.StatusGoingAway, "")
			case 2: // loses the network
				s.joined(t, address, hello()).CloseNow()
			case 3: // loses it before the answer
				s.browser(t, address, hello()).CloseNow()
			case 4: // sends no hello
				s.dial(t, address).CloseNow()
			}
		}
		for n := range 5 {
			visit(n)
		}
		synctest.Wait()
		before := runtime.NumGoroutine()
		for n := range 1000 {
			visit(n)
		}
		synctest.Wait()
		if after := runtime.NumGoroutine(); after > before+5 { // the runtime and earlier tests have some that come and go
			t.Errorf("there are %d goroutines, before %d", after, before)
		}
		if n := s.server.connections.Load(); n != 0 {
			t.Errorf("%d connections are counted", n)
		}
	})
}

// The log has neither codes nor tokens nor keys nor names.
func TestLogHasNoSecrets(t *testing.T) {
	var log safeBuffer
	join := func(_ context.Context, h Hello) (string, func(context.Context, Client) error, error) {
		if h.Code == "secretcode" {
			return "secrettoken", echo, nil
		}
		return "", nil, fmt.Errorf("the code %s is wrong", h.Code)
	}
	o := Options{Join: join, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	inBubble(t, o, func(t *testing.T, s *site) {
		m := message{Type: "hello", Name: "secretname", Code: "secretcode", Token: "secretbefore", Cols: 80, Rows: 24}
		c := s.joined(t, address, m)
		press(t, c, "secretkeys")
		say(t, c, message{Type: "size", Cols: 90, Rows: 20})
		c.Write(t.Context(), websocket.MessageText, []byte(`{"type":"secretgarbage"}`))
		closing(t, c)
		m.Code = "secretguess"
		closing(t, s.browser(t, address, m))
		c = s.dial(t, address)
		c.Write(t.Context(), websocket.MessageText, []byte(`secrethello`))
		closing(t, c)
	})
	if text := log.String(); strings.Contains(text, "secret") || strings.Count(text, "a connection has ended") != 3 {
		t.Errorf("the log is\n%s", text)
	}
}

type safeBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}
