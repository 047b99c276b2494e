package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"bandscope/sessions"
	"bandscope/tui/cast"
	"bandscope/tui/explore"
	"bandscope/tui/layout"
	"bandscope/tui/player"
	"bandscope/tui/playground"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// The size of a recording in cells, and its speed in steps per second.
const (
	CastWidth  = 120
	CastHeight = 36
	CastSpeed  = 1.0
)

// maxFrames bounds a recording.
const maxFrames = 2000

// Cast records the replay of a session's branch as an asciicast, version 2 (docs.asciinema.org), in a window of w×h
// cells at speed steps per second.
func Cast(ctx context.Context, out io.Writer, s *sessions.Session, w, h int, speed float64) error {
	b := bufio.NewWriter(out)
	recording, err := cast.NewWriter(b, w, h, s.State().Title())
	if err != nil {
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
	canvas := lipgloss.NewCanvas(w, h)
	for frame := range maxFrames {
		canvas.Clear()
		layout.Arrange(f.page.Frame(), w, h).Draw(canvas)
		duration := time.Duration(float64(frame) / speed * float64(time.Second))
		if err := recording.Write(cast.NewFrame(duration, canvas, "")); err != nil {
			return err
		}
		place := s.Timeline()
		if place.At == len(place.Stops)-1 {
			return errors.Join(recording.End(duration+time.Duration(float64(time.Second)/speed)), b.Flush())
		}
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
	return &headless{m, func() { player.Replay(m, 0) }, tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, msgs}
}

func (f *headless) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { f.msgs <- widget.Perform(rights.Rights{}, cmd) }()
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
