// Package rights has what a person may use in a window: folders, programs, paths, workers and computing time. A value of
// rights is made at a door, by a command for the person at this machine or by the server for somebody in a class, and is
// passed down from there; the zero value permits nothing.
package rights

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"bandscope/sessions/library"
)

// Rights are what a person may use.
type Rights struct {
	// folder of sessions, in which also their trash, their caches, the progress in lessons and the latest commands are;
	// empty keeps sessions in memory
	Sessions string
	Studies  string // folder of studies, in which their trash is too; empty for none
	Paths    bool   // files anywhere can be named by their paths
	Programs bool   // programs can be started, such as an editor
	Workers  int    // of a study, at most

	Context   context.Context // ends with the person; nil does not end
	Computing *Computing      // limits the computations; nil for no limit
}

// Own are the rights of the person at this machine, with a folder of sessions and the default folder of studies.
func Own(sessions string) Rights {
	return Rights{Sessions: sessions, Studies: library.DefaultStudiesDir(), Paths: true, Programs: true,
		Workers: math.MaxInt}
}

// InClass are the rights of somebody in a class until the context ends: sessions and studies in their own folder, one
// worker, and computing time.
func InClass(ctx context.Context, folder string, c *Computing) Rights {
	return Rights{Sessions: folder, Studies: filepath.Join(folder, "studies"), Workers: 1, Context: ctx, Computing: c}
}

// Watching are the rights of a projector until the context ends: none.
func Watching(ctx context.Context) Rights { return Rights{Context: ctx} }

// Why something is not permitted; the errors are shown to the person.
var (
	ErrPath    = errors.New("not here: on a server, files outside of your folder cannot be named")
	ErrProgram = errors.New("not here: on a server, no programs start")
	ErrWorkers = errors.New("not here: you cannot start workers")
)

// Lasting is the context that ends with the person.
func (r Rights) Lasting() context.Context {
	if r.Context == nil {
		return context.Background()
	}
	return r.Context
}

// Path completes a typed path: ~ is the home folder. If the text is empty, the error names an example.
func (r Rights) Path(text, example string) (string, error) {
	if !r.Paths {
		return "", ErrPath
	}
	path := strings.TrimSpace(text)
	if path == "" {
		return "", fmt.Errorf("the file name is empty; type one, such as %s", example)
	}
	if rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("finding the home folder: %w", err)
		}
		path = filepath.Join(home, rest)
	}
	return path, nil
}

// CheckFile returns an error for a file that the person must not open: without the right to name paths, one that is not
// in the folder of sessions.
func (r Rights) CheckFile(path string) error {
	if r.Paths {
		return nil
	}
	inside, err := filepath.Rel(r.Sessions, path)
	if err != nil || r.Sessions == "" || !filepath.IsLocal(inside) {
		return ErrPath
	}
	return nil
}

// Compute waits until a computation may begin, and returns what ends it. It is an error if the context ends before, or
// if the computing time is used up.
func (r Rights) Compute(ctx context.Context) (end func(), err error) {
	if r.Computing == nil {
		return func() {}, nil
	}
	return r.Computing.begin(ctx)
}
