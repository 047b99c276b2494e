package playground

import (
	"testing"

	"bandscope/sessions"
	"bandscope/tui/player"
)

// A result that another program adds is shown.
func TestFollowsOthers(t *testing.T) {
	d := open(t, 120, 36, trueColor)
	d.Settle()
	other, err := sessions.Open(t.Context(), d.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	before := len(d.M.state.Results())
	wait := d.M.Follow()
	if err := other.AddResult(0.4, 1); err != nil {
		t.Fatal(err)
	}
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	if n := len(d.M.state.Results()); n != before+1 {
		t.Errorf("%d results after %d", n, before)
	}
	if d.M.Follow() == nil {
		t.Error("it follows no more")
	}
}
