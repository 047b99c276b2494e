// Package explain explains a screen part by part: it highlights one described box of the frame after the other, dims
// the rest, and shows the description of the box with its term of the glossary in a panel. The frame (tui/layout) has
// the descriptions and the places of the boxes; tests check that none is missing (tui/internal/explained).
package explain

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Explainer explains the boxes of a screen, one at a time.
type Explainer struct {
	frame  *layout.Frame      // the screen
	boxes  []layout.PlacedBox // its boxes that have a description
	chosen int
	name   string // of the chosen box, to find it again in another frame
	box    [2]int // rows of the panel in the window: from, to

	Term   string // the term to look up, after enter; empty for none
	Done   bool   // esc was pressed
	Status widget.Status
}

// New begins with the first box of a frame; nil if the frame has no descriptions.
func New(f *layout.Frame) *Explainer {
	w := &Explainer{frame: f, boxes: f.DescribedBoxes(), Status: widget.NewStatus()}
	if len(w.boxes) == 0 {
		return nil
	}
	w.name = w.boxes[0].Name
	return w
}

// Frame is the explained frame, and Box the box of it that is described.
func (w *Explainer) Frame() *layout.Frame  { return w.frame }
func (w *Explainer) Box() layout.PlacedBox { return w.boxes[w.chosen] }

// Show selects a box.
func (w *Explainer) Show(b *layout.Box) {
	if i := slices.IndexFunc(w.boxes, func(p layout.PlacedBox) bool { return p.Box == b || p.Name == b.Name }); i >= 0 {
		w.choose(i)
	}
}

// Commands are the keys of an Explainer.
func Commands() []widget.Command[*Explainer] {
	by := func(n int, off func(*Explainer) string, shown, does string, keys ...string) widget.Command[*Explainer] {
		return widget.NewCommand(widget.Bind(shown, does, keys...), off, func(w *Explainer) tea.Cmd {
			w.choose(w.chosen + n)
			return nil
		})
	}
	return []widget.Command[*Explainer]{
		by(+1, (*Explainer).atEnd, "up/down", "next, previous", "down", "j", "right", "tab"),
		by(-1, (*Explainer).atStart, "", "next, previous", "up", "k", "left", "shift+tab"),
		widget.NewCommand(widget.Bind("g, G", "first, last", "g", "home"), (*Explainer).atStart,
			func(w *Explainer) tea.Cmd { w.choose(0); return nil }),
		widget.NewCommand(widget.Bind("", "first, last", "G", "end"), (*Explainer).atEnd,
			func(w *Explainer) tea.Cmd {
				w.choose(len(w.boxes) - 1)
				return nil
			}),
		widget.NewCommand(widget.Bind("enter", "look up the term", "enter"), (*Explainer).wordless,
			func(w *Explainer) tea.Cmd {
				w.Term = w.boxes[w.chosen].GlossaryTerm()
				return nil
			}),
		{Binding: widget.Bind("click", "explain the item there")},
		{Binding: widget.MenuKey},
		{Binding: widget.PaletteKey},
		widget.NewCommand(widget.Bind("esc", "leave", "esc", "i", "I", "f2"), nil, func(w *Explainer) tea.Cmd {
			w.Done = true
			return nil
		}),
		widget.NewRequestCommand[*Explainer](widget.Bind("q", "quit", "q", "ctrl+c"), widget.Quit{}),
	}
}

func (w *Explainer) atStart() string {
	if w.chosen == 0 {
		return "this is the first item"
	}
	return ""
}

func (w *Explainer) atEnd() string {
	if w.chosen >= len(w.boxes)-1 {
		return "this is the last item"
	}
	return ""
}

func (w *Explainer) wordless() string {
	if len(w.boxes) == 0 || w.boxes[w.chosen].GlossaryTerm() == "" {
		return "the glossary has no term for this"
	}
	return ""
}

func (w *Explainer) choose(i int) {
	if len(w.boxes) == 0 {
		return
	}
	w.chosen = max(min(i, len(w.boxes)-1), 0)
	w.name = w.boxes[w.chosen].Name
}

// Press takes a key press.
func (w *Explainer) Press(msg tea.KeyPressMsg) tea.Cmd {
	cmd, taken := widget.Take(w, &w.Status, Commands(), msg)
	if !taken {
		w.Status.Say(msg.String()+" does nothing here: up and down select an item, esc leaves", false)
	}
	return cmd
}

// Click selects the smallest box under a cell of the window.
func (w *Explainer) Click(col, row int) {
	if row >= w.box[0] && row < w.box[1] {
		return
	}
	if p, ok := w.frame.DescribedAt(col, row); ok {
		w.Status.Say("", false)
		w.choose(slices.IndexFunc(w.boxes, func(other layout.PlacedBox) bool { return other.Box == p.Box }))
	}
}

// Draw draws a frame with the described box highlighted and the rest dimmed, and the panel where it covers the least of
// the box.
func (w *Explainer) Draw(st theme.Style, c *lipgloss.Canvas, f *layout.Frame) {
	f.Draw(c)
	w.follow(f)
	if len(w.boxes) == 0 {
		return
	}
	p := w.boxes[w.chosen]
	spans := f.Spans(p)
	layout.Highlight(c, st, spans, p.Kind)
	box := w.description(st, p, f.W)
	w.box = boxRows(spans, box.H, f.H)
	layout.Arrange(box.At(0, w.box[0]), f.W, w.box[1]).Draw(c)
}

// follow takes the boxes of a frame, which may have changed, and keeps the one that is described.
func (w *Explainer) follow(f *layout.Frame) {
	w.frame, w.boxes = f, f.DescribedBoxes()
	if w.chosen < len(w.boxes) && w.boxes[w.chosen].Name == w.name { // this one, if several have the name
		return
	}
	if i := slices.IndexFunc(w.boxes, func(p layout.PlacedBox) bool { return p.Name == w.name }); i >= 0 {
		w.chosen = i
	}
	w.chosen = max(min(w.chosen, len(w.boxes)-1), 0)
}

// boxRows are the rows of a panel, from and to: at the bottom, or at the top where it covers fewer of the cells.
func boxRows(spans []chart.Span, rows, height int) [2]int {
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

// description is the panel with the description of a box.
func (w *Explainer) description(st theme.Style, p layout.PlacedBox, width int) *layout.Box {
	inner := min(width-4, 110)
	body := []string{" " + st.PaintBold(st.Accent, st.Plain(sanitize.Text(p.Name)))}
	body = append(body, layout.Paragraph(st, st.Text, sanitize.Text(p.Description()), inner)...)
	if word := p.GlossaryTerm(); word != "" {
		if t, err := glossary.Find(word); err == nil {
			words := t.Name + ": " + t.First()
			if st.ASCII {
				words = glossary.Plain(words)
			}
			body = append(body, layout.Paragraph(st, st.Dim, words, inner)...)
		}
	}
	panel := layout.Panel(st, fmt.Sprintf("Explain this screen (%d/%d)", w.chosen+1, len(w.boxes)),
		layout.Text(width-2, body...), width, len(body)+2, true)
	foot := widget.Footer(st, widget.BindingsFor(Commands(), "up/down enter esc"), width-layout.TitleRoom)
	if message, _ := w.Status.Message(); message != "" {
		foot = st.Paint(st.Text, st.Plain(message))
	}
	layout.Foot(st, panel, foot)
	return panel
}
