package log

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Lost is the error about a file that another program has removed, replaced or changed while it was open here.
type Lost struct {
	Path string
	How  string // "removed", "replaced" or "changed"
}

// Error says what happened.
func (l *Lost) Error() string {
	return fmt.Sprintf("%s was %s by another program while it was open here", l.Path, l.How)
}

// maxRescued bounds the names that Rescue tries.
const maxRescued = 1000

// Rescue writes a whole log to a new file beside one that is lost: s-rescued.jsonl, s-rescued-2.jsonl and so on, the first name that is free. It returns
// that file, open and locked, and a sentence that says what happened. An error that is no Lost is returned as it is.
func Rescue(failed error, events []*Event) (f *File, notice string, err error) {
	var lost *Lost
	if !errors.As(failed, &lost) {
		return nil, "", failed
	}
	ending := filepath.Ext(lost.Path)
	stem := strings.TrimSuffix(lost.Path, ending)
	for i := 1; i <= maxRescued; i++ {
		path := stem + "-rescued" + ending
		if i > 1 {
			path = fmt.Sprintf("%s-rescued-%d%s", stem, i, ending)
		}
		if f, err = create(path, events); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("%w, and the session cannot be saved beside it: %w", lost, err)
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

// check sees that the path is still that of the open file, by device and inode or what the system has in their place, and that nobody else has written to it: its
// size is what this program has read and written. The error is a Lost, and the file is not written to any more.
func (f *File) check() error {
	now, err := os.Stat(f.path)
	how := ""
	switch {
	case errors.Is(err, fs.ErrPermission): // the folder was closed to us: the file may well be there
		return nil
	case err != nil:
		how = "removed"
	case !os.SameFile(now, f.opened):
		how = "replaced"
	case now.Size() != f.size:
		how = "changed"
	default:
		return nil
	}
	f.writable.Store(false)
	return &Lost{Path: f.path, How: how}
}
