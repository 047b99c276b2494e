package widget

import (
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// released is how long what draws the screen has to end before the terminal is lent. Bubble Tea tells its drawing
// goroutine to end and does not wait for it; where the terminal is back before that goroutine has stopped its clock, it
// stops the clock of the one that draws after it, and the screen stays as it is for good (issue 1778 of
// charmbracelet/bubbletea, in its releases up to 2.1.1). Stopping the clock is all it has left to do.
const released = 25 * time.Millisecond

// Lend gives the terminal away while use runs, which knows by itself where the terminal is; done then says what came of
// it.
func Lend(use func() error, done tea.ExecCallback) tea.Cmd { return tea.Exec(loan(use), done) }

// loan is a use of the terminal in the form of a program that is run meanwhile.
type loan func() error

func (loan) SetStdin(io.Reader)  {}
func (loan) SetStdout(io.Writer) {}
func (loan) SetStderr(io.Writer) {}

// Run begins when nobody draws any more.
func (l loan) Run() error {
	lent.Store(true)
	defer lent.Store(false)
	time.Sleep(released)
	return l()
}

// lent says whether the terminal is another's.
var lent atomic.Bool

// Lent reports whether the terminal is given away.
func Lent() bool { return lent.Load() }
