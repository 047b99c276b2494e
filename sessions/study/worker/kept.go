package worker

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"bandscope/sessions/study/store"
)

// runs are runs that this process has worked a slice of and that are likely to go on here, so that they need not be
// read anew.
type runs struct {
	most int

	mu   sync.Mutex
	list []kept // the oldest first
}

type kept struct {
	cell store.Job
	run  course
}

func (r *runs) put(cell store.Job, run course) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list = append(r.list, kept{cell, run}); len(r.list) > r.most {
		r.list = r.list[1:]
	}
}

// take is the run after so many steps, which is no longer kept; nil if there is none. One after others has gone on
// elsewhere.
func (r *runs) take(cell store.Job, steps int) course {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.list, func(k kept) bool { return k.cell == cell })
	if i < 0 {
		return nil
	}
	run := r.list[i].run
	if r.list = slices.Delete(r.list, i, i+1); run.steps() != steps {
		return nil
	}
	return run
}

// heard tells a worker what River has to say of what goes wrong.
type heard struct {
	slog.Handler
	p *process
}

// Enabled says what is heard.
func (h *heard) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// Handle tells an error.
func (h *heard) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "err" || a.Key == "error" {
			text += ": " + a.Value.String()
		}
		return true
	})
	h.p.tell("the queue: " + text)
	return nil
}

// WithAttrs and WithGroup leave the record as it is.
func (h *heard) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup leaves the record as it is.
func (h *heard) WithGroup(string) slog.Handler { return h }
