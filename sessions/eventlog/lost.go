package eventlog

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// LostError is the error about a file that another program has removed, replaced or changed while it was open here.
type LostError struct {
	Path string
	How  string // "removed", "replaced" or "changed"
}

// Error describes the change.
func (l *LostError) Error() string {
	return fmt.Sprintf("%s was %s by another program while it was open here", l.Path, l.How)
}

// maxRescueFiles bounds the number of names that are tried.
const maxRescueFiles = 1000

// RescuePaths are the paths to save a lost file to, next to it: s-rescued.jsonl, s-rescued-2.jsonl and so on.
func RescuePaths(path string) iter.Seq[string] {
	ending := filepath.Ext(path)
	stem := strings.TrimSuffix(strings.TrimSuffix(path, ending), "-rescued") + "-rescued"
	return func(yield func(string) bool) {
		for i, next := 1, stem+ending; i <= maxRescueFiles && yield(next); i++ {
			next = fmt.Sprintf("%s-%d%s", stem, i+1, ending)
		}
	}
}

// Rescue writes a whole log to a new file next to the lost one, the first free path of RescuePaths. It returns that
// file, open and locked, and a sentence about it. An error that is not a LostError is returned unchanged.
func Rescue(failed error, events []*Event) (f *File, notice string, err error) {
	var lost *LostError
	if !errors.As(failed, &lost) {
		return nil, "", failed
	}
	for path := range RescuePaths(lost.Path) {
		f, err = create(path, events)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("%w, and the session cannot be saved next to it: %w", lost, err)
	}
	return f, fmt.Sprintf("%v; the whole session is now in %s", lost, f.path), nil
}

// identify stores the identity of the open file.
func (f *File) identify(file *os.File) (err error) {
	f.opened, err = file.Stat()
	return err
}

// checkUnchanged checks that the path is still that of the open file, which in a turn ends where this program knows it
// to end, and otherwise has what this program knows. Otherwise it returns a LostError, and the file is not written any
// more.
func (f *File) checkUnchanged() error {
	now, err := CheckSame(f.path, f.opened)
	switch {
	case err != nil || now == nil:
	case now.Size() < f.end || f.inTurn && now.Size() > f.end:
		err = &LostError{Path: f.path, How: "changed"}
	case !f.inTurn:
		if in, failed := os.Open(f.path); failed == nil {
			err = errors.Join(f.checkLast(in), in.Close())
		}
	}
	if err != nil {
		f.writable.Store(false)
	}
	return err
}

// CheckSame checks that a path is still that of an opened file, by device and inode or their equivalents, and returns
// its current info; otherwise it returns a LostError. If the folder cannot be read, it assumes that the file is there,
// and returns nil.
func CheckSame(path string, opened fs.FileInfo) (fs.FileInfo, error) {
	now, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, nil
	case err != nil:
		return nil, &LostError{Path: path, How: "removed"}
	case !os.SameFile(now, opened):
		return nil, &LostError{Path: path, How: "replaced"}
	}
	return now, nil
}
