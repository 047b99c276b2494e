//go:build study

package worker

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// sleeping opens cells of one step each, which sleeps so long.
func sleeping(long time.Duration) opener {
	return acting(func(study.Cell) func(context.Context, int) error {
		return func(ctx context.Context, _ int) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(long):
				return nil
			}
		}
	})
}

// asleep is a study of so many cells of one step.
func asleep(name string, cells int) *study.Declaration {
	return &study.Declaration{Name: name, Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: cells,
		Budget: "1"}
}

// busyFor is the processor time that this process has taken.
func busyFor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// The engine costs less than two percent of a study of cells of one second: of the time that two workers have, in a
// file of 5,000 cells; and in processor time with 50.
func TestOverhead(t *testing.T) {
	const cells, long, lasts = 5000, time.Second, 30 * time.Second
	st := submitted(t, filepath.Join(t.TempDir(), "study.db"), asleep("slow", cells))
	ctx, end := context.WithCancel(t.Context())
	const workers = 2
	time.AfterFunc(lasts+long/2, end)
	require.Error(t, Work(ctx, st, Options{Workers: workers, begin: sleeping(long)}), "all is done")
	list, err := st.Studies(t.Context())
	require.NoError(t, err)
	table := tableFor(t, st, "slow")
	var first, last time.Time
	for _, r := range table.Rows {
		if r.Status != study.Done {
			continue
		}
		if first.IsZero() || r.Began.Before(first) {
			first = r.Began
		}
		if r.Ended.After(last) {
			last = r.Ended
		}
	}
	done := list[0].Ended()
	wall := last.Sub(first).Seconds()
	over := wall*workers/(float64(done)*long.Seconds()) - 1
	t.Logf("%d of %d cells of %s by %d workers in %.3f s: overhead %.2f %%", done, cells, long, workers, wall, 100*over)
	if over > 0.02 {
		t.Error("it is above 2 %")
	}
	began, busy := time.Now(), busyFor()
	require.NoError(t, Work(t.Context(), st, Options{Workers: 50, UntilDone: true, begin: sleeping(long)}))
	rest := cells - done
	cost := (busyFor() - busy).Seconds() / float64(rest)
	t.Logf("the other %d by 50 workers in %.1f s, at best %.1f; %.2f ms of processor a cell", rest,
		time.Since(began).Seconds(), float64(rest)/50, 1000*cost)
	if cost > 0.02 {
		t.Error("it is above 2 % of a second")
	}
	for _, r := range tableFor(t, st, "slow").Rows {
		if r.Status != study.Done || r.Steps != 1 {
			t.Fatalf("%+v", r)
		}
	}
}

var manyCells = 5000

// A file of 5,000 cells of 200 iterations is written and read.
func TestFiveThousandCells(t *testing.T) {
	d := asleep("large", manyCells)
	d.Budget = "200"
	path := filepath.Join(t.TempDir(), "study.db")
	st := open(t, path)
	began := time.Now()
	require.NoError(t, Submit(t.Context(), st, d))
	submitted := time.Since(began)
	began = time.Now()
	if err := Work(t.Context(), st, Options{UntilDone: true,
		begin: acting(func(study.Cell) func(context.Context, int) error { return nil })}); err != nil {
		t.Fatal(err)
	}
	worked := time.Since(began)
	began = time.Now()
	table := tableFor(t, st, "large")
	read := time.Since(began)
	for _, r := range table.Rows {
		if len(r.Trace.SimpleRegret) != 200 || r.Status != study.Done {
			t.Fatalf("%+v", r)
		}
	}
	began = time.Now()
	_, revision, err := st.Changes(t.Context(), "large", -1)
	require.NoError(t, err)
	all := time.Since(began)
	began = time.Now()
	if rows, _, err := st.Changes(t.Context(), "large", revision-5); err != nil || len(rows) != 5 {
		// each was handed over at once
		t.Fatal(len(rows), err)
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	t.Logf("submitted in %s, worked in %s (%.2f ms a cell), read in %s, all changes in %s, five in %s; %d MB",
		submitted, worked, 1000*worked.Seconds()/float64(manyCells), read, all, time.Since(began), info.Size()>>20)
}

// sleepsIn says to the child of TestFourWorkers which database it works on.
const sleepsIn = "BANDSCOPE_SLEEPS_IN"

// TestSleepingProcess is the child of TestFourWorkers.
func TestSleepingProcess(t *testing.T) {
	name := os.Getenv(sleepsIn)
	if name == "" {
		t.Skip("it is the child of another test")
	}
	st, err := store.OpenExisting(t.Context(), name)
	require.NoError(t, err)
	defer st.Close()
	require.NoError(t, Work(t.Context(), st, Options{Workers: 1, UntilDone: true, begin: sleeping(time.Second)}))
}

// Four workers in processes of their own, on PostgreSQL, are at least 95 percent as fast as four times one.
func TestFourWorkers(t *testing.T) {
	if postgresURL == "" {
		t.Skip("BANDSCOPE_POSTGRES names no database")
	}
	program, err := os.Executable()
	require.NoError(t, err)
	const each = 25
	rate := func(workers int) float64 {
		name := freshURL(t)
		study := fmt.Sprint("by-", workers)
		st := submitted(t, name, asleep(study, each*workers))
		var children []*exec.Cmd
		for range workers {
			c := exec.Command(program, "-test.run=^TestSleepingProcess$", "-test.count=1")
			out := &strings.Builder{}
			c.Stdout, c.Stderr, c.Env = out, out, append(os.Environ(), sleepsIn+"="+name)
			require.NoError(t, c.Start())
			children = append(children, c)
		}
		for _, c := range children {
			require.NoError(t, c.Wait(), c.Stdout)
		}
		var worker float64 // seconds, from each worker's first beginning to the end
		first, last := time.Time{}, time.Time{}
		for _, r := range tableFor(t, st, study).Rows {
			if first.IsZero() || r.Began.Before(first) {
				first = r.Began
			}
			if r.Ended.After(last) {
				last = r.Ended
			}
		}
		worker = last.Sub(first).Seconds()
		t.Logf("%d workers: %d cells of one second in %.3f s", workers, each*workers, worker)
		return float64(each*workers) / worker
	}
	single, four := rate(1), rate(4)
	t.Logf("four workers are %.1f %% as fast as four times one", 100*four/(4*single))
	if four < 0.95*4*single {
		t.Error("they are slower than 95 %")
	}
}
