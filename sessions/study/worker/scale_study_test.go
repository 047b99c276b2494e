//go:build study

package worker

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // for connections of the measurement beside the workers'
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// meter reads what a server has done, over a connection of its own.
type meter struct {
	db *sql.DB
}

// newMeter fails without a server that counts its statements: these tests have nothing to measure then.
func newMeter(t *testing.T) *meter {
	t.Helper()
	require.NotEqual(t, "", postgresURL, "BANDSCOPE_POSTGRES names no database; run .ci/postgres go test -tags study …")
	db, err := sql.Open("pgx", postgresURL)
	if err == nil {
		_, err = db.ExecContext(t.Context(), "CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public")
	}
	if err == nil {
		_, err = db.ExecContext(t.Context(), "SELECT public.pg_stat_statements_reset()")
	}
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return &meter{db}
}

// number is the only number of a query.
func (m *meter) number(t *testing.T, query string) (v float64) {
	t.Helper()
	require.NoError(t, m.db.QueryRowContext(t.Context(), query).Scan(&v), query)
	return v
}

// statement is how often one was run, with the rows and the milliseconds that it took in all.
type statement struct {
	text               string
	calls, rows, lasts float64
}

// counts are totals of a server.
type counts struct {
	commits, rollbacks, wal, fsyncs float64
	busy, self                      time.Duration // processor time of the server and of this process
	statements                      map[int64]statement
}

// read reads the totals. The processor time is that of the server's processes on this machine.
func (m *meter) read(t *testing.T) (c counts) {
	t.Helper()
	c.busy, c.self = m.serverTime(t), busyFor()
	c.commits = m.number(t, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
	c.rollbacks = m.number(t, "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()")
	c.wal = m.number(t, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")
	c.fsyncs = m.number(t, "SELECT wal_sync FROM pg_stat_wal")
	c.statements = map[int64]statement{}
	rows, err := m.db.QueryContext(t.Context(), "SELECT queryid, query, calls, rows, total_exec_time FROM public.pg_stat_statements")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var id int64
		var s statement
		require.NoError(t, rows.Scan(&id, &s.text, &s.calls, &s.rows, &s.lasts))
		c.statements[id] = s
	}
	return c
}

// serverTime is the processor time of the server's processes so far, if it runs on this machine.
func (m *meter) serverTime(t *testing.T) time.Duration {
	t.Helper()
	local := m.number(t, "SELECT pg_backend_pid()")
	_, parent := processTimes(fmt.Sprint(int(local)))
	total := 0
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		pid := filepath.Base(filepath.Dir(file))
		if ticks, above := processTimes(pid); pid == parent || above == parent {
			total += ticks
		}
	}
	return time.Duration(total) * 10 * time.Millisecond // a hundred ticks are a second
}

// processTimes are the ticks that a process and its children that ended have taken, and its parent.
func processTimes(pid string) (ticks int, parent string) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, ""
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	words := strings.Fields(rest)
	for _, word := range words[11:15] {
		var n int
		fmt.Sscan(word, &n)
		ticks += n
	}
	return ticks, words[1]
}

// since is what was done between two readings.
func (c counts) since(before counts) counts {
	c.commits, c.rollbacks, c.wal = c.commits-before.commits, c.rollbacks-before.rollbacks, c.wal-before.wal
	c.fsyncs -= before.fsyncs
	c.busy, c.self = c.busy-before.busy, c.self-before.self
	now := map[int64]statement{}
	for id, s := range c.statements {
		was := before.statements[id]
		s.calls, s.rows, s.lasts = s.calls-was.calls, s.rows-was.rows, s.lasts-was.lasts
		if s.calls > 0 && !strings.Contains(s.text, "pg_stat") && !strings.Contains(s.text, "pg_current_wal") {
			now[id] = s
		}
	}
	c.statements = now
	return c
}

// calls are how many statements were run, without the beginnings and ends of transactions.
func (c counts) calls() (n, rows float64) {
	for _, s := range c.statements {
		if !isControl(s.text) {
			n, rows = n+s.calls, rows+s.rows
		}
	}
	return n, rows
}

func isControl(text string) bool {
	word, _, _ := strings.Cut(strings.ToLower(text), " ")
	return slices.Contains([]string{"begin", "commit", "rollback", "set", "show", "savepoint", "release"}, word)
}

// list logs the statements, the one that took longest first, by so many cells or minutes.
func (c counts) list(t *testing.T, factor float64, unit string) {
	t.Helper()
	all := slices.SortedFunc(maps.Values(c.statements), func(a, b statement) int { return cmp.Compare(b.lasts, a.lasts) })
	for i, s := range all {
		if i == 24 || s.calls/factor < 0.005 && s.lasts/factor < 0.01 {
			break
		}
		t.Logf("%8.3f calls %9.2f rows %8.3f ms per %s: %.110s", s.calls/factor, s.rows/factor, s.lasts/factor, unit,
			strings.Join(strings.Fields(s.text), " "))
	}
}

// waits samples what the active connections of the server wait for, until the context ends.
func (m *meter) waits(ctx context.Context) map[string]int {
	found := map[string]int{}
	for ctx.Err() == nil {
		rows, err := m.db.QueryContext(ctx, `SELECT coalesce(wait_event_type || ':' || wait_event, 'running') FROM pg_stat_activity
			WHERE state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
		for err == nil && rows.Next() {
			var event string
			if rows.Scan(&event) == nil {
				found[event]++
			}
		}
		if err == nil {
			rows.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
	return found
}

// shares are the most frequent waits in percent.
func shares(waits map[string]int) string {
	total := 0
	for _, n := range waits {
		total += n
	}
	var parts []string
	for _, event := range slices.SortedFunc(maps.Keys(waits), func(a, b string) int {
		return cmp.Compare(waits[b], waits[a])
	}) {
		if share := 100 * waits[event] / max(total, 1); share > 2 && len(parts) < 5 {
			parts = append(parts, fmt.Sprintf("%s %d %%", event, share))
		}
	}
	return strings.Join(parts, ", ")
}

// fleet lets so many workers, each with one core and connections of its own, as on as many machines, work until the
// context ends.
func fleet(ctx context.Context, t *testing.T, name string, workers int, cell time.Duration) (wait func()) {
	t.Helper()
	var all sync.WaitGroup
	for range workers {
		st := open(t, name)
		all.Go(func() {
			if err := Work(ctx, st, Options{Workers: 1, begin: sleeping(cell)}); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	return all.Wait
}

// endedCells is how many cells of all studies have ended.
func (m *meter) endedCells(t *testing.T, st *store.Store) float64 {
	t.Helper()
	list, err := st.Studies(t.Context())
	require.NoError(t, err)
	n := 0
	for _, s := range list {
		n += s.Ended()
	}
	return float64(n)
}

// scaleCells is how many cells a study has, so many unless BANDSCOPE_SCALE_CELLS says otherwise.
func scaleCells(t *testing.T, n int) int {
	t.Helper()
	if text := os.Getenv("BANDSCOPE_SCALE_CELLS"); text != "" {
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// Cells of one millisecond show what the queue costs, and with how many workers a server has enough.
func TestScaleThroughput(t *testing.T) {
	m := newMeter(t)
	const lasts = 10 * time.Second
	for _, workers := range []int{1, 2, 4, 8, 16, 32} {
		name := freshURL(t)
		st := submitted(t, name, asleep("scale", scaleCells(t, 20_000)))
		ctx, end := context.WithCancel(t.Context())
		wait := fleet(ctx, t, name, workers, time.Millisecond)
		time.Sleep(2 * time.Second) // all are at work
		before, cells, began := m.read(t), m.endedCells(t, st), time.Now()
		sampled, stop := context.WithTimeout(ctx, lasts)
		waits := m.waits(sampled)
		stop()
		cells, after := m.endedCells(t, st)-cells, time.Since(began)
		done := m.read(t).since(before)
		end()
		wait()
		calls, rows := done.calls()
		t.Logf("%2d workers: %6.1f cells/s; per cell %.1f statements, %.1f transactions, %.1f rows, %.1f kB of WAL, %.2f syncs, %.2f ms of the server's processor, %.2f ms of the worker's; waits: %s", workers, cells/after.Seconds(),
			calls/cells, (done.commits+done.rollbacks)/cells, rows/cells, done.wal/cells/1000, done.fsyncs/cells,
			1000*done.busy.Seconds()/cells, 1000*done.self.Seconds()/cells, shares(waits))
		if workers == 1 || workers == 32 {
			done.list(t, cells, "cell")
		}
	}
}

// Workers that have nothing to do, beside a study that another works on and after its end.
func TestScaleIdle(t *testing.T) {
	m := newMeter(t)
	name := freshURL(t)
	st := submitted(t, name, asleep("scale", 1))
	ctx, end := context.WithCancel(t.Context())
	wait := fleet(ctx, t, name, 1, 50*time.Second) // the only cell
	for m.number(t, "SELECT count(*) FROM "+schemaFor(name)+".river_job WHERE state = 'running'") == 0 {
		time.Sleep(100 * time.Millisecond)
	}
	const waiting = 31
	waitToo := fleet(ctx, t, name, waiting, time.Second)
	defer func() {
		end()
		wait()
		waitToo()
	}()
	for _, part := range []string{"one works, the others wait", "all wait"} {
		for part == "all wait" && m.endedCells(t, st) == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		const lasts = 20 * time.Second
		time.Sleep(12 * time.Second) // all know how many they are
		before := m.read(t)
		time.Sleep(lasts)
		done := m.read(t).since(before)
		calls, _ := done.calls()
		minutes := lasts.Minutes() * (waiting + 1)
		t.Logf("%s: per worker and minute %.0f statements, %.0f transactions, %.0f ms of the server's processor; %.0f connections of %d workers", part, calls/minutes, (done.commits+done.rollbacks)/minutes,
			1000*done.busy.Seconds()/minutes, m.number(t, "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"), waiting+1)
		done.list(t, minutes, "worker and minute")
	}
}

// schemaFor is the schema of a database that freshURL names.
func schemaFor(name string) string {
	_, schema, _ := strings.Cut(name, "search_path=")
	return schema
}

// A study with many cells is submitted, read and supervised; what it takes on the disk, with 40 iterations of a cell.
func TestScaleSize(t *testing.T) {
	m := newMeter(t)
	name := freshURL(t)
	st := open(t, name)
	n := scaleCells(t, 100_000)
	d := asleep("scale", min(n, study.MaxSeeds))
	for i := 1; i < n/d.Seeds; i++ {
		d.Problems = append(d.Problems, fmt.Sprintf("forrester noise=0.%d", i))
	}
	d.Budget = "40"
	lap := func(stage string, do func() error) {
		before, began := m.read(t), time.Now()
		require.NoError(t, do(), stage)
		took, done := time.Since(began), m.read(t).since(before)
		t.Logf("%-28s %8.3f s; processor %6.2f s of the server, %6.2f s here; %.0f MB of WAL", stage, took.Seconds(),
			done.busy.Seconds(), done.self.Seconds(), done.wal/1e6)
	}
	lap("submit", func() error { return Submit(t.Context(), st, d) })
	waiting := store.Process{Name: "w", Host: "h", Place: "p", PID: 1, Slots: 1, Program: "1"}
	supervise := func() {
		lap("heartbeat", func() error { _, err := st.Heartbeat(t.Context(), waiting); return err })
		lap("what is there for workers", func() error { _, err := st.Backlogs(t.Context()); return err })
		lap("count of the cells", func() error { _, err := st.Studies(t.Context()); return err })
		lap("search for lost cells", func() error { return st.Requeue(t.Context(), 1) })
	}
	supervise()
	execute(t, st, `INSERT INTO trace (study, cell, iteration, evaluations, seconds, spent, repeats, best, simple_regret, cumulative_regret)
		SELECT 1, c, i, i, random(), i, 0, random(), random(), random() FROM generate_series(0, `+fmt.Sprint(n-1)+`) AS c,
		generate_series(1, 40) AS i`, `UPDATE cell SET steps = 40, measures = 'seconds,spent,repeats,best,simple_regret,cumulative_regret',
		program = '1', began = '2026-01-01T00:00:00.000Z', ended = '2026-01-01T00:00:00.000Z', revision = number`,
		"UPDATE river_job SET state = 'completed', finalized_at = now()", "UPDATE study SET revision = "+fmt.Sprint(n))
	supervise()
	lap("read all", func() error { _, err := st.Table(t.Context(), "scale"); return err })
	schema := schemaFor(name)
	for _, table := range []string{"study", "cell", "trace", "river_job"} {
		owner := fmt.Sprintf("('%s.%s')", schema, table)
		t.Logf("%-10s %7.0f MB, indexes %7.0f MB", table, m.number(t, "SELECT pg_table_size"+owner)/1e6,
			m.number(t, "SELECT pg_indexes_size"+owner)/1e6)
	}
}
