package engine

import (
	"context"
	"log/slog"
	"sync"
)

// runs are runs that this process has worked a slice of and that are likely to go on here, so that they need not be read anew.
type runs struct {
	most int

	mu   sync.Mutex
	list []kept // the oldest first
}

type kept struct {
	study, cell int64
	part        int // the slice that is next
	run         course
}

func (r *runs) put(study, cell int64, part int, run course) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list = append(r.list, kept{study, cell, part, run}); len(r.list) > r.most {
		r.list = r.list[1:]
	}
}

// take is the run before a slice, which is no longer kept; nil if there is none. One of another slice has gone on elsewhere.
func (r *runs) take(study, cell int64, part int) course {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, k := range r.list {
		if k.study == study && k.cell == cell {
			r.list = append(r.list[:i:i], r.list[i+1:]...)
			if k.part == part {
				return k.run
			}
			return nil
		}
	}
	return nil
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
