package export

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore"
	"bandscope/tui/layout"
	"bandscope/tui/playground"
	"bandscope/tui/theme"
)

// The size of a recording in cells, and its speed in steps per second.
const (
	CastWidth  = 120
	CastHeight = 36
	CastSpeed  = 1.0
)

// maxFrames bounds a recording.
const maxFrames = 2000

// castHeader is the first line of a recording.
type castHeader struct {
	Env     map[string]string `json:"env"`
	Height  int               `json:"height"`
	Title   string            `json:"title"`
	Version int               `json:"version"`
	Width   int               `json:"width"`
}

// clearLine clears a line before it is written, because trailing spaces are not written. After a line as wide as the
// window, it would clear the last cell.
const clearLine = "\x1b[K"

// Cast records the replay of a session's branch as an asciicast, version 2 (docs.asciinema.org), in a window of w×h
// cells at speed steps per second.
func Cast(ctx context.Context, out io.Writer, s *sessions.Session, w, h int, speed float64) error {
	b := bufio.NewWriter(out)
	header := castHeader{Env: map[string]string{"TERM": "xterm-256color"}, Height: h,
		Title: sanitize.Text(s.State().Title()), Version: 2, Width: w}
	if err := sanitize.JSON(b, header); err != nil {
		return err
	}
	s.Last()
	f := newHeadless(s)
	f.page.Resize(w, h)
	f.page.Restyle(theme.New(true, theme.TrueColor, false))
	f.start()
	f.run(f.page.Init())
	if err := f.settle(ctx); err != nil {
		return err
	}
	last, at := "", 0.0
	for frame := range maxFrames {
		shown := layout.Render(f.page.Frame(), w, h)
		if shown != last {
			if err := event(b, at, "\x1b[?25l\x1b[H"+clearLine+
				strings.ReplaceAll(shown, "\n", "\r\n"+clearLine)); err != nil {
				return err
			}
		}
		place := s.Timeline()
		if place.At == len(place.Stops)-1 {
			return b.Flush()
		}
		last, at = shown, float64(frame+1)/speed
		for range 2 { // a lesson asks first
			if s.Timeline().At != place.At {
				break
			}
			f.run(f.page.Update(f.forward))
			if err := f.settle(ctx); err != nil {
				return err
			}
		}
		if s.Timeline().At == place.At {
			return fmt.Errorf("the replay does not go on from step %d", place.Stops[place.At].Step)
		}
	}
	return b.Flush()
}

// event writes the screen at a time, in seconds.
func event(b *bufio.Writer, at float64, text string) error {
	line, err := json.Marshal([]any{math.Round(at*1e6) / 1e6, "o", text})
	if err != nil {
		return err
	}
	_, err = b.Write(append(line, '\n'))
	return err
}

// headless runs a page without a window.
type headless struct {
	page interface {
		Frame() *layout.Box
		Init() tea.Cmd
		Update(tea.Msg) tea.Cmd
		Resize(w, h int)
		Restyle(theme.Style)
		Busy() bool
		Stop()
	}
	start   func()          // goes to the start of the record
	forward tea.KeyPressMsg // goes on
	msgs    chan tea.Msg
}

// newHeadless is the page of a session: the explorer, or a playground.
func newHeadless(s *sessions.Session) *headless {
	msgs := make(chan tea.Msg, 64)
	if s.State().Config.Playground {
		s.First()
		return &headless{playground.New(s, ""), func() {}, playground.ForwardKey, msgs}
	}
	m := explore.New(s, "")
	return &headless{m, func() { m.Replay(0) }, tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, msgs}
}

func (f *headless) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { f.msgs <- cmd() }()
	}
}

// settle handles messages until no computation is running.
func (f *headless) settle(ctx context.Context) error {
	for f.page.Busy() {
		select {
		case msg := <-f.msgs:
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, c := range batch {
					f.run(c)
				}
				continue
			}
			f.run(f.page.Update(msg))
		case <-ctx.Done():
			f.page.Stop()
			return ctx.Err()
		}
	}
	return nil
}
