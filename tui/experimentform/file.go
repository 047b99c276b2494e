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

// What comes of files.
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

// busy is why no file is read or written now.
func (m *Model) busy() string {
	if m.jobs.Busy() {
		return "wait: a file is being read or written; esc stops it"
	}
	return ""
}

// save asks for the name of the file, or goes to the first field with which something is wrong.
func (m *Model) save() tea.Cmd {
	m.validate = true
	if m.cost.Busy() {
		m.Say("the cost is being tried all over the domain: ctrl+s again when that is done", false)
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
	return m.Status.Ask("write it to", m.written.Declaration.Name+".toml", m.write)
}

// goTo puts the cursor on a place of the draft.
func (m *Model) goTo(at experiment.Place) tea.Cmd {
	fields := m.fieldsOf(at.Table, at.Index)
	return m.enter(spot{at.Table, max(at.Index, 0),
		max(slices.IndexFunc(fields, func(f experiment.Field) bool { return f.Key == at.Key }), 0)})
}

// write writes the file under the name that was typed, and has a session prepared on it. A file that is there is
// replaced where that was asked back.
func (m *Model) write(typed string) tea.Cmd {
	path, err := widget.TypedPath(typed, "espresso.toml")
	if err != nil {
		return m.Status.Again(err.Error())
	}
	if filepath.Ext(path) != ".toml" {
		path += ".toml"
	}
	text, cfg, over := m.written.Text, m.beginning(), path == m.overwritePath
	return m.jobs.Start("writing "+sanitize.Text(path), func(context.Context, func(string, int, int)) tea.Msg {
		if err := library.SaveExperiment(path, text, over); err != nil {
			return writtenMsg{path: path, err: err}
		}
		cfg, err := cfg.WithExperiment(path)
		return writtenMsg{cfg, path, err}
	})
}

// beginning is what a session is begun with: a method that was chosen for an experiment, where it fits this one too.
func (m *Model) beginning() sessions.Config {
	cfg := sessions.Config{Seed: m.config.Seed}
	p := m.written.Declaration.Problem()
	fit := registry.SupportingNames(len(p.Objectives), p.LimitedOutputs() != nil)
	if m.config.Experiment != nil && slices.Contains(fit, m.config.Optimizer) {
		cfg.Optimizer, cfg.Params = m.config.Optimizer, m.config.Params
	}
	return cfg
}

// askFile asks for a file to fill the form from.
func (m *Model) askFile() tea.Cmd {
	first := ""
	if f := m.config.ExperimentFile; f != nil {
		first = f.Path
	}
	return m.Status.Ask("fill it from", first, func(text string) tea.Cmd {
		path, err := widget.TypedPath(text, "espresso.toml")
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

// filed takes what came of a file.
func (m *Model) filed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case writtenMsg:
		switch {
		case errors.Is(msg.err, library.ErrExists):
			m.overwritePath = msg.path
			return m.Status.Again(filepath.Base(msg.path) +
				" is there already: enter once more replaces it, comments and all; another name leaves it")
		case msg.err != nil:
			return m.Status.Again(msg.err.Error())
		}
		m.overwritePath, m.done = "", true
		return widget.Request(widget.Start{Config: msg.config})
	case readMsg:
		if msg.err != nil {
			first, more, _ := strings.Cut(msg.err.Error(), "\n")
			if more != "" {
				first += fmt.Sprintf(" (and %d more)", strings.Count(more, "\n")+1)
			}
			return m.Status.Again(first)
		}
		if !m.draft.Equal(experiment.New()) {
			m.pushUndo()
		}
		m.fill(msg.draft, msg.name)
		m.validate = false
		m.Say("filled from the file; ctrl+s writes what you make of it to another one", false)
		return m.enter(m.at)
	case widget.PanicMsg:
		m.Say("internal error: "+msg.Reason+"; nothing is lost", true)
	}
	return nil
}
