//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// liveActs is how many results two runs and a pipe report to one session, while they are killed in between.
var liveActs = 90

// livePoint is a reported point: its input, to the last digit.
func livePoint(x any) string {
	text, _ := json.Marshal(x)
	return strings.Trim(string(text), "[]")
}

// liveTest is what the programs at one session have acknowledged.
type liveTest struct {
	dir, path string

	mu    sync.Mutex
	acked map[string]bool // reported points
	kills int
}

func (l *liveTest) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acked)
}

func (l *liveTest) ack(x any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked[livePoint(x)] = true
}

// start starts a program on the session; stop kills it, or waits for it, and returns what it complained of.
func (l *liveTest) start(t *testing.T, args ...string) (in io.WriteCloser, out *bufio.Reader, stop func(kill bool) string) {
	t.Helper()
	c := exec.Command(l.path, args...)
	var errs strings.Builder
	c.Dir, c.Stderr = l.dir, &errs
	in, errIn := c.StdinPipe()
	read, errOut := c.StdoutPipe()
	if errIn != nil || errOut != nil {
		t.Fatal(errIn, errOut)
	}
	require.NoError(t, c.Start())
	return in, bufio.NewReader(read), func(kill bool) string {
		if kill {
			l.mu.Lock()
			l.kills++
			l.mu.Unlock()
			c.Process.Kill()
		}
		in.Close()
		io.Copy(io.Discard, read)
		c.Wait()
		return errs.String()
	}
}

// runs steps the session by runs of several steps, each killed after some, until enough is reported.
func (l *liveTest) runs(t *testing.T, rng *rand.Rand) {
	for l.count() < liveActs && !t.Failed() {
		_, out, stop := l.start(t, "run", "--resume", "s.jsonl", "-n", "12", "--json")
		for n := rng.IntN(12); n >= 0; n-- {
			line, err := out.ReadString('\n')
			var row map[string]any
			if err != nil || json.Unmarshal([]byte(line), &row) != nil || row["summary"] != nil {
				break
			}
			l.ack(row["x"])
		}
		if errs := stop(true); strings.TrimSpace(errs) != "" {
			t.Errorf("a run says %q", errs)
		}
	}
}

// pipes asks and tells through pipes, each killed after some requests, until enough is reported.
func (l *liveTest) pipes(t *testing.T, rng *rand.Rand) {
	for l.count() < liveActs && !t.Failed() {
		in, out, stop := l.start(t, "pipe", "s.jsonl", "--as", "ann")
		request := func(line string) (row map[string]any) {
			io.WriteString(in, line+"\n")
			text, err := out.ReadString('\n')
			if err != nil || json.Unmarshal([]byte(text), &row) != nil {
				t.Errorf("%s: %q, %v", line, text, err)
			}
			assert.Nil(t, row["notice"], line)
			return row
		}
		for n := rng.IntN(8); n >= 0 && !t.Failed(); n-- {
			a := request(`{"act":"ask","new":true}`)
			answer, _ := a["ok"].(map[string]any)
			list, ok := answer["points"].([]any)
			if !ok {
				t.Errorf("asking: %v", a)
				break
			}
			point := list[0].(map[string]any)
			x := point["x"].(map[string]any)["x"]
			reported := request(fmt.Sprintf(`{"act":"tell","point":%v,"values":{"f":1}}`, point["point"]))
			failure, failed := reported["error"].(map[string]any)
			switch {
			case failed && failure["code"] == "reported": // a run that was started meanwhile evaluated it
			case failed:
				t.Errorf("telling: %v", reported)
			default:
				l.ack(x)
			}
		}
		if errs := stop(true); strings.TrimSpace(errs) != "" {
			t.Errorf("a pipe says %q", errs)
		}
	}
}

// Two runs and a pipe write to one session at the same time, and are killed again and again: the file is one log without
// damage, all that they acknowledged is in it once, and nobody is refused its turn.
func TestLiveSession(t *testing.T) {
	dir := t.TempDir()
	path, err := program()
	require.NoError(t, err)
	if _, errs, status := run(t, dir, "new s.jsonl -f forrester -o random --budget 100000"); status != 0 {
		t.Fatal(errs)
	}
	l := &liveTest{dir: dir, path: path, acked: map[string]bool{}}
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() { l.runs(t, rand.New(rand.NewPCG(uint64(i), 1))) })
	}
	all.Go(func() { l.pipes(t, rand.New(rand.NewPCG(5, 1))) })
	all.Wait()
	s, err := sessions.OpenReadOnly(t.Context(), filepath.Join(dir, "s.jsonl"))
	require.NoError(t, err)
	s.Last()
	st := s.State()
	times := map[string]int{}
	for _, it := range st.Iterations {
		times[livePoint(it.Inputs())]++
	}
	for x, n := range times {
		if n > 1 {
			t.Errorf("%s is reported %d times", x, n)
		}
	}
	for x := range l.acked {
		assert.NotEqual(t, 0, times[x], "%s was acknowledged, and is lost", x)
	}
	branches, err := s.Branches()
	if err != nil || len(branches) != 1 {
		t.Errorf("%d branches, %v", len(branches), err)
	}
	for _, n := range s.Notices() {
		if !strings.Contains(n, "is incomplete") { // the last line of the last victim
			t.Error(n)
		}
	}
	t.Logf("%d kills, %d acknowledged, %d steps, %d pending", l.kills, len(l.acked), len(st.Iterations), len(st.Pending))
}
