// Package history is the screen of a session's branches: the tree that its events form, with the regret and the decisions of any two branches beside
// it, also of other sessions.
package history

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// row is one branch of a session in the list.
type row struct {
	of     *sessions.Session
	branch sessions.Branch
	depth  int    // in the tree
	title  string // of the session, on its first branch
}

// other is another session beside the one that is open; it is only looked at.
type other struct {
	session *sessions.Session
	name    string
}

// Model is the screen.
type Model struct {
	style         theme.Style
	width, height int

	session  *sessions.Session
	others   []other
	rows     []row
	selected int
	base     int // the branch that the selected one is compared with
	scroll   int // lines of the differences above the panel
	overflow int // how many more of them there are than the panel has room for, as it was drawn last
	trace    int
	jobs     screen.Jobs
	prompt   screen.Prompt
	notice   string
	bad      bool

	left, right []sessions.Decision
}

// Messages of the screen's own.
type (
	addedMsg struct {
		other
		same bool // it is the session that is open
	}
	failedMsg struct{ err error }
)

var keys = struct{ Up, Down, Go, Base, Add, Trace, More, Less, Open, Close, Help, Quit, Susp key.Binding }{
	Up:    screen.Bind("up/down", "choose a branch", "up", "k"),
	Down:  screen.Bind("", "choose a branch", "down", "j"),
	Go:    screen.Bind("enter", "go on from this branch", "enter"),
	Base:  screen.Bind("c", "compare with this one", "c"),
	Add:   screen.Bind("C", "compare with another session", "C"),
	Trace: screen.Bind("v", "another trace", "v"),
	More:  screen.Bind("pgup/pgdn", "scroll the differences", "pgdown"),
	Less:  screen.Bind("", "scroll the differences", "pgup"),
	Close: screen.Bind("esc", "leave", "esc", "T"),
	Open:  screen.Bind("o", "open", "o"),
	Help:  screen.Bind("?", "help", "?", "f1"),
	Quit:  screen.Bind("q", "quit", "q", "ctrl+c"),
	Susp:  screen.Bind("ctrl+z", "suspend", "ctrl+z"),
}

// commands are what the keys do here. What a command finds out only when it acts, it says itself.
var commands = slices.Concat(
	screen.Commands((*Model).atTop, keys.Up), screen.Commands((*Model).atBottom, keys.Down), screen.Commands[*Model](nil, keys.Go),
	screen.Commands((*Model).isBase, keys.Base), screen.Commands[*Model](nil, keys.Add), screen.Commands((*Model).oneTrace, keys.Trace),
	screen.Commands((*Model).allShown, keys.More, keys.Less), screen.Commands[*Model](nil, keys.Open, keys.Close, keys.Help, keys.Quit, keys.Susp),
)

func (m *Model) atTop() string {
	if m.selected == 0 {
		return "this is the first branch"
	}
	return ""
}

func (m *Model) atBottom() string {
	if m.selected == len(m.rows)-1 {
		return "this is the last branch"
	}
	return ""
}

func (m *Model) isBase() string {
	if m.selected == m.base {
		return "the others are compared with this one already"
	}
	return ""
}

func (m *Model) oneTrace() string {
	if _, now, _ := trace(m.rows[m.base].branch.State, m.trace); now != "" {
		if _, next, _ := trace(m.rows[m.base].branch.State, m.trace+1); next == now {
			return "there is no other trace to show"
		}
	}
	return ""
}

func (m *Model) allShown() string {
	if m.overflow == 0 {
		return "all decisions are shown"
	}
	return ""
}

// Groups lists the bindings of this screen for the help.
func Groups() []screen.Group {
	g := screen.Group{Title: "Branches (T)"}
	for _, c := range commands {
		g.Bindings = append(g.Bindings, c.Binding)
	}
	return []screen.Group{g}
}

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	return screen.Here{Title: "the branches", Keys: screen.Keys(m, commands), Typing: m.Typing()}
}

// Say puts a sentence into the status line.
func (m *Model) Say(text string, bad bool) { m.notice, m.bad = sessions.Sanitize(text), bad }

// New makes the screen of a session.
func New(s *sessions.Session) (*Model, error) {
	m := &Model{session: s, prompt: screen.NewPrompt()}
	if err := m.fill(); err != nil {
		return nil, err
	}
	for i, r := range m.rows {
		if r.branch.Current {
			m.base = i
			m.selected = max(i-1, min(1-i, len(m.rows)-1)) // the one above or, of the first, below: something to compare with
		}
	}
	return m, m.compare()
}

// fill lists the branches of all sessions, each below the one that it left.
func (m *Model) fill() error {
	m.rows = nil
	for i, o := range append([]other{{session: m.session}}, m.others...) {
		list, err := o.session.Branches()
		if err != nil {
			return err
		}
		title := o.name
		var below func(of, depth int)
		below = func(of, depth int) {
			for j, b := range list {
				if b.Of != of {
					continue
				}
				if i > 0 {
					b.Current = false
				}
				m.rows = append(m.rows, row{of: o.session, branch: b, depth: depth, title: title})
				title = ""
				below(j, depth+1)
			}
		}
		below(-1, 0)
	}
	return nil
}

// compare finds the decisions of the two branches.
func (m *Model) compare() (err error) {
	m.scroll = 0
	if m.left, err = m.rows[m.base].of.Decisions(m.rows[m.base].branch.ID); err != nil {
		return err
	}
	m.right, err = m.rows[m.selected].of.Decisions(m.rows[m.selected].branch.ID)
	return err
}

// Typing reports whether keys are text.
func (m *Model) Typing() bool { return m.prompt.Open() }

// Resize tells the screen its window.
func (m *Model) Resize(w, h int) { m.width, m.height = w, h }

// Restyle tells the screen its colours and glyphs.
func (m *Model) Restyle(s theme.Style) { m.style = s }

// Init does nothing: all is at hand.
func (m *Model) Init() tea.Cmd { return nil }

// Stop gives up what is read for the screen.
func (m *Model) Stop() { m.jobs.Stop() }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			m.jobs.Finish()
			return m.done(inner)
		}
		return nil
	case screen.TickMsg:
		return m.jobs.Tick(msg)
	}
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		if m.prompt.Open() {
			return m.prompt.Type(msg)
		}
		return nil
	}
	if m.prompt.Open() {
		return m.prompt.Key(press)
	}
	m.notice = ""
	if off, _ := screen.Off(m, commands, press); off != "" {
		m.Say(off, false)
		return nil
	}
	switch {
	case key.Matches(press, keys.Susp):
		return tea.Suspend
	case key.Matches(press, keys.Open):
		return screen.Want(screen.Open{From: m.session.State().Config})
	case key.Matches(press, keys.Quit):
		return screen.Want(screen.Quit{})
	case press.String() == "esc" && m.jobs.Stop():
		m.Say("stopped", false)
	case key.Matches(press, keys.Close):
		return screen.Want(screen.Close{})
	case key.Matches(press, keys.Up):
		m.choose(m.selected - 1)
	case key.Matches(press, keys.Down):
		m.choose(m.selected + 1)
	case key.Matches(press, keys.Base):
		m.base = m.selected
		m.say(m.compare())
	case key.Matches(press, keys.Trace):
		m.trace++
	case key.Matches(press, keys.More):
		m.scroll += 5
	case key.Matches(press, keys.Less):
		m.scroll = max(m.scroll-5, 0)
	case key.Matches(press, keys.Add):
		return m.prompt.Ask("session file to compare with", "", m.add)
	case key.Matches(press, keys.Go):
		return m.open()
	}
	return nil
}

func (m *Model) choose(i int) {
	m.selected = min(max(i, 0), len(m.rows)-1)
	m.say(m.compare())
}

// say shows an error, if there is one.
func (m *Model) say(err error) {
	if err != nil {
		m.notice, m.bad = sessions.Sanitize(err.Error()), true
	}
}

// add looks into another session to compare with, off the update loop.
func (m *Model) add(path string) tea.Cmd {
	path = strings.TrimSpace(path)
	here := m.session.Path()
	return m.jobs.Start("reading "+sessions.Sanitize(filepath.Base(path)), func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		s, err := sessions.Peek(ctx, path)
		if err != nil {
			return failedMsg{err}
		}
		a, errA := os.Stat(path)
		b, errB := os.Stat(here)
		return addedMsg{other{s, filepath.Base(path)}, errA == nil && errB == nil && os.SameFile(a, b)}
	})
}

// done takes what a job brought.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case addedMsg:
		m.added(msg)
	case failedMsg:
		if m.prompt.Open() { // something else is asked for meanwhile
			m.say(msg.err)
			return nil
		}
		return m.prompt.Again(msg.err.Error())
	case screen.PanicMsg:
		m.say(fmt.Errorf("internal error: %s; nothing is lost", msg.Reason))
	}
	return nil
}

// added puts a session that was looked into beside the one that is open.
func (m *Model) added(msg addedMsg) {
	if msg.same {
		m.say(fmt.Errorf("%s is this session: its branches are here", msg.name))
		return
	}
	if a, b := m.session.State().Problem, msg.session.State().Problem; len(a.Objectives) != len(b.Objectives) || a.Name != b.Name {
		m.Say(fmt.Sprintf("that session is about %s, this one about %s: their values do not compare", b.Name, a.Name), false)
	}
	m.others = append(m.others, msg.other)
	if err := m.fill(); err != nil {
		m.say(err)
		return
	}
	m.choose(len(m.rows) - 1)
}

// open goes on from the selected branch.
func (m *Model) open() tea.Cmd {
	r := m.rows[m.selected]
	if r.of != m.session {
		m.notice, m.bad = "that branch belongs to another session: open it with o", false
		return nil
	}
	if err := m.session.Switch(r.branch.ID); err != nil {
		m.say(err)
		return nil
	}
	return screen.Want(screen.Close{})
}
