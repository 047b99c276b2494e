// Package experimentform is the screen to declare your own experiment: a form with the keys of the experiment file,
// each checked while it is typed, beside the resulting file. The text is a draft of functions/experiment, which has the
// checks; the file is written off the update loop, and an action of the window starts a session on it. Nothing is
// evaluated here, and no session is changed. The field with the cursor is a text input of Bubbles, one that moves with
// the cursor; the text of the others is in the draft.
package experimentform

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/tui/widget"
)

// Model is the screen. It keeps its text when it is left.
type Model struct {
	widget.Base
	formState
	written *experiment.DraftFile // the draft as a file
	undo    []formState           // what ctrl+u restores, the last one last
	config  sessions.Config
	done    bool // a session was started with it

	at            spot
	input         textinput.Model
	letters       string      // of a choice, as they were typed
	validate      bool        // show missing fields as errors, after the first attempt to write
	jobs          widget.Jobs // files
	cost          widget.Jobs // checking the cost
	tried         bool        // the cost was checked since the last change
	overwritePath string      // an existing file that the next enter replaces
}

// formState is the content of the form.
type formState struct {
	draft    *experiment.Draft
	original *experiment.Draft // as it was filled, before anything was typed
	source   string            // the experiment that it was filled with; empty for none
}

// New makes the screen with an empty form.
func New() *Model {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 4096
	in.SetVirtualCursor(false)
	m := &Model{Base: widget.NewBase(), input: in}
	m.fill(experiment.New(), "")
	return m
}

// Begin opens the form from a session: one about an experiment fills it with that one's declaration. The typed text
// stays; if something replaces it, ctrl+u restores it.
func (m *Model) Begin(from sessions.Config) error {
	m.config, m.validate = from, false
	filled, like := experiment.New(), ""
	if from.Experiment != nil {
		var err error
		filled, err = experiment.NewDraft(from.Experiment)
		if err != nil {
			return err
		}
		like = from.Experiment.Name
	}
	typed := !m.draft.Equal(m.original)
	switch {
	case m.done || like != "" && !filled.Equal(m.original):
		if typed || m.done {
			m.pushUndo()
		}
		m.fill(filled, like)
	case !typed:
		m.fill(filled, like)
	default:
		m.Say("what you typed is still here", false)
	}
	return nil
}

// fill fills the form, and puts the cursor at its beginning.
func (m *Model) fill(d *experiment.Draft, like string) {
	m.formState, m.done = formState{d, d.Clone(), like}, false
	m.check()
	m.enter(spot{})
}

// pushUndo keeps the content of the form, so that ctrl+u can restore it.
func (m *Model) pushUndo() {
	m.undo = append(m.undo, formState{m.draft.Clone(), m.original, m.source})
	if n := len(m.undo); n > maxUndo {
		m.undo = slices.Delete(m.undo, 0, n-maxUndo)
	}
}

// maxUndo bounds how many contents of the form are kept.
const maxUndo = 50

// check finds the errors of the draft, except those that need evaluations all over the domain.
func (m *Model) check() {
	m.written, m.tried = m.draft.Write(), false
	m.cost.Stop()
}

// try checks the cost and the constraints all over the domain, off the update loop, unless it did since the last
// change.
func (m *Model) try() tea.Cmd {
	w := m.written
	if m.tried || m.cost.Busy() || w.Declaration == nil || w.Declaration.Cost == "" &&
		w.Declaration.Constraints == nil {
		return nil
	}
	return m.cost.Start("checking the cost and the constraints over the whole domain",
		func(context.Context, func(string, int, int)) tea.Msg { return triedMsg{w.WithFullCheck()} })
}

// triedMsg brings the file with the cost and the constraints checked.
type triedMsg struct{ written *experiment.DraftFile }

// Init puts the cursor into the current field.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.enter(m.at), m.try()) }

// Stop stops the reading or writing of a file.
func (m *Model) Stop() {
	m.jobs.Stop()
	m.cost.Stop()
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.DoneMsg:
		if inner, ok := m.jobs.Take(msg); ok {
			m.jobs.Finish()
			return tea.Batch(m.filed(inner), m.try())
		}
		if inner, ok := m.cost.Take(msg); ok {
			m.cost.Finish()
			m.tried = true
			m.costTried(inner)
		}
		return nil
	case widget.TickMsg:
		return tea.Batch(m.jobs.Tick(msg), m.cost.Tick(msg))
	}
	return tea.Batch(m.typed(msg), m.try())
}

// typed takes a key or pasted text.
func (m *Model) typed(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	switch {
	case ok:
		if cmd, taken := m.take(press); taken {
			return cmd
		}
	case m.Status.Open():
		return m.Status.Type(msg)
	}
	return m.edit(msg)
}

// costTried takes the result of checking the cost.
func (m *Model) costTried(msg tea.Msg) {
	switch msg := msg.(type) {
	case triedMsg:
		m.written = msg.written
	case widget.PanicMsg:
		m.Say("internal error: "+msg.Reason+"; nothing is lost", true)
	}
}

// wrong are the errors at a place, without those about missing values, unless the form was to be written.
func (m *Model) wrong(place experiment.Place) (list []string) {
	for _, f := range m.written.Faults {
		if f.Place == place && (m.validate || !m.missing(f)) {
			list = append(list, f.Text)
		}
	}
	return list
}

// missing reports whether a fault only says that a value is missing.
func (m *Model) missing(f experiment.Fault) bool {
	row := m.draft.Row(f.Table, f.Index)
	return row == nil && f.Table != experiment.Root || f.Key == "" && f.Table == experiment.Root || f.Key != "" &&
		row[f.Key] == ""
}
