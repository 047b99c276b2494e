package worker

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/riverqueue/river"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study/store"
)

// Options are the options of Work.
type Options struct {
	Workers   int           // cells at once; 0 is one per core
	Slice     time.Duration // of a cell, at most, unless one step takes longer; 0 is a minute
	Study     string        // only this one; empty is all, also later ones
	UntilDone bool          // end when no cells are left; otherwise when the context ends
	Name      string        // the prefix of the worker's name; empty is the host's
	Report    func(string)  // gets errors that are retried, once for each text; may be nil

	// waits until a slice may be computed, and returns what ends it; nil for no waiting
	Compute func(context.Context) (end func(), err error)

	Evaluators Evaluators // of your own problems; nil if this worker evaluates tables and test functions only

	// Progress gets the progress of each study about once a second, and less often where that would keep the database
	// busy, as with a million cells or a thousand workers; may be nil
	Progress func(store.Summary)

	begin     opener                                     // of tests
	sliceOver func(steps int, lasted time.Duration) bool // of tests: whether the slice is over
	noCache   bool                                       // of tests: every slice reads its session again
	beat      time.Duration                              // of tests
	waits     time.Duration                              // of tests: the delay of a cell that needs a program
}

const (
	minute         = time.Minute
	heartbeatEvery = 10 * time.Second      // interval of heartbeats
	deadAfter      = 90 * time.Second      // after which a worker without one counts as dead: more than a slice
	checkEvery     = time.Second           // how often to check for new studies and for the end, at most
	checksApart    = 10 * time.Millisecond // between those of a fleet: a thousand workers check every ten seconds each
	stopTimeout    = 4 * time.Second       // how long running slices may take to be committed
	cooldown       = 2 * time.Millisecond
	pollEvery      = 100 * time.Millisecond // how often to poll the queue, which does not notify of new jobs, at most
	pollsApart     = time.Millisecond       // between those of a fleet: a thousand workers poll once a second each
	// how long failed jobs are kept; with -1, River's own value for it, SQLite's driver deletes them at once
	keepForever   = 100 * 365 * 24 * time.Hour
	idlePollEvery = 5 * time.Second // how often to poll the queue of a worker without a study
)

// process is this process as a worker.
type process struct {
	store         *store.Store
	name          string
	begin         opener
	programDelay  time.Duration
	missing       func(store.Run) string // your own problem that this worker cannot evaluate; empty if there is none
	sliceOver     func(steps int, lasted time.Duration) bool
	compute       func(context.Context) (end func(), err error)
	slots         chan struct{}
	stopping      context.Context // ends when the worker must end
	cache         runCache
	checkRequests chan struct{} // requests a check whether all is done

	mu            sync.Mutex
	jobs          map[int64]bool // that it works on, by their ids in the queue
	reportedTexts map[string]bool
	report        func(string)
}

// reportOnce reports a text once, without passwords, which errors of the database or the queue may contain.
func (p *process) reportOnce(text string) {
	text = sanitize.Redact(text)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.report != nil && !p.reportedTexts[text] {
		p.reportedTexts[text] = true
		p.report(text)
	}
}

// working records that this process works on a job, until the function that it returns is called.
func (p *process) working(id int64) (ended func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jobs[id] = true
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.jobs, id)
	}
}

// requestCheck requests a check whether all is done.
func (p *process) requestCheck() {
	select {
	case p.checkRequests <- struct{}{}:
	default:
	}
}

// Work runs cells until the context ends or, with UntilDone, all are done. When the context ends, it cancels the
// running steps, commits the completed ones, and returns the cause. It does the same if another program removes the
// file of the database: the error says which new file beside it has the results.
func Work(ctx context.Context, st *store.Store, o Options) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p, presented := newProcess(ctx, st, o)
	workers := river.NewWorkers()
	river.AddWorker(workers, &slicer{process: p})
	client, err := river.NewClient(st.Driver(), &river.Config{
		ID: p.name, Logger: slog.New(&logHandler{p: p}), Workers: workers,
		Queues: map[string]river.QueueConfig{
			store.QueueFor(0): {MaxWorkers: 1, FetchPollInterval: idlePollEvery}},
		FetchCooldown: cooldown, FetchPollInterval: pollEvery, JobTimeout: -1, RescueStuckJobsAfter: deadAfter,
		CompletedJobRetentionPeriod: time.Hour, CancelledJobRetentionPeriod: keepForever,
		DiscardedJobRetentionPeriod: keepForever,
	})
	if err != nil {
		return err
	}
	w := worker{process: p, registered: presented, client: client, beat: cmp.Or(o.beat, heartbeatEvery), o: o,
		queues: map[int64]bool{}, end: end}
	defer p.cache.close()
	return w.work(ctx)
}

func newProcess(ctx context.Context, st *store.Store, o Options) (*process, store.Process) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	place, _ := os.Readlink("/proc/self/ns/pid") // where there is none, the host is the place
	slots := cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	slice := cmp.Or(o.Slice, minute)
	p := &process{store: st, name: fmt.Sprintf("%.40s-%d-%s", cmp.Or(o.Name, host), os.Getpid(), rand.Text()[:6]),
		begin: o.begin, sliceOver: o.sliceOver, slots: make(chan struct{}, slots), stopping: ctx,
		cache:         runCache{max: slots},
		checkRequests: make(chan struct{}, 1), reportedTexts: map[string]bool{}, report: o.Report,
		jobs: map[int64]bool{}}
	if o.noCache {
		p.cache.max = 0
	}
	p.programDelay = cmp.Or(o.waits, programDelay)
	p.compute = o.Compute
	if p.compute == nil {
		p.compute = func(context.Context) (func(), error) { return func() {}, nil }
	}
	p.missing = func(store.Run) string { return "" }
	if p.begin == nil {
		p.begin = sessionOpener(o.Evaluators)
		p.missing = o.Evaluators.missing
	}
	if p.sliceOver == nil {
		p.sliceOver = func(_ int, lasted time.Duration) bool { return lasted > slice }
	}
	return p, store.Process{Name: p.name, Host: host, Place: host + " " + place, PID: os.Getpid(), Slots: slots,
		Program: st.Program}
}

// worker is a process with its client of the queue.
type worker struct {
	*process
	registered store.Process
	client     *river.Client[*sql.Tx]
	beat       time.Duration
	o          Options
	queues     map[int64]bool // of the studies that it works on
	end        context.CancelCauseFunc
	fleet      store.Fleet // at the last heartbeat
	counted    time.Time   // when the cells were last counted for Progress
	counting   time.Duration
}

func (w *worker) work(ctx context.Context) error {
	lasting := context.WithoutCancel(ctx)
	if err := w.heartbeat(ctx); err != nil { // also takes the jobs of neighbours that have ended
		return err
	}
	if open, err := w.studies(ctx, true); err != nil || !open && w.o.UntilDone {
		return errors.Join(err, w.store.Leave(lasting, w.name))
	}
	if err := w.client.Start(lasting); err != nil {
		return fmt.Errorf("%s: %w", w.store, err)
	}
	err := w.watch(ctx)
	if stopped := w.stop(lasting); stopped != nil && err != nil {
		// if all is done, no slice is running, and only the queue itself is late
		err = errors.Join(err, fmt.Errorf("a step did not end within %s; its slice will run again: %w", stopTimeout,
			stopped))
	}
	leaving, cancel := context.WithTimeout(lasting, stopTimeout)
	defer cancel()
	err = errors.Join(err, w.store.Leave(leaving, w.name))
	if lost := w.store.Check(); lost != nil { // with the slices committed at the end
		err = w.store.Rescue(leaving, lost)
	}
	return err
}

// stop waits until the running slices are committed and the queue has stopped, which can take longer after a lost
// connection.
func (w *worker) stop(lasting context.Context) error {
	stop, cancel := context.WithTimeout(lasting, stopTimeout)
	defer cancel()
	return w.client.Stop(stop)
}

// watch supervises the work until it is done or the context ends.
func (w *worker) watch(ctx context.Context) error {
	interval := w.checkInterval()
	beats := time.NewTicker(w.beat)
	looks := time.NewTicker(interval)
	repairs := time.NewTicker(minute)
	defer beats.Stop()
	defer looks.Stop()
	defer repairs.Stop()
	for {
		repair := false
		if err := w.store.Check(); err != nil {
			w.end(err) // which cancels the running steps
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-beats.C:
			if err := w.heartbeat(ctx); err != nil {
				w.reportOnce(err.Error())
			}
			if now := w.checkInterval(); now != interval { // to reset it each time would put off the look
				interval = now
				looks.Reset(interval)
			}
			continue
		case <-repairs.C:
			repair = true
		case <-w.checkRequests:
			if !w.o.UntilDone {
				continue
			}
		case <-looks.C:
		}
		switch open, err := w.studies(ctx, repair); {
		case errors.As(err, new(*store.DamagedError)):
			return err
		case err != nil && ctx.Err() == nil:
			w.reportOnce(err.Error())
		case err == nil && !open && w.o.UntilDone:
			return nil
		}
	}
}

func (w *worker) checkInterval() time.Duration {
	return max(checkEvery, time.Duration(w.fleet.Size)*checksApart)
}

// studies adds the queues of the studies to work on, and reports whether cells remain. With repair, the first of the
// fleet queues cells that are not in the queue.
func (w *worker) studies(ctx context.Context, repair bool) (open bool, err error) {
	list, err := w.store.Backlogs(ctx)
	if err != nil {
		return false, err
	}
	if w.o.Study != "" {
		i := slices.IndexFunc(list, func(s store.Backlog) bool { return s.Name == w.o.Study })
		if i < 0 {
			_, err := w.store.Declaration(ctx, w.o.Study) // the error names the studies
			return false, err
		}
		list = list[i : i+1]
	}
	waiting := false // in the studies before
	for _, s := range list {
		if s.Damaged != nil {
			if w.o.Study != "" {
				return false, s.Damaged
			}
			w.reportOnce(s.Damaged.Error()) // the other studies of the database go on
			continue
		}
		if s.Ended {
			continue
		}
		open = open || s.Waiting || s.Running
		if repair && w.fleet.First {
			if err := w.store.Requeue(ctx, s.ID); err != nil {
				return false, err
			}
		}
		before := waiting
		waiting = waiting || s.Waiting
		if w.queues[s.ID] || before {
			// one study after the other, so that cores never wait
			continue
		}
		if err := w.client.Queues().Add(store.QueueFor(s.ID), river.QueueConfig{MaxWorkers: cap(w.slots),
			FetchPollInterval: max(pollEvery, time.Duration(w.fleet.Size)*pollsApart)}); err != nil {
			return false, err
		}
		w.queues[s.ID] = true
	}
	return open, w.progress(ctx, !open && w.o.UntilDone)
}

// progressShare is the part of a core of the database that counting cells for a whole fleet may take.
const progressShare = 0.25

// progress counts the cells for Progress, at once or if it is time.
func (w *worker) progress(ctx context.Context, now bool) error {
	every := max(checkEvery, time.Duration(float64(max(w.fleet.Size, 1))*float64(w.counting)/progressShare))
	if w.o.Progress == nil || !now && time.Since(w.counted) < every {
		return nil
	}
	w.counted = time.Now()
	list, err := w.store.Studies(ctx)
	w.counting = time.Since(w.counted)
	for _, s := range list {
		if err == nil && s.Damaged == nil && (w.o.Study == "" || s.Name == w.o.Study) {
			w.o.Progress(s)
		}
	}
	return err
}

// heartbeat records that this worker is alive, and takes the jobs of dead ones on the same machine.
func (w *worker) heartbeat(ctx context.Context) error {
	w.mu.Lock()
	jobs := slices.Collect(maps.Keys(w.jobs))
	w.mu.Unlock()
	fleet, err := w.store.Heartbeat(ctx, w.registered, jobs...)
	if err != nil {
		return err
	}
	w.fleet = fleet
	names, err := w.store.Neighbours(ctx, w.registered)
	if err != nil {
		return err
	}
	for name, pid := range names {
		if pid == w.registered.PID || processExists(pid) {
			continue
		}
		if err := w.store.Leave(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// processExists reports whether there is a process of that id, which may be another user's.
func processExists(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) || errors.Is(err, os.ErrPermission)
}
