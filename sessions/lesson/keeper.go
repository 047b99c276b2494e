package lesson

import (
	"context"
	"maps"
	"sync"
)

// Keeper holds the state of a program's folder in memory, and keeps on disk what is done in the program. Note and State
// wait for no disk; Load and Keep do.
type Keeper struct {
	dir string

	disk  sync.Mutex // whoever reads or writes the file; it is taken before mu
	mu    sync.Mutex
	known Progress // of the file as it was read last, with what is done since
	fresh Progress // of that, what is not on disk yet
}

// NewKeeper is a keeper that knows nothing yet. An empty folder keeps nothing on disk.
func NewKeeper(dir string) *Keeper { return &Keeper{dir: dir, known: Progress{}, fresh: Progress{}} }

// Load reads what is on disk; of a damaged file the error tells.
func (k *Keeper) Load() error {
	k.disk.Lock()
	defer k.disk.Unlock()
	s, err := ReadProgress(k.dir)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dir != "" {
		k.known = s
	}
	k.known.add(k.fresh)
	return err
}

// Note takes note of what was done of a lesson; Keep writes it.
func (k *Keeper) Note(name string, r Reading) {
	k.mu.Lock()
	defer k.mu.Unlock()
	more := Progress{name: r}
	k.known.add(more)
	k.fresh.add(more)
}

// Of is what was done of a lesson.
func (k *Keeper) Of(name string) Reading {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.known[name]
}

// Progress is what was done of all lessons.
func (k *Keeper) State() Progress {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.known)
}

// Keep writes what is not on disk yet. What could not be written is tried again the next time.
func (k *Keeper) Keep(ctx context.Context) error {
	k.disk.Lock()
	defer k.disk.Unlock()
	k.mu.Lock()
	fresh := k.fresh
	k.fresh = Progress{}
	k.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	err := AddProgress(ctx, k.dir, fresh)
	if err != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		fresh.add(k.fresh)
		k.fresh = fresh
	}
	return err
}
