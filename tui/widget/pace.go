package widget

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Pace is whether steps run automatically, and how many are queued behind the running one.
type Pace struct {
	Running bool
	Queued  int
	runs    int // counts runs, so that the time of an earlier one is dropped
}

// speeds are the steps per second that a run can be set to; the last has no pauses.
var speeds = [...]float64{0.5, 1, 2, 5, 10, 0}

// Speed is an index of speeds, the slowest first.
type Speed int

// The speed of two steps per second, and that of steps without pauses.
const (
	DefaultSpeed Speed = 2
	MaxSpeed     Speed = Speed(len(speeds) - 1)
)

// NewSpeed is the slowest speed of at least so many steps per second, or the fastest with a pause.
func NewSpeed(steps float64) Speed {
	for s := range MaxSpeed {
		if speeds[s] >= steps {
			return s
		}
	}
	return MaxSpeed - 1
}

// By is a speed so many places faster, or slower where that is negative.
func (s Speed) By(places int) Speed { return min(max(s+Speed(places), 0), MaxSpeed) }

// Pause is how long a step is shown before the next one is taken.
func (s Speed) Pause() time.Duration {
	if s == MaxSpeed {
		return 0
	}
	return time.Duration(float64(time.Second) / speeds[s])
}

// String writes the speed.
func (s Speed) String() string {
	if s == MaxSpeed {
		return "as fast as possible"
	}
	return fmt.Sprintf("%g per second", speeds[s])
}

// maxQueued bounds how many steps wait for the running one.
const maxQueued = 100

// RunMsg is the time of the next step of a run; IsCurrent says whether the run is still on.
type RunMsg struct{ run int }

// Toggle begins or ends a run, and reports whether it runs now.
func (p *Pace) Toggle() bool {
	p.Running = !p.Running
	p.runs++
	return p.Running
}

// Halt ends a run, and drops the queued steps.
func (p *Pace) Halt() { p.Running, p.Queued = false, 0 }

// Queue adds a step behind the running one.
func (p *Pace) Queue() { p.Queued = min(p.Queued+1, maxQueued) }

// Waiting says how many steps are queued; empty for none.
func (p *Pace) Waiting() string {
	if p.Queued == 0 {
		return ""
	}
	return fmt.Sprintf("+%d queued", p.Queued)
}

// Next takes one of the queued steps; false if there is none.
func (p *Pace) Next() bool {
	if p.Queued == 0 {
		return false
	}
	p.Queued--
	return true
}

// After brings the time of the next step of a run, so long from now; nil where nothing runs.
func (p *Pace) After(pause time.Duration) tea.Cmd {
	if !p.Running {
		return nil
	}
	p.runs++
	run := p.runs
	return tea.Tick(pause, func(time.Time) tea.Msg { return RunMsg{run} })
}

// IsCurrent reports whether a message is of the last call of After.
func (p *Pace) IsCurrent(m RunMsg) bool { return p.Running && m.run == p.runs }
