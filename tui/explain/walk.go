package explain

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/glossary"
	"bandscope/sessions/safe"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Walk goes over what is seen on a screen, and shows one thing at a time.
type Walk struct {
	page     Page
	elements []Element
	chosen   int
	name     string   // of the chosen one, to find it again on a screen that changed
	lines    []string // of the screen that the elements are of
	box      [2]int   // rows of the window that tell the chosen one: from, to

	Term   string // that is wanted in full, by enter; empty for none
	Left   bool   // it was left
	Status screen.Status
}

// Begin begins a walk over a page; nil if nothing is seen on it that could be told.
func Begin(p Page) *Walk {
	w := &Walk{page: p, elements: p.Elements(), Status: screen.NewStatus()}
	if len(w.elements) == 0 {
		return nil
	}
	w.name = w.elements[0].Name
	return w
}

// Commands are what the keys do on a walk.
func Commands() []screen.Command[*Walk] {
	by := func(n int, off func(*Walk) string, shown, does string, keys ...string) screen.Command[*Walk] {
		return screen.Do(screen.Bind(shown, does, keys...), off, func(w *Walk) tea.Cmd { w.choose(w.chosen + n); return nil })
	}
	return []screen.Command[*Walk]{
		by(+1, (*Walk).atEnd, "up/down", "the next, the one before", "down", "j", "right", "tab"),
		by(-1, (*Walk).atStart, "", "the next, the one before", "up", "k", "left", "shift+tab"),
		screen.Do(screen.Bind("g, G", "to the beginning, the end", "g", "home"), (*Walk).atStart, func(w *Walk) tea.Cmd { w.choose(0); return nil }),
		screen.Do(screen.Bind("", "to the beginning, the end", "G", "end"), (*Walk).atEnd, func(w *Walk) tea.Cmd { w.choose(len(w.elements) - 1); return nil }),
		screen.Do(screen.Bind("enter", "what the word means", "enter"), (*Walk).wordless, func(w *Walk) tea.Cmd {
			w.Term = w.elements[w.chosen].Term
			return nil
		}),
		{Binding: screen.Bind("click", "on what is to be told")},
		screen.Do(screen.Bind("esc", "leave", "esc", "I", "f2"), nil, func(w *Walk) tea.Cmd { w.Left = true; return nil }),
		screen.Wants[*Walk](screen.Bind("q", "quit", "q", "ctrl+c"), screen.Quit{}),
	}
}

func (w *Walk) atStart() string {
	if w.chosen == 0 {
		return "this is the first"
	}
	return ""
}

func (w *Walk) atEnd() string {
	if w.chosen >= len(w.elements)-1 {
		return "this is the last"
	}
	return ""
}

func (w *Walk) wordless() string {
	if len(w.elements) == 0 || w.elements[w.chosen].Term == "" {
		return "the glossary has no word for this"
	}
	return ""
}

func (w *Walk) choose(i int) {
	if len(w.elements) == 0 {
		return
	}
	w.chosen = max(min(i, len(w.elements)-1), 0)
	w.name = w.elements[w.chosen].Name
}

// Press takes a key press.
func (w *Walk) Press(msg tea.KeyPressMsg) tea.Cmd {
	cmd, taken := screen.Take(w, &w.Status, Commands(), msg)
	if !taken {
		w.Status.Say(msg.String()+" does nothing here: up and down go on, esc leaves", false)
	}
	return cmd
}

// Click chooses the smallest thing under a cell of the window.
func (w *Walk) Click(col, row int) {
	best, least := -1, 0
	if row >= w.box[0] && row < w.box[1] {
		return
	}
	for i, e := range w.elements {
		n, under := 0, false
		for _, s := range e.Where() {
			n += s.To - s.From
			under = under || s.Row == row && s.From <= col && col < s.To
		}
		if under && (best < 0 || n < least) {
			best, least = i, n
		}
	}
	if best >= 0 {
		w.Status.Say("", false)
		w.choose(best)
	}
}

// Draw draws the lines of the screen with all dimmed but the thing that is told, and the box that tells it where it covers least of that.
func (w *Walk) Draw(st theme.Style, lines []string, width, height int) []string {
	if !slices.Equal(lines, w.lines) { // the screen goes on meanwhile
		w.lines = slices.Clone(lines)
		w.again()
	}
	if len(w.elements) == 0 {
		return lines
	}
	e := w.elements[w.chosen]
	spans := e.Where()
	shown := make([]string, height)
	for row := range shown {
		line := ""
		if row < len(lines) {
			line = lines[row]
		}
		shown[row] = lit(st, line, row, spans, e.Kind)
	}
	box := w.tell(st, e, width)
	w.box = placed(spans, len(box), height)
	copy(shown[w.box[0]:], box)
	return shown
}

// again reads the elements of a screen that changed, and stays with the one that is told.
func (w *Walk) again() {
	w.elements = w.page.Elements()
	if w.chosen < len(w.elements) && w.elements[w.chosen].Name == w.name { // of several of one name it is this one
		return
	}
	if i := slices.IndexFunc(w.elements, func(e Element) bool { return e.Name == w.name }); i >= 0 {
		w.chosen = i
	}
	w.chosen = max(min(w.chosen, len(w.elements)-1), 0)
}

// placed is from where to where a box of so many rows stands: at the bottom, or at the top where it covers less of the cells.
func placed(spans []plot.Span, rows, height int) [2]int {
	rows = min(rows, height)
	top, bottom := 0, 0
	for _, s := range spans {
		if s.Row < rows {
			top += s.To - s.From
		}
		if s.Row >= height-rows {
			bottom += s.To - s.From
		}
	}
	if top < bottom {
		return [2]int{0, rows}
	}
	return [2]int{height - rows, height}
}

// lit is a line of the screen, dimmed but for the cells of its row: marks and panels have the colours that they have, numbers and texts, which are faint often, are bright.
// Where there is no colour to dim by, those cells are turned over.
func lit(st theme.Style, line string, row int, spans []plot.Span, kind Kind) string {
	own := make([]bool, ansi.StringWidth(line)+1)
	for _, s := range spans {
		for col := max(s.From, 0); s.Row == row && col < min(s.To, len(own)); col++ {
			own[col] = true
		}
	}
	var b, run strings.Builder
	var sgr string // of the run
	var told bool
	end := func() {
		switch text := run.String(); {
		case text == "":
		case !told:
			b.WriteString(dimmed(st, text))
		case st.Tier == theme.NoColor:
			b.WriteString("\x1b[7m" + text + "\x1b[0m")
		case kind != Mark && kind != Panel:
			b.WriteString(st.PaintBold(st.Text, text))
		default:
			b.WriteString(sgr + text + "\x1b[0m")
		}
		run.Reset()
	}
	col, now := 0, ""
	for state := byte(0); line != ""; {
		text, width, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		if width == 0 && strings.HasPrefix(text, "\x1b") {
			if now += text; text == "\x1b[0m" || text == "\x1b[m" {
				now = ""
			}
			if told {
				continue
			}
		} else if is := own[min(col, len(own)-1)]; is != told || told && now != sgr {
			end()
			if told, sgr = is, now; !told {
				run.WriteString(now)
			}
		}
		run.WriteString(text)
		col += width
	}
	end()
	return b.String()
}

// tell is the box with what is told.
func (w *Walk) tell(st theme.Style, e Element, width int) []string {
	inner := min(width-4, 110)
	body := []string{" " + st.PaintBold(st.Accent, st.Plain(safe.Text(e.Name)))}
	body = append(body, screen.Paragraph(st, st.Text, safe.Text(e.Says), inner)...)
	if t, err := glossary.Find(e.Term); err == nil && e.Term != "" {
		words := t.Name + ": " + t.First()
		if st.ASCII {
			words = glossary.Plain(words)
		}
		body = append(body, screen.Paragraph(st, st.Dim, words, inner)...)
	}
	lines := screen.Panel(st, fmt.Sprintf("what is seen: %d of %d", w.chosen+1, len(w.elements)), body, width, len(body)+2, true)
	foot := screen.Footer(st, screen.Named(Commands(), "up/down enter esc"), width-screen.TitleRoom)
	if said, _ := w.Status.Said(); said != "" {
		foot = st.Paint(st.Text, st.Plain(said))
	}
	lines[len(lines)-1] = screen.Bottom(st, foot, width)
	return lines
}
