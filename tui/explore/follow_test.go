package explore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/player"
)

// What another program records is shown with its author, without a word about the computation; a session that has gone
// back stays where it is, and knows what lies ahead.
func TestFollowsOthers(t *testing.T) {
	d, s, path := following(t)
	other, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
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
			assert.Equal(t, "", d.M.Jobs.Status(false), "the status line")
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
	require.NoError(t, s.Close())
	if d.M.Update(wait().(player.ArrivedMsg)); d.M.Follow() != nil {
		t.Error("a closed session is followed")
	}
}

// Points that a killed program asked for are shown, and evaluated here once they are taken over.
func TestTakesOver(t *testing.T) {
	d, s, path := following(t)
	other, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	wait := d.M.Follow()
	asked, err := other.Ask(t.Context(), nil)
	require.NoError(t, err)
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
	require.Equal(t, "", take.DisabledReason(d.M))
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
	require.NoError(t, err)
	f.WriteString("rubbish\nrubbish\n")
	f.Close()
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	d.Shows("cannot be read")
	assert.Nil(t, d.M.Follow(), "a damaged file is followed")
	require.NoError(t, s.SaveAs(path+".jsonl"))
	other, err := sessions.Open(t.Context(), path+".jsonl")
	require.NoError(t, err)
	defer other.Close()
	if wait = d.M.Follow(); wait == nil {
		t.Fatal("the new file is not followed")
	}
	_, err = other.Step(t.Context(), nil)
	require.NoError(t, err)
	d.Take(wait().(player.ArrivedMsg))
	d.Settle()
	d.Shows("step 1/50")
}

// following is an explorer of a session in a file.
func following(t *testing.T) (*driver, *sessions.Session, string) {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	d := driveSession(t, s, 120, 36, trueColor)
	d.Settle()
	return d, s, path
}
