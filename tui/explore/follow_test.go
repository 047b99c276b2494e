package explore

import (
	"path/filepath"
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/player"
)

// What another program records is shown with its author, without a word about the computation; a session that has gone
// back stays where it is, and knows what lies ahead.
func TestFollowsOthers(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	other, err := sessions.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetAuthor(sessions.Author{Kind: sessions.AuthorProgram, Name: "ann", Via: sessions.ViaPipe})
	d := driveSession(t, s, 120, 36, trueColor)
	wait := d.M.Follow()
	if wait == nil || d.M.Follow() != nil {
		t.Fatal("one command waits for others, and no second one")
	}
	step := func(want string) {
		t.Helper()
		if _, err := other.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		msg := wait()
		for _, arrived := msg.(player.ArrivedMsg); ; msg = <-d.Msgs {
			d.Take(msg)
			if status := d.M.Jobs.Status(false); status != "" {
				t.Errorf("the status line says %q", status)
			}
			if arrived && strings.Contains(d.Text(), want) {
				break
			}
		}
		d.Settle()
		wait = d.M.Follow()
	}
	step("step 1/50 by ann via pipe")
	d.Shows("ann via pipe reported point 1")
	step("step 2/50 by ann via pipe")
	d.Press("b")
	step("step 1/50 (+2)")
	d.Press("space")
	d.Shows("step 2/50 (+1)")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if d.M.Arrived(wait().(player.ArrivedMsg)); d.M.Follow() != nil {
		t.Error("a closed session is followed")
	}
}
