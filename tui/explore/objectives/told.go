package objectives

import (
	"fmt"
	"strings"

	"bandscope/functions"
	"bandscope/sessions/safe"
	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
)

// Elements tells what is seen of the panel: the objectives, or the form of a change.
func (l *List) Elements(s mode.Scene, seen mode.Seen) []explain.Element {
	t := turn{l, &mode.Turn{Scene: s}}
	if l.form != nil {
		return t.formElements(seen)
	}
	objectives := s.State.Problem.Objectives
	list := []explain.Element{{Kind: explain.Panel, Name: "the objectives", Term: "objective", Where: seen.Panel(),
		Says: fmt.Sprintf("What is sought, %d in all. A change holds from here on: all data stay, and %s goes on with what they say of the new goal.", len(objectives), s.State.Spec.Title)}}
	for k, o := range objectives {
		if 2*k+2 > seen.H-2 {
			break
		}
		list = append(list, explain.Element{Kind: explain.Number, Name: safe.Text(o.Name), Term: "objective", Says: t.saysOf(k, o), Where: seen.Rows(2*k, 2*k+2)})
	}
	if lacks := t.lacks(); 2*len(objectives) < seen.H-2 {
		says := "What the keys do here. No earlier result lacks an objective."
		if lacks != "" {
			says = "What the keys do here. " + lacks
		}
		list = append(list, explain.Element{Kind: explain.Prose, Name: "what can be done", Says: says, Where: seen.Rows(2*len(objectives), seen.H-2)})
	}
	return list
}

// saysOf tells an objective.
func (t turn) saysOf(k int, o functions.Objective) string {
	text := fmt.Sprintf("%s is to be made %s", safe.Text(o.Name), map[bool]string{true: "great", false: "small"}[o.Direction == functions.Maximize])
	if o.Unit != "" {
		text += ", in " + safe.Text(o.Unit)
	}
	text += ": " + safe.Text(expected(o)) + "."
	if o.Range != nil {
		text += " By that range it is weighed against others."
	}
	if k == min(t.selected, len(t.State.Problem.Objectives)-1) {
		text += " It is the one that keys change."
	}
	return text
}

// formElements tells the form of a change.
func (t turn) formElements(seen mode.Seen) []explain.Element {
	f := t.form
	list := []explain.Element{{Kind: explain.Panel, Name: "the form", Term: "objective", Where: seen.Panel(),
		Says: fmt.Sprintf("A change is written here, %s, field %d of %d: nothing is changed before ctrl+s, or enter behind the last field.", safe.Text(f.title), f.at+1, len(f.fields))}}
	for i, d := range f.fields {
		typed := "nothing stands in it yet"
		if text := strings.TrimSpace(*d.of(&f.draft)); text != "" {
			typed = explain.Brief(text, 8)
		}
		list = append(list, explain.Element{Kind: explain.Number, Name: d.label, Term: "objective", Says: fmt.Sprintf("The %s: %s. %s.", d.label, typed, upper(explain.Brief(d.help, 24))), Where: seen.Rows(i, i+1)})
	}
	says := "What the field means that is typed: " + explain.Brief(f.fields[f.at].help, 24) + "."
	if _, err := f.draft.Declared(t.State); err != nil {
		says = "What the field means, and what is missing or wrong yet: " + explain.Brief(err.Error(), 30) + "."
	}
	return append(list, explain.Element{Kind: explain.Prose, Name: "what is typed", Says: says, Where: seen.Rows(len(f.fields), seen.H-2)})
}

// upper is a text with a great first letter.
func upper(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
