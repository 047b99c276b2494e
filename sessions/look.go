package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxSession bounds a session's file in bytes.
const maxSession = 1 << 30

// OpenRegular opens a file for reading that is a regular one and not too large: a pipe would be waited for and a device has no end. The error
// says what it is instead.
func OpenRegular(path string, limit int64) (*os.File, error) {
	info, err := os.Stat(path) // before opening, which acts on some devices
	if err == nil {
		err = regular(path, info, limit)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil { // it may be another by now
		err = regular(path, info, limit)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// regular says why a file is not read.
func regular(path string, info os.FileInfo, limit int64) error {
	mode, what := info.Mode(), "no regular file"
	switch {
	case mode.IsRegular() && info.Size() > limit:
		return fmt.Errorf("%s: it has %d MiB, and at most %d are read", path, (info.Size()+1<<20-1)>>20, limit>>20)
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&os.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&os.ModeDevice != 0:
		what = "a device"
	case mode&os.ModeSocket != 0:
		what = "a socket"
	}
	return fmt.Errorf("%s: it is %s; only regular files are read", path, what)
}

// heeding reads until a context ends, whose error it gives then.
type heeding struct {
	ctx context.Context
	r   io.Reader
}

func (h heeding) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.r.Read(p)
}

// Peek reads a session as it is at the moment, for a look only: its file is neither locked nor written to, whoever else writes to it, and
// what is done with the session stays in memory. Notices says what is damaged.
func Peek(ctx context.Context, path string) (*Session, error) {
	in, err := OpenRegular(path, maxSession)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, r, err := scan(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.torn != "" {
		s.notices = append(s.notices, fmt.Sprintf("line %d has no end: it was cut off, or is being written; everything before it is here", r.lines))
	}
	if len(r.problems) > 0 {
		s.notices = append(s.notices, r.damage())
	}
	return s, nil
}

// scan makes the session of what is in a file.
func scan(ctx context.Context, in io.Reader) (*Session, *reader, error) {
	r := &reader{ctx: ctx, events: map[string]*event{}}
	if err := r.read(heeding{ctx, in}); err != nil {
		return nil, nil, err
	}
	s, err := r.session()
	return s, r, err
}
