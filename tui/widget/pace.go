package widget

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Pace is whether steps are taken by themselves, and how many were asked for while one was under way.
type Pace struct {
	Running bool
	Queued  int
	runs    int // counts runs, so that the time of an earlier one is dropped
}

// speeds are the steps a second that a run can be set to; the last is as fast as it goes.
var speeds = [...]float64{0.5, 1, 2, 5, 10, 0}

// Speed is how fast a run is, among those that it can be set to, the slowest first.
type Speed int

// The speed of two steps a second, and that of steps as fast as they go.
const (
	DefaultSpeed Speed = 2
	MaxSpeed     Speed = Speed(len(speeds) - 1)
)

// NewSpeed is the slowest that does so many steps a second; the fastest that has a pause where none does.
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

// String tells it.
func (s Speed) String() string {
	if s == MaxSpeed {
		return "as fast as it goes"
	}
	return fmt.Sprintf("%g a second", speeds[s])
}

// maxQueued bounds how many steps wait for the one that is under way.
const maxQueued = 100

// RunMsg is the time to step, of a run; Due tells of which.
type RunMsg struct{ run int }

// Toggle begins or ends a run, and reports whether it runs now.
func (p *Pace) Toggle() bool {
	p.Running = !p.Running
	p.runs++
	return p.Running
}

// Halt ends a run, and forgets the steps that were asked for.
func (p *Pace) Halt() { p.Running, p.Queued = false, 0 }

// Queue asks for one step more behind the one that is under way.
func (p *Pace) Queue() { p.Queued = min(p.Queued+1, maxQueued) }

// Next takes one of the steps that were asked for; false if there is none.
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

// IsCurrent reports whether it is the time to step that was asked for last.
func (p *Pace) IsCurrent(m RunMsg) bool { return p.Running && m.run == p.runs }
