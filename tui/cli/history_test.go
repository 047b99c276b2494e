package cli

import (
	"testing"
	"time"

	"bandscope/sessions/acts"
)

// Times of events are those of the reader's clock.
func TestEventTimes(t *testing.T) {
	defer func(zone *time.Location) { time.Local = zone }(time.Local)
	time.Local = time.FixedZone("IST", 19800)
	line := acts.Event{Number: 7, At: time.Date(2026, 3, 31, 20, 45, 9, 0, time.UTC), About: "noted"}.Text()
	if want := "7    2026-04-01 02:15:09  noted"; line != want {
		t.Errorf("the event is %q, want %q", line, want)
	}
}
