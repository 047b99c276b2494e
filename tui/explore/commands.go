package explore

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"bandscope/tui/screen"
)

// command is a binding of the explorer with the reason why it can do nothing as things stand.
type command = screen.Command[*Model]

// commands are what the keys do in each mode. What a command finds out only when it acts, it says itself.
var commands = [modes][]command{
	stepping: slices.Concat(
		can(keys.Step, keys.Back), unless((*Model).atStart, keys.First), unless((*Model).atEnd, keys.Last), can(keys.Run, keys.Slower, keys.Faster),
		unless((*Model).idle, keys.Stop), unless((*Model).questionOpen, keys.Truth), unless((*Model).noSamples, keys.Redraw, keys.Fewer, keys.More),
		unless((*Model).oneTrace, keys.Trace), unless((*Model).noTheory, keys.Theory), unless((*Model).noTurn, keys.PrevVar, keys.NextVar),
		unless((*Model).oneView, keys.Flat), unless((*Model).noFields, keys.Field, keys.Zoom, keys.Contours, keys.Numbers, keys.Shared, keys.Map),
		unless((*Model).noOther, keys.Other, keys.OtherBack), unless((*Model).notZoomed, keys.Whole), unless((*Model).noCoordinates, keys.Coordinates),
		can(keys.Box, keys.Ask, keys.Seek, keys.NextNote, keys.PrevNote, keys.Note, keys.Mark), unless((*Model).noNotes, keys.Notes), can(keys.PauseNotes),
		unless((*Model).noScroll, keys.PageDown, keys.PageUp), can(keys.Fork, keys.History, keys.Correct, keys.Verify, keys.Export, keys.Edit, keys.Query,
			keys.Compare, keys.Open, keys.Save), unless((*Model).noResume, keys.Resume), anywhere),
	editing: slices.Concat(unless((*Model).oneParameter, editKeys.Up, editKeys.Down), can(editKeys.Less, editKeys.More, editKeys.Type),
		unless((*Model).isDefault, editKeys.Default), can(editKeys.Undo, editKeys.Done), anywhere),
	querying: slices.Concat(can(queryKeys.Left, queryKeys.Right), unless((*Model).noUp, queryKeys.Up, queryKeys.Down), unless((*Model).noNext, queryKeys.Next),
		can(queryKeys.Type, queryKeys.Go, queryKeys.Done), anywhere),
	boxing: slices.Concat(can(boxKeys.Left, boxKeys.Right, boxKeys.Up, boxKeys.Down, boxKeys.Grow, boxKeys.Shrink, boxKeys.Wider, boxKeys.Narrower, boxKeys.Take,
		boxKeys.Leave, boxKeys.Another), unless((*Model).oneBox, boxKeys.Next), can(boxKeys.Remove, boxKeys.Drop), anywhere),
	preferring: slices.Concat(can(preferKeys.A, preferKeys.B, preferKeys.Tie, preferKeys.Unsure), unless((*Model).noAnswer, preferKeys.Undo), can(preferKeys.Leave),
		anywhere),
	noting: can(noteKeys.Keep, noteKeys.Editor, noteKeys.Next, noteKeys.Prev, noteKeys.Leave),
}

// anywhere are the commands of every mode.
var anywhere = can(keys.Help, keys.Quit, keys.Susp)

func can(bindings ...key.Binding) []command { return screen.Commands[*Model](nil, bindings...) }

func unless(off func(*Model) string, bindings ...key.Binding) []command {
	return screen.Commands(off, bindings...)
}

// modeTitles name the modes, as in "… does nothing in the editor".
var modeTitles = [modes]string{stepping: "the explorer", editing: "the editor", querying: "a query", boxing: "a box", preferring: "a question", noting: "a note"}

// Here tells what the keys do now.
func (m *Model) Here() screen.Here {
	return screen.Here{Title: modeTitles[m.mode], Keys: screen.Keys(m, commands[m.mode]), Typing: m.Typing()}
}

func (m *Model) idle() string {
	if m.Busy() || m.running || m.queued > 0 {
		return ""
	}
	return "nothing is being computed: there is nothing to stop"
}

func (m *Model) atStart() string {
	if m.record.line.At > 0 || m.Busy() {
		return ""
	}
	return "this is the first place"
}

func (m *Model) atEnd() string {
	if m.ahead() || m.Busy() {
		return ""
	}
	return "this is the last place; space goes on"
}

func (m *Model) questionOpen() string {
	if m.asking() {
		return "the true function stays hidden until you have chosen a point: x"
	}
	return ""
}

func (m *Model) noSamples() string {
	switch {
	case m.steering:
		return "samples are drawn over the inputs: d shows them"
	case m.known != nil && m.known.legend.Samples == "" && m.known.legend.Used == "":
		return m.state.Spec.Title + " has no surrogate samples to draw"
	}
	return ""
}

func (m *Model) oneTrace() string {
	switch {
	case m.session.Lesson().Hides("regret") && m.notesShown():
		return "this lesson leaves the regret and the theory out while its notes are shown: h"
	case m.view.Theory && (m.known == nil || m.known.theory == nil):
		return m.state.Spec.Title + " has no theory to show: i shows the regret again"
	case !m.view.Theory && !m.several() && m.state.Problem.Dim() > 1 && m.plane.coordinates:
		return "all variables are shown in place of the regret: p"
	case !m.view.Theory && !m.several() && !m.reveal:
		return "the regret would tell of the truth, which is hidden: t"
	}
	return ""
}

func (m *Model) noTheory() string {
	switch {
	case m.steering:
		return "theory is told of a single objective"
	case m.session.Lesson().Hides("regret") && m.notesShown():
		return "this lesson leaves the regret and the theory out while its notes are shown: h"
	}
	return ""
}

func (m *Model) noTurn() string {
	switch {
	case m.steering && len(m.state.Problem.Objectives) < 3:
		return "both objectives are shown"
	case !m.steering && m.state.Problem.Dim() == 1:
		return "this problem has one variable"
	}
	return ""
}

func (m *Model) oneView() string {
	if !m.several() && m.state.Problem.Dim() == 1 {
		return "this problem has one variable: there is no other view"
	}
	return ""
}

func (m *Model) noFields() string {
	switch {
	case m.state.Problem.Dim() == 1:
		return "this problem has one variable; fields are of two"
	case !m.planar:
		return "no fields are shown: d goes to them"
	}
	return ""
}

func (m *Model) noOther() string {
	if off := m.noFields(); off != "" {
		return off
	}
	if m.state.Problem.Dim() == 2 {
		return "both variables are shown"
	}
	return ""
}

func (m *Model) notZoomed() string {
	if off := m.noFields(); off != "" {
		return off
	}
	if len(m.plane.zooms) == 0 {
		return "this is the whole domain"
	}
	return ""
}

func (m *Model) noCoordinates() string {
	switch {
	case m.steering && len(m.state.Problem.Objectives) < 3:
		return "both objectives are shown"
	case !m.steering && m.state.Problem.Dim() == 1:
		return "this problem has one variable"
	case m.view.Theory:
		return "the theory is shown there: i"
	}
	return ""
}

func (m *Model) noNotes() string {
	if m.notes() == "" {
		return "nothing is written on this step: n writes"
	}
	return ""
}

func (m *Model) noScroll() string {
	if m.notes() == "" || !m.notesShown() {
		return "there is no note to scroll"
	}
	if m.scrollable() == 0 {
		return "all of the note is shown"
	}
	return ""
}

func (m *Model) noResume() string {
	if m.last == nil {
		return "there is no earlier session to resume"
	}
	return ""
}

func (m *Model) oneParameter() string {
	if len(m.state.Params.Decls()) == 1 {
		return "there is one parameter"
	}
	return ""
}

func (m *Model) isDefault() string {
	if d := m.current(); m.state.Params.Value(d.Key) == d.Default {
		return d.Label + " is as the default has it"
	}
	return ""
}

func (m *Model) noUp() string {
	switch {
	case m.planar:
		return ""
	case m.state.Problem.Dim() == 1:
		return "this problem has one variable: left and right move"
	}
	return "a slice along one variable is shown: left and right move"
}

func (m *Model) noNext() string {
	if m.known == nil || len(m.known.next) == 0 || m.asking() {
		return "no next point is known here"
	}
	return ""
}

func (m *Model) oneBox() string {
	if len(m.steer.moving.prior.Boxes()) < 2 {
		return "there is one box: B adds another"
	}
	return ""
}

func (m *Model) noAnswer() string {
	for _, c := range m.state.Compared {
		if !c.Retracted {
			return ""
		}
	}
	return "there is no answer to take back"
}

// Groups lists every binding of the explorer and its modes under headings, for the help.
func Groups() []screen.Group {
	k := keys
	return []screen.Group{
		{Title: "Step", Bindings: []key.Binding{k.Step, k.Back, k.First, k.Last, k.Run, k.Slower, k.Faster, k.Stop}},
		{Title: "Look", Bindings: []key.Binding{k.Truth, k.Redraw, k.Fewer, k.More, k.Trace, k.Theory, k.PrevVar, k.NextVar}},
		{Title: "Two variables", Bindings: []key.Binding{k.Field, k.Flat, k.Other, k.OtherBack, k.Zoom, k.Whole, k.Contours, k.Numbers, k.Shared, k.Map, k.Coordinates}},
		{Title: "Several objectives", Bindings: []key.Binding{k.Flat, k.Box, k.Ask}},
		{Title: "Record", Bindings: []key.Binding{k.Seek, k.NextNote, k.PrevNote, k.Note, k.Mark, k.Notes, k.PauseNotes, k.PageDown, k.PageUp, k.Fork, k.History, k.Correct, k.Verify,
			k.Export, screen.Bind("click", "on the timeline: go there")}},
		{Title: "Act", Bindings: []key.Binding{k.Edit, k.Query, k.Compare, k.Open, k.Save, k.Resume, k.Help, k.Quit, k.Susp}},
		{Title: "In the editor (e)", Bindings: bindings(commands[editing])},
		{Title: "In a query (x)", Bindings: bindings(commands[querying])},
		{Title: "In a box (B)", Bindings: append(bindings(commands[boxing]), screen.Bind("mouse", "drag the box or a side of it"))},
		{Title: "In a question (a)", Bindings: bindings(commands[preferring])},
		{Title: "In a note (n)", Bindings: noteKeys.bindings()},
	}
}

// bindings are those of a mode's commands, without the ones of every mode.
func bindings(commands []command) []key.Binding {
	var list []key.Binding
	for _, c := range commands[:len(commands)-len(anywhere)] {
		list = append(list, c.Binding)
	}
	return list
}
