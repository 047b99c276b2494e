package eventlog

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// torn is a log with a line that was cut off in the middle, and one at its end.
func tornLog(t *testing.T) string {
	t.Helper()
	tree := grown(t, "a", "b", "c")
	const cut = `{"id":"0123456789abcdef","parent":"`
	mark, err := tree.Next(tree.LastPosition(), KindResumed, ResumedData{hashFor([]byte(cut))}, Author{}, 0)
	require.NoError(t, err)
	log := written(tree) + cut + "\n" + string(mark.Line) + "\n"
	tree.Add(mark)
	for _, kind := range []string{"d", "e"} {
		log += string(add(t, tree, tree.LastPosition(), kind, 1).Line) + "\n"
	}
	return log + cut
}

// A log that is read in two parts, cut anywhere behind its header, has the same events and goes on like one that is read
// at once: in a turn, and, as far as lines are complete, without one.
func TestReadInParts(t *testing.T) {
	log := tornLog(t)
	whole, err := Read(t.Context(), strings.NewReader(log))
	if err != nil || len(whole.Problems) > 0 || whole.Torn == "" {
		t.Fatal(err, whole.Problems)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for cut := strings.IndexByte(log, '\n') + 1; cut <= len(log); cut += 3 {
		for _, turn := range []bool{false, true} {
			require.NoError(t, os.WriteFile(path, []byte(log[:cut]), 0o600))
			f, err := OpenFile(path)
			require.NoError(t, err)
			found, err := Read(t.Context(), f.Limit(bytes.NewReader([]byte(log[:cut]))))
			require.NoError(t, err)
			f.ResumeFrom(found)
			if len(found.Problems) > 0 { // only a cut between a line that was cut off and its mark
				f.Close()
				continue
			}
			require.NoError(t, os.WriteFile(path, []byte(log), 0o600))
			take := f.Follow
			if turn {
				take = f.Begin
			}
			added, err := take(found.Tree)
			require.NoError(t, err, "cut at %d, in a turn %v", cut, turn)
			for _, e := range added {
				found.Tree.Add(e)
			}
			if written(found.Tree) != written(whole.Tree) {
				t.Fatalf("cut at %d, in a turn %v: the events are\n%s", cut, turn, written(found.Tree))
			}
			if turn && (f.Torn() != whole.Torn || !f.noNewline) {
				t.Errorf("cut at %d: the last line is torn: %q", cut, f.Torn())
			}
			assert.NoError(t, errors.Join(f.End(), f.Close()), "cut at %d", cut)
		}
	}
}
