package lesson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"bandscope/sessions/eventlog"
)

// The file in the folder of sessions, and the lock that a writer holds.
const (
	fileName = "course.json"
	lockName = ".course.lock"
	maxFile  = 1 << 20
)

// lockTimeout bounds the wait for another program.
const lockTimeout = 3 * time.Second

// progressFile is the content of the file.
type progressFile struct {
	Lessons Progress `json:"lessons"`
}

// ReadProgress reads the progress from a folder. It is empty if there is no file or no folder ("" is none), and if the
// file is damaged, which the error says.
func ReadProgress(dir string) (Progress, error) {
	if dir == "" {
		return Progress{}, nil
	}
	path := filepath.Join(dir, fileName)
	f, err := eventlog.OpenRegular(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Progress{}, nil
	}
	if err != nil {
		return Progress{}, fmt.Errorf("cannot read the progress of lessons: %w", err)
	}
	defer f.Close()
	var c progressFile
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil {
		return Progress{}, fmt.Errorf("%s is damaged, the progress of lessons is unknown (%w)", fileName, err)
	}
	if c.Lessons == nil {
		c.Lessons = Progress{}
	}
	return c.Lessons, nil
}

// AddProgress adds to the progress in the folder's file. A damaged file is renamed, and a new one is started.
func AddProgress(ctx context.Context, dir string, progress Progress) error {
	return change(ctx, dir, func(s Progress) error { s.merge(progress); return nil })
}

// ForgetProgress removes the progress in the named lessons, or in all lessons without names, and returns their number.
// Sessions of exercises stay.
func ForgetProgress(ctx context.Context, dir string, names ...string) (forgotten int, err error) {
	err = change(ctx, dir, func(s Progress) error {
		before := len(s)
		for _, name := range names {
			delete(s, name)
		}
		if len(names) == 0 {
			clear(s)
		}
		forgotten = before - len(s)
		return nil
	})
	return forgotten, err
}

// change changes the file while it holds the lock. It replaces the whole file, so that readers see the state before or
// after.
func change(ctx context.Context, dir string, apply func(Progress) error) error {
	if dir == "" {
		return nil
	}
	if err := eventlog.MakeDir(dir, 0o755); err != nil {
		return fmt.Errorf("cannot save the progress of lessons: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	lock := flock.New(filepath.Join(dir, lockName))
	if held, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil || !held {
		return fmt.Errorf("cannot save the progress of lessons, because another program holds the lock: %w", err)
	}
	defer lock.Close()
	path := filepath.Join(dir, fileName)
	s, err := ReadProgress(dir)
	if err != nil {
		if err := eventlog.Rename(path, path+".damaged"); err != nil {
			return fmt.Errorf("cannot save the progress of lessons: %w", err)
		}
	}
	if err := apply(s); err != nil {
		return err
	}
	return replace(path, progressFile{s})
}

// replace replaces the file.
func replace(path string, c progressFile) error {
	b, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return err
	}
	if err := eventlog.Replace(path, append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("cannot save the progress of lessons: %w", err)
	}
	return nil
}
