package placement

import (
	"image"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/graphics"
	"bandscope/tui/theme"
)

// afterFrame is how long a picture waits for the text that was drawn with it: Bubble Tea writes 60 frames a second.
const afterFrame = 20 * time.Millisecond

// Terminal shows plots as pictures in one terminal. It is used from the update loop alone.
type Terminal struct {
	choice graphics.Protocol
	page   bool // the window has a background of its own
	// the size of the terminal in pixels, as the system has it, for one that does not answer; nil where it is not known
	pixels func() image.Point
	off    bool        // the person wants cells
	size   image.Point // in cells
	canvas canvas
	done   <-chan struct{} // the terminal ends

	wanted   []Plot
	sent     []Plot
	shown    graphics.Protocol // by which they were sent
	written  map[int]string    // that show the plots sent, by their numbers
	painting bool
	lost     bool          // the terminal does not show them any more, or not as they should be
	wake     chan struct{} // has a value if other plots are wanted
}

// canvas has the answers of the terminal.
type canvas struct {
	graphics.Terminal
	background theme.Color // not set while it is not known
}

// NewTerminal is a terminal that shows pictures by a protocol, until a channel is closed. Page says that the window has
// a background of its own, whatever that of the terminal is.
func NewTerminal(choice graphics.Protocol, page bool, done <-chan struct{}) *Terminal {
	return &Terminal{choice: choice, page: page, done: done, written: map[int]string{}, wake: make(chan struct{}, 1)}
}

// Messages of a terminal.
type (
	wakeMsg    struct{ terminal *Terminal }
	paintedMsg struct {
		terminal *Terminal
		canvas   canvas // for which they were painted
		plots    []Plot
		written  map[int]string
	}
)

// Init asks the terminal what it can show, unless the person wants cells.
func (t *Terminal) Init() tea.Cmd {
	if t.choice == graphics.Cells {
		return nil
	}
	return tea.Batch(tea.Raw(graphics.Query), t.wait())
}

// Measure has the size of cells follow from that of the terminal in pixels, if the terminal does not answer the question
// for it: xterm does so only if it is set to.
func (t *Terminal) Measure(pixels func() image.Point) { t.pixels = pixels }

// wait waits until other plots are wanted.
func (t *Terminal) wait() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-t.wake:
			return wakeMsg{t}
		case <-t.done:
			return nil
		}
	}
}

// Update takes a message, which is also that of the window.
func (t *Terminal) Update(msg tea.Msg) tea.Cmd {
	before := t.canvas
	cmd := t.update(msg)
	if t.canvas != before {
		t.Lost() // the pictures are those of other cells, or of another background
	}
	return cmd
}

func (t *Terminal) update(msg tea.Msg) tea.Cmd {
	if t.canvas.Take(msg, t.size) {
		return nil
	}
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		if !t.page {
			t.canvas.background = theme.NewColor(msg.String(), 0, 0)
		}
	case tea.WindowSizeMsg: // the size of its letters may be another one too
		t.Lost()
		t.size = image.Pt(msg.Width, msg.Height)
		if t.pixels != nil {
			t.canvas.TakeWindow(t.pixels(), t.size)
		}
		if t.canvas.Answered {
			return tea.Raw(graphics.CellQuery)
		}
	case wakeMsg:
		if msg.terminal == t {
			return tea.Batch(t.wait(), t.paint())
		}
	case paintedMsg:
		if msg.terminal == t {
			return t.send(msg)
		}
	}
	return nil
}

// Protocol is how the terminal shows pictures now.
func (t *Terminal) Protocol() graphics.Protocol {
	switch {
	case t.off:
		return graphics.Cells
	case t.choice == graphics.Auto:
		return t.canvas.Best()
	}
	return t.choice
}

// Toggle shows cells in place of pictures, or pictures again. It says which are shown, or why there are no pictures.
func (t *Terminal) Toggle() string {
	t.off = !t.off
	switch {
	case t.off:
		return "plots are drawn in cells"
	case t.Protocol() != graphics.Cells:
		return "plots are pictures"
	case t.choice == graphics.Cells:
		return "plots are drawn in cells, because the program was started with --graphics cells"
	case !t.canvas.Answered:
		return "plots are drawn in cells: the terminal has not said whether it shows pictures; --graphics kitty or sixel shows them anyway"
	}
	return "plots are drawn in cells: this terminal shows no pictures (kitty's protocol or sixel)"
}

// Off reports whether the person wants cells.
func (t *Terminal) Off() bool { return t.off }

// TurnOff draws plots in cells, as the person wanted in an earlier run, where no protocol was asked for in this one.
func (t *Terminal) TurnOff(off bool) { t.off = off && t.choice == graphics.Auto }

// Show has plots shown in place of those before. It is called with every frame.
func (t *Terminal) Show(plots []Plot) {
	t.wanted = plots
	if !t.changed() {
		return
	}
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// changed reports whether the terminal shows other plots than it is to.
func (t *Terminal) changed() bool {
	return t.lost || !slices.EqualFunc(t.wanted, t.sent, Plot.Equal)
}

// Lost has all plots shown once more: the terminal was cleared, or shows them in another size.
func (t *Terminal) Lost() { t.lost = len(t.sent) > 0 }

// paint paints the plots that are wanted; nil where they are shown, or others are being painted.
func (t *Terminal) paint() tea.Cmd {
	if t.painting || !t.changed() {
		return nil
	}
	protocol := t.Protocol()
	if protocol == graphics.Cells || len(t.wanted) == 0 {
		return t.hide()
	}
	t.painting = true
	plots := t.wanted
	canvas := t.canvas
	return tea.Tick(afterFrame, func(time.Time) tea.Msg {
		msg := paintedMsg{t, canvas, plots, map[int]string{}}
		for i, p := range plots {
			msg.written[i] = p.paint(protocol, canvas, i)
		}
		return msg
	})
}

// send shows plots that are painted, if they are still wanted there.
func (t *Terminal) send(msg paintedMsg) tea.Cmd {
	t.painting = false
	protocol := t.Protocol()
	same := func(p, q Plot) bool { return p.Area == q.Area }
	if protocol == graphics.Cells || msg.canvas != t.canvas || !slices.EqualFunc(msg.plots, t.wanted, same) {
		return t.paint()
	}
	if protocol == graphics.Sixel && !t.lost && !covered(t.sent, msg.plots) {
		return tea.Sequence(t.erase(), t.paint())
	}
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(t.written)) {
		if msg.written[id] == "" {
			b.WriteString(protocol.Hide(id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(msg.written)) {
		if t.lost || t.written[id] != msg.written[id] {
			b.WriteString(msg.written[id])
		}
	}
	t.sent = msg.plots
	t.shown = protocol
	t.written = msg.written
	t.lost = false
	if b.Len() == 0 {
		return t.paint()
	}
	return tea.Batch(tea.Raw(b.String()), t.paint())
}

// covered reports whether plots take the places of others, whose pixels stay where text is not written.
func covered(before, now []Plot) bool {
	for _, p := range before {
		if !slices.ContainsFunc(now, func(q Plot) bool { return q.Area == p.Area }) {
			return false
		}
	}
	return true
}

// hide removes all pictures.
func (t *Terminal) hide() tea.Cmd {
	if len(t.sent) == 0 {
		t.lost = false
		return nil
	}
	text := t.Parting()
	if text == "" {
		return t.erase()
	}
	t.forget()
	return tea.Raw(text)
}

// erase has the whole text written once more, which removes pictures that are pixels of the screen.
func (t *Terminal) erase() tea.Cmd {
	t.forget()
	return tea.ClearScreen
}

func (t *Terminal) forget() {
	t.sent = nil
	t.written = map[int]string{}
	t.lost = false
}

// Parting removes the pictures of a terminal that is left; empty where there are none, or they go with the screen.
func (t *Terminal) Parting() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(t.written)) {
		b.WriteString(t.shown.Hide(id))
	}
	return b.String()
}
