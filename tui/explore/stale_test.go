package explore

import (
	"testing"

	"bandscope/sessions"
)

// The tick of a run that was paused does not step the run after it.
func TestStaleTicksAreDropped(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.M.Running = true
	before, now := d.M.After(0)(), d.M.After(0)()
	if cmd := d.M.Update(before); cmd != nil {
		t.Error("the tick of an earlier run steps")
	}
	if cmd := d.M.Update(now); cmd == nil {
		t.Error("the tick of this run does not step")
	}
}
