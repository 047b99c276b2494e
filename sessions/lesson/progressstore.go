package lesson

import (
	"context"
	"maps"
	"sync"
)

// ProgressStore holds the progress of the program's folder in memory, and saves what changes. Update and Get do not
// wait for the disk; Load and Save do.
type ProgressStore struct {
	dir string

	disk     sync.Mutex // held to read or write the file; locked before mu
	mu       sync.Mutex
	progress Progress // in the file when it was last read, with all changes since
	unsaved  Progress // changes that are not on disk
}

// NewProgressStore makes an empty store. With an empty folder it saves nothing.
func NewProgressStore(dir string) *ProgressStore {
	return &ProgressStore{dir: dir, progress: Progress{}, unsaved: Progress{}}
}

// Load reads the progress from the disk; the error says if the file is damaged.
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

// Update adds progress in a lesson; Save writes it.
func (k *ProgressStore) Update(name string, r LessonProgress) {
	k.mu.Lock()
	defer k.mu.Unlock()
	extra := Progress{name: r}
	k.progress.merge(extra)
	k.unsaved.merge(extra)
}

// Get returns the progress in a lesson.
func (k *ProgressStore) Get(name string) LessonProgress {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.progress[name]
}

// Progress returns the progress in all lessons.
func (k *ProgressStore) Progress() Progress {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.progress)
}

// Save writes the changes to the disk. If it fails, they are written the next time.
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
