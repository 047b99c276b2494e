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

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// kills is how many workers are killed.
var kills = 4

// inEnvironment says to the child of TestKilledWorkers which database it works on, and where its book is.
const inEnvironment = "BANDSCOPE_WORKS_ON"

// Of a killed study: cells at once in a worker, and steps of a slice.
const slotsKilled, stepsKilled = 2, 3

// booked is a course that takes its time and notes in a book what it has done.
type booked struct {
	cellRun
	cell study.Cell
	book *os.File
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
	name, path, ok := strings.Cut(os.Getenv(inEnvironment), "\n")
	if !ok {
		t.Skip("it is the child of another test")
	}
	book, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.OpenExisting(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
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
		d := &study.Declaration{Name: "killed", Problems: []string{"forrester", "branin"}, Methods: []string{"random"},
			Seeds: 4 + 2*kills, Budget: "15"}
		st := submitted(t, name, d)
		book := filepath.Join(t.TempDir(), "book")
		killed := killWorkers(t, name, book, kills)
		table := tableFor(t, st, "killed")
		for _, r := range table.Rows {
			if r.Status != study.Done || r.Attempts != 0 || r.Steps != 15 || len(r.Trace.Evaluations) != 15 ||
				bits(r.Trace) != bits(inOneGo(t, r.Cell)) {
				t.Errorf("%v: %+v", r.Cell, r)
			}
		}
		text, err := os.ReadFile(book)
		if err != nil {
			t.Fatal(err)
		}
		done, again := map[string]bool{}, 0
		for line := range strings.Lines(string(text)) {
			if done[line] {
				again++
			}
			done[line] = true
		}
		if killed == 0 {
			t.Error("nobody was killed")
		}
		if most := killed * slotsKilled * stepsKilled; len(done) != 15*len(table.Rows) || again > most {
			t.Errorf("%d steps of %d were done, %d of them again; at most %d were in hand", len(done),
				15*len(table.Rows), again, most)
		}
		t.Logf("%d workers killed: %d of %d steps done again", killed, again, len(done))
	})
}

// killWorkers lets three workers at a time work until the study is done, and kills so many of them at any moment.
func killWorkers(t *testing.T, name, book string, kills int) (killed int) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
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
		c.Env = append(os.Environ(), inEnvironment+"="+name+"\n"+book)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
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
		if !c.ProcessState.Success() {
			t.Errorf("a worker: %s", c.out)
		}
	}
	return killed
}
