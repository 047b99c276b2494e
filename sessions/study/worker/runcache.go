package worker

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"bandscope/sessions/study/store"
)

// runCache are runCache that this process has worked a slice of and that are likely to go on here, so that they need
// not be read anew.
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
	if r.list = append(r.list, cachedRun{cell, run}); len(r.list) > r.max {
		r.list = r.list[1:]
	}
}

// take is the run after so many steps, which is no longer kept; nil if there is none. One after others has gone on
// elsewhere.
func (r *runCache) take(cell store.Job, steps int) cellRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.list, func(k cachedRun) bool { return k.cell == cell })
	if i < 0 {
		return nil
	}
	run := r.list[i].run
	if r.list = slices.Delete(r.list, i, i+1); run.steps() != steps {
		return nil
	}
	return run
}

// logHandler tells a worker what River has to say of what goes wrong.
type logHandler struct {
	slog.Handler
	p *process
}

// Enabled says what is heard.
func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelError
}

// Handle tells an error.
func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "err" || a.Key == "error" {
			text += ": " + a.Value.String()
		}
		return true
	})
	h.p.reportOnce("the queue: " + text)
	return nil
}

// WithAttrs and WithGroup leave the record as it is.
func (h *logHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup leaves the record as it is.
func (h *logHandler) WithGroup(string) slog.Handler { return h }
