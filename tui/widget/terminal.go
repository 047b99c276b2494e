package widget

import (
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// drawStopDelay is how long what draws the screen has to end before the terminal is lent. Bubble Tea tells its drawing
// goroutine to end and does not wait for it; where the terminal is back before that goroutine has stopped its clock, it
// stops the clock of the one that draws after it, and the screen stays as it is for good (issue 1778 of
// charmbracelet/bubbletea, in its releases up to 2.1.1). Stopping the clock is all it has left to do.
const drawStopDelay = 25 * time.Millisecond

// ReleaseTerminal gives the terminal away while use runs, which finds the terminal on its own; done makes the message
// of the result.
func ReleaseTerminal(use func() error, done tea.ExecCallback) tea.Cmd {
	return tea.Exec(terminalFunc(use), done)
}

// terminalFunc is a function that uses the terminal, as a program that tea.Exec runs.
type terminalFunc func() error

func (terminalFunc) SetStdin(io.Reader)  {}
func (terminalFunc) SetStdout(io.Writer) {}
func (terminalFunc) SetStderr(io.Writer) {}

// Run runs the function when nothing draws any more.
func (l terminalFunc) Run() error {
	terminalReleased.Store(true)
	defer terminalReleased.Store(false)
	time.Sleep(drawStopDelay)
	return l()
}

// terminalReleased says whether the terminal is given away.
var terminalReleased atomic.Bool

// TerminalReleased reports whether the terminal is given away.
func TerminalReleased() bool { return terminalReleased.Load() }
