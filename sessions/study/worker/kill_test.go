package worker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/external"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// kills is how many workers are killed.
var kills = 4

// dice is a method that is a program: its points come from the random numbers of the step.
const dice = `#!/bin/sh
while read -r line; do
case $line in
*'"hello"'*) two=; case $line in *'"x2"'*) two=1;; esac; echo '{"hello": 1, "name": "dice"}';;
*) s=${line#*'"stream":"'}; x=$(printf '0.%05d' $((0x$(printf %.4s "$s"))))
  case $two in 1) echo "{\"x\": [{\"x1\": $x, \"x2\": $x}]}";; *) echo "{\"x\": [{\"x\": $x}]}";; esac;;
esac
done
`

// diceCommand is the command of dice, which it writes and allows, and its entry in the methods of a study.
func diceCommand(t *testing.T) (command, entry string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dice.sh")
	require.NoError(t, os.WriteFile(path, []byte(dice), 0o600))
	command, err := external.Canonical("sh " + path)
	require.NoError(t, err)
	external.Allow(command, 0)
	return command, study.Entry("exec:" + command)
}

// inEnvironment says to the child of TestKilledWorkers which database it works on, where its book is, and which program
// it may start.
const inEnvironment = "BANDSCOPE_WORKS_ON"

// Of a killed study: cells at once in a worker, and steps of a slice.
const slotsKilled, stepsKilled = 2, 3

// booked is a course that takes its time and notes in a book what it has done.
type booked struct {
	cellRun
	cell study.Cell
	book *os.File
}

// Close ends the program of the run.
func (b booked) Close() error {
	closeRun(b.cellRun)
	return nil
}

func (b booked) step(ctx context.Context) error {
	time.Sleep(2 * time.Millisecond)
	if err := b.cellRun.step(ctx); err != nil {
		return err
	}
	_, err := fmt.Fprintf(b.book, "%s %d\n", b.cell.ID(), b.steps())
	return err
}

// TestWorkerProcess is the child of TestKilledWorkers: a worker in a process of its own.
func TestWorkerProcess(t *testing.T) {
	words := strings.Split(os.Getenv(inEnvironment), "\n")
	if len(words) != 3 {
		t.Skip("it is the child of another test")
	}
	name, path := words[0], words[1]
	external.Allow(words[2], 0)
	book, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	require.NoError(t, err)
	st, err := store.OpenExisting(t.Context(), name)
	require.NoError(t, err)
	defer st.Close()
	begin := func(ctx context.Context, c store.Run, log []byte) (cellRun, error) {
		run, err := openSession(ctx, c, log)
		return booked{run, c.Cell, book}, err
	}
	if err := Work(t.Context(), st, Options{Workers: slotsKilled, UntilDone: true, begin: begin,
		sliceOver: every(stepsKilled), beat: 100 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
}

// Whenever workers are killed, no cell is lost, no step counts twice, and what is done again is no more than the slices
// that were in hand. What comes of every run is what comes of it undisturbed.
func TestKilledWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	onBoth(t, func(t *testing.T, name string) {
		command, entry := diceCommand(t)
		d := &study.Declaration{Name: "killed", Problems: []string{"forrester", "branin"},
			Methods: []string{"random", entry + " repeats=on"}, // some of its random numbers are equal
			Seeds:   2 + kills, Budget: "15"}
		st := submitted(t, name, d)
		book := filepath.Join(t.TempDir(), "book")
		killed := killWorkers(t, name, book, command, kills)
		table := tableFor(t, st, "killed")
		for _, r := range table.Rows {
			if r.Status != study.Done || r.Attempts != 0 || r.Steps != 15 || len(r.Trace.Evaluations) != 15 ||
				bits(r.Trace) != bits(inOneGo(t, r.Cell)) {
				t.Errorf("%v: %s with %d steps after %d attempts, %q", r.Cell, r.Status, r.Steps, r.Attempts, r.Error)
			}
		}
		text, err := os.ReadFile(book)
		require.NoError(t, err)
		done, again := map[string]bool{}, 0
		for line := range strings.Lines(string(text)) {
			if done[line] {
				again++
			}
			done[line] = true
		}
		assert.NotEqual(t, 0, killed, "nobody was killed")
		if most := killed * slotsKilled * stepsKilled; len(done) != 15*len(table.Rows) || again > most {
			t.Errorf("%d steps of %d were done, %d of them again; at most %d were in hand", len(done),
				15*len(table.Rows), again, most)
		}
		assert.Equal(t, "", running(command), "programs go on")
		t.Logf("%d workers killed: %d of %d steps done again", killed, again, len(done))
	})
}

// killWorkers lets three workers at a time work until the study is done, and kills so many of them at any moment.
func killWorkers(t *testing.T, name, book, command string, kills int) (killed int) {
	program, err := os.Executable()
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(uint64(kills), 7))
	type child struct {
		*exec.Cmd
		out   *strings.Builder
		ended chan struct{}
	}
	start := func() child {
		c := child{exec.Command(program, "-test.run=^TestWorkerProcess$", "-test.count=1"), &strings.Builder{},
			make(chan struct{})}
		c.Stdout, c.Stderr = c.out, c.out
		c.Env = append(os.Environ(), inEnvironment+"="+name+"\n"+book+"\n"+command)
		require.NoError(t, c.Start())
		go func() {
			defer close(c.ended)
			c.Wait()
		}()
		return c
	}
	children := []child{start(), start(), start()}
	size := func() int64 {
		info, err := os.Stat(book)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for killed < kills {
		was := size() // somebody works before anybody is killed
		for until := time.Now().Add(20 * time.Second); size() == was && time.Now().Before(until); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond)
		i := rng.IntN(len(children))
		select {
		case <-children[i].ended:
			kills = killed // the study is done
			continue
		default:
		}
		children[i].Process.Kill()
		<-children[i].ended
		killed++
		children[i] = start()
	}
	for _, c := range children {
		<-c.ended
		assert.True(t, c.ProcessState.Success(), "a worker: %s", c.out)
	}
	return killed
}

// running are the processes with a command after the time that killed programs have to end; empty if there are none or
// this system has no /proc.
func running(command string) (left string) {
	words := strings.ReplaceAll(command, " ", "\x00") + "\x00"
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		left = ""
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && string(text) == words {
				left += filepath.Dir(file) + " "
			}
		}
		if left == "" {
			return ""
		}
	}
	return left
}
