package explore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/player"
)

// What another program records is shown with its author, without a word about the computation; a session that has gone
// back stays where it is, and knows what lies ahead.
func TestFollowsOthers(t *testing.T) {
	d, s, path := following(t)
	other, err := sessions.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetAuthor(sessions.Author{Kind: sessions.AuthorProgram, Name: "ann", Via: sessions.ViaPipe})
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
	if d.M.Update(wait().(player.ArrivedMsg)); d.M.Follow() != nil {
		t.Error("a closed session is followed")
	}
}

// Points that a killed program asked for are shown, and evaluated here once they are taken over.
func TestTakesOver(t *testing.T) {
	d, s, path := following(t)
	other, err := sessions.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	wait := d.M.Follow()
	asked, err := other.Ask(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	other.Close() // as if it were killed: the point stays pending
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	d.Shows("1 pending point")
	d.Press("space")
	d.Settle()
	if st := s.State(); len(st.Iterations) != 1 || len(st.Pending) != 1 || st.Pending[0].ID != asked.ID {
		t.Fatalf("%d steps, pending: %v", len(st.Iterations), st.Pending)
	}
	i := slices.IndexFunc(actCommands(), func(c command) bool { return c.Help().Desc == "take over the pending points" })
	take := actCommands()[i]
	if why := take.DisabledReason(d.M); why != "" {
		t.Fatal(why)
	}
	d.Run(take.Do(d.M, tea.KeyPressMsg{}))
	d.Settle()
	d.Shows("the next step evaluates the oldest of 1 pending point")
	d.Press("space")
	d.Settle()
	if st := s.State(); len(st.Iterations) != 2 || st.Pending != nil || st.Iterations[1].ID != asked.ID {
		t.Errorf("%d steps, pending: %v", len(st.Iterations), st.Pending)
	}
}

// A session whose file is damaged by another program goes on in the file to which it is saved, and follows that.
func TestFollowsTheNewFile(t *testing.T) {
	d, s, path := following(t)
	wait := d.M.Follow()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("rubbish\nrubbish\n")
	f.Close()
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	d.Shows("cannot be read")
	if d.M.Follow() != nil {
		t.Error("a damaged file is followed")
	}
	if err := s.SaveAs(path + ".jsonl"); err != nil {
		t.Fatal(err)
	}
	other, err := sessions.Open(t.Context(), path+".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if wait = d.M.Follow(); wait == nil {
		t.Fatal("the new file is not followed")
	}
	if _, err := other.Step(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	d.Shows("step 1/50")
}

// following is an explorer of a session in a file.
func following(t *testing.T) (*driver, *sessions.Session, string) {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	d := driveSession(t, s, 120, 36, trueColor)
	d.Settle()
	return d, s, path
}
