// Package pipe answers requests about sessions as lines of JSON: a line of input is a request, and each is answered with
// a line. A request names the act and the session; those about different sessions are answered out of order, by their
// id. sessions/PIPE.md is the grammar. What the requests do is in package acts.
package pipe

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// MaxLine bounds a line of Serve in bytes.
const MaxLine = 1 << 20

// Options say which sessions are served.
type Options struct {
	Session *sessions.Session // of requests that name none; nil: they are errors
	Folder  *acts.Folder      // the sessions that requests can name; may be nil
	Paint   acts.Painter      // may be nil
}

// Serve answers requests until the input or the context ends, or a write fails. Requests that arrived before the input
// ends are answered first. The answer to a wrong request is an error.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	lines := make(chan Line)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go ReadLines(ctx, in, MaxLine, lines)
	s := newServer(o, out, cancel)
	for {
		select {
		case <-ctx.Done():
			s.stop()
			return context.Cause(ctx)
		case l, open := <-lines:
			if !open || l.Err != nil && !errors.Is(l.Err, ErrLong) {
				s.finish()
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				return l.Err
			}
			if l.Err != nil || len(bytes.TrimSpace(l.Text)) > 0 {
				s.take(ctx, l)
			}
		}
	}
}

// prefetch computes the next suggestion, or with pending points the model for it, while the client is busy. An ask in
// the meantime waits for the same fit. The returned function cancels it.
func prefetch(ctx context.Context, s *sessions.Session) (giveUp func()) {
	ctx, cancel := context.WithCancel(ctx)
	now := s.Snapshot()
	go func() {
		defer cancel()
		parallel.Catch(func() { // the next ask meets the same error
			if len(now.State().Pending) == 0 {
				now.Next(ctx, nil)
			} else {
				now.Belief(ctx, nil)
			}
		})
	}()
	return cancel
}

// Line is a line of input, or the error of reading it.
type Line struct {
	Text []byte
	Err  error
}

// ErrLong is wrapped by the error of a line that is too long.
var ErrLong = errors.New("the line is too long")

// ReadLines reads lines of at most so many bytes until the input or the context ends, and closes the channel. It
// discards lines that are longer.
func ReadLines(ctx context.Context, in io.Reader, limit int, lines chan<- Line) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		var l Line
		for {
			part, err := r.ReadSlice('\n')
			if l.Err == nil {
				l.Text = append(l.Text, part...)
			}
			if len(bytes.TrimSuffix(l.Text, []byte("\n"))) > limit {
				l = Line{Err: fmt.Errorf("%w: longer than %d bytes, and ignored", ErrLong, limit)}
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if errors.Is(err, io.EOF) && len(l.Text) == 0 && l.Err == nil {
				return
			}
			if err != nil && !errors.Is(err, io.EOF) {
				l = Line{Err: err}
			}
			break
		}
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
	}
}
