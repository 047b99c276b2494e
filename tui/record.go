package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui/cast"
	"bandscope/tui/graphics"
	"bandscope/tui/placement"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// recordingTime is the time on the clock of recordings when they begin, and of sessions in them.
var recordingTime = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// lastFrame is how long a recording shows its last frame after the last act.
const lastFrame = time.Second

// Record plays a script on the window and gives every frame to show, in order, and the time at which the recording
// ends. There is no terminal: the times are those of the script, a computation takes none, and nothing moves by the
// clock. It starts no programs. The script's session is in memory; files has the experiments that it names, and is nil
// for none. Keys that save write to the working directory or to dir, which is empty for sessions in memory.
func Record(ctx context.Context, s *cast.Script, dir string, files fs.FS, show func(cast.Frame) error) (end time.Duration,
	err error) {
	o, err := recordedOptions(ctx, s, dir, files)
	if err != nil {
		return 0, err
	}
	r := recording{stepper: newStepper(o), show: show}
	r.a.now = func() time.Time { return recordingTime.Add(r.at) }
	defer func() { err = errors.Join(err, r.a.close()) }()
	if err := parallel.PanicToError(func() error { r.open(s.Width, s.Height); return r.frame("") }); err != nil {
		return 0, err
	}
	for _, act := range s.Acts {
		if err := parallel.PanicToError(func() error { return r.act(ctx, act) }); err != nil {
			return 0, fmt.Errorf("line %d: %w", act.Line, err)
		}
	}
	return r.at + lastFrame, nil
}

// recordedOptions are the options of the window of a recording, with its session.
func recordedOptions(ctx context.Context, s *cast.Script, dir string, files fs.FS) (Options, error) {
	o := Options{Rights: rights.Own(dir), Theme: map[bool]string{true: "light", false: "dark"}[s.Light], Colors: "truecolor",
		NoMouse: true}
	if s.Pictures {
		o.Graphics = graphics.Kitty
	}
	var err error
	switch {
	case s.Lesson != "":
		o.Opened, err = openLesson(s.Lesson)
		if opened, ok := o.Opened.(*sessions.Session); ok {
			o.Session, o.Opened = opened, nil
		}
	case s.Session != nil:
		var cfg sessions.Config
		cfg, err = lesson.ParseConfig(s.Session, files)
		if err == nil {
			o.Session, err = sessions.New(ctx, cfg, sessions.WithClock(func() time.Time { return recordingTime }))
		}
	}
	if err == nil && o.Session != nil && o.Session.State().Config.Playground {
		o.Session, o.Playground = nil, o.Session
	}
	if err == nil && o.Session == nil {
		o.Session, err = library.NewDefault(ctx,
			sessions.WithClock(func() time.Time { return recordingTime }))
	}
	return o, err
}

// recording is a window whose frames are recorded.
type recording struct {
	*stepper
	at   time.Duration // since the beginning
	last *cast.Frame
	show func(cast.Frame) error
}

// act performs a line of the script, and records the frame.
func (r *recording) act(ctx context.Context, act cast.Act) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.at += act.Pause
	if act.Key != "" {
		if r.left {
			return errors.New("the program has ended")
		}
		press := widget.KeyPress(act.Key)
		if press.Code == tea.KeyExtended && !slices.ContainsFunc(r.a.current.KeyMap().Keys, func(k widget.Key) bool {
			return key.Matches(press, k.Binding)
		}) {
			return fmt.Errorf("no key and no command of the screen has the name %q", act.Key)
		}
		r.take(press)
	}
	return r.frame(act.Say)
}

// frame records the window, if it has changed or a caption begins.
func (r *recording) frame(say string) error {
	r.a.draw()
	f := cast.NewFrame(r.at, r.a.canvas, say)
	f.Plots = placement.Find(r.a.drawn, r.a.canvas)
	if say == "" && r.last != nil && r.last.Equal(f) {
		return nil
	}
	r.last = &f
	return r.show(f)
}
