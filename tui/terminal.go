package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"bandscope/tui/input"
	"bandscope/tui/widget"
)

// ErrGone is why the window ends when its terminal went away, with or without a signal.
var ErrGone = errors.New("the terminal is gone")

// After its context ended, the window has exitTimeout to end in an orderly way. Then the terminal is restored without
// it, within restoreTimeout, and the session is closed, within closeTimeout: a loop that is stuck, or a terminal that
// takes no more output, must not keep the program alive.
const (
	exitTimeout    = 120 * time.Millisecond
	restoreTimeout = 40 * time.Millisecond
	closeTimeout   = time.Second
)

// terminal is the window's terminal, as input: its end is an error, for which Bubble Tea ends; without one it would
// wait for keys that can never come.
type terminal struct {
	*os.File
	input   *input.Decoder
	end     context.CancelCauseFunc
	ctx     context.Context
	stopped atomic.Bool    // it belongs to the shell, while the program is suspended
	stops   chan os.Signal // SIGTSTP and SIGCONT, but while the program is suspended
}

// Read reads from the terminal, and sends the program what it has read.
func (t *terminal) Read(p []byte) (int, error) {
	n, err := t.File.Read(p)
	if errors.Is(err, io.EOF) {
		err = ErrGone
	}
	if err != nil {
		t.end(ErrGone)
	}
	return t.input.Take(p[:n], err)
}

// continuedMsg says that the program was stopped without being asked, as SIGSTOP does, and goes on. A shell has used
// the terminal meanwhile.
type continuedMsg struct{}

// filter looks at the window's messages before Bubble Tea does.
func (t *terminal) filter(model tea.Model, msg tea.Msg) tea.Msg {
	if w, ok := model.(*Window); ok && w.app.idleMotion(msg) {
		return nil
	}
	use := t.suspend
	switch msg.(type) {
	case continuedMsg:
		use = func() error { return nil } // to lend the terminal and take it back sets its modes
	case tea.SuspendMsg:
		if err := stoppable(); err != nil {
			return resumedMsg{err}
		}
	default:
		return msg
	}
	return widget.ReleaseTerminal(use, func(err error) tea.Msg {
		if _, _, lost := term.GetSize(os.Stdout.Fd()); lost != nil {
			t.end(ErrGone) // while the program was stopped
		}
		return resumedMsg{err}
	})()
}

// resumedMsg says that the program goes on after it was suspended, or why it was not.
type resumedMsg struct{ err error }

// suspend stops the program until it is brought to the foreground again, while the terminal is the shell's. If it is to
// end instead, suspend does not return: what follows would take the terminal from the shell.
func (t *terminal) suspend() error {
	if t.ctx.Err() != nil { // the window ends, and stopping would only hold it up
		return nil
	}
	t.stopped.Store(true)
	t.unwatch()
	err := stopUntilForeground(t.ctx, os.Stdin.Fd())
	if t.ctx.Err() != nil {
		select {}
	}
	t.watch()
	t.stopped.Store(false)
	return err
}

// attend has the program suspended when another one asks for it by SIGTSTP, as ctrl+z does, and the terminal set again
// when it goes on after a stop of another kind. While the terminal is lent to another program, an editor, the signals
// are that one's affair: this one stops with it.
func (t *terminal) attend(send func(tea.Msg)) {
	for {
		select {
		case <-t.ctx.Done():
			return
		case sig := <-t.stops:
			switch asked := isStop(sig); {
			case asked && widget.TerminalReleased():
				t.unwatch()
				_ = stopOnce(t.ctx)
				t.watch()
			case asked:
				send(tea.SuspendMsg{})
			case !widget.TerminalReleased():
				send(continuedMsg{})
			}
		}
	}
}

// runProgram runs the window until it ends on its own or by its context. It returns the cause in the latter case, and
// always with the terminal as it was found.
//
// Signals end the context; Bubble Tea's own handler is off, because it waits for the event loop, which the context
// ends, while the end of the program waits for the handler.
func runProgram(ctx context.Context, model tea.Model, options ...tea.ProgramOption) error {
	before, err := term.GetState(os.Stdin.Fd())
	if err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	t := &terminal{File: os.Stdin, end: end, ctx: ctx, stops: make(chan os.Signal, 1)}
	options = append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithInput(t),
		tea.WithFilter(t.filter)}, options...)
	ended := make(chan error, 1)
	program := tea.NewProgram(model, options...)
	t.input = input.New(program.Send, nil)
	go func() {
		_, err := program.Run()
		ended <- err
	}()
	t.watch()
	defer t.unwatch()
	go t.attend(program.Send)
	select {
	case err = <-ended:
	case <-ctx.Done():
		if t.stopped.Load() {
			break
		}
		select {
		case err = <-ended:
		case <-time.After(exitTimeout):
			restore(before)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// restore restores a terminal that the window did not restore.
func restore(before *term.State) {
	_ = term.Restore(os.Stdin.Fd(), before)
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = os.Stdout.WriteString(ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
			ansi.ResetModeBracketedPaste +
			ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) + ansi.ResetModeAltScreenSaveCursor +
			ansi.ResetStyle + ansi.SetModeTextCursorEnable)
	}()
	select {
	case <-written:
	case <-time.After(restoreTimeout):
	}
}
