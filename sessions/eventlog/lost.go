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

// Error says what happened.
func (l *LostError) Error() string {
	return fmt.Sprintf("%s was %s by another program while it was open here", l.Path, l.How)
}

// maxRescueFiles bounds the names that are tried.
const maxRescueFiles = 1000

// RescuePaths are where what was in a lost file can be kept, beside it: s-rescued.jsonl, s-rescued-2.jsonl and so on.
func RescuePaths(path string) iter.Seq[string] {
	ending := filepath.Ext(path)
	stem := strings.TrimSuffix(strings.TrimSuffix(path, ending), "-rescued") + "-rescued"
	return func(yield func(string) bool) {
		for i, next := 1, stem+ending; i <= maxRescueFiles && yield(next); i++ {
			next = fmt.Sprintf("%s-%d%s", stem, i+1, ending)
		}
	}
}

// Rescue writes a whole log to a new file beside one that is lost, the first of RescuePaths that is free. It returns
// that file, open and locked, and a sentence that says what happened. An error that is no Lost is returned as it is.
func Rescue(failed error, events []*Event) (f *File, notice string, err error) {
	var lost *LostError
	if !errors.As(failed, &lost) {
		return nil, "", failed
	}
	for path := range RescuePaths(lost.Path) {
		if f, err = create(path, events); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("%w, and the session cannot be saved next to it: %w", lost, err)
	}
	return f, fmt.Sprintf("%v; the whole session is now in %s", lost, f.path), nil
}

// identify notes which file is open and how large it is.
func (f *File) identify(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	f.opened, f.size = info, info.Size()
	return nil
}

// checkUnchanged sees that the path is still that of the open file, and that nobody else has written to it: its size is
// what this program has read and written. The error is a Lost, and the file is not written to any more.
func (f *File) checkUnchanged() error {
	now, err := CheckSame(f.path, f.opened)
	if err == nil && now != nil && now.Size() != f.size {
		err = &LostError{Path: f.path, How: "changed"}
	}
	if err != nil {
		f.writable.Store(false)
	}
	return err
}

// CheckSame sees that a path is that of a file which was opened, by device and inode or what the system has in their
// place, and returns what there is now. The error is a Lost. Where the folder may not be looked into, the file is taken
// for there, and nil is returned.
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
