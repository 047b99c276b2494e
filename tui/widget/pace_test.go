package widget

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A run has one next step: the time of an earlier one, or of one that was ended, is dropped.
func TestPace(t *testing.T) {
	var p Pace
	assert.Nil(t, p.After(time.Nanosecond), "there is a next step where nothing runs")
	require.True(t, p.Toggle(), "it does not run")
	first := p.After(time.Nanosecond)().(RunMsg)
	second := p.After(time.Nanosecond)().(RunMsg)
	if p.IsCurrent(first) || !p.IsCurrent(second) {
		t.Error("the time that was asked for first is the time to step, or the last is not")
	}
	if p.Toggle() || p.IsCurrent(second) {
		t.Error("it steps while it is paused")
	}
	if !p.Toggle() || p.IsCurrent(second) {
		t.Error("the time of an earlier run is that of the next one")
	}
	for range maxQueued + 5 {
		p.Queue()
	}
	if p.Queued != maxQueued || !p.Next() || p.Queued != maxQueued-1 {
		t.Errorf("%d steps are asked for", p.Queued)
	}
	if p.Halt(); p.Running || p.Next() {
		t.Error("what ended goes on")
	}
}

// A run is set to the slowest speed that is fast enough; beyond the ends there is none.
func TestSpeed(t *testing.T) {
	for steps, want := range map[float64]string{
		0.1: "0.5 per second", 2: "2 per second", 3: "5 per second", 1000: "10 per second"} {
		if s := NewSpeed(steps); s.String() != want {
			t.Errorf("%g steps per second: %s, want %s", steps, s, want)
		}
	}
	if s := DefaultSpeed; s.Pause() != time.Second/2 || s.By(+1).String() != "5 per second" ||
		s.By(-9).String() != "0.5 per second" || s.By(+9) != MaxSpeed {
		t.Errorf("%s pauses for %s", s, s.Pause())
	}
	if MaxSpeed.Pause() != 0 {
		t.Error("the fastest pauses")
	}
}
