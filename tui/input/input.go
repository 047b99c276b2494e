// Package input decodes what a terminal sends: keys, the mouse, pasted text and answers to questions. Bytes go in, from
// a reader that Bubble Tea reads, and messages for the program come out. The bytes are data of anybody who is
// connected: other sequences are dropped, and no sequence ends the process.
package input

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

const (
	patience = 50 * time.Millisecond // for the rest of a sequence: most begin as the key escape
	maxPaste = 1 << 20               // bytes
	maxCell  = 10_000                // in both directions, of the mouse
)

// The end of pasted text, which begins with ESC [ 200 ~.
var pasteEnd = []byte("\x1b[201~")

// Decoder decodes the input of a terminal. It is safe for concurrent use.
type Decoder struct {
	send     func(tea.Msg)
	report   func(error)
	patience time.Duration

	mu      sync.Mutex
	events  uv.EventDecoder
	unread  []byte // the beginning of a sequence, for whose rest it waits
	pasted  []byte
	pasting bool
	skips   bool // a sequence was too long: everything until the terminal pauses
	timer   *time.Timer
	due     time.Time // when the timer is to end
}

// New makes a decoder. Send takes the messages in order and may block, which holds up the terminal. Report, if it is
// not nil, takes errors, which contain nothing that was typed.
func New(send func(tea.Msg), report func(error)) *Decoder {
	if report == nil {
		report = func(error) {}
	}
	return &Decoder{send: send, report: report, patience: patience}
}

// Take decodes the bytes of a Read of the terminal, and returns the results for Bubble Tea: no bytes, so that it
// decodes nothing. Its decoder runs where no panic can be caught, and keeps all bytes that follow an incomplete
// sequence.
func (d *Decoder) Take(b []byte, err error) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.skips {
		b = nil
	}
	d.unread = append(d.unread, b...)
	d.decode(err != nil)
	return 0, err
}

// expire decodes the remaining bytes, whose rest has not come.
func (d *Decoder) expire() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if left := time.Until(d.due); left > 0 {
		d.timer.Reset(left)
		return
	}
	d.skips = false
	d.decode(true)
}

// wait waits for the rest of a sequence.
func (d *Decoder) wait() {
	d.due = time.Now().Add(d.patience)
	if d.timer == nil {
		d.timer = time.AfterFunc(d.patience, d.expire)
		return
	}
	d.timer.Reset(d.patience)
}

// decode sends the messages of the input. Without its rest, a partial sequence is a key: escape, or one with alt.
func (d *Decoder) decode(ended bool) {
	for len(d.unread) > 0 && !d.skips {
		if d.pasting {
			if !d.paste() {
				return
			}
			continue
		}
		n, f := next(d.unread)
		switch {
		case f == partial && n > maxSequence:
			d.report(fmt.Errorf("a sequence of the terminal is longer than %d bytes", maxSequence))
			d.skips = true
		case f == partial && !ended:
			d.wait()
			return
		}
		if n <= maxSequence && f != malformed {
			n = d.event(n, f)
		}
		d.unread = d.unread[n:]
	}
	d.unread = nil
	if d.skips {
		d.wait()
	}
}

// paste takes pasted text. It returns false while the end has not come.
func (d *Decoder) paste() bool {
	n := bytes.Index(d.unread, pasteEnd)
	ended := n >= 0
	if !ended { // the last bytes can be the beginning of the end
		n = max(len(d.unread)-len(pasteEnd)+1, 0)
	}
	d.pasted = append(d.pasted, d.unread[:min(n, maxPaste-len(d.pasted))]...)
	d.unread = d.unread[n:]
	if !ended {
		d.unread = bytes.Clone(d.unread)
		return false
	}
	d.unread = d.unread[len(pasteEnd):]
	d.send(tea.PasteMsg{Content: string(bytes.ToValidUTF8(d.pasted, nil))})
	d.pasted, d.pasting = nil, false
	return true
}

// event decodes and sends the first n bytes, and returns how many it took: of text, all characters of a grapheme.
func (d *Decoder) event(n int, f form) int {
	b := d.unread[:n:n]
	if b[0] >= 0x80 {
		b = d.unread
	}
	used, e, err := d.decodeEvent(b)
	if err != nil {
		d.report(err)
		return n
	}
	if _, begins := e.(uv.PasteStartEvent); begins {
		d.pasting = true
	}
	events, several := e.(uv.MultiEvent)
	if !several {
		events = uv.MultiEvent{e}
	}
	for _, e := range events {
		if accepted(e) {
			d.send(e)
		}
	}
	return max(n, used)
}

// decodeEvent decodes an event, and returns a panic as an error.
func (d *Decoder) decodeEvent(b []byte) (n int, e uv.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.events = uv.EventDecoder{}
			err = fmt.Errorf("decoding the input: a panic: %v\n%s", p, debug.Stack())
		}
	}()
	n, e = d.events.Decode(b)
	return n, e, nil
}

// accepted reports whether a program takes an event. A terminal says nothing else unless it is asked; its size comes
// from the system or the connection.
func accepted(e uv.Event) bool {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return visible(e.Text)
	case uv.KeyReleaseEvent:
		return visible(e.Text)
	case uv.MouseEvent:
		m := e.Mouse()
		return m.X >= 0 && m.X < maxCell && m.Y >= 0 && m.Y < maxCell
	case uv.FocusEvent, uv.BlurEvent, uv.ForegroundColorEvent, uv.BackgroundColorEvent, uv.CursorColorEvent,
		uv.CursorPositionEvent, uv.CapabilityEvent, uv.TerminalVersionEvent, uv.KeyboardEnhancementsEvent,
		uv.ModeReportEvent, uv.KittyGraphicsEvent, uv.CellSizeEvent, uv.PixelSizeEvent,
		uv.PrimaryDeviceAttributesEvent:
		return true
	}
	return false
}

// visible reports whether a text has no control codes, which no key writes.
func visible(text string) bool { return bytes.IndexFunc([]byte(text), unicode.IsControl) < 0 }
