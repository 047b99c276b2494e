// Package serve turns one process into a classroom. Everybody who joins, over SSH or in a browser, has the window of the
// program, with sessions in a folder of their own; people in a room follow the window of a teacher. Names, codes and
// folders go in and out of one folder; terminals are readers and writers. Package serve/web has the terminals in
// browsers.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"bandscope/functions/external"
	"bandscope/sessions/classroom"
	"bandscope/sessions/eventlog"
	"bandscope/tui"
	"bandscope/tui/input"
	"bandscope/tui/rights"
)

// The largest terminal.
const maxWidth, maxHeight = 500, 200

// Options say how people are served.
type Options struct {
	Dir       string        // of the people, their sessions and the host key
	Room      string        // that everybody enters; empty leaves everybody alone until a teacher opens one
	Keys      string        // file of public keys whose owners join without a code; empty for none
	People    int           // at once
	Idle      time.Duration // without a key, after which a person is let go
	Stay      time.Duration // after which a person is let go in any case
	Disk      int64         // bytes of a person's folder
	Computing time.Duration // a person's computations, in total while the server runs
	Log       *slog.Logger  // of joins and ends; never of codes and keys
}

// Server serves the window to several people. It is safe for concurrent use.
type Server struct {
	options Options
	people  *people
	names   *classroom.Names
	ctx     context.Context // of what goes on behind the terminals
	cancel  context.CancelFunc
	limits  *limiter
	places  rights.Places // of computations
	tokens  tokens
	count   atomic.Int64 // of terminals

	mu        sync.Mutex
	addresses []string // that people type to join, see Announce
	rooms     map[string]*Room
	seats     map[*seat]struct{}
	terminals map[string]int               // that are open, by name
	computing map[string]*rights.Computing // by name
	ended     bool

	work sync.WaitGroup // terminals, and what goes on behind them
}

// Terminal is a terminal at the other end of a connection.
type Terminal struct {
	In            io.Reader
	Out           io.Writer
	Environment   []string // TERM and what tells its colors, as KEY=value
	Width, Height int
	Sizes         <-chan tea.WindowSizeMsg // later sizes; nil for none
	Dark          bool                     // its background, until it answers
	Via           string                   // sessions.ViaSSH or sessions.ViaWeb
	Watching      bool                     // it only shows the room
	End           func()                   // ends the connection when the terminal takes no output
}

// Why a terminal is not served; the errors are shown to the person.
var (
	ErrEnding = errors.New("the class ends; everything is saved")
	ErrMany   = errors.New("the class is full; try again later")
	ErrBusy   = errors.New("many people join now; try again")
	ErrOften  = fmt.Errorf("you have %d terminals open; close one", maxTerminals)
)

// New makes a server. From then on, for its whole life, the process starts no programs.
func New(ctx context.Context, o Options) (*Server, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if err := eventlog.MakeDir(filepath.Join(o.Dir, "people"), 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(o.Dir, 0o700); err != nil {
		return nil, err
	}
	known, err := openPeople(o.Dir)
	if err != nil {
		return nil, err
	}
	called, err := classroom.OpenNames(filepath.Join(o.Dir, "names.json"))
	if err != nil {
		return nil, err
	}
	external.Forbid()
	s := &Server{options: o, people: known, limits: newLimiter(), rooms: map[string]*Room{}, seats: map[*seat]struct{}{},
		terminals: map[string]int{}, computing: map[string]*rights.Computing{},
		places: make(rights.Places, 8*runtime.GOMAXPROCS(0)), names: called}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if o.Room != "" {
		if !names.MatchString(o.Room) {
			return nil, fmt.Errorf("the room %q: %w", o.Room, ErrName)
		}
		if _, err := s.openRoom(o.Room); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Announce sets the addresses that the teacher's page shows.
func (s *Server) Announce(addresses ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addresses = addresses
}

// Codes are what people type to join, and what a teacher types.
func (s *Server) Codes() (join, teacher string) { return s.people.Codes.Join, s.people.Codes.Teacher }

// openRoom opens a room, or returns the one that is open.
func (s *Server) openRoom(name string) (*Room, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooms[name] == nil {
		record, err := openClass(s.ctx, s.options.Dir, name)
		if err != nil {
			return nil, err
		}
		s.rooms[name] = newRoom(name, record)
	}
	return s.rooms[name], nil
}

// roomFor is the room that a person enters: that of the server, or the one in which somebody teaches; nil for none.
func (s *Server) roomFor(*Person) *Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.options.Room != "" {
		return s.rooms[s.options.Room]
	}
	var open []*Room
	for _, r := range s.rooms {
		if r.teaching() != "" {
			open = append(open, r)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return slices.MinFunc(open, func(a, b *Room) int { return cmp.Compare(a.Name, b.Name) })
}

// invite tells everybody who is alone that a room is open.
func (s *Server) invite(inviter *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other := range s.seats {
		if other != inviter {
			go other.send(invitedMsg{inviter.room})
		}
	}
}

// background does something that the end of the server waits for, and logs its error.
func (s *Server) background(f func() error) {
	s.work.Go(func() {
		if err := f(); err != nil && !errors.Is(err, context.Canceled) {
			s.options.Log.Error("behind the terminals", "error", err)
		}
	})
}

// enter counts a terminal of a person, unless there are too many.
func (s *Server) enter(p *Person) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, ErrEnding
	}
	if s.count.Load() >= int64(s.options.People) {
		return nil, ErrMany
	}
	if s.terminals[p.Name] >= maxTerminals {
		return nil, ErrOften
	}
	s.count.Add(1)
	s.terminals[p.Name]++
	s.work.Add(1)
	return func() { s.leave(p) }, nil
}

// leave takes back an enter.
func (s *Server) leave(p *Person) {
	s.people.saw(p.Name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.Add(-1)
	s.terminals[p.Name]--
	if s.terminals[p.Name] == 0 {
		delete(s.terminals, p.Name)
	}
	s.work.Done()
}

// Serve serves a terminal to a person until they quit, the terminal is gone or the context ends. The terminal is left as
// it was found, and everything is saved.
func (s *Server) Serve(ctx context.Context, p *Person, t Terminal) error {
	leave, err := s.enter(p)
	if err != nil {
		return err
	}
	defer leave()
	if !t.Watching {
		if size, err := folderSize(p.Dir); err != nil || size > s.options.Disk {
			return errors.Join(err, diskError(size, s.options.Disk))
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.options.Stay, errStay)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	first := bounded(tea.WindowSizeMsg{Width: t.Width, Height: t.Height})
	size := screen{width: first.Width, height: first.Height, dark: t.Dark}
	profile := colorprofile.Env(t.Environment)
	size.tier = tui.TierFor(profile)
	st := newSeat(s, p, s.rightsOf(ctx, p, t.Watching), t.Via, t.Watching, size)
	out := newPatientWriter(t.Out, writePatience, func() {
		end(errGone)
		if t.End != nil {
			t.End()
		}
	})
	st.end = end
	if c := st.rights.Computing; c != nil {
		defer c.Watch(end)()
	}
	idle := time.AfterFunc(s.options.Idle, func() { end(errIdle) })
	defer idle.Stop()
	var program *tea.Program
	decoder := input.New(func(msg tea.Msg) { program.Send(msg) },
		func(err error) { s.options.Log.Error("input", "name", p.Name, "error", err) })
	in := activeReader{t.In, decoder, func(n int) {
		if n > 0 {
			idle.Reset(s.options.Idle)
		}
	}, func() { end(errGone) }}
	program = tea.NewProgram(st, tea.WithoutSignalHandler(), tea.WithInput(in), tea.WithOutput(out),
		tea.WithEnvironment(t.Environment), tea.WithColorProfile(profile), tea.WithWindowSize(size.width, size.height),
		tea.WithFilter(withoutSuspending))
	st.send = program.Send
	s.add(st)
	defer s.remove(st)
	var watch sync.WaitGroup
	watch.Go(func() { s.watch(ctx, program, p, t, end) })
	_, err = program.Run()
	cause := context.Cause(ctx)
	end(nil)
	watch.Wait()
	if closed := st.close(); closed != nil {
		s.options.Log.Error("closing a session", "name", p.Name, "error", closed)
	}
	switch {
	case cause != nil && !errors.Is(cause, errGone) && !errors.Is(cause, context.Canceled):
		return cause
	case cause != nil || errors.Is(err, tea.ErrProgramKilled):
		return nil
	}
	return err
}

// watch passes the sizes of a terminal on, measures the folder of the person, and has the program end with the context.
func (s *Server) watch(ctx context.Context, program *tea.Program, p *Person, t Terminal, end context.CancelCauseFunc) {
	disk := time.NewTicker(diskEvery)
	defer disk.Stop()
	for {
		select {
		case <-disk.C:
			if size, err := folderSize(p.Dir); err == nil && size > s.options.Disk && !t.Watching {
				end(diskError(size, s.options.Disk))
			}
		case size, ok := <-t.Sizes:
			if !ok {
				t.Sizes = nil
				continue
			}
			program.Send(bounded(size))
		case <-ctx.Done():
			program.Quit()
			return
		}
	}
}

// rightsOf are what a person may use until the context ends. All terminals of a person share the computing time.
func (s *Server) rightsOf(ctx context.Context, p *Person, watching bool) rights.Rights {
	if watching {
		return rights.Watching(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.computing[p.Name]
	if c == nil {
		c = rights.NewComputing(s.options.Computing, s.places)
		s.computing[p.Name] = c
	}
	return rights.InClass(ctx, p.Dir, c)
}

func (s *Server) add(st *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats[st] = struct{}{}
}

func (s *Server) remove(st *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.seats, st)
}

// End has every terminal end, and waits until all sessions are saved, for as long as the context allows.
func (s *Server) End(ctx context.Context) error {
	s.mu.Lock()
	s.ended = true
	for st := range s.seats {
		go st.send(endMsg{})
	}
	s.mu.Unlock()
	s.cancel()
	done := make(chan struct{})
	go func() { s.work.Wait(); close(done) }()
	select {
	case <-done:
		s.mu.Lock()
		defer s.mu.Unlock()
		var errs []error
		for _, r := range s.rooms {
			errs = append(errs, r.class.Close())
		}
		return errors.Join(errs...)
	case <-ctx.Done():
		return fmt.Errorf("%d terminals are still open: %w", s.count.Load(), context.Cause(ctx))
	}
}

// bounded is a size within the bounds. Bubble Tea itself allocates every cell of a size.
func bounded(size tea.WindowSizeMsg) tea.WindowSizeMsg {
	return tea.WindowSizeMsg{Width: min(max(size.Width, 1), maxWidth), Height: min(max(size.Height, 1), maxHeight)}
}

// withoutSuspending drops what would stop the server.
func withoutSuspending(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.SuspendMsg); ok {
		return nil
	}
	return msg
}

// Loopback reports whether an address can be reached from this machine only.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
