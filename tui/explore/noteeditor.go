package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/screen"
)

// noteEditor writes the notes on the step where the session stands: a new one, or one that is there already.
type noteEditor struct {
	area   textarea.Model
	pages  []notePage // the new note, then those on the step
	at     int
	step   int
	sure   bool // what was written is dropped by another esc
	saving bool
	done   []bool // which pages were recorded, of those that are being kept
}

// notePage is one note while it is written.
type notePage struct {
	id    string // of the event; empty for a new note
	saved string
	text  string
}

type noteKeyMap struct {
	Keep, Editor, Next, Prev, Leave key.Binding
}

var noteKeys = noteKeyMap{
	Keep:   screen.Bind("ctrl+s", "keep the note", "ctrl+s"),
	Editor: screen.Bind("ctrl+o", "write it in $EDITOR", "ctrl+o"),
	Next:   screen.Bind("tab", "another note on the step", "tab"),
	Prev:   screen.Bind("", "another note on the step", "shift+tab"),
	Leave:  screen.Bind("esc", "leave", "esc", "ctrl+c"),
}

func (k noteKeyMap) bindings() []key.Binding {
	return []key.Binding{k.Keep, k.Leave, k.Editor, k.Next, screen.Bind("enter", "a new line"), screen.Bind("f1", "help")}
}

// The sizes of a note in bytes and lines up to which it is written here; a longer one is written in the person's own editor.
const (
	longNote      = 64 << 10
	longNoteLines = 5000
)

// Messages of the note editor: a file was made for the person's editor, the editor was left, and what was written there.
type (
	noteFileMsg struct {
		path    string
		command *exec.Cmd // the editor on it
		err     error
	}
	noteLeftMsg struct {
		path string
		err  error
	}
	noteWrittenMsg struct {
		text string
		err  error
	}
)

func newNoteEditor() noteEditor {
	area := textarea.New()
	area.SetStyles(textarea.Styles{})
	area.Prompt, area.ShowLineNumbers, area.CharLimit, area.MaxHeight = "", false, 0, 0
	area.Placeholder = "Markdown: # heading, *emphasis*, `code`, - a list"
	return noteEditor{area: area}
}

// startNote opens the editor on a new note. What runs is stopped, so that the note stays with the step that it is about.
func (m *Model) startNote() tea.Cmd {
	m.Stop()
	m.state = m.session.State()
	e := &m.noting
	e.at, e.sure, e.saving, e.step = 0, false, false, len(m.state.Iterations)
	e.pages = []notePage{{}}
	for _, n := range m.state.NotesAt(e.step) {
		if n.Text != "" {
			text := sessions.SanitizeText(n.Text)
			e.pages = append(e.pages, notePage{id: n.ID, saved: text, text: text})
		}
	}
	m.mode = noting
	if n := len(e.pages) - 1; n == 1 {
		m.say("tab changes the note that is on this step")
	} else if n > 1 {
		m.say(fmt.Sprintf("tab changes one of the %d notes that are on this step", n))
	}
	return tea.Batch(m.look(), m.showPage(0))
}

// showPage writes another page.
func (m *Model) showPage(i int) tea.Cmd {
	e := &m.noting
	e.at = i
	m.fitNote()
	e.area.SetValue("")
	if !m.tooLong() {
		e.area.SetValue(e.pages[i].text)
	}
	return e.area.Focus()
}

// fitNote gives the page the size of its panel.
func (m *Model) fitNote() {
	l := m.layout()
	m.noting.area.SetWidth(max(l.side-4, 1))
	m.noting.area.SetHeight(max(l.height-2, 1))
}

// notePage is the note that is being written.
func (m *Model) notePage() *notePage { return &m.noting.pages[m.noting.at] }

func (m *Model) tooLong() bool {
	text := m.notePage().text
	return len(text) > longNote || strings.Count(text, "\n") > longNoteLines
}

// changed reports whether anything was written that is not kept.
func (e *noteEditor) changed() bool {
	for _, p := range e.pages {
		if strings.TrimSpace(p.text) != strings.TrimSpace(p.saved) {
			return true
		}
	}
	return false
}

// noteKey takes a key press while a note is written.
func (m *Model) noteKey(msg tea.KeyPressMsg) tea.Cmd {
	e := &m.noting
	sure := e.sure
	m.notice, e.sure = notice{}, false
	switch {
	case key.Matches(msg, noteKeys.Keep):
		return m.keepNote()
	case key.Matches(msg, noteKeys.Leave):
		if e.changed() && !sure {
			e.sure = true
			m.Say("what was written is not kept yet: ctrl+s keeps it, esc again drops it", true)
			return nil
		}
		return m.leaveNote()
	case key.Matches(msg, noteKeys.Editor):
		return m.ownEditor()
	case key.Matches(msg, noteKeys.Next, noteKeys.Prev):
		n := len(e.pages)
		if n == 1 {
			m.say("there is no other note on this step")
			return nil
		}
		by := 1
		if key.Matches(msg, noteKeys.Prev) {
			by = n - 1
		}
		return m.showPage((e.at + by) % n)
	}
	return m.typeNote(msg)
}

// typeNote passes a key or a pasted text on to the page.
func (m *Model) typeNote(msg tea.Msg) tea.Cmd {
	e := &m.noting
	if m.tooLong() {
		m.say(fmt.Sprintf("this note is longer than is written here (%d KB): ctrl+o opens it in your editor", longNote>>10))
		return nil
	}
	var cmd tea.Cmd
	e.area, cmd = e.area.Update(msg)
	m.notePage().text = e.area.Value()
	return cmd
}

func (m *Model) leaveNote() tea.Cmd {
	m.mode = stepping
	m.noting.area.Blur()
	return nil
}

// keepNote records every page that was changed, and leaves when that is done.
func (m *Model) keepNote() tea.Cmd {
	e := &m.noting
	if !e.changed() {
		m.say("nothing was written yet: esc leaves")
		return nil
	}
	e.saving, e.done = true, make([]bool, len(e.pages))
	s, dir, pages, done := m.session, m.dir, append([]notePage(nil), e.pages...), e.done
	return m.change("noting", func(context.Context, func(string, int, int)) (string, error) {
		said := ""
		for i, p := range pages {
			text := strings.TrimSpace(p.text)
			if text == strings.TrimSpace(p.saved) {
				continue
			}
			var err error
			switch {
			case p.id == "":
				said, err = "noted", s.Note(text)
			case text == "":
				said, err = "the note is withdrawn; it stays on record", s.Revise(p.id, "")
			default:
				said, err = "the note is changed; what it said before stays on record", s.Revise(p.id, text)
			}
			if err != nil {
				return "", err
			}
			done[i] = true
		}
		return said, s.Keep(dir)
	})
}

// kept leaves the editor after its pages were recorded; what could not be recorded stays to be kept elsewhere.
func (m *Model) kept(err error) {
	if m.mode != noting || !m.noting.saving {
		return
	}
	e := &m.noting
	if e.saving = false; err == nil {
		m.leaveNote()
		return
	}
	for i, done := range e.done {
		switch p := &e.pages[i]; {
		case done && p.id == "":
			*p = notePage{}
		case done:
			p.saved = p.text
		}
	}
	m.showPage(e.at)
}

// ownEditor opens the page in the person's own editor, through a file in a folder that only they can read.
func (m *Model) ownEditor() tea.Cmd {
	text := m.notePage().text
	return func() tea.Msg {
		dir, err := os.MkdirTemp("", "bandscope-note-")
		if err != nil {
			return noteFileMsg{err: fmt.Errorf("a file for the editor: %w", err)}
		}
		path := filepath.Join(dir, "note.md")
		command, err := editorCommand(path)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			return noteFileMsg{err: errors.Join(err, os.RemoveAll(dir))}
		}
		command.Stdin = os.Stdin // the terminal itself, which the window reads by way of a wrapper
		return noteFileMsg{path: path, command: command}
	}
}

// editorCommand is the person's editor on a file: VISUAL, else EDITOR, as a shell reads them, so that they may have arguments; else vi.
func editorCommand(path string) (*exec.Cmd, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor := strings.TrimSpace(os.Getenv(name)); editor != "" {
			return exec.Command("sh", "-c", editor+` "$1"`, name, path), nil //nolint:gosec // the person's own editor, as they said
		}
	}
	if vi, err := exec.LookPath("vi"); err == nil {
		return exec.Command(vi, path), nil //nolint:gosec // a fixed name
	}
	return nil, errors.New("no editor is known: set EDITOR, as in EDITOR=nano")
}

// openEditor hands the terminal over to the editor.
func (m *Model) openEditor(msg noteFileMsg) tea.Cmd {
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	return tea.ExecProcess(msg.command, func(err error) tea.Msg { return noteLeftMsg{msg.path, err} }) // which is said on the update loop
}

// readNote takes what the editor left in the file, and removes the file with its folder.
func readNote(path string, ended error) tea.Msg {
	defer os.RemoveAll(filepath.Dir(path))
	var exit *exec.ExitError
	switch {
	case errors.As(ended, &exit) && exit.ExitCode() == 127:
		return noteWrittenMsg{err: errors.New("the editor was not found: set VISUAL or EDITOR to one that is there")}
	case ended != nil:
		return noteWrittenMsg{err: fmt.Errorf("the editor ended with an error, so that nothing was taken: %w", ended)}
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return noteWrittenMsg{err: fmt.Errorf("what the editor wrote: %w", err)}
	case !info.Mode().IsRegular():
		return noteWrittenMsg{err: errors.New("what the editor wrote is no regular file")}
	case info.Size() > sessions.MaxNote:
		return noteWrittenMsg{err: fmt.Errorf("a note may have %d bytes, this one has %d", sessions.MaxNote, info.Size())}
	}
	b, err := os.ReadFile(path)
	return noteWrittenMsg{text: sessions.SanitizeText(strings.ReplaceAll(string(b), "\r\n", "\n")), err: err}
}

// noteWritten takes what was written in the person's editor, and keeps it.
func (m *Model) noteWritten(msg noteWrittenMsg) tea.Cmd {
	if m.mode != noting {
		return nil
	}
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	m.notePage().text = strings.TrimRight(msg.text, "\n")
	show := m.showPage(m.noting.at)
	if !m.noting.changed() {
		m.say("the note is as it was")
		return show
	}
	return tea.Batch(show, m.keepNote())
}

// notePanel is the editor at the side of the plot.
func (m *Model) notePanel(w, h int) []string {
	e, st := &m.noting, m.style
	title := fmt.Sprintf("new note on step %d", e.step)
	if e.at > 0 {
		title = fmt.Sprintf("note %d of %d on step %d", e.at, len(e.pages)-1, e.step)
	}
	var body []string
	if m.tooLong() {
		for _, l := range screen.Wrap(fmt.Sprintf("This note has %d KB: ctrl+o opens it in your editor.", len(m.notePage().text)>>10), w-4) {
			body = append(body, " "+st.Paint(st.Text, l))
		}
	} else {
		for line := range strings.SplitSeq(e.area.View(), "\n") {
			body = append(body, " "+line)
		}
	}
	return screen.Panel(st, st.Plain(title), body, w, h, true)
}
