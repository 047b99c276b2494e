package worker

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"bandscope/sessions/study/store"
)

// runCache keeps runs after a slice, because this process is likely to continue them and need not read them again.
type runCache struct {
	max int

	mu   sync.Mutex
	list []cachedRun // the oldest first
}

type cachedRun struct {
	cell store.Job
	run  cellRun
}

func (r *runCache) put(cell store.Job, run cellRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, cachedRun{cell, run})
	if len(r.list) > r.max {
		closeRun(r.list[0].run)
		r.list = r.list[1:]
	}
}

// take removes and returns the run of a cell after so many steps; nil if there is none. A run with another number of
// steps has continued in another process.
func (r *runCache) take(cell store.Job, steps int) cellRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.list, func(k cachedRun) bool { return k.cell == cell })
	if i < 0 {
		return nil
	}
	run := r.list[i].run
	r.list = slices.Delete(r.list, i, i+1)
	if run.steps() != steps {
		closeRun(run)
		return nil
	}
	return run
}

// close closes all runs.
func (r *runCache) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.list {
		closeRun(k.run)
	}
	r.list = nil
}

// logHandler passes River's errors to a worker's report.
type logHandler struct {
	slog.Handler
	p *process
}

// Enabled reports whether the level is at least that of an error.
func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelError
}

// Handle reports an error.
func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "err" || a.Key == "error" {
			text += ": " + a.Value.String()
		}
		return true
	})
	h.p.reportOnce("error in the queue: " + text)
	return nil
}

// WithAttrs and WithGroup leave the record as it is.
func (h *logHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup leaves the record as it is.
func (h *logHandler) WithGroup(string) slog.Handler { return h }
