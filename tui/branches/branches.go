// Package branches is the screen of a session's branches: the tree that its events form, and the regret and the
// decisions of any two branches, also of other sessions. To continue from a branch moves the session; another session
// is read off the update loop and is read-only. The sessions compute the differences between branches. Each panel is
// one file, with its drawing and its descriptions.
package branches

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// row is one branch of a session in the list.
type row struct {
	of     *sessions.Session
	branch sessions.Branch
	parent int    // the row of the branch that it left; −1 for the first
	label  string // its name behind the lines of the tree
	title  string // of the session, on its first branch

	result, regret string // see results
}

// addedSession is another session to compare with; it is read-only.
type addedSession struct {
	session *sessions.Session
	name    string
}

// Model is the screen.
type Model struct {
	widget.Base

	session  *sessions.Session
	others   []addedSession
	rows     []row
	selected int
	base     int // the branch that the selected one is compared with
	scroll   int // lines of the differences above the panel
	overflow int // how many of them did not fit when the panel was last drawn
	trace    int
	jobs     widget.Jobs

	left, right []sessions.Decision
}

// Messages of this screen.
type (
	addedMsg struct {
		addedSession
		same bool // it is the session that is open
	}
	failedMsg struct{ err error }
)

// New makes the screen of a session.
func New(s *sessions.Session) (*Model, error) {
	m := &Model{session: s, Base: widget.NewBase()}
	if err := m.fill(); err != nil {
		return nil, err
	}
	for i, r := range m.rows {
		if r.branch.Current {
			m.base = i
			// the one above or, of the first, below: something to compare with
			m.selected = max(i-1, min(1-i, len(m.rows)-1))
		}
	}
	return m, m.compare()
}

// fill lists the branches of all sessions, each below its parent.
func (m *Model) fill() error {
	m.rows = nil
	for i, o := range append([]addedSession{{session: m.session}}, m.others...) {
		list, err := o.session.Branches()
		if err != nil {
			return err
		}
		for j := range list {
			list[j].Current = list[j].Current && i == 0
		}
		first := len(m.rows)
		for j, b := range list {
			if b.Parent < 0 {
				m.grow(o.session, list, j)
			}
		}
		if first < len(m.rows) {
			m.rows[first].title = o.name
		}
	}
	for i := range m.rows {
		r := &m.rows[i]
		r.result, r.regret = results(r.branch.State)
	}
	return nil
}

// compare finds the decisions of the two branches.
func (m *Model) compare() (err error) {
	m.scroll = 0
	m.left, err = m.rows[m.base].of.Decisions(m.rows[m.base].branch.ID)
	if err != nil {
		return err
	}
	m.right, err = m.rows[m.selected].of.Decisions(m.rows[m.selected].branch.ID)
	return err
}

// Stop cancels reading a session.
func (m *Model) Stop() { m.jobs.Stop() }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			m.jobs.Finish()
			return m.done(inner)
		}
		return nil
	case widget.TickMsg:
		return m.jobs.Tick(msg)
	}
	if press, ok := msg.(tea.KeyPressMsg); ok {
		cmd, _ := widget.Take(m, &m.Status, commands(), press)
		return cmd
	}
	if m.Status.Open() {
		return m.Status.Type(msg)
	}
	return nil
}

// say shows an error, if there is one.
func (m *Model) say(err error) {
	if err != nil {
		m.Status.Fail(err)
	}
}

// add reads another session to compare with, off the update loop.
func (m *Model) add(path string) tea.Cmd {
	path, err := m.Rights.Path(path, "run.jsonl")
	if err != nil {
		m.say(err)
		return nil
	}
	here := m.session.Path()
	return m.jobs.Start("reading "+sanitize.Text(filepath.Base(path)),
		func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			s, err := sessions.OpenReadOnly(ctx, path)
			if err != nil {
				return failedMsg{err}
			}
			a, errA := os.Stat(path)
			b, errB := os.Stat(here)
			return addedMsg{addedSession{s, filepath.Base(path)}, errA == nil && errB == nil && os.SameFile(a, b)}
		})
}

// done takes the result of a job.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case addedMsg:
		m.added(msg)
	case failedMsg:
		if m.Status.Open() { // another question is open meanwhile
			m.say(msg.err)
			return nil
		}
		return m.Status.Again(msg.err.Error())
	case widget.PanicMsg:
		m.say(msg)
	}
	return nil
}

// added adds the branches of another session to the list.
func (m *Model) added(msg addedMsg) {
	if msg.same {
		m.say(fmt.Errorf("%s is this session; its branches are already here", msg.name))
		return
	}
	if a, b := m.session.State().Problem, msg.session.State().Problem; len(a.Objectives) != len(b.Objectives) ||
		a.Name != b.Name {
		m.Say(fmt.Sprintf("that session is on %s, this one on %s; their values are not comparable", b.Name, a.Name),
			false)
	}
	m.others = append(m.others, msg.addedSession)
	if err := m.fill(); err != nil {
		m.say(err)
		return
	}
	list.Choose(m, len(m.rows)-1)
}
