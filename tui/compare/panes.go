package compare

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"bandscope/functions/didyoumean"
	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/chart"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
)

// maxPanes is how many methods are compared at most: as many as there are colours and lines to distinguish them.
const maxPanes = 4

// pane is one method with the picture of its posterior.
type pane struct {
	library.Pane
	alt        *sessions.Alternative // of the base session
	racer      *sessions.Session     // with its own data; nil until the race
	posterior  *picture.Posterior    // of one objective
	outcomes   *front.Outcomes       // of several objectives
	state      sessions.State        // that the picture belongs to
	handles    []optimizers.Handle
	reason     string // why there is no picture
	pictureKey string // identifies the inputs of the picture
	labels     chart.LabelMemory
}

// source is the source of the pane's posterior in an arrangement.
func (p *pane) source(a arrangement) picture.Source {
	if a == racing {
		return p.racer
	}
	return p.alt
}

// has reports whether the pane's posterior has a field.
func (p *pane) has(kind picture.FieldKind) bool {
	return p.posterior != nil && !p.posterior.Fields[kind].Empty()
}

// add puts one more pane at the end.
func (m *Model) add(p library.Pane) error {
	if len(m.panes) == maxPanes {
		return fmt.Errorf("at most %d methods can be compared at once", maxPanes)
	}
	made := &pane{}
	if err := m.set(made, p); err != nil {
		return err
	}
	m.panes = append(m.panes, made)
	return nil
}

// set gives a pane a method; on an error the pane does not change.
func (m *Model) set(p *pane, next library.Pane) error {
	alt, err := m.base.WithMethod(next.Optimizer, next.Params)
	if err != nil {
		return err
	}
	p.leave()
	*p = pane{Pane: next, alt: alt}
	if m.arrangement != racing {
		return nil
	}
	return m.enter(p)
}

// enter gives a pane its own session, at the start of the race.
func (m *Model) enter(p *pane) error {
	s, err := m.comparison.NewRacer(p.Pane)
	if err != nil {
		return err
	}
	p.leave()
	p.racer = s
	return nil
}

// leave closes the pane's own session in the background, which ends the program that its method is.
func (p *pane) leave() {
	if s := p.racer; s != nil {
		go s.Close() // it has no file
	}
}

// change gives a pane another method or other parameters.
func (m *Model) change(i int, pane library.Pane) tea.Cmd {
	m.Stop()
	before, outcomes, handles := m.panes[i].posterior, m.panes[i].outcomes, m.panes[i].handles
	if err := m.set(m.panes[i], pane); err != nil {
		m.Status.Fail(err)
		return m.updatePictures()
	}
	// shown until the new picture comes
	m.panes[i].posterior = before
	m.panes[i].outcomes = outcomes
	m.panes[i].handles = handles
	m.panes[i].state = m.base.State()
	return m.updatePictures()
}

// addCopy adds a pane like the selected one, to be changed.
func (m *Model) addCopy() tea.Cmd {
	if err := m.add(m.panes[m.selected].Pane); err != nil {
		m.Status.Fail(err)
		return nil
	}
	m.selected = len(m.panes) - 1
	m.Notify("pane " + letter(m.selected) + " is a copy; press e to change a parameter, or : to find another method")
	return m.updatePictures()
}

func (m *Model) remove() tea.Cmd {
	m.Stop()
	m.panes[m.selected].leave()
	m.panes = append(m.panes[:m.selected:m.selected], m.panes[m.selected+1:]...)
	m.selected = min(m.selected, len(m.panes)-1)
	if len(m.panes) < 2 && m.arrangement == bandWidths {
		m.arrangement = sideBySide
	}
	return m.updatePictures()
}

func (m *Model) askMethod() tea.Cmd {
	return m.Status.Ask("method of pane "+letter(m.selected), "", m.chooseMethod)
}

// chooseMethod gives the selected pane the method whose name best matches the text.
func (m *Model) chooseMethod(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	names := m.methods()
	if !slices.Contains(names, text) && !registry.IsProgram(text) {
		found := fuzzy.Find(text, names)
		if text == "" || len(found) == 0 {
			return m.Status.Again(didyoumean.NewUnknownError("optimizer", text, names).Error())
		}
		text = found[0].Str
	}
	spec, err := registry.Find(text)
	if err != nil {
		return m.Status.Again(err.Error())
	}
	return m.change(m.selected, library.Pane{Title: spec.Title, Optimizer: text})
}

// methods are the names of the methods that fit the problem.
func (m *Model) methods() []string {
	p := m.base.State().Problem
	return registry.SupportingNames(len(p.Objectives), p.LimitedOutputs() != nil)
}
