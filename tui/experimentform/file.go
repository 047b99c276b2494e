package experimentform

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions/experiment"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/widget"
)

// Results of reading and writing files.
type (
	writtenMsg struct {
		config sessions.Config
		path   string
		err    error
	}
	readMsg struct {
		draft *experiment.Draft
		name  string
		err   error
	}
)

// busy says that a file is being read or written; empty if none is.
func (m *Model) busy() string {
	if m.jobs.Busy() {
		return "wait: a file is being read or written; esc stops it"
	}
	return ""
}

// save asks for the name of the file, or goes to the first field with an error.
func (m *Model) save() tea.Cmd {
	m.validate = true
	if m.cost.Busy() {
		m.Say("the cost is being checked over the whole domain; press ctrl+s again when that is done", false)
		return nil
	}
	if len(m.written.Faults) > 0 {
		f := m.written.Faults[0]
		m.Say(f.Text, true)
		if n := len(m.written.Faults) - 1; n > 0 {
			m.Say(fmt.Sprintf("%s (and %d more)", f.Text, n), true)
		}
		return m.goTo(f.Place)
	}
	return m.Status.Ask("write to", m.written.Declaration.Name+".toml", m.write)
}

// goTo puts the cursor on a place of the draft.
func (m *Model) goTo(place experiment.Place) tea.Cmd {
	fields := m.fieldsOf(place.Table, place.Index)
	return m.enter(spot{place.Table, max(place.Index, 0),
		max(slices.IndexFunc(fields, func(f experiment.Field) bool { return f.Key == place.Key }), 0)})
}

// write writes the file under the typed name, and prepares a session on it. It replaces an existing file only after a
// confirmation.
func (m *Model) write(typed string) tea.Cmd {
	path, err := m.Rights.Path(typed, "espresso.toml")
	if err != nil {
		return m.Status.Again(err.Error())
	}
	if filepath.Ext(path) != ".toml" {
		path += ".toml"
	}
	text := m.written.Text
	cfg := m.beginning()
	over := path == m.overwritePath
	return m.jobs.Start("writing "+sanitize.Text(path), func(context.Context, func(string, int, int)) tea.Msg {
		if err := library.SaveExperiment(path, text, over); err != nil {
			return writtenMsg{path: path, err: err}
		}
		cfg, err := cfg.WithExperiment(path)
		return writtenMsg{cfg, path, err}
	})
}

// beginning is the settings of the new session: the method of the last experiment, if it supports this one too.
func (m *Model) beginning() sessions.Config {
	cfg := sessions.Config{Seed: m.config.Seed}
	p := m.written.Declaration.Problem()
	fit := registry.SupportingNames(len(p.Objectives), p.LimitedOutputs() != nil)
	if m.config.Experiment != nil && (slices.Contains(fit, m.config.Optimizer) || registry.IsProgram(m.config.Optimizer)) {
		cfg.Optimizer = m.config.Optimizer
		cfg.Program = m.config.Program
		cfg.Params = m.config.Params
	}
	return cfg
}

// askFile asks for a file to fill the form from.
func (m *Model) askFile() tea.Cmd {
	first := ""
	if f := m.config.ExperimentFile; f != nil {
		first = f.Path
	}
	return m.Status.Ask("fill from", first, func(text string) tea.Cmd {
		path, err := m.Rights.Path(text, "espresso.toml")
		if err != nil {
			return m.Status.Again(err.Error())
		}
		return m.jobs.Start("reading "+sanitize.Text(path), func(context.Context, func(string, int, int)) tea.Msg {
			cfg, err := sessions.Config{}.WithExperiment(path)
			if err != nil {
				return readMsg{err: err}
			}
			d, err := experiment.NewDraft(cfg.Experiment)
			return readMsg{d, cfg.Problem, err}
		})
	})
}

// filed takes the result of reading or writing a file.
func (m *Model) filed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case writtenMsg:
		switch {
		case errors.Is(msg.err, library.ErrExists):
			m.overwritePath = msg.path
			return m.Status.Again(filepath.Base(msg.path) +
				" already exists; press enter again to replace it with its comments, or type another name")
		case msg.err != nil:
			return m.Status.Again(msg.err.Error())
		}
		m.overwritePath, m.done = "", true
		return widget.Request(widget.Start{Config: msg.config})
	case readMsg:
		if msg.err != nil {
			first, rest, _ := strings.Cut(msg.err.Error(), "\n")
			if rest != "" {
				first += fmt.Sprintf(" (and %d more)", strings.Count(rest, "\n")+1)
			}
			return m.Status.Again(first)
		}
		if !m.draft.Equal(experiment.New()) {
			m.pushUndo()
		}
		m.fill(msg.draft, msg.name)
		m.validate = false
		m.Say("filled from the file; ctrl+s writes your changes to a new file", false)
		return m.enter(m.at)
	case widget.PanicMsg:
		m.Say("internal error: "+msg.Reason+"; nothing is lost", true)
	}
	return nil
}
