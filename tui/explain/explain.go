// Package explain is the walk over all that is seen on a screen: one described box of its frame after the other is lit,
// with all else dimmed, and a panel tells it with its term of the glossary. What is described, and where it stands, is
// in the frame (tui/layout); that nothing is missing is for tests (tui/internal/explained).
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

// Explainer goes over what is seen on a screen, and shows one thing at a time.
type Explainer struct {
	frame  *layout.Frame      // that is drawn
	boxes  []layout.PlacedBox // its boxes that have a description
	chosen int
	name   string // of the chosen one, to find it again in another frame
	box    [2]int // rows of the window that tell the chosen one: from, to

	Term   string // that is wanted in full, by enter; empty for none
	Done   bool   // it was left
	Status widget.Status
}

// New begins a walk over a frame; nil if it has nothing that could be described.
func New(f *layout.Frame) *Explainer {
	w := &Explainer{frame: f, boxes: f.DescribedBoxes(), Status: widget.NewStatus()}
	if len(w.boxes) == 0 {
		return nil
	}
	w.name = w.boxes[0].Name
	return w
}

// Commands are what the keys do on a walk.
func Commands() []widget.Command[*Explainer] {
	by := func(n int, off func(*Explainer) string, shown, does string, keys ...string) widget.Command[*Explainer] {
		return widget.NewCommand(widget.Bind(shown, does, keys...), off, func(w *Explainer) tea.Cmd {
			w.choose(w.chosen + n)
			return nil
		})
	}
	return []widget.Command[*Explainer]{
		by(+1, (*Explainer).atEnd, "up/down", "the next, the one before", "down", "j", "right", "tab"),
		by(-1, (*Explainer).atStart, "", "the next, the one before", "up", "k", "left", "shift+tab"),
		widget.NewCommand(widget.Bind("g, G", "to the beginning, the end", "g", "home"), (*Explainer).atStart,
			func(w *Explainer) tea.Cmd { w.choose(0); return nil }),
		widget.NewCommand(widget.Bind("", "to the beginning, the end", "G", "end"), (*Explainer).atEnd,
			func(w *Explainer) tea.Cmd {
				w.choose(len(w.boxes) - 1)
				return nil
			}),
		widget.NewCommand(widget.Bind("enter", "what the word means", "enter"), (*Explainer).wordless,
			func(w *Explainer) tea.Cmd {
				w.Term = w.boxes[w.chosen].GlossaryTerm()
				return nil
			}),
		{Binding: widget.Bind("click", "on what is to be told")},
		widget.NewCommand(widget.Bind("esc", "leave", "esc", "I", "f2"), nil, func(w *Explainer) tea.Cmd {
			w.Done = true
			return nil
		}),
		widget.NewRequestCommand[*Explainer](widget.Bind("q", "quit", "q", "ctrl+c"), widget.Quit{}),
	}
}

func (w *Explainer) atStart() string {
	if w.chosen == 0 {
		return "this is the first"
	}
	return ""
}

func (w *Explainer) atEnd() string {
	if w.chosen >= len(w.boxes)-1 {
		return "this is the last"
	}
	return ""
}

func (w *Explainer) wordless() string {
	if len(w.boxes) == 0 || w.boxes[w.chosen].GlossaryTerm() == "" {
		return "the glossary has no word for this"
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
		w.Status.Say(msg.String()+" does nothing here: up and down go on, esc leaves", false)
	}
	return cmd
}

// Click chooses the smallest thing under a cell of the window.
func (w *Explainer) Click(col, row int) {
	if row >= w.box[0] && row < w.box[1] {
		return
	}
	if p, ok := w.frame.DescribedAt(col, row); ok {
		w.Status.Say("", false)
		w.choose(slices.IndexFunc(w.boxes, func(other layout.PlacedBox) bool { return other.Box == p.Box }))
	}
}

// Draw draws a frame with all dimmed but the thing that is described, and the panel that explains it where it covers
// least of that.
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

// follow takes the boxes of a frame that may be another, and stays with the one that is described.
func (w *Explainer) follow(f *layout.Frame) {
	w.frame, w.boxes = f, f.DescribedBoxes()
	if w.chosen < len(w.boxes) && w.boxes[w.chosen].Name == w.name { // of several of one name it is this one
		return
	}
	if i := slices.IndexFunc(w.boxes, func(p layout.PlacedBox) bool { return p.Name == w.name }); i >= 0 {
		w.chosen = i
	}
	w.chosen = max(min(w.chosen, len(w.boxes)-1), 0)
}

// boxRows is from where to where a box of so many rows stands: at the bottom, or at the top where it covers less of the
// cells.
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

// description is the box with what is described.
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
	for _, a := range p.Actions {
		body = append(body, " "+st.PaintBold(st.Accent, st.Plain(a.Key))+" "+st.Paint(st.Dim, st.Plain(a.Help)))
	}
	panel := layout.Panel(st, fmt.Sprintf("what is seen: %d of %d", w.chosen+1, len(w.boxes)),
		layout.Text(width-2, body...), width, len(body)+2, true)
	foot := widget.Footer(st, widget.BindingsFor(Commands(), "up/down enter esc"), width-layout.TitleRoom)
	if said, _ := w.Status.Message(); said != "" {
		foot = st.Paint(st.Text, st.Plain(said))
	}
	layout.Foot(st, panel, foot)
	return panel
}
