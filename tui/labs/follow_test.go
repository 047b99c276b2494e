package labs

import (
	"path/filepath"
	"testing"

	"bandscope/sessions/training"
	"bandscope/tui/player"
)

// Updates that another program trains are shown.
func TestFollowsOthers(t *testing.T) {
	spec, err := training.FindBuiltin("flops")
	if err != nil {
		t.Fatal(err)
	}
	s, err := training.New(spec, map[string]any{"steps": 20, "dim": 8, "hidden": 8, "batch": 8})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lab.jsonl")
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	other, err := training.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	d := begin(t, New(s, ""), 120, 36, trueColor)
	d.Settle()
	wait := d.M.Follow()
	step(t, other, 3)
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	d.Shows("update 3/20")
	if d.M.Follow() == nil {
		t.Error("it follows no more")
	}
}
