package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/serve/gate"
)

// Limits of a connection before it has joined, and of what it may say.
const (
	handshakeTimeout = 30 * time.Second
	maxEnvironment   = 32  // variables
	maxVariable      = 256 // bytes of one
	maxTries         = 4   // of codes and PINs in one connection
	maxSessions      = 8   // at once in one connection
)

// The keys of what a connection keeps.
type (
	personKey   struct{}
	sessionsKey struct{}
	gateKey     struct{}
)

// SSH is the server of terminals over SSH. There is no shell, no command, no forwarding and no transfer of files.
func (s *Server) SSH() (*ssh.Server, error) {
	var keys []ssh.PublicKey
	if s.options.Keys != "" {
		var err error
		keys, err = readKeys(s.options.Keys)
		if err != nil {
			return nil, err
		}
	}
	options := []ssh.Option{
		wish.WithHostKeyPath(filepath.Join(s.options.Dir, "host_ed25519")),
		wish.WithVersion("bandscope"),
		ssh.EmulatePty(),
		ssh.KeyboardInteractiveAuth(s.ask),
		ssh.WrapConn(connected),
		wish.WithMiddleware(s.serveSSH),
	}
	if len(keys) > 0 {
		options = append(options, ssh.PublicKeyAuth(func(_ ssh.Context, key ssh.PublicKey) bool {
			return slices.ContainsFunc(keys, func(k ssh.PublicKey) bool { return ssh.KeysEqual(k, key) })
		}))
	}
	server, err := wish.NewServer(options...)
	if err != nil {
		return nil, err
	}
	server.HandshakeTimeout = handshakeTimeout
	server.ChannelHandlers = map[string]ssh.ChannelHandler{"session": serveSession}
	server.ServerConfigCallback = func(ssh.Context) *gossh.ServerConfig {
		return &gossh.ServerConfig{MaxAuthTries: maxTries}
	}
	return server, os.Chmod(filepath.Join(s.options.Dir, "host_ed25519"), 0o600)
}

// serveSession serves a session within the bounds.
func serveSession(server *ssh.Server, conn *gossh.ServerConn, channel gossh.NewChannel, ctx ssh.Context) {
	open, _ := ctx.Value(sessionsKey{}).(*atomic.Int32)
	if open == nil {
		_ = channel.Reject(gossh.Prohibited, "nobody has joined in this connection")
		return
	}
	defer open.Add(-1)
	if open.Add(1) > maxSessions {
		_ = channel.Reject(gossh.ResourceShortage, "too many sessions are open in this connection; close one")
		return
	}
	ssh.DefaultSessionHandler(server, conn, boundedChannel{channel}, ctx)
}

// boundedChannel drops the requests that the server of sessions keeps without a bound, or waits for: too many or too
// long variables, and the sizes of a terminal that is not there yet.
type boundedChannel struct{ gossh.NewChannel }

func (c boundedChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	channel, requests, err := c.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	accepted := make(chan *gossh.Request)
	go func() {
		defer close(accepted)
		variables, begun := 0, false
		for r := range requests {
			drop := false
			switch r.Type {
			case "env":
				variables++
				drop = variables > maxEnvironment || len(r.Payload) > maxVariable
			case "window-change":
				drop = !begun
			case "shell", "exec":
				begun = true
			}
			if drop {
				_ = r.Reply(false, nil)
				continue
			}
			accepted <- r
		}
	}()
	return channel, accepted, nil
}

// readKeys reads the public keys of a file in the format of authorized_keys.
func readKeys(path string) (keys []ssh.PublicKey, err error) {
	b, err := os.ReadFile(path)
	for i, line := range strings.Split(string(b), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, _, _, _, bad := ssh.ParseAuthorizedKey([]byte(line))
		if bad != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, i+1, bad)
		}
		keys = append(keys, key)
	}
	return keys, err
}

// connected takes a connection, which waits until it has a terminal.
func connected(ctx ssh.Context, c net.Conn) net.Conn {
	ctx.SetValue(sessionsKey{}, new(atomic.Int32))
	ctx.SetValue(gateKey{}, c)
	return c
}

// ask asks for the join code and the PIN.
func (s *Server) ask(ctx ssh.Context, challenge gossh.KeyboardInteractiveChallenge) bool {
	name := strings.ToLower(ctx.User())
	refuse := func(err error) bool {
		s.options.Log.Warn("not joined", "address", ctx.RemoteAddr().String(), "why", err.Error())
		_, _ = challenge("", err.Error(), nil, nil)
		return false
	}
	if !names.MatchString(name) {
		return refuse(fmt.Errorf("%w: ssh NAME@host", ErrName))
	}
	answers, err := challenge("", "", []string{"Join code (teachers type teacher): "}, []bool{true})
	if err == nil && len(answers) == 1 && strings.EqualFold(strings.TrimSpace(answers[0]), "teacher") {
		answers, err = challenge("", "", []string{"Teacher's code: "}, []bool{false}) // the class may see the terminal
	}
	if err != nil || len(answers) != 1 {
		return false
	}
	teacher, err := s.people.role(answers[0])
	if err != nil {
		return refuse(err)
	}
	question := "PIN of " + name + ": "
	if !s.people.knows(name) {
		question = fmt.Sprintf("Welcome, %s. Choose a PIN of %d or more characters, to come back with: ", name, minPIN)
	}
	answers, err = challenge("", "", []string{question}, []bool{false})
	if err != nil || len(answers) != 1 {
		return false
	}
	p, err := s.byPIN(ctx, name, answers[0], teacher)
	if err != nil {
		return refuse(err)
	}
	ctx.SetValue(personKey{}, p)
	return true
}

// serveSSH serves a session of SSH.
func (s *Server) serveSSH(ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		if _, sizes, ok := c.Pty(); ok {
			defer func() { // who sends them waits until somebody takes them
				go func() {
					for range sizes {
					}
				}()
			}()
		}
		p, err := s.personOf(c)
		if err == nil {
			err = s.serveTerminal(c, p)
		}
		if err != nil {
			_, _ = c.Stderr().Write([]byte("bandscope: " + sanitize.Text(err.Error()) + "\r\n"))
			_ = c.Exit(1)
			return
		}
		_ = c.Exit(0)
	}
}

// personOf is who opened a session: by their key, or by what they answered.
func (s *Server) personOf(c ssh.Session) (*Person, error) {
	if key := c.PublicKey(); key != nil {
		return s.people.byKey(strings.ToLower(c.User()), gossh.FingerprintSHA256(key))
	}
	p, _ := c.Context().Value(personKey{}).(*Person)
	if p == nil {
		return nil, ssh.ErrPermissionDenied
	}
	return p, nil
}

// serveTerminal serves the terminal of a session.
func (s *Server) serveTerminal(c ssh.Session, p *Person) error {
	pty, sizes, ok := c.Pty()
	switch {
	case c.RawCommand() != "" && c.RawCommand() != "watch" || c.Subsystem() != "":
		return errors.New("no commands run here; connect without one")
	case !ok:
		return errors.New("the screen needs a terminal: ssh -t")
	}
	if waiting, ok := c.Context().Value(gateKey{}).(*gate.Conn); ok {
		waiting.Admit()
		defer waiting.Wait()
	}
	log := s.options.Log.With("name", p.Name, "address", c.RemoteAddr().String())
	log.Info("joined", "via", sessions.ViaSSH)
	defer log.Info("left")
	return s.Serve(c.Context(), p, Terminal{In: c, Out: c, Environment: environment(c.Environ(), pty.Term),
		Width: pty.Window.Width, Height: pty.Window.Height, Sizes: converted(c.Context(), sizes), Via: sessions.ViaSSH,
		Watching: c.RawCommand() == "watch", Dark: true, End: func() { _ = c.Close() }})
}

// environment is what a client may say of its terminal: which one it is, and its colors.
func environment(all []string, term string) []string {
	list := []string{"TERM=" + term[:min(len(term), maxVariable)]}
	for _, v := range all[:min(len(all), maxEnvironment)] {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains([]string{"COLORTERM", "NO_COLOR", "TERM_PROGRAM"}, name) && len(v) <= maxVariable {
			list = append(list, v)
		}
	}
	return list
}

// converted are the sizes of a terminal, as messages.
func converted(ctx context.Context, from <-chan ssh.Window) <-chan tea.WindowSizeMsg {
	return translated(ctx, from, func(w ssh.Window) tea.WindowSizeMsg {
		return tea.WindowSizeMsg{Width: w.Width, Height: w.Height}
	})
}
