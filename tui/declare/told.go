package declare

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions/experiment"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// Elements tells what is seen: the form, a row at a time, how far it is, the file that comes of it, and what the field with the cursor is about.
func (m *Model) Elements() []explain.Element {
	lines := m.Render()
	seen := explain.See(lines)
	var list []explain.Element
	for i, p := range seen.Parts() {
		if i == 0 {
			list = append(list, m.tellForm(&p)...)
			list = append(list, explain.Element{Kind: explain.Number, Name: "how far", Says: m.tellState(), Where: explain.Rect(p.Left+1, p.Top+p.H-1, p.W-2, 1)})
			continue
		}
		list = append(list, m.tellFile(&p)...)
	}
	if row := m.Height - 2; seen.Text(row) != "" {
		list = append(list, explain.Element{Kind: explain.Prose, Name: "status", Says: m.tellStatus(), Where: seen.Row(row)})
	}
	return append(list, seen.Keys(m.Height-1))
}

// tellStatus tells the line above the keys.
func (m *Model) tellStatus() string {
	switch said, _ := m.Status.Said(); {
	case m.Status.Open():
		return "What is asked for; it is typed here, enter takes it."
	case said != "":
		return "The answer to the last key: " + strings.TrimSuffix(said, ".") + "."
	case m.jobs.Busy() || m.cost.Busy():
		return "What is read, written or tried out meanwhile; typing goes on."
	}
	f, ok := m.field(m.at)
	if !ok {
		return "What enter does where the cursor is: it adds " + strings.TrimSuffix(one(m.at.table), ".") + "."
	}
	return "What the field with the cursor is about, " + f.Key + ": " + strings.TrimSuffix(f.About, ".") + "."
}

// tellState tells how far the form is.
func (m *Model) tellState() string {
	missing, wrong := 0, 0
	for _, f := range m.written.Faults {
		if m.missing(f) {
			missing++
		} else {
			wrong++
		}
	}
	switch {
	case wrong > 0:
		return fmt.Sprintf("How far the form is: %s of what was typed cannot be so, and each is told below its row; %d more are to be filled in.", screen.Counted(wrong, "thing"), missing)
	case missing > 0:
		return fmt.Sprintf("How far the form is: before the file can be written there is more to be filled in, at %s that dots mark.", screen.Counted(missing, "place"))
	}
	return "How far the form is: complete. With ctrl+s the file is written, and a session on it begins."
}

// tellForm tells the form. Which of its lines are in sight is seen from what is drawn.
func (m *Model) tellForm(p *explain.Part) []explain.Element {
	d := m.draft
	count := func(table string) string { return screen.Counted(len(*d.Rows(table)), strings.TrimSuffix(table, "s")) }
	list := []explain.Element{p.Panel("", fmt.Sprintf("The experiment as it is declared, of %s, %s and %s: what is set, what is to be best, and what has to keep within bounds. Each field is checked while it is typed.",
		count(experiment.Variables), count(experiment.Objectives), count(experiment.Limits)))}
	body, spots := m.body(p.W-2), m.lines()
	top := m.top(p, body)
	for i := 0; i < len(p.Lines) && top+i < len(body); {
		of, next := body[top+i].of, i+1
		for next < len(p.Lines) && top+next < len(body) && of >= 0 && body[top+next].of == of {
			next++
		}
		if strings.TrimSpace(p.Lines[i]) != "" {
			e := p.Prose("", "", "", i, next)
			e.Kind = explain.Number
			if of < 0 {
				table, _, _ := strings.Cut(strings.TrimSpace(p.Lines[i]), " ")
				e.Name, e.Says = table, fmt.Sprintf("The columns of the rows below: of each, what stands beside its name (%s).", strings.Join(strings.Fields(p.Lines[i])[1:], ", "))
			} else {
				e.Name, e.Says = m.tellRow(spots[of])
			}
			list = append(list, e)
		}
		i = next
	}
	return list
}

// top is the first line of the form that is drawn.
func (m *Model) top(p *explain.Part, body []line) int {
	for top := range body {
		same := len(p.Lines) <= len(body)-top || top == 0
		for i := 0; same && i < len(p.Lines) && top+i < len(body); i++ {
			same = strings.TrimSpace(p.Lines[i]) == strings.TrimSpace(ansi.Strip(layout.Fit(body[top+i].text, p.W-2)))
		}
		if same {
			return top
		}
	}
	return 0
}

// tellRow tells a line of the form: a field, a row with all of its fields, or where another row is added; and what is wrong with it.
func (m *Model) tellRow(spots []spot) (name, says string) {
	s := spots[0]
	if m.adds(s) {
		return "another " + s.table, "Enter here adds " + one(s.table) + "."
	}
	var faults []string
	for _, s := range spots {
		faults = append(faults, m.told(m.place(s))...)
	}
	wrong := ""
	if len(faults) > 0 {
		wrong = fmt.Sprintf(" It cannot be so yet, for %s, told below it.", screen.Counted(len(faults), "reason"))
	}
	f, _ := m.field(s)
	if s.table == experiment.Root {
		value := m.text(s)
		switch {
		case value == "" && f.Choices != nil:
			value = "not chosen, which is " + f.Choices[0]
		case value == "" && f.Required:
			value = "to be filled in"
		case value == "":
			value = "empty, which it may be"
		}
		return f.Key, fmt.Sprintf("The field %s, %s: %s.%s", f.Key, strings.TrimSuffix(f.About, "."), brief(value), wrong)
	}
	if name = m.text(s); name == "" {
		name = s.table
	}
	return name, fmt.Sprintf("The %s: %s.%s", strings.TrimSpace(s.table+" "+brief(m.text(s))), m.tellFields(spots), wrong)
}

// tellFields tells the fields of a row: what is filled in, what holds where nothing is chosen, and what is missing yet.
func (m *Model) tellFields(spots []spot) string {
	var filled, usual, missing, parts []string
	for i, s := range spots {
		f, _ := m.field(s)
		switch stands := m.choice(s, f); {
		case m.text(s) != "" && i == 0: // the name, which stands before all this
		case m.text(s) != "":
			filled = append(filled, f.Key+" "+brief(m.text(s)))
		case f.Choices != nil && stands == f.Choices[0]:
			usual = append(usual, f.Key+" "+stands)
		case stands != "":
			missing = append(missing, f.Key)
		}
	}
	if filled != nil {
		parts = append(parts, strings.Join(filled, ", "))
	}
	if usual != nil {
		parts = append(parts, strings.Join(usual, " and ")+" unless something else is chosen")
	}
	if missing != nil {
		parts = append(parts, "to be filled in yet: "+strings.Join(missing, ", "))
	}
	if parts == nil {
		return "nothing beside its name is filled in"
	}
	return strings.Join(parts, "; ")
}

// mostBrief is how many words of what was typed are told.
const mostBrief = 12

// brief is the beginning of what was typed.
func brief(text string) string {
	words := strings.Fields(text)
	if len(words) > mostBrief {
		words = append(words[:mostBrief:mostBrief], "…")
	}
	return strings.TrimRight(strings.Join(words, " "), ".")
}

func (m *Model) tellFile(p *explain.Part) []explain.Element {
	lines := strings.Count(string(m.written.Text), "\n")
	text := p.Prose("file", "", fmt.Sprintf("The text of the file, %s: what was left empty is not in it. The pointer stands at the field with the cursor, a cross at what is wrong.", screen.Counted(lines, "line")), 0, len(p.Lines))
	text.Kind = explain.Number
	list := []explain.Element{p.Panel("", fmt.Sprintf("The file that comes of the form, %s: it is all that the program knows of the experiment, and can be kept, sent and edited.", p.Title))}
	if spans := text.Where(); len(spans) > 0 {
		text.Where = func() []plot.Span { return spans }
		list = append(list, text)
	}
	return list
}
