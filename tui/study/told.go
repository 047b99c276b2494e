package study

import (
	"fmt"
	"strings"

	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/tui/explain"
	"bandscope/tui/screen"
)

// Elements tells what is seen: how far the study is, its table, the chosen cell, and what the numbers say.
func (m *Model) Elements() []explain.Element {
	m.book = &explain.Book{}
	lines := m.Render()
	book := m.book
	m.book = nil
	seen := explain.See(lines)
	list := []explain.Element{{Kind: explain.Number, Name: "study", Term: "study", Says: m.tellStudy(), Where: seen.Row(0)}}
	parts := seen.Parts()
	if m.board == nil {
		for _, p := range parts {
			list = append(list, p.Panel("", "The study stands here when it has been read."), p.Prose("reading", "", m.tellUnread(), 0, len(p.Lines)))
		}
	} else {
		list = append(list, explain.Element{Kind: explain.Number, Name: "progress", Says: m.tellProgress(), Where: seen.Row(1)},
			explain.Element{Kind: explain.Number, Name: "pace", Says: m.tellPace(), Where: seen.Row(2)})
		for i := range parts {
			switch p := &parts[i]; {
			case strings.HasPrefix(p.Title, "cells"):
				list = append(list, m.tellTable(p)...)
			case p.Title == "cell" || p.Title == "method":
				list = append(list, m.tellCell(p)...)
			default:
				list = append(list, m.tellFigure(p, book)...)
			}
		}
	}
	if row := m.Height - 2; seen.Text(row) != "" {
		list = append(list, explain.Element{Kind: explain.Number, Name: "status", Says: m.tellStatus(), Where: seen.Row(row)})
	}
	return append(list, seen.Keys(m.Height-1))
}

// tellStudy tells what the study is.
func (m *Model) tellStudy() string {
	if m.board == nil {
		return "A study of this name: a table of runs over problems, methods and seeds."
	}
	d := m.board.declared
	text := fmt.Sprintf("The study %s, a table of runs: %s.", safe.Text(m.Name()), m.board.size())
	if d.Title != "" {
		text = strings.TrimSuffix(text, ".") + ", on " + explain.Brief(d.Title, 20) + "."
	}
	return text
}

func (m *Model) tellUnread() string {
	if m.failed != "" {
		return "Why the study cannot be read: " + explain.Brief(m.failed, 40) + "."
	}
	return "The study is being read from where it is kept."
}

// tellProgress tells how far the study is.
func (m *Model) tellProgress() string {
	count := m.board.count
	text := fmt.Sprintf("How far the study is: of %s %d are done", screen.Counted(len(m.board.rows), "cell"), count[study.Done])
	if n := count[study.Running]; n > 0 {
		text += fmt.Sprintf(", %d are worked at", n)
	}
	if n := count[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed three times and were given up", n)
	}
	if n := count[study.Foreign]; n > 0 {
		text += fmt.Sprintf(", %d were begun by another version of the program", n)
	}
	return text + ". The bar shows their shares in that order."
}

// tellPace tells who works, how fast, and for how long yet.
func (m *Model) tellPace() string {
	text := "Who works at the study"
	if m.pace.perHour > 0 && m.worked() && !m.board.over() {
		text += ", at what rate cells ended in the last ten minutes"
	}
	if m.pace.left > 0 && !m.board.over() {
		text += fmt.Sprintf(", and how long it may take yet: cells to come are counted with the time that others of their method and problem took so far, %d at once", m.pace.by)
	}
	return text + ". At the end stands where the study is kept."
}

// tellTable tells the table of cells.
func (m *Model) tellTable(p *explain.Part) []explain.Element {
	list := []explain.Element{p.Panel("", fmt.Sprintf("The table of cells: problems down, methods across by their letters, a mark for a seed or for some of them. The chosen method is %s; arrows move to another.", safe.Text(m.board.methods[m.cursor.method])))}
	list = append(list, p.Prose("methods", "", "The letters of the methods; their names stand with what is drawn, and with the chosen cell.", 0, 1))
	list = append(list, p.Prose("all problems", "", "All problems together: what is drawn when the cursor is on this row is over all of them.", 1, 2))
	last := len(p.Lines) - 1
	if last > 2 {
		list = append(list, p.Prose("problems", "", fmt.Sprintf("The problems in sight, of %d in all, with how the cells of each method stand.", len(m.board.problems)), 2, last))
	}
	if last >= 2 && strings.TrimSpace(p.Lines[last]) != "" {
		list = append(list, p.Prose("marks", "", "What the marks mean that stand in the table now; one that stands for several cells shows a failure before anything else.", last, len(p.Lines)))
	}
	return present(list)
}

// present are the elements that have cells.
func present(list []explain.Element) (kept []explain.Element) {
	for _, e := range list {
		if len(e.Where()) > 0 {
			kept = append(kept, e)
		}
	}
	return kept
}

// tellCell tells the chosen cell.
func (m *Model) tellCell(p *explain.Part) []explain.Element {
	of := m.seeds()
	if len(of) == 0 {
		return []explain.Element{p.Panel("", "The chosen method on all problems: how many of its cells are done, and how long one takes."),
			number(p.Prose("tally", "", "Its cells: "+m.tally(m.board.every[m.cursor.method])+".", 0, len(p.Lines)))}
	}
	r := &m.board.rows[of[m.cursor.seed]]
	text := fmt.Sprintf("The chosen cell, one run of seed %d: %s", r.Seed, explain.Brief(m.standing(r), 20))
	if reached := m.reached(r); reached != "" {
		text += "; " + reached
	}
	if r.Error != "" {
		text += "; what was wrong: " + explain.Brief(r.Error, 20)
	}
	return []explain.Element{p.Panel("seed", "One cell of the table: a problem, a method and a seed. Enter opens it in the explorer, brackets go to another seed."),
		number(p.Prose("the chosen cell", "seed", text+".", 0, len(p.Lines)))}
}

func number(e explain.Element) explain.Element {
	e.Kind = explain.Number
	return e
}

// tellStatus tells the line above the keys.
func (m *Model) tellStatus() string {
	said, _ := m.Status.Said()
	switch {
	case m.Status.Open():
		return "What is asked for: it is typed here, enter takes it and esc leaves."
	case said != "":
		return "The answer to the last key: " + explain.Brief(said, 40) + "."
	case m.failed != "":
		return "Why nothing newer is shown: " + explain.Brief(m.failed, 40) + "."
	case m.work.doing.Busy() || m.work.figures.Late():
		return "What is computed now; keys are taken meanwhile."
	}
	return "What the workers are at, by their names; those of this program are called here."
}
