package eventlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// MaxFile bounds the size of a log in bytes.
const MaxFile = 1 << 30

// OpenRegular opens a file for reading if it is a regular file and not too large: reading a pipe would block, and a
// device has no end. Otherwise the error says what it is.
func OpenRegular(path string, limit int64) (*os.File, error) {
	info, err := Stat(path) // before opening, which has side effects on some devices
	if err == nil {
		err = checkRegular(path, info, limit)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil { // the file may have changed
		err = checkRegular(path, info, limit)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Stat is os.Stat with an error that starts with the path: "none.jsonl: no such file or directory".
func Stat(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = statError{failed}
	}
	return info, err
}

// statError is a [fs.PathError] without the name of the system call.
type statError struct{ *fs.PathError }

func (s statError) Error() string { return s.Path + ": " + s.Err.Error() }

// Unwrap is the whole error.
func (s statError) Unwrap() error { return s.PathError }

// checkRegular returns an error if the file must not be read.
func checkRegular(path string, info os.FileInfo, limit int64) error {
	mode, subject := info.Mode(), "not a regular file"
	switch {
	case mode.IsRegular() && info.Size() > limit:
		return fmt.Errorf("%s: it has %d MiB; the maximum is %d MiB", path, (info.Size()+1<<20-1)>>20, limit>>20)
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		subject = "a folder"
	case mode&os.ModeNamedPipe != 0:
		subject = "a pipe"
	case mode&os.ModeDevice != 0:
		subject = "a device"
	case mode&os.ModeSocket != 0:
		subject = "a socket"
	}
	return fmt.Errorf("%s: it is %s; only regular files can be read", path, subject)
}

// WithContext is a reader that returns the error of a context after the context has ended.
func WithContext(ctx context.Context, r io.Reader) io.Reader { return contextReader{ctx, r} }

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (h contextReader) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.r.Read(p)
}
