// Package note is the mode in which notes on the current step are written: a new one, or one that exists already. A
// long one is written in the person's own editor, through a file. A change of the session records the texts. The
// package also draws the notes beside the plot. It scrolls them without a viewport of Bubbles, because it needs the
// lines of each passage to describe it.
package note

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lesson/page"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Editor writes notes.
type Editor struct {
	mode.WholeSide
	area    textarea.Model
	pages   []noteDraft // the new note, then those on the step
	at      int
	place   string
	open    bool
	confirm widget.Confirmation // that unsaved text is discarded
	saving  bool
}

// noteDraft is one note while it is written.
type noteDraft struct {
	id    string // of the event; empty for a new note
	saved string
	text  string
}

// changed reports whether the text is not saved.
func (p noteDraft) changed() bool { return strings.TrimSpace(p.text) != strings.TrimSpace(p.saved) }

// The maximum size of a note in bytes and lines in this editor; a longer one needs the person's own editor.
const (
	longNote      = 64 << 10
	longNoteLines = 5000
)

// New makes an editor without a note.
func New() mode.Mode { return newEditor() }

// placeholder explains the format of a note.
const placeholder = `Markdown: # heading, *emphasis*, ` + "`code`" + `, - a list

At the end of a lesson page:
? one | another* | a third
?1 why the first is wrong
?   asks for a point
! band > 2   a claim
@ line x2   a view`

func newEditor() *Editor {
	area := textarea.New()
	area.SetStyles(textarea.Styles{})
	area.Prompt = ""
	area.ShowLineNumbers = false
	area.CharLimit = 0
	area.MaxHeight = 0
	area.Placeholder = placeholder
	return &Editor{WholeSide: mode.WholeSide{Rest: 1, Flex: 1, Max: 84}, area: area}
}

// turn is one call of the editor.
type turn struct {
	*Editor
	*mode.Turn
}

var commands = slices.Concat([]widget.Command[turn]{
	widget.NewCommand(widget.Bind("ctrl+s", "save the note", "ctrl+s"), nil, turn.save),
	{Binding: widget.Bind("esc", "leave", "esc", "ctrl+c"), Do: turn.leave},
	widget.NewCommand(widget.Bind("ctrl+o", "open it in $EDITOR", "ctrl+o"), nil, turn.ownEditor),
}, widget.List[turn]{Shown: "tab", Does: "next note on this step", Up: "shift+tab", Down: "tab", ShowsDown: true,
	Round: true, Only: "there is no other note here",
	Row:  func(t turn) (*int, int) { return &t.at, len(t.pages) },
	Then: func(t turn) tea.Cmd { return t.show(t.at) },
}.Commands(), []widget.Command[turn]{
	{Binding: widget.Bind("enter", "new line")},
	{Binding: widget.Bind("f1", "help")},
})

// Bindings are the keys of the editor.
func Bindings() []key.Binding { return widget.Bindings(commands) }

// Title names the mode.
func (e *Editor) Title() string { return "a note" }

// Typing reports that keys are text.
func (e *Editor) Typing() bool { return true }

// Keys are the current keys.
func (e *Editor) Keys(s mode.Scene) []widget.Key {
	return widget.Keys(turn{e, &mode.Turn{Scene: s}}, commands)
}

// Advice explains the format of a note.
func (e *Editor) Advice() string {
	return "write Markdown; the last lines of a lesson page: ? question, ! claim, @ view"
}

// tallest is the maximum number of lines of a panel. Every key redraws as many lines as the panel has.
const tallest = 200

// Start opens a new note.
func (e *Editor) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	e.at = 0
	e.open = true
	e.confirm = widget.Confirmation{}
	e.saving = false
	e.place = s.Notes.Place
	e.pages = []noteDraft{{}}
	for _, n := range s.Notes.Texts {
		text := sanitize.Lines(page.Format(n.Text, n.Page))
		e.pages = append(e.pages, noteDraft{id: n.ID, saved: text, text: text})
	}
	e.area.SetHeight(tallest) // nothing scrolls before the panel has a size
	t := mode.Turn{Scene: s}
	t.Request(mode.Enter{Mode: e})
	if n := len(e.pages) - 1; n == 1 {
		t.Say("press tab to edit the existing note")
	} else if n > 1 {
		t.Say(fmt.Sprintf("press tab to edit one of the %d existing notes", n))
	}
	return e.show(0), t.Actions
}

// Update takes a key, pasted text, the text from the person's own editor, and the result of saving.
func (e *Editor) Update(s mode.Scene, msg tea.Msg) (tea.Cmd, []widget.Action) {
	t := turn{e, &mode.Turn{Scene: s}}
	return t.take(msg), t.Actions
}

func (t turn) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case fileMsg:
		return t.openFile(msg)
	case leftMsg:
		return func() tea.Msg { return readFile(msg.path, msg.err) }
	}
	if !t.open {
		return nil
	}
	switch msg := msg.(type) {
	case mode.Changed:
		return t.saveDone(msg.Err)
	case writtenMsg:
		return t.written(msg)
	case tea.PasteMsg:
		return t.write(msg)
	case tea.KeyPressMsg:
		return t.press(msg)
	}
	return nil
}

// press takes a key.
func (t turn) press(msg tea.KeyPressMsg) tea.Cmd {
	t.confirm.Pressed(msg)
	if cmd, taken := mode.Press(t.Turn, t, commands, msg); taken {
		return cmd
	}
	return t.write(msg)
}

// leave leaves at once if all texts are saved, otherwise when the key is pressed twice.
func (t turn) leave(msg tea.KeyPressMsg) tea.Cmd {
	for _, p := range t.pages {
		if p.changed() && !t.confirm.Confirmed(msg) {
			return t.Fail(errors.New("the note is not saved; press ctrl+s to save it, or esc again to discard it"))
		}
	}
	return t.done()
}

func (t turn) done() tea.Cmd {
	t.open = false
	t.area.Blur()
	return t.Request(mode.Leave{})
}

// show opens a note.
func (e *Editor) show(i int) tea.Cmd {
	e.at = i
	e.area.SetValue("")
	if !e.tooLong() {
		e.area.SetValue(e.pages[i].text)
	}
	return e.area.Focus()
}

func (e *Editor) tooLong() bool {
	text := e.pages[e.at].text
	return len(text) > longNote || strings.Count(text, "\n") > longNoteLines
}

// write passes a key or a pasted text to the note.
func (t turn) write(msg tea.Msg) tea.Cmd {
	if t.tooLong() {
		return t.Say(fmt.Sprintf("this note is too long to edit here (over %d KB); press ctrl+o for your editor",
			longNote>>10))
	}
	var cmd tea.Cmd
	t.area, cmd = t.area.Update(msg)
	t.pages[t.at].text = t.area.Value()
	return cmd
}

// Panel is the note with its border.
func (e *Editor) Panel(s mode.Scene, w, h int) *layout.Box {
	st, p := s.Style, e.pages[e.at]
	title, subject := fmt.Sprintf("new note on %s", e.place), "A new note on "+e.place
	if e.at > 0 {
		title = fmt.Sprintf("note %d of %d on %s", e.at, len(e.pages)-1, e.place)
		subject = "N" + title[1:]
	}
	state := "without unsaved changes"
	if p.changed() {
		state = "not saved yet; ctrl+s saves it in the session, on this step"
	}
	room := max(h-2, 0)
	body := layout.Sentence(st, st.Text, fmt.Sprintf("This note has %d KB. Press ctrl+o to open it in your editor.",
		len(p.text)>>10), w-2, room)
	if !e.tooLong() {
		e.fit(max(w-4, 1), max(room, 1))
		lines := strings.Split(e.area.View(), "\n")
		body = layout.Row(layout.Space(1, 0), layout.Text(w-3, lines[:min(len(lines), room)]...))
	}
	return layout.Panel(st, st.Plain(title), body.Filled(room).Describe(layout.Prose, "text", "", p.says),
		w, h, true).Section("the note", "", fmt.Sprintf("%s, %s.", subject, state))
}

// says describes the text.
func (p noteDraft) says() string {
	words := strings.Fields(p.text)
	if len(words) == 0 {
		return "The note is empty. Write Markdown: headings, lists and code are formatted beside the plot."
	}
	return fmt.Sprintf("The text of the note, %s: “%s”.", widget.Count(len(words), "word"),
		layout.Excerpt(p.text, maxQuoted))
}

// fit sets the size of the text area to that of its panel; the cursor stays visible.
func (e *Editor) fit(w, h int) {
	if e.area.Width() != w || e.area.Height() != h {
		e.area.SetWidth(w)
		e.area.SetHeight(h)
	}
}
