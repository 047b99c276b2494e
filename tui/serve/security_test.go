package serve

import (
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// Who has no code, no PIN or no proper name does not join, and hears why.
func TestAuthentication(t *testing.T) {
	c := begin(t, options(t))
	join, teacher := c.Codes()
	first, err := c.dial("ada", teacher, "1234")
	require.NoError(t, err)
	first.Close()
	for _, test := range []struct {
		what, name, code, pin string
		ok                    bool
	}{
		{"the same person again", "ada", join, "1234", true},
		{"upper case", "ADA", strings.ToUpper(join), "1234", true},
		{"another PIN", "ada", join, "12345", false},
		{"no code", "bob", "", "1234", false},
		{"another code", "bob", "aaaa-aaaa", "1234", false},
		{"a short PIN", "bob", join, "123", false},
		{"a path", "../ada", join, "1234", false},
		{"a hidden folder", ".ssh", join, "1234", false},
		{"no name", "", join, "1234", false},
		{"a long name", strings.Repeat("a", 33), join, "1234", false},
		{"control characters", "a\x1b[2J", join, "1234", false},
	} {
		conn, err := c.dial(test.name, test.code, test.pin)
		assert.Equal(t, test.ok, err == nil, "%s: %v", test.what, err)
		if conn != nil {
			conn.Close()
		}
	}
	for range pinsAtOnce {
		c.dial("ada", join, "4321")
	}
	if conn, err := c.dial("ada", join, "1234"); err == nil {
		conn.Close()
		t.Error("after many wrong PINs one can try on")
	}
	conn, err := c.dial("bob", join, "1234")
	require.NoError(t, err, "after the wrong PINs of another name")
	conn.Close()
}

// Keys of the file join without a code, and do not get the folder of another person.
func TestKeys(t *testing.T) {
	o := options(t)
	public, private, _ := ed25519.GenerateKey(rand.Reader)
	key, err := gossh.NewPublicKey(public)
	require.NoError(t, err)
	signer, err := gossh.NewSignerFromKey(private)
	require.NoError(t, err)
	_, other, _ := ed25519.GenerateKey(rand.Reader)
	stranger, _ := gossh.NewSignerFromKey(other)
	o.Keys = filepath.Join(t.TempDir(), "keys")
	require.NoError(t, os.WriteFile(o.Keys, append([]byte("# a class\n\n"), gossh.MarshalAuthorizedKey(key)...), 0o600))
	c := begin(t, o)
	c.join(t, "ada", true, 100, 30).wait("step 0/50")
	dial := func(name string, with gossh.Signer) (*gossh.Client, error) {
		return gossh.Dial("tcp", c.address, &gossh.ClientConfig{User: name, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
			Auth: []gossh.AuthMethod{gossh.PublicKeys(with)}})
	}
	conn, err := dial("bob", signer)
	require.NoError(t, err)
	open(t, conn, "xterm", 100, 30).wait("ada teaches")
	if conn, err = dial("ada", signer); err != nil {
		t.Fatal(err)
	}
	if text := open(t, conn, "xterm", 100, 30).over(); !strings.Contains(text, ErrTaken.Error()) {
		t.Errorf("under the name of another: %q", text)
	}
	if conn, err := dial("bob", stranger); err == nil {
		conn.Close()
		t.Error("another key joins")
	}
}

// There is no shell, no command, no subsystem and no forwarding.
func TestNothingElse(t *testing.T) {
	c := begin(t, options(t))
	join, _ := c.Codes()
	conn, err := c.dial("bob", join, "1234")
	require.NoError(t, err)
	defer conn.Close()
	for _, command := range []string{"sh", "ls /", "bandscope run --exec sh"} {
		s, err := conn.NewSession()
		require.NoError(t, err)
		out, err := s.CombinedOutput(command)
		if err == nil || !strings.Contains(string(out), "no commands run here") {
			t.Errorf("%s: %q, %v", command, out, err)
		}
	}
	s, _ := conn.NewSession()
	assert.Error(t, s.RequestSubsystem("sftp"), "sftp is served")
	if ok, _, _ := conn.SendRequest("tcpip-forward", true, gossh.Marshal(struct {
		Host string
		Port uint32
	}{"127.0.0.1", 0})); ok {
		t.Error("ports are forwarded to the client")
	}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		defer l.Close()
		if end, err := conn.Dial("tcp", l.Addr().String()); err == nil {
			end.Close()
			t.Error("ports are forwarded from the client")
		}
	}
	if ch, _, err := conn.OpenChannel("auth-agent@openssh.com", nil); err == nil {
		ch.Close()
		t.Error("an agent is forwarded")
	}
}

// No screen takes a path or starts a program, in the process of a server.
func TestConfined(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is shared")
	}
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	ada.press("\x1a ") // ctrl+z
	ada.wait("step 1/50")
	outside := filepath.Join(t.TempDir(), "outside.jsonl")
	ada.press("\x13") // ctrl+s
	ada.wait("save as")
	ada.press("\x15" + outside + "\r")
	ada.wait("cannot be named")
	if _, err := os.Stat(outside); err == nil {
		t.Error("a session is saved outside of the folder")
	}
	ada.press(escape)
	ada.wait("space step")
	ada.press("\x05") // ctrl+e
	ada.wait("export to")
	ada.press("\x15" + filepath.Join(c.options.Dir, "x.svg") + "\r")
	ada.wait("cannot be named")
}

// Codes that are missing, or the same, are made again: nobody joins without one.
func TestCodesAreMadeAgain(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{`{}`, `{"Codes": {"Join": "", "Teacher": "x"}}`, `{"Codes": {"Join": "x", "Teacher": "x"}}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "people.json"), []byte(text), 0o600))
		p, err := openPeople(dir)
		require.NoError(t, err)
		for _, code := range []string{"", "x"} {
			_, err = p.role(code)
			assert.Error(t, err, "%s: %q is a code", text, code)
		}
		if again, err := openPeople(dir); err != nil || again.Codes != p.Codes {
			t.Errorf("%s: the new codes are not kept", text)
		}
	}
	for _, text := range []string{`[`, `{"Known": {"../x": {}}}`} {
		os.WriteFile(filepath.Join(dir, "people.json"), []byte(text), 0o600)
		if _, err := openPeople(dir); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

// The files of a class are its owner's alone.
func TestPermissions(t *testing.T) {
	c := begin(t, options(t))
	c.join(t, "ada", true, 100, 30).wait("step 0/50")
	for name, want := range map[string]os.FileMode{".": 0o700, "people": 0o700, "people/ada": 0o700, "people.json": 0o600,
		"host_ed25519": 0o600} {
		info, err := os.Stat(filepath.Join(c.options.Dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if _, err := New(t.Context(), Options{Dir: c.options.Dir, Room: "../x"}); err == nil {
		t.Error("a room has any name")
	}
}

// Only addresses of this machine are called so.
func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "localhost:1": true, "0.0.0.0:1": false,
		"[::]:1": false, ":1": false, "192.168.0.1:1": false, "": false} {
		assert.Equal(t, want, Loopback(address), "%q: %v", address, !want)
	}
}
