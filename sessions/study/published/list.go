package published

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bandscope/functions/didyoumean"
	"bandscope/sessions/library"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
)

// Extension is the extension of a study's file in a folder of studies; the name before it is the study's.
const Extension = ".db"

// Entry is a study in a folder of studies or a built-in one.
type Entry struct {
	Name    string
	Path    string             // of its database; empty if it has none
	Changed time.Time          // its database, last
	BuiltIn *study.Declaration // its built-in declaration; nil if it is not built in
}

// List lists the studies: those with a database in a folder first, the last that changed first, and then the built-in
// ones by name. If the folder cannot be read, it lists the built-in ones and returns an error; an empty folder is none.
func List(ctx context.Context, dir string) ([]Entry, error) {
	entries, err := listFolder(ctx, dir)
	for _, name := range Names() {
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
		if i < 0 {
			i, entries = len(entries), append(entries, Entry{Name: name})
		}
		entries[i].BuiltIn, _ = Find(name)
	}
	return entries, err
}

// listFolder are the studies with a database in a folder.
func listFolder(ctx context.Context, dir string) ([]Entry, error) {
	if dir == "" {
		return nil, nil
	}
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot read the folder of studies: %w", err)
	}
	var entries []Entry
	for _, f := range files {
		if ctx.Err() != nil {
			return entries, ctx.Err()
		}
		name, ok := strings.CutSuffix(f.Name(), Extension)
		if !ok || f.IsDir() {
			continue
		}
		e := Entry{Name: name, Path: filepath.Join(dir, f.Name())}
		for _, part := range []string{"", "-wal"} { // the newest data may be in the journal
			if info, err := os.Stat(e.Path + part); err == nil && info.ModTime().After(e.Changed) {
				e.Changed = info.ModTime()
			}
		}
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return b.Changed.Compare(a.Changed) })
	return entries, nil
}

// FindOpen finds a study by its name, in a folder or among the built-in ones. The error is didyoumean.ErrUnknown where there is none, with the nearest names.
func FindOpen(ctx context.Context, dir, name string) (Entry, error) {
	entries, err := List(ctx, dir)
	if err != nil && len(entries) == 0 {
		return Entry{}, err
	}
	var names []string
	for _, e := range entries {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Entry{}, errors.Join(didyoumean.NewUnknownError("study", name, names), err)
}

// MoveToTrash moves the database of a study to the trash folder beside it. It returns its path there, from which
// library.Restore restores it. The error is *store.InUseError if the database is open.
func MoveToTrash(ctx context.Context, path string) (string, error) {
	if err := store.Checkpoint(ctx, path); err != nil {
		if used := (*store.InUseError)(nil); errors.As(err, &used) {
			used.Name = "the study " + strings.TrimSuffix(filepath.Base(path), Extension)
		}
		return "", err
	}
	return library.MoveToTrash(path)
}
