package cast

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
)

// header is the first line of an asciicast.
type header struct {
	Env     map[string]string `json:"env"`
	Height  int               `json:"height"`
	Title   string            `json:"title"`
	Version int               `json:"version"`
	Width   int               `json:"width"`
}

// Writer writes an asciicast, version 2, frame by frame.
type Writer struct {
	out      io.Writer
	renderer *uv.TerminalRenderer
	buffer   *uv.RenderBuffer // what the terminal shows
	text     bytes.Buffer     // of the current event
}

// NewWriter writes the header of a recording of a window of w×h cells.
func NewWriter(out io.Writer, w, h int, title string) (*Writer, error) {
	c := &Writer{out: out, buffer: uv.NewRenderBuffer(w, h)}
	c.renderer = uv.NewTerminalRenderer(&c.text, []string{"TERM=xterm-256color"})
	c.renderer.SetColorProfile(colorprofile.TrueColor)
	c.renderer.SetFullscreen(true)
	c.renderer.SetTabStops(-1)
	c.renderer.Erase()
	return c, sanitize.JSON(out, header{Env: map[string]string{"TERM": "xterm-256color"}, Height: h,
		Title: sanitize.Text(title), Version: 2, Width: w})
}

// Write writes a frame: what differs from the frame before, and its caption as a marker.
func (c *Writer) Write(f Frame) error {
	if f.Say != "" {
		if err := c.event(f.At, "m", sanitize.Text(f.Say)); err != nil {
			return err
		}
	}
	for y := range f.Cells.Height() {
		for x := 0; x < f.Cells.Width(); {
			cell := f.Cells.CellAt(x, y)
			c.buffer.SetCell(x, y, cell)
			x += max(cell.Width, 1)
		}
	}
	if c.text.Len() == 0 && c.buffer.TouchedLines() == 0 {
		return nil
	}
	c.renderer.Render(c.buffer)
	if err := c.renderer.Flush(); err != nil {
		return err
	}
	return c.output(f.At)
}

// End ends the recording, which shows its last frame until then.
func (c *Writer) End(elapsed time.Duration) error { return c.event(elapsed, "o", "") }

// output writes what the renderer has written.
func (c *Writer) output(elapsed time.Duration) error {
	if c.text.Len() == 0 {
		return nil
	}
	text := c.text.String()
	c.text.Reset()
	if elapsed == 0 {
		text = ansi.ResetModeTextCursorEnable + text
	}
	return c.event(elapsed, "o", text)
}

// event writes a line of the recording; its time is in seconds.
func (c *Writer) event(elapsed time.Duration, kind, text string) error {
	b := new(bytes.Buffer)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode([]any{math.Round(elapsed.Seconds()*1e6) / 1e6, kind, text}); err != nil {
		return err
	}
	_, err := c.out.Write(b.Bytes())
	return err
}
