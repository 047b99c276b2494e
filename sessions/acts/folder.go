package acts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// SessionSuffix is that of a session's file.
const SessionSuffix = ".jsonl"

// maxOpen bounds how many sessions a folder keeps open.
const maxOpen = 64

// Folder opens the sessions of a folder by their names, and some others by paths that a person has given. It keeps them
// open until Close. A name never leads out of the folder.
type Folder struct {
	dir string

	names sync.Mutex
	given map[string]string // files by what they were called

	mu   sync.Mutex
	by   sessions.Author
	open map[string]*sessions.Session // by path
}

// NewFolder is a folder, and files outside of it that may be opened too, by what they are called. author records.
func NewFolder(dir string, author sessions.Author, files map[string]string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return &Folder{dir: dir, given: files, by: author, open: map[string]*sessions.Session{}}, err
}

// SetAuthor sets who records from now on, in all sessions.
func (f *Folder) SetAuthor(author sessions.Author) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.by = author
	for _, s := range f.open {
		s.SetAuthor(author)
	}
}

// Dir is the folder.
func (f *Folder) Dir() string { return f.dir }

// Adopt adds a session that is open already, by what it is called; Close closes it.
func (f *Folder) Adopt(name string, s *sessions.Session) error {
	path, err := filepath.Abs(s.Path())
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return err
	}
	f.names.Lock()
	if f.given == nil {
		f.given = map[string]string{}
	}
	f.given[name] = path
	f.names.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[path] = s
	return nil
}

// Holds reports whether the session in a file is this one.
func (f *Folder) Holds(path string, s *sessions.Session) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open[path] == s
}

// Path is the file of a session by its name, which need not exist. The error is an *Error.
func (f *Folder) Path(name string) (string, error) {
	f.names.Lock()
	p, ok := f.given[name]
	f.names.Unlock()
	if ok {
		return p, nil
	}
	if !filepath.IsLocal(name) || name == "." {
		e := NewError(CodeRequest, fmt.Errorf("%q is not the name of a session in this folder", name))
		e.Hint = "give the name of a file in the folder, as in s.jsonl, without .. and without an absolute path"
		return "", e
	}
	path := filepath.Join(f.dir, name)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && filepath.Ext(path) != SessionSuffix {
		path += SessionSuffix
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = filepath.EvalSymlinks(filepath.Dir(path))
		if err == nil {
			real = filepath.Join(real, filepath.Base(path))
			if _, missing := os.Lstat(real); missing == nil {
				err = fs.ErrNotExist // a link that leads nowhere
			}
		}
	}
	if err != nil {
		return "", f.unknown(name)
	}
	if inside, err := filepath.Rel(f.dir, real); err != nil || !filepath.IsLocal(inside) {
		return "", NewError(CodeRequest, fmt.Errorf("%q leads out of the folder", name))
	}
	return real, nil
}

// unknown is the error about a session that is not there.
func (f *Folder) unknown(name string) error {
	e := NewError(CodeRequest, didyoumean.NewUnknownError("session", name, f.Names()))
	e.Hint = "create begins a session"
	return e
}

// maxNames bounds how many sessions of a folder are listed.
const maxNames = 1000

// Names are the names of the sessions that can be opened: the files of the folder itself that end as sessions do, and
// those that were given.
func (f *Folder) Names() (names []string) {
	f.names.Lock()
	for name := range f.given {
		names = append(names, name)
	}
	f.names.Unlock()
	entries, _ := os.ReadDir(f.dir) // a folder that cannot be read has no sessions to list
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), SessionSuffix) && len(names) < maxNames {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Session is the session with a name, which is opened for writing once. The error is an *Error.
func (f *Folder) Session(ctx context.Context, name string) (*sessions.Session, error) {
	path, err := f.Path(name)
	if err != nil {
		return nil, err
	}
	s, err := f.opened(ctx, path, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.unknown(name)
	}
	return s, err
}

// opened is the session in a file. The error is an *Error, or wraps fs.ErrNotExist.
func (f *Folder) opened(ctx context.Context, path, name string) (*sessions.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.open[path]; s != nil {
		return s, nil
	}
	if len(f.open) >= maxOpen {
		return nil, wrong("%d sessions are open, and no more can be", maxOpen)
	}
	s, err := sessions.OpenForWriting(ctx, path, eventlog.TurnPatience)
	var locked *eventlog.LockedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case errors.As(err, &locked):
		e := NewError(CodeBusy, fmt.Errorf("another process has been writing to %s for more than %v", name,
			eventlog.TurnPatience))
		e.Hint = "repeat the request, or end that process"
		return nil, e
	case err != nil:
		return nil, NewError(CodeFailed, fmt.Errorf("%s: %w", name, err))
	}
	s.SetAuthor(f.by)
	s.Last()
	f.open[path] = s
	return s, nil
}

// Create begins a session in a new file.
func (f *Folder) Create(ctx context.Context, name string, cfg sessions.Config) (*sessions.Session, error) {
	path, err := f.Path(name)
	if err != nil {
		var e *Error
		if _, exists := os.Lstat(filepath.Join(f.dir, name)); errors.As(err, &e) && exists != nil && e.Hint != "" {
			e.Hint = "the folder of the session does not exist"
		}
		return nil, err
	}
	s, err := sessions.New(ctx, cfg)
	if err != nil {
		return nil, asWrong(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s.SetAuthor(f.by)
	if err := s.SaveAs(path); err != nil {
		s.Close()
		if errors.Is(err, fs.ErrExist) || isThere(path) {
			return nil, wrong("there is already a session %s", name)
		}
		return nil, err
	}
	f.open[path] = s
	return s, nil
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Close closes all sessions.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []error
	for _, s := range f.open {
		all = append(all, s.Close())
	}
	f.open = map[string]*sessions.Session{}
	return errors.Join(all...)
}
