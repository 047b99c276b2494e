package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"charm.land/ssh"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"bandscope/tui/serve/gate"
)

// patience bounds how long the tests wait; nothing in them depends on how long it really takes.
const patience = time.Minute

// served is a server with its address.
type served struct {
	*Server
	address string
	over    *ssh.Server
}

// options are those of most tests.
func options(t testing.TB) Options {
	return Options{Dir: filepath.Join(t.TempDir(), "class"), Room: "bayes", People: 100, Idle: time.Hour, Stay: time.Hour,
		Disk: 1 << 30, Computing: time.Hour}
}

// begin serves over SSH until the test ends.
func begin(t testing.TB, o Options) *served {
	t.Helper()
	s, err := New(context.Background(), o)
	require.NoError(t, err)
	over, err := s.SSH()
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- over.Serve(gate.New(l)) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		assert.NoError(t, s.End(ctx))
		over.Close()
		if err := <-ended; !errors.Is(err, ssh.ErrServerClosed) {
			t.Error(err)
		}
	})
	return &served{s, l.Addr().String(), over}
}

// dial connects to a class, with answers to its questions: the code and the PIN.
func (c *served) dial(name, code, pin string) (*gossh.Client, error) {
	answers := []string{code, pin}
	return gossh.Dial("tcp", c.address, &gossh.ClientConfig{User: name, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
		Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(func(_, _ string, questions []string, _ []bool) ([]string,
			error) {
			n := min(len(questions), len(answers))
			now := answers[:n]
			answers = answers[n:]
			return now, nil
		})}})
}

// client is a terminal that has joined.
type client struct {
	t       testing.TB
	conn    *gossh.Client
	session *gossh.Session
	in      io.WriteCloser
	screen  *vt.SafeEmulator
	changed chan struct{} // holds a token after output
	ended   chan struct{}
	mu      sync.Mutex
	said    strings.Builder // standard error
}

// join joins as a student, or with a teacher's code, in a terminal of w×h cells.
func (c *served) join(t testing.TB, name string, teacher bool, w, h int, command ...string) *client {
	t.Helper()
	code, teachers := c.Codes()
	if teacher {
		code = teachers
	}
	conn, err := c.dial(name, code, "1234")
	require.NoError(t, err)
	return open(t, conn, "xterm-256color", w, h, command...)
}

// open opens a terminal in a connection.
func open(t testing.TB, conn *gossh.Client, term string, w, h int, command ...string) *client {
	t.Helper()
	s, err := conn.NewSession()
	require.NoError(t, err)
	in, err := s.StdinPipe()
	require.NoError(t, err)
	k := &client{t: t, conn: conn, session: s, in: in, screen: vt.NewSafeEmulator(max(w, 1), max(h, 1)), changed: make(chan struct{}, 1),
		ended: make(chan struct{})}
	s.Stdout, s.Stderr = writerFunc(k.show), writerFunc(k.hear)
	require.NoError(t, s.RequestPty(term, h, w, gossh.TerminalModes{}))
	if len(command) > 0 {
		err = s.Start(command[0])
	} else {
		err = s.Shell()
	}
	require.NoError(t, err)
	go func() { // until the process ends: to close an emulator while somebody reads is a race
		io.Copy(in, k.screen) // answers to the program's questions
		io.Copy(io.Discard, k.screen)
	}()
	go func() { s.Wait(); close(k.ended) }()
	t.Cleanup(func() { conn.Close(); <-k.ended })
	return k
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func (k *client) show(p []byte) (int, error) {
	k.mu.Lock()
	n, err := k.screen.Write(p)
	k.mu.Unlock()
	select {
	case k.changed <- struct{}{}:
	default:
	}
	return n, err
}

func (k *client) hear(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.said.Write(p)
}

// heard is what the server printed beside the screen.
func (k *client) heard() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.said.String()
}

// text is what the screen shows.
func (k *client) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var s strings.Builder
	for y := range k.screen.Height() {
		for x := range k.screen.Width() {
			if c := k.screen.CellAt(x, y); c != nil && c.Content != "" {
				s.WriteString(c.Content)
			} else {
				s.WriteByte(' ')
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// wait waits until the screen shows a text.
func (k *client) wait(want string) {
	k.t.Helper()
	deadline := time.After(patience)
	for !strings.Contains(k.text(), want) {
		select {
		case <-k.changed:
		case <-k.ended:
			if !strings.Contains(k.text(), want) {
				k.t.Fatalf("the terminal ended before it showed %q; it said %s", want, k.heard())
			}
		case <-deadline:
			k.t.Fatalf("waited in vain for %q; the screen:\n%s", want, k.text())
		}
	}
}

// escape is the key as terminals report it that tell it from the beginning of a sequence: alone, a key that comes in the
// same read would be one with alt.
const escape = "\x1b[27u"

// pressUntil types keys, again after some seconds, until the screen shows a text: a key that meets the answer of the
// terminal to a question is part of this answer.
func (k *client) pressUntil(keys, want string) {
	k.t.Helper()
	for range 5 {
		k.press(keys)
		deadline := time.After(patience / 5)
		for waiting := true; waiting; {
			if strings.Contains(k.text(), want) {
				return
			}
			select {
			case <-k.changed:
			case <-deadline:
				waiting = false
			}
		}
	}
	k.t.Fatalf("waited in vain for %q; the screen:\n%s", want, k.text())
}

// press types keys.
func (k *client) press(keys string) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, keys); err != nil {
		k.t.Fatal(err)
	}
}

// resize gives the terminal another size.
func (k *client) resize(w, h int) {
	k.t.Helper()
	k.mu.Lock()
	k.screen.Resize(w, h)
	k.mu.Unlock()
	if err := k.session.WindowChange(h, w); err != nil {
		k.t.Fatal(err)
	}
}

// over waits for the end of the terminal, and returns what the server said.
func (k *client) over() string {
	k.t.Helper()
	select {
	case <-k.ended:
	case <-time.After(patience):
		k.t.Fatalf("the terminal does not end; the screen:\n%s", k.text())
	}
	return k.heard()
}
