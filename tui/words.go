package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// words is the glossary in the help: a search for a word, the matching terms, and the definition of the chosen one.
type words struct {
	shown   bool
	input   textinput.Model
	matches []glossary.Term
	chosen  int
}

// wordsColumn is the width of the names, and maxTyped how many characters can be typed.
const wordsColumn, maxTyped = 25, 60

// wordCommands are the keys of the glossary; all others are text.
func wordCommands() []widget.Command[*help] {
	terms := widget.List[*help]{Shown: "up/down", Does: "choose", Up: "up", Down: "down", Off: (*help).wordless,
		Row: func(h *help) (*int, int) { return &h.words.chosen, len(h.words.matches) }}
	return slices.Concat([]widget.Command[*help]{
		{Binding: widget.Bind("type", "a word, or words from its definition")},
	}, terms.Commands(), terms.Pages(func(*help) int { return 10 }), []widget.Command[*help]{
		widget.NewCommand(widget.Bind("esc", "leave", "esc", "f1"), nil, func(h *help) tea.Cmd {
			h.shown, h.words = !h.single, words{}
			return nil
		}),
		widget.NewRequestCommand[*help](widget.Bind("", "quit", "ctrl+c"), widget.Quit{}),
	})
}

func (h *help) wordless() string {
	if len(h.words.matches) == 0 {
		return "no word matches"
	}
	return ""
}

// lookUp opens the glossary with a first text.
func (h *help) lookUp(typed string) tea.Cmd {
	h.words = words{shown: true, input: textinput.New()}
	in := &h.words.input
	in.CharLimit = maxTyped
	in.SetVirtualCursor(false)
	in.SetValue(typed)
	h.words.find()
	return in.Focus()
}

// find finds the terms that match the text: the term itself first, then those with the text in their names, then in
// their definitions.
func (w *words) find() {
	typed := w.input.Value()
	w.matches, w.chosen = glossary.All(), 0
	if strings.TrimSpace(typed) == "" {
		return
	}
	w.matches = glossary.Search(typed)
	if exact, err := glossary.Find(typed); err == nil {
		rest := slices.DeleteFunc(w.matches, func(t glossary.Term) bool { return t.Name == exact.Name })
		w.matches = slices.Insert(rest, 0, exact)
	}
}

// word takes a key press there.
func (h *help) word(msg tea.KeyPressMsg) tea.Cmd {
	cmd, taken := widget.Take(h, &h.status, wordCommands(), msg)
	if taken {
		return cmd
	}
	before := h.words.input.Value()
	h.words.input, _ = h.words.input.Update(msg) // its command would go to the page below
	if h.words.input.Value() != before {
		h.words.find()
	}
	return nil
}

// wordsFrame lays out the names of the matches, and the definition of the chosen one.
func (h *help) wordsFrame(st theme.Style, w, height int) *layout.Box {
	names, rows := h.words.matches, max(height-4, 1)
	wide := max(min(w-wordsColumn-6, 100), 10)
	from := widget.Top(h.words.chosen, len(names), rows)
	list := layout.New(wordsColumn+3, 0)
	for index := from; index < min(from+rows, len(names)); index++ {
		name := plainly(st, names[index].Name)
		line := "   " + st.Paint(st.Dim, name)
		if index == h.words.chosen {
			line = " " + st.PaintBold(st.Accent, st.Pointer()+" "+name)
		}
		row := layout.Text(list.W, layout.Fit(line, list.W)).
			Describe(layout.Prose, name, names[index].Name, func() string {
				return fmt.Sprintf("A word of the glossary: %s, match %d of %d.", name, index+1,
					len(names))
			})
		row.Focus = func() { h.words.chosen = index }
		list.Below(row)
	}
	definition := layout.New(w-2-list.W, 0)
	if len(names) > 0 {
		t := names[h.words.chosen]
		lines := tell(st, t, wide)
		definition = layout.Text(definition.W, lines[:min(len(lines), rows)]...).Prose("definition", t.Name,
			"The definition of "+plainly(st, t.Name)+", where the program shows it, and its source.")
	} else if _, err := glossary.Find(h.words.input.Value()); err != nil {
		definition = layout.Text(definition.W, layout.Paragraph(st, st.Text, err.Error(), wide)...).
			Prose("no match", "", "No word of the glossary matches.")
	}
	typed := layout.Row(layout.Line(" "+st.Paint(st.Accent, "word ")), widget.InputBox(h.words.input, w-9, "")).
		Prose("word", "", "The search: type a word; the matches are below.")
	title := "glossary: type a word, up and down choose, esc goes back"
	panel := layout.Panel(st, title, layout.Column(typed, layout.Space(w-2, 1), layout.Row(list, definition)), w,
		height, true).
		Section(title, "", "The glossary of the program: the matches at the left, the definition of the chosen word beside them.")
	h.said(st, panel, "")
	return panel
}

// plainly is a text of the glossary as the terminal can show it.
func plainly(st theme.Style, text string) string {
	if st.ASCII {
		return glossary.Plain(text)
	}
	return text
}

// tell is the entry of a term.
func tell(st theme.Style, t glossary.Term, w int) []string {
	lines := []string{st.PaintBold(st.Title, plainly(st, t.Name))}
	add := func(color theme.Color, first, text string) {
		for i, l := range layout.Wrap(plainly(st, text), w-len(first)) {
			if i > 0 {
				first = strings.Repeat(" ", len(first))
			}
			lines = append(lines, st.Paint(st.Faint, first)+st.Paint(color, l))
		}
	}
	if len(t.Synonyms) > 0 {
		add(st.Dim, "", "also "+strings.Join(t.Synonyms, ", "))
	}
	add(st.Text, "", t.Definition)
	if t.Formula != "" {
		lines = append(lines, "")
		for part := range strings.SplitSeq(t.Formula, "   ") {
			add(st.Accent, "  ", part)
		}
	}
	lines = append(lines, "")
	for _, s := range t.See {
		place := s.Command
		if s.Key != "" {
			place = s.Key + " (" + s.Where + ")"
		}
		add(st.Text, "see  ", place)
		add(st.Dim, "     ", s.Shows)
	}
	lines = append(lines, source(st, t, w)...)
	add(st.Dim, "", "related: "+strings.Join(t.Related, ", "))
	return lines
}

// source is the source of a term, with links to its publications.
func source(st theme.Style, t glossary.Term, w int) []string {
	const first = "from "
	links := make([]theme.Link, len(t.Links))
	for i, l := range t.Links {
		links[i] = theme.Link(l)
	}
	lines := st.PaintLinked(st.Dim, layout.Wrap(plainly(st, t.Source), w-len(first)), links)
	for i, l := range lines {
		lines[i] = strings.Repeat(" ", len(first)) + l
		if i == 0 {
			lines[i] = st.Paint(st.Faint, first) + l
		}
	}
	return lines
}
