package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
)

// The tick of a run that was paused does not step the run after it.
func TestStaleTicksAreDropped(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.M.Running = true
	before, now := d.M.After(0)(), d.M.After(0)()
	assert.Nil(t, d.M.Update(before), "the tick of an earlier run steps")
	assert.NotNil(t, d.M.Update(now), "the tick of this run does not step")
}
