package lesson

import (
	"context"
	"maps"
	"sync"
)

// ProgressStore holds the state of a program's folder in memory, and keeps on disk what is done in the program. Note
// and State wait for no disk; Load and Keep do.
type ProgressStore struct {
	dir string

	disk     sync.Mutex // whoever reads or writes the file; it is taken before mu
	mu       sync.Mutex
	progress Progress // of the file as it was read last, with what is done since
	unsaved  Progress // of that, what is not on disk yet
}

// NewProgressStore is a keeper that knows nothing yet. An empty folder keeps nothing on disk.
func NewProgressStore(dir string) *ProgressStore {
	return &ProgressStore{dir: dir, progress: Progress{}, unsaved: Progress{}}
}

// Load reads what is on disk; of a damaged file the error tells.
func (k *ProgressStore) Load() error {
	k.disk.Lock()
	defer k.disk.Unlock()
	s, err := ReadProgress(k.dir)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dir != "" {
		k.progress = s
	}
	k.progress.merge(k.unsaved)
	return err
}

// Update takes note of what was done of a lesson; Keep writes it.
func (k *ProgressStore) Update(name string, r LessonProgress) {
	k.mu.Lock()
	defer k.mu.Unlock()
	more := Progress{name: r}
	k.progress.merge(more)
	k.unsaved.merge(more)
}

// Get is what was done of a lesson.
func (k *ProgressStore) Get(name string) LessonProgress {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.progress[name]
}

// Progress is what was done of all lessons.
func (k *ProgressStore) Progress() Progress {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.progress)
}

// Save writes what is not on disk yet. What could not be written is tried again the next time.
func (k *ProgressStore) Save(ctx context.Context) error {
	k.disk.Lock()
	defer k.disk.Unlock()
	k.mu.Lock()
	fresh := k.unsaved
	k.unsaved = Progress{}
	k.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	err := AddProgress(ctx, k.dir, fresh)
	if err != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		fresh.merge(k.unsaved)
		k.unsaved = fresh
	}
	return err
}
