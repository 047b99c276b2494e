package open

import (
	"fmt"
	"strings"

	"bandscope/tui/explain"
	"bandscope/tui/screen"
)

// Elements tells what is seen: the form, the list of the field in which the cursor is, what is told of its entry, and the keys.
func (m *Model) Elements() []explain.Element {
	seen := explain.See(m.Render())
	var list []explain.Element
	for i, p := range seen.Parts() {
		switch i {
		case 0:
			list = append(list, m.tellForm(&p)...)
		case 1:
			list = append(list, m.tellList(&p)...)
		default:
			list = append(list, m.tellPreview(&p)...)
		}
	}
	if seen.Text(m.Height-1) != "" {
		list = append(list, seen.Keys(m.Height-1))
	}
	return list
}

// tellForm tells the form, a row at a time.
func (m *Model) tellForm(p *explain.Part) []explain.Element {
	function, _ := m.chosen(fieldFunction)
	optimizer, _ := m.chosen(fieldOptimizer)
	list := []explain.Element{p.Panel("", fmt.Sprintf("What a new session begins with: now %s with %s. Below it are other things that can be opened: sessions, comparisons, labs, lessons. Tab goes from row to row, typing changes one.", function, optimizer))}
	for f := range fieldCount {
		if row := formRow(f); row < len(p.Lines) {
			list = append(list, number(p.Prose(fields[f].name, terms[f], m.tellField(f), row, row+1)))
		}
	}
	from := formRow(fieldCount-1) + 1
	if said, _ := m.Status.Said(); said != "" && from+1 < len(p.Lines) {
		e := p.Prose("said", "", "The answer to the last key: "+strings.TrimSuffix(said, ".")+".", from, len(p.Lines))
		if len(e.Where()) > 0 {
			list = append(list, e)
		}
	}
	return list
}

// terms are the words of the glossary for fields.
var terms = map[field]string{fieldSeed: "seed", fieldNoise: "observation noise", fieldBudget: "initial design", fieldCost: "cost", fieldCostBudget: "cost"}

// tellField tells a row of the form: what it is, and what stands in it.
func (m *Model) tellField(f field) string {
	name, n := fields[f].name, len(m.lists[f])
	it, ok := m.on(f)
	switch f {
	case fieldFunction, fieldOptimizer:
		what := map[field]string{fieldFunction: "The function that is minimized or maximized", fieldOptimizer: "The method that looks for its best value"}[f]
		if !ok {
			return what + ": of what was typed nothing is known."
		}
		return fmt.Sprintf("%s: %s, one of %d. %s.", what, it.value, n, strings.TrimSuffix(strings.Join(strings.Fields(it.about), " "), "."))
	case fieldStart:
		return fields[f].about + " Enter does it, and ctrl+s from any row."
	case fieldExperiment:
		return fmt.Sprintf("A form for an experiment of one's own: what is set, what is measured. There %s.", map[bool]string{true: "is one way into it", false: fmt.Sprintf("are %d ways into it", n)}[n == 1])
	case fieldSessions:
		switch {
		case m.folder.failed != "":
			return "Sessions that were saved: the folder cannot be read."
		case !m.folder.read:
			return "Sessions that were saved: the folder is being read."
		case !ok:
			return "Sessions that were saved: none is here, or none fits what was typed."
		}
		return fmt.Sprintf("The %s in the folder, the newest first: enter opens the chosen one again where it stands.", strings.Replace(screen.Counted(n, "saved session"), "1 saved", "one saved", 1))
	case fieldComparisons:
		return fmt.Sprintf("The %d built-in comparisons of methods on the same data.", n)
	case fieldLabs:
		return fmt.Sprintf("The %d labs: trainings of small models that are watched from inside.", n)
	case fieldStudies:
		return fmt.Sprintf("The %s: tables of runs over problems, methods and seeds, those that were begun before those that are built in.", screen.Counted(n, "study"))
	case fieldLessons:
		return fmt.Sprintf("The %d lessons of the course: sessions with pages and questions.", n)
	}
	value := m.inputs[f].Value()
	if value == "" {
		value = m.inputs[f].Placeholder
	}
	return fmt.Sprintf("The %s, %s. %s", name, value, fields[f].about)
}

func (m *Model) tellList(p *explain.Part) []explain.Element {
	name := fields[m.field].name
	if !fields[m.field].list {
		return []explain.Element{p.Panel(terms[m.field], fmt.Sprintf("What the field %s takes, in which the cursor is.", name)), p.Prose("about "+name, terms[m.field], m.tellField(m.field), 0, len(p.Lines))}
	}
	found := m.matches(m.field)
	whole := fmt.Sprintf("What can be chosen for %s: %d of %d entries", name, len(found), len(m.lists[m.field]))
	if typed := m.inputs[m.field].Value(); typed != "" {
		whole += fmt.Sprintf(" fit %q, which was typed", typed)
	} else {
		whole += ", as nothing was typed to filter them"
	}
	list := []explain.Element{p.Panel("", whole+". Up and down go through them, enter takes one.")}
	if len(found) == 0 {
		return append(list, p.Prose("nothing here", "", "Why nothing is listed: nothing of this kind is here, or nothing fits what was typed.", 0, len(p.Lines)))
	}
	at := min(m.selected[m.field], len(found)-1)
	chosen, others := -1, 0
	for row, line := range p.Lines {
		if strings.HasPrefix(line, " "+m.Style.Pointer()) {
			chosen = row
		} else if strings.TrimSpace(line) != "" {
			others++
		}
	}
	it := found[at]
	says := strings.TrimSuffix(strings.Join(strings.Fields(it.about), " "), ".")
	if m.field != fieldSessions {
		says = it.value + ", " + says
	}
	if chosen >= 0 {
		list = append(list, number(p.Prose("chosen", "", fmt.Sprintf("The chosen entry, %d of %d: %s.", at+1, len(found), says), chosen, chosen+1)))
	}
	if others > 0 {
		rest := number(p.Prose("other entries", "", fmt.Sprintf("Others that could be chosen, %d of them in sight: their names, and beside them what they are.", others), 0, len(p.Lines)))
		if chosen >= 0 {
			rest.Where = explain.Both(p.Rows(0, chosen), p.Rows(chosen+1, len(p.Lines)))
		}
		list = append(list, rest)
	}
	return list
}

// number is an element of the same cells that tells numbers.
func number(e explain.Element) explain.Element {
	e.Kind = explain.Number
	return e
}

func (m *Model) tellPreview(p *explain.Part) []explain.Element {
	it, ok := m.on(m.field)
	if !ok || !fields[m.field].list {
		return []explain.Element{p.Panel("", "What is known of a chosen entry stands here; the field with the cursor has none.")}
	}
	name := it.value
	what := "what is known of it, and from where"
	switch m.field {
	case fieldFunction:
		what = "its source, its domain and its best value; below it, its course along the first variable, the others at the optimum"
	case fieldOptimizer:
		what = "what it does, its source, and its parameters at their defaults"
	case fieldSessions:
		name = "the saved session"
		what = "when it was begun, its best result, and how it went"
	case fieldComparisons:
		what = "what is compared in it, on which function, by which methods"
	case fieldLabs:
		what = "what is trained in it, and its parameters at their defaults"
	case fieldStudies:
		what = "what it asks, how far it is, and its problems and methods"
	case fieldLessons:
		what = "what it teaches, and on what"
	}
	list := []explain.Element{p.Panel("", fmt.Sprintf("More of %s: %s.", name, what))}
	words := len(strings.Fields(strings.Join(p.Lines, " ")))
	if words == 0 {
		return list
	}
	return append(list, number(p.Prose("preview", "", fmt.Sprintf("The text and the drawing about %s, to be read before it is taken: %s.", name, strings.TrimSuffix(strings.Join(strings.Fields(first(it.more)), " "), ".")), 0, len(p.Lines))))
}

// first is the first line of a text that says something.
func first(lines []string) string {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			return l
		}
	}
	return "nothing is known of it"
}
