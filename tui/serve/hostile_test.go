package serve

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// hostile are inputs that end a process or fill its memory in the decoder of Bubble Tea.
func hostile() []string {
	return []string{
		"\x1b[" + strings.Repeat("4;", 36) + "2m", "\x1bP" + strings.Repeat("5:", 39) + "1|\x1b\\",
		"\x9b" + strings.Repeat("3;", 33) + "1m", "\x9bM()*", "\x1b[8;1700000;1600000t", "\x1b[48;1700000;1600000;2;2t",
		"\x1b[67;0;99;1;0;65535_", "\x1b[<0;2147483640;2147483641M", "\xfc", "\x1b]2;" + strings.Repeat("u", 9000) + "\a",
	}
}

// What students send ends nobody's window, over SSH and in browsers, not even their own.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is shared")
	}
	c := begin(t, options(t))
	position := c.webAt(t)
	join, _ := c.Codes()
	teacher := c.join(t, "ada", true, 100, 30)
	teacher.wait("step 0/50")
	mia := c.join(t, "mia", false, 100, 30)
	mia.wait("ada teaches")
	noah := visit(t, position, map[string]any{"name": "Noah", "code": join})
	noah.wait("ada teaches")
	for _, in := range hostile() {
		mia.press(in)
		noah.press(in)
	}
	for _, size := range [][2]uint32{{1 << 31, 1 << 31}, {0, 0}, {1<<32 - 1, 1}, {30, 100}} {
		payload := gossh.Marshal(struct{ Columns, Rows, Width, Height uint32 }{size[1], size[0], 0, 0})
		if _, err := mia.session.SendRequest("window-change", false, payload); err != nil {
			t.Fatal(err)
		}
	}
	teacher.press(" ")
	teacher.wait("step 1/50")
	mia.wait("step 1/50")
	noah.wait("step 1/50")
	mia.pressUntil("z", "z does nothing here")
	noah.press("z")
	noah.wait("z does nothing here")
}

// TestHostileRequests sends requests of SSH with any payload, in sessions with and without a terminal.
func TestHostileRequests(t *testing.T) {
	c := begin(t, options(t))
	join, _ := c.Codes()
	conn, err := c.dial("mia", join, "1234")
	require.NoError(t, err)
	defer conn.Close()
	rng := rand.New(rand.NewPCG(5, 2))
	types := []string{"env", "env", "pty-req", "window-change", "signal", "break", "subsystem", "auth-agent-req@openssh.com", "x"}
	pty := gossh.Marshal(struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}{"xterm", 1 << 31, 1 << 31, 0, 0, "\x01"})
	for range 40 {
		s, err := conn.NewSession()
		require.NoError(t, err)
		for range 60 {
			payload := make([]byte, rng.IntN(70))
			for i := range payload {
				payload[i] = byte(rng.IntN(1 + rng.IntN(256)))
			}
			name := types[rng.IntN(len(types))]
			if name == "pty-req" {
				payload = pty[:rng.IntN(len(pty)+1)]
			}
			_, err = s.SendRequest(name, false, payload)
			require.NoError(t, err)
		}
		s.Close()
	}
	_, _, err = conn.SendRequest("any", true, []byte("\xff\xff\xff\xff"))
	assert.NoError(t, err)
	c.join(t, "mia", false, 90, 25).wait("The teacher is not here yet")
}

// TestBoundsOfSessions bounds the sessions of a connection, and the variables of a session.
func TestBoundsOfSessions(t *testing.T) {
	c := begin(t, options(t))
	join, _ := c.Codes()
	conn, err := c.dial("mia", join, "1234")
	require.NoError(t, err)
	defer conn.Close()
	first, err := conn.NewSession()
	require.NoError(t, err)
	assert.Error(t, first.Setenv("COLORTERM", strings.Repeat("v", maxVariable)), "a long variable is taken")
	taken := 0
	for range 2 * maxEnvironment {
		if first.Setenv("COLORTERM", "truecolor") == nil {
			taken++
		}
	}
	if taken != maxEnvironment-1 {
		t.Errorf("%d variables are taken", taken)
	}
	for range maxSessions - 1 {
		_, err = conn.NewSession()
		require.NoError(t, err)
	}
	_, err = conn.NewSession()
	assert.ErrorContains(t, err, "too many sessions", "the next session")
}
