// Package explain explains a screen part by part: it highlights one described box of the frame after the other, the most
// important first, dims the rest, and shows the description of the box with its term of the glossary in a panel. The frame (tui/layout) has
// the descriptions and the places of the boxes; tests check that none is missing (tui/internal/explained).
package explain

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// maxStops is how many boxes are explained in a row; the rest are behind a further stop.
const maxStops = 12

// Explainer explains the boxes of a screen, one at a time, the most important first. Where there are more than maxStops,
// a stop behind these leads to the rest, and one behind the rest back to the first.
type Explainer struct {
	frame  *layout.Frame      // the screen
	boxes  []layout.PlacedBox // its boxes that have a description, the most important first
	rest   bool               // the current stop is among those behind the first maxStops
	chosen int                // the current stop: of the boxes in this part, or the one behind them
	name   string             // of the chosen box, to find it again in another frame
	panel  [2]int             // rows of the panel in the window: from, to

	Term   string // the term to look up, after enter; empty for none
	Done   bool   // esc was pressed
	Status widget.Status
}

// New begins with the most important box of a frame; nil if the frame has no descriptions.
func New(f *layout.Frame) *Explainer {
	w := &Explainer{frame: f, boxes: f.ByImportance(), Status: widget.NewStatus()}
	if len(w.boxes) == 0 {
		return nil
	}
	w.choose(0)
	return w
}

// Frame is the explained frame.
func (w *Explainer) Frame() *layout.Frame { return w.frame }

// Box is the described box; false behind the boxes of a part.
func (w *Explainer) Box() (layout.PlacedBox, bool) {
	if len(w.boxes) == 0 || w.behind() {
		return layout.PlacedBox{}, false
	}
	return w.part()[w.chosen], true
}

// Show selects a box.
func (w *Explainer) Show(b *layout.Box) {
	w.find(func(p layout.PlacedBox) bool { return p.Box == b || p.Name == b.Name })
}

// Commands are the keys of an Explainer.
func Commands() []widget.Command[*Explainer] {
	change := func(n int, off func(*Explainer) string, shown, does string, keys ...string) widget.Command[*Explainer] {
		return widget.NewCommand(widget.Bind(shown, does, keys...), off, func(w *Explainer) tea.Cmd {
			w.step(n)
			return nil
		})
	}
	return []widget.Command[*Explainer]{
		change(+1, (*Explainer).atEnd, "up/down", "next, previous", "down", "j", "right", "tab"),
		change(-1, (*Explainer).atStart, "", "next, previous", "up", "k", "left", "shift+tab"),
		widget.NewCommand(widget.Bind("g, G", "first, last", "g", "home"), (*Explainer).atStart,
			func(w *Explainer) tea.Cmd { w.choose(0); return nil }),
		widget.NewCommand(widget.Bind("", "first, last", "G", "end"), (*Explainer).atEnd,
			func(w *Explainer) tea.Cmd {
				w.choose(w.last())
				return nil
			}),
		widget.NewCommand(widget.Bind("", enterKey.Help().Desc, "enter"), (*Explainer).atBox, func(w *Explainer) tea.Cmd {
			w.rest = !w.rest
			w.choose(0)
			return nil
		}),
		widget.NewCommand(enterKey, (*Explainer).wordless,
			func(w *Explainer) tea.Cmd {
				w.Term = w.part()[w.chosen].GlossaryTerm()
				return nil
			}).Long("look up the term in the glossary; at the end, go to the items that are left, and back"),
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

// enterKey looks up the term of a box and, behind the boxes of a part, goes to the other part.
var enterKey = widget.Bind("enter", "look up the term", "enter")

// part are the boxes of the current part: the most important ones, or the rest.
func (w *Explainer) part() []layout.PlacedBox {
	if w.rest {
		return w.boxes[min(maxStops, len(w.boxes)):]
	}
	return w.boxes[:min(maxStops, len(w.boxes))]
}

// last is the last stop of the current part: behind its boxes where there is another part.
func (w *Explainer) last() int {
	n := len(w.part())
	if n > 0 && len(w.boxes) <= maxStops {
		n--
	}
	return n
}

// behind reports whether the current stop is the one behind the boxes, which leads to the other part.
func (w *Explainer) behind() bool { return w.chosen >= len(w.part()) }

func (w *Explainer) atStart() string {
	if w.chosen == 0 && !w.rest {
		return "this is the first item"
	}
	return ""
}

func (w *Explainer) atEnd() string {
	switch {
	case w.chosen < w.last():
		return ""
	case len(w.boxes) > maxStops:
		return "this is the last item here; " + enterKey.Help().Key + " goes to the others"
	}
	return "this is the last item"
}

func (w *Explainer) atBox() string {
	if len(w.boxes) > 0 && w.behind() {
		return ""
	}
	return "the glossary has no term for this"
}

func (w *Explainer) wordless() string {
	if len(w.boxes) == 0 || w.behind() || w.part()[w.chosen].GlossaryTerm() == "" {
		return "the glossary has no term for this"
	}
	return ""
}

// step goes to the next or the previous stop; before the first one of the rest comes the stop that leads there.
func (w *Explainer) step(n int) {
	if w.rest && w.chosen+n < 0 {
		w.rest = false
		w.choose(w.last())
		return
	}
	w.choose(w.chosen + n)
}

// choose goes to a stop of the current part.
func (w *Explainer) choose(i int) {
	w.chosen, w.name = max(min(i, w.last()), 0), ""
	if !w.behind() {
		w.name = w.part()[w.chosen].Name
	}
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
	if row >= w.panel[0] && row < w.panel[1] {
		return
	}
	if p, ok := w.frame.DescribedAt(col, row); ok {
		w.Status.Say("", false)
		w.find(func(other layout.PlacedBox) bool { return other.Box == p.Box })
	}
}

// find goes to the first box that matches, in whichever part it is.
func (w *Explainer) find(match func(layout.PlacedBox) bool) {
	if i := slices.IndexFunc(w.boxes, match); i >= 0 {
		w.rest = i >= maxStops
		if w.rest {
			i -= maxStops
		}
		w.choose(i)
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
	spans, kind := w.spans()
	layout.Highlight(c, st, spans, kind)
	box := w.description(st, f.W)
	w.panel = panelRows(spans, box.H, f.H)
	layout.Arrange(box.At(0, w.panel[0]), f.W, w.panel[1]).Draw(c)
}

// spans are the cells of the current stop, and their kind: behind the boxes of a part, the cells of all boxes of the
// other one.
func (w *Explainer) spans() (spans []layout.Span, kind layout.Kind) {
	if !w.behind() {
		p := w.part()[w.chosen]
		return w.frame.Spans(p), p.Kind
	}
	other := *w
	other.rest = !w.rest
	for _, p := range other.part() {
		if p.Kind != layout.Section { // whose cells are those of its parts too
			spans = append(spans, w.frame.Spans(p)...)
		}
	}
	return spans, layout.Mark
}

// follow takes the boxes of a frame, which may have changed, and keeps the one that is described.
func (w *Explainer) follow(f *layout.Frame) {
	w.frame, w.boxes = f, f.ByImportance()
	w.rest = w.rest && len(w.boxes) > maxStops
	if w.name == "" || w.chosen < len(w.part()) && w.part()[w.chosen].Name == w.name { // this one, if several have it
		w.choose(w.chosen)
		return
	}
	name := w.name
	w.choose(w.chosen)
	w.find(func(p layout.PlacedBox) bool { return p.Name == name })
}

// panelRows are the rows of a panel, from and to: at the bottom, or at the top where it covers fewer of the cells.
func panelRows(spans []chart.Span, rows, height int) [2]int {
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

// description is the panel with the description of the current stop.
func (w *Explainer) description(st theme.Style, width int) *layout.Box {
	inner, title := min(width-4, 110), "Explain this screen"
	if w.rest {
		title += ", more"
	}
	var body []string
	if w.behind() {
		body = w.otherPart(st, inner)
	} else {
		title += fmt.Sprintf(" (%d/%d)", w.chosen+1, len(w.part()))
		body = describeBox(st, w.part()[w.chosen], inner)
	}
	panel := layout.Panel(st, title, layout.Text(width-2, body...), width, len(body)+2, true)
	foot := widget.Footer(st, widget.BindingsFor(Commands(), "up/down enter esc"), width-layout.TitleRoom)
	if message, _ := w.Status.Message(); message != "" {
		foot = st.Paint(st.Text, st.Plain(message))
	}
	layout.Foot(st, panel, foot)
	return panel
}

// otherPart describes the stop behind the boxes of a part: it names those of the other one.
func (w *Explainer) otherPart(st theme.Style, inner int) []string {
	other := *w
	other.rest = !w.rest
	title, does := widget.Count(len(other.part()), "more item"), "explain "
	if w.rest {
		title, does = "back", "go back to "
	}
	return append([]string{" " + st.PaintBold(st.Accent, title)}, layout.Paragraph(st, st.Text,
		fmt.Sprintf("Press %s to %s%s.", enterKey.Help().Key, does, names(other.part())), inner)...)
}

// maxNames bounds how many boxes are named.
const maxNames = 6

// names are the names of the first boxes, each once.
func names(boxes []layout.PlacedBox) string {
	var list []string
	for _, p := range boxes {
		if name := sanitize.Text(p.Name); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	if len(list) > maxNames {
		return strings.Join(list[:maxNames], ", ") + " and others"
	}
	return strings.Join(list, ", ")
}

// describeBox is the description of a box, with its term of the glossary and its actions.
func describeBox(st theme.Style, p layout.PlacedBox, inner int) []string {
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
	return body
}
