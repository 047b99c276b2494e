package tui

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/glossary"
	"bandscope/sessions/safe"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// words is the part of the help that tells what a word means: one is typed, and those of the glossary that may be meant stand beside the one that is chosen.
type words struct {
	shown  bool
	typed  string
	found  []glossary.Term
	chosen int
}

// wordsColumn is the width of the names, and mostTyped how many characters can be typed.
const wordsColumn, mostTyped = 25, 60

// wordCommands are what the keys do there; all others are text.
func wordCommands() []screen.Command[*help] {
	by := func(n int, b key.Binding) screen.Command[*help] {
		return screen.Do(b, (*help).wordless, func(h *help) tea.Cmd {
			h.words.chosen = max(min(h.words.chosen+n, len(h.words.found)-1), 0)
			return nil
		})
	}
	return []screen.Command[*help]{
		{Binding: screen.Bind("type", "a word, or words that stand in what is told")},
		by(-1, screen.Bind("up/down", "choose", "up")),
		by(+1, screen.Bind("", "choose", "down")),
		by(-10, screen.Bind("pgup/pgdn", "scroll a page", "pgup")),
		by(+10, screen.Bind("", "scroll a page", "pgdown")),
		screen.Do(screen.Bind("esc", "leave", "esc", "f1"), nil, func(h *help) tea.Cmd {
			h.shown, h.words = !h.single, words{}
			return nil
		}),
		screen.Wants[*help](screen.Bind("", "quit", "ctrl+c"), screen.Quit{}),
	}
}

func (h *help) wordless() string {
	if len(h.words.found) == 0 {
		return "no word is found"
	}
	return ""
}

// lookUp finds what may be meant by what is typed: the word itself first, then those that have it in their names, then in what is told of them.
func (h *help) lookUp(typed string) tea.Cmd {
	h.words = words{shown: true, typed: typed, found: glossary.All()}
	if strings.TrimSpace(typed) == "" {
		return nil
	}
	h.words.found = glossary.Search(typed)
	if exact, err := glossary.Find(typed); err == nil {
		list := []glossary.Term{exact}
		for _, t := range h.words.found {
			if t.Name != exact.Name {
				list = append(list, t)
			}
		}
		h.words.found = list
	}
	return nil
}

// word takes a key press there.
func (h *help) word(msg tea.KeyPressMsg) tea.Cmd {
	cmd, taken := screen.Take(h, &h.status, wordCommands(), msg)
	switch erase := msg.String(); {
	case taken:
	case erase == "backspace":
		_, n := utf8.DecodeLastRuneInString(h.words.typed)
		return h.lookUp(h.words.typed[:len(h.words.typed)-n])
	case erase == "delete", erase == "ctrl+u":
		return h.lookUp("")
	case msg.Text != "" && utf8.RuneCountInString(h.words.typed) < mostTyped:
		return h.lookUp(h.words.typed + safe.Text(msg.Text))
	}
	return cmd
}

// renderWords lays out the names that may be meant, and the chosen one in full.
func (h *help) renderWords(st theme.Style, w, height int) []string {
	names, rows := h.words.found, max(height-4, 1)
	wide := max(min(w-wordsColumn-6, 100), 10)
	var told []string
	if len(names) > 0 {
		told = tell(st, names[h.words.chosen], wide)
	} else if _, err := glossary.Find(h.words.typed); err != nil {
		told = layout.Paragraph(st, st.Text, err.Error(), wide)
	}
	from := max(min(h.words.chosen-rows/2, len(names)-rows), 0)
	body := []string{" " + st.Paint(st.Accent, "word ") + st.PaintBold(st.Text, st.Plain(h.words.typed)) + st.Paint(st.Accent, "_"), ""}
	for i := range rows {
		left, right := "", ""
		if at := from + i; at < len(names) {
			name := plainly(st, names[at].Name)
			if left = "   " + st.Paint(st.Dim, name); at == h.words.chosen {
				left = " " + st.PaintBold(st.Accent, st.Pointer()+" "+name)
			}
		}
		if i < len(told) {
			right = told[i]
		}
		body = append(body, layout.Fit(left, wordsColumn+3)+right)
	}
	lines := screen.Panel(st, "what words mean: type one, arrows choose, esc to the keys", body, w, height, true)
	if said, _ := h.status.Said(); said != "" && len(lines) > 0 {
		lines[len(lines)-1] = screen.Bottom(st, st.Plain(st.Paint(st.Text, said)), w)
	}
	return lines
}

// plainly is a text of the glossary as the terminal can show it.
func plainly(st theme.Style, text string) string {
	if st.ASCII {
		return glossary.Plain(text)
	}
	return text
}

// tell is a term in full.
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
	if len(t.Also) > 0 {
		add(st.Dim, "", "also "+strings.Join(t.Also, ", "))
	}
	add(st.Text, "", t.Words)
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
	add(st.Dim, "from ", t.Source)
	add(st.Dim, "with ", strings.Join(t.Related, ", "))
	return lines
}
