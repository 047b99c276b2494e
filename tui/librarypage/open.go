// Package librarypage is the screen on which a function, an optimizer, a seed, noise and a budget are chosen for a new
// session, or a saved session, a session of the gallery, a comparison, a lab, a study or a lesson is opened. The form has the choices, from lists
// that are filtered by typing. The folder of sessions is read, and sessions are renamed, copied and deleted, off the
// update loop. The result is an action of the window. The lists are not those of Bubbles, which turn pages, have their
// own input to filter by, and draw their entries as one text, in which no entry could be described.
package librarypage

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/widget"
)

// Model is the screen.
type Model struct {
	widget.Base // its message is below the form

	form
	preview  preview
	sketched functionSketch // of the function that is previewed
	folder   folder
}

// New makes the screen with the current choices, the file of the session that is open, and the sessions of a folder.
func New(current sessions.Config, open, dir string) *Model {
	return &Model{form: newForm(current), Base: widget.NewBase(), folder: folder{dir: dir, open: open}}
}

// ShowLessons has the screen begin with the list of lessons, in place of the functions.
func (m *Model) ShowLessons() { m.field = fieldLessons }

// ShowGallery has the screen begin with the gallery.
func (m *Model) ShowGallery() { m.field = fieldGallery }

// ShowStudies has the screen begin with the list of studies.
func (m *Model) ShowStudies() { m.field = fieldStudies }

// ShowSessions has the screen begin with the list of saved sessions.
func (m *Model) ShowSessions() { m.field = fieldSessions }

// Init puts the cursor into the first field of the screen, and reads the folder.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.focus(m.field), m.list()) }

func (m *Model) say(text string) { m.Say(text, false) }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := m.preview.jobs.Take(msg); ok {
			m.preview.previewDone(inner)
		}
		if inner, ok := m.folder.jobs.Take(msg); ok {
			m.folder.jobs.Finish()
			return tea.Batch(m.changeDone(inner), m.loadPreview())
		}
		return nil
	case widget.TickMsg:
		return tea.Batch(m.preview.jobs.Tick(msg), m.folder.jobs.Tick(msg))
	}
	return tea.Batch(m.update(msg), m.loadPreview())
}

// update takes a message that is no result.
func (m *Model) update(msg tea.Msg) tea.Cmd {
	defer m.fit()
	press, ok := msg.(tea.KeyPressMsg)
	switch {
	case ok:
		return m.key(press)
	case m.Status.Open():
		return m.Status.Type(msg)
	}
	return m.edit(msg)
}

// Stop cancels the reads of the screen, and the operation on a session.
func (m *Model) Stop() {
	m.preview.jobs.Stop()
	m.folder.jobs.Stop()
}

// key takes a key press: the prompt and the commands first, then the current field.
func (m *Model) key(press tea.KeyPressMsg) tea.Cmd {
	list := commands()
	if m.field == fieldSessions || m.field == fieldStudies || !m.text(press) {
		list = append(list, folderCommands()...)
	}
	message, bad := m.Status.Message()
	cmd, taken := widget.Take(m, &m.Status, list, press)
	if !taken {
		m.Say(message, bad)
		return m.edit(press)
	}
	return cmd
}

// leave goes back to the explorer; esc first stops a running operation on a session.
func (m *Model) leave(press tea.KeyPressMsg) tea.Cmd {
	if press.String() == "esc" && m.folder.acting() {
		return m.stop()
	}
	return widget.Request(widget.Close{})
}

// move goes up or down in a list, and from a field without one to another field.
func (m *Model) move(delta int) tea.Cmd {
	if !fields[m.field].list {
		return m.focus(m.field + field(delta))
	}
	m.selected[m.field] = max(min(m.selected[m.field]+delta, len(m.matches(m.field))-1), 0)
	return nil
}

func (m *Model) focus(f field) tea.Cmd {
	m.inputs[m.field].Blur()
	m.field = (f + fieldCount) % fieldCount
	m.say("")
	return m.inputs[m.field].Focus()
}

// edit passes a message to the current field.
func (m *Model) edit(msg tea.Msg) tea.Cmd {
	if m.field == fieldStart {
		return nil
	}
	before, position := m.inputs[m.field].Value(), m.inputs[m.field].Position()
	var cmd tea.Cmd
	m.inputs[m.field], cmd = m.inputs[m.field].Update(msg)
	if m.inputs[m.field].Value() != before {
		m.say("")
		if fields[m.field].list {
			m.selected[m.field] = 0
		}
	} else if press, ok := msg.(tea.KeyPressMsg); ok && m.inputs[m.field].Position() == position {
		m.say(press.String() + " has no effect here")
	}
	return cmd
}

// pick takes the selected entry of the current field, and goes on to the next field or opens it.
func (m *Model) pick() tea.Cmd {
	if m.field == fieldStart {
		return m.start()
	}
	if leads := fields[m.field].leads; leads != nil {
		it, ok := m.on(m.field)
		if !ok {
			m.Say("no entry has this name", true)
			return nil
		}
		return widget.Request(leads(&m.form, it.value))
	}
	if err := m.take(m.field); err != nil {
		m.Status.Fail(err)
		return nil
	}
	if m.field == fieldFunction { // the settings are below the lists
		return m.focus(fieldOptimizer)
	}
	return m.focus(m.field + 1)
}

// start reads every field and asks for the new session; the first field that is wrong is shown with its reason.
func (m *Model) start() tea.Cmd {
	for f := range fieldCount {
		if err := m.take(f); err != nil {
			cmd := m.focus(f)
			m.Status.Fail(err)
			return cmd
		}
	}
	return widget.Request(widget.Start{Config: m.config})
}
