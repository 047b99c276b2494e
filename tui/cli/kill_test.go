//go:build unix

package cli_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// kills is how many processes of each command are killed, and epoch how many in a session.
var kills, epoch = 8, 8

// killer kills processes: at any moment of a life as long as usual, or soon after they have written something.
type killer struct {
	rng   *rand.Rand
	usual time.Duration // how long one takes that is not killed, as loaded as the machine is
}

// run runs a command until it ends or is killed, and tells what it printed, and whether it was killed.
func (k *killer) run(t *testing.T, c *exec.Cmd, files ...string) (out string, killed bool) {
	t.Helper()
	var text strings.Builder
	c.Stdout = &text
	size := func() (sum int64) {
		for _, file := range files {
			if info, err := os.Stat(file); err == nil {
				sum += info.Size()
			}
		}
		return sum
	}
	was, began := size(), time.Now()
	require.NoError(t, c.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Wait()
	}()
	writes, moment := k.rng.IntN(8), time.Duration(1.1*k.rng.Float64()*float64(k.usual))
	if writes < 3 { // a moment of its life; otherwise one soon after so many writes
		writes = 0
	} else {
		moment = time.Duration(k.rng.IntN(2000)) * time.Microsecond
	}
	for grown := 0; ; time.Sleep(50 * time.Microsecond) {
		select {
		case <-ended:
			k.usual = (3*k.usual + time.Since(began)) / 4
			return text.String(), false
		default:
		}
		if now := size(); now != was {
			was = now
			grown++
		}
		if grown < max(writes-2, 0) {
			continue
		}
		if writes > 0 {
			time.Sleep(moment)
		} else if time.Since(began) < moment {
			continue
		}
		c.Process.Kill()
		<-ended
		return text.String(), !c.ProcessState.Exited()
	}
}

// Whenever a process that asks or tells is killed, no point that is out is forgotten, none is given out anew, and no
// result is lost.
func TestKilledWhenever(t *testing.T) {
	k := &killer{rng: rand.New(rand.NewPCG(uint64(kills), 5)), usual: 100 * time.Millisecond}
	asked, count := 0, 0
	for asked < kills || count < kills {
		a, b := asksAndTells(t, k, min(epoch, max(kills-asked, kills-count)))
		asked, count = asked+a, count+b
	}
	t.Logf("killed: %d that asked, %d that told", asked, count)
}

// asksAndTells kills so many processes that ask of a session, and so many that tell.
func asksAndTells(t *testing.T, k *killer, kills int) (asks, tells int) {
	dir := experiment(t)
	path, err := program()
	require.NoError(t, err)
	file := filepath.Join(dir, "s.jsonl")
	command := func(count *int, args ...string) (string, bool) {
		c := exec.Command(path, args...)
		c.Dir = dir
		out, killed := k.run(t, c, file)
		if killed {
			*count++
		}
		return out, !killed
	}
	// the input that was printed of each point; the value that was said to be on record
	values, reported := map[string]string{}, map[int]float64{}
	for i := 0; asks < kills || tells < kills; i++ {
		out, whole := command(&asks, "ask", "s.jsonl", "--json")
		if !whole && strings.Count(out, "\n") == 0 {
			continue
		}
		point := rows(t, out)[0]["points"].([]any)[0].(map[string]any)
		name, x := fmt.Sprint(point["point"]), fmt.Sprint(point["x"])
		if was, again := values[name]; again && was != x {
			t.Fatalf("point %s was %s, and is %s now", name, was, x)
		}
		values[name] = x
		v := 14 + float64(i%1000)/100
		number := int(point["point"].(float64))
		if _, twice := reported[number]; twice {
			t.Fatalf("point %s is given out after it was told", name)
		}
		out, _ = command(&tells, "tell", "s.jsonl", name, fmt.Sprintf("extraction=%g", v), "bitterness=3")
		if strings.Contains(out, "is step") {
			reported[number] = v
		}
	}
	s, err := sessions.OpenReadOnly(t.Context(), file)
	require.NoError(t, err)
	st := s.State()
	known := map[string]bool{}
	for _, it := range st.Iterations {
		known[fmt.Sprint(it.Number)] = true
		if v, ok := reported[it.Number]; ok && it.Points[0].Y[0] != v {
			t.Errorf("of point %d %g was told, and %g is on record", it.Number, v, it.Points[0].Y[0])
		}
		delete(reported, it.Number)
	}
	for _, it := range st.Pending {
		known[fmt.Sprint(it.Number)] = true
	}
	if len(reported) > 0 || len(st.Pending) > 1 || len(st.Iterations) == 0 {
		t.Errorf("lost results %v, %d out, %d told", reported, len(st.Pending), len(st.Iterations))
	}
	for name := range values {
		assert.True(t, known[name], "point %s is forgotten", name)
	}
	return asks, tells
}

// The programs write into a book what they begin and what they have done, in which run; the value of a point is where
// it is.
const (
	eachBooked = `p=$BANDSCOPE_POINT.${BANDSCOPE_BATCH:-1}
echo "begun $RUN $p" >> book
echo "done $RUN $p" >> book
echo $BANDSCOPE_X_x
`
	keptBooked = `while read -r line; do
id=${line#*\"id\":}; p=${line#*\"point\":}; x=${line#*\"x\":\{\"x\":}; b=1
case $line in *\"batch\":*) b=${line#*\"batch\":};; esac
p=${p%%,*}.${b%%,*}
echo "begun $RUN $p" >> book
echo "done $RUN $p" >> book
echo "{\"id\":${id%%,*},\"f\":${x%%\}*}}"
done
`
)

// Whenever a run with a program is killed, no point is forgotten, no result is lost, and nothing is evaluated again
// that is on record.
func TestRunsWithAProgramAreKilledWhenever(t *testing.T) {
	k := &killer{rng: rand.New(rand.NewPCG(uint64(kills), 6)), usual: 100 * time.Millisecond}
	for killed := 0; killed < kills; {
		for _, method := range []string{"random", "sto-bnts-linear --set batch=3 --set width=8 --set initial=2"} {
			killed += runsOf(t, k, min((epoch+1)/2, kills), method)
		}
	}
}

// recorded are the points of a session of which something is told, with their values, and all that were asked for.
func recorded(t *testing.T, file string) (reported map[string]float64, all map[string]bool) {
	s, err := sessions.OpenReadOnly(t.Context(), file)
	require.NoError(t, err)
	reported, all = map[string]float64{}, map[string]bool{}
	for _, list := range [][]sessions.Iteration{s.State().Iterations, s.State().Pending} {
		for _, it := range list {
			for i, pt := range it.Points {
				name := fmt.Sprintf("%d.%d", it.Number, i+1)
				all[name] = true
				if pt.Y == nil || math.IsNaN(pt.Y[0]) {
					continue
				}
				if reported[name] = pt.Y[0]; pt.Y[0] != pt.X[0] {
					t.Errorf("of %v came %v", it.Inputs(), it.Outcomes())
				}
			}
		}
	}
	return reported, all
}

// runsOf kills so many runs of a session.
func runsOf(t *testing.T, k *killer, kills int, method string) (killed int) {
	dir := t.TempDir()
	path, err := program()
	require.NoError(t, err)
	script(t, dir, "each.sh", eachBooked)
	script(t, dir, "kept.sh", keptBooked)
	if _, errs, status := run(t, dir, "new s.jsonl -f forrester -o "+method); status != 0 {
		t.Fatal(errs)
	}
	file, book := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "book")
	var before []map[string]float64 // what was on record before each run
	for killed < kills {
		reported, _ := recorded(t, file)
		line := fmt.Sprintf("run --resume s.jsonl -n 5 --json --jobs %d --exec%s.sh", 1+k.rng.IntN(4),
			[]string{" ./each", "-pipe ./kept"}[k.rng.IntN(2)])
		c := exec.Command(path, strings.Fields(line)...)
		c.Dir, c.Env = dir, append(os.Environ(), fmt.Sprintf("RUN=%d", len(before)))
		before = append(before, reported)
		out, single := k.run(t, c, file, book)
		if single {
			killed++
		}
		now, _ := recorded(t, file)
		for name, v := range reported {
			if now[name] != v {
				t.Fatalf("run %d: of point %s %v was told, %v is on record", len(before), name, v, now[name])
			}
		}
		if whole := strings.LastIndexByte(out, '\n') + 1; whole > 0 {
			for _, row := range rows(t, out[:whole]) {
				if step, ok := row["step"].(float64); ok && int(step) > len(now) {
					t.Fatalf("run %d: step %v was printed, and is lost", len(before), step)
				}
			}
		}
	}
	if _, errs, status := run(t, dir, "run --resume s.jsonl -n 1 --exec ./each.sh --json"); status != 0 {
		t.Fatal(errs)
	}
	reported, all := recorded(t, file)
	times := map[string]int{}
	for line := range strings.Lines(readFile(t, book)) {
		var word, name string
		run := len(before) - 1
		if n, _ := fmt.Sscanf(line, "%s %d %s\n", &word, &run, &name); n < 3 {
			// of the last one, which was not in a run of this test
			continue
		}
		assert.True(t, all[name], "point %s is forgotten", name)
		if _, again := before[run][name]; again {
			t.Errorf("run %d: point %s was evaluated again, and its result was on record", run, name)
		}
		if word == "begun" {
			times[fmt.Sprint(run, " ", name)]++
		}
	}
	for subject, n := range times {
		if n > 1 {
			t.Errorf("%s was evaluated %d times in one run", subject, n)
		}
	}
	if len(reported) < kills/8 || len(all)-len(reported) > 16 {
		t.Errorf("%d points are told of %d", len(reported), len(all))
	}
	t.Logf("%s: %d killed, %d points told of %d", method, killed, len(reported), len(all))
	return killed
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
