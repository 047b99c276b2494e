// Package pipe answers requests about sessions as lines of JSON: a line of input is a request, and each is answered with
// a line. Version 2 names the act and the session, answers out of order by id, and serves several sessions; requests of
// version 1, which are about one session, are answered in their order. sessions/PIPE.md is the grammar of both. What
// the requests do is in packages acts and asktell.
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
	lines := make(chan line)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go readLines(ctx, in, lines)
	s := newServer(o, out, cancel)
	for {
		select {
		case <-ctx.Done():
			s.stop()
			return context.Cause(ctx)
		case l, open := <-lines:
			if !open || l.err != nil && !errors.Is(l.err, errLong) {
				s.finish()
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				return l.err
			}
			if l.err != nil || len(bytes.TrimSpace(l.text)) > 0 {
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

// line is a line of input, or the error of reading it.
type line struct {
	text []byte
	err  error
}

var errLong = fmt.Errorf("the line is longer than %d bytes, and was ignored", MaxLine)

// readLines reads lines until the input or the context ends. It discards lines that are too long.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		var l line
		for {
			part, err := r.ReadSlice('\n')
			if l.err == nil {
				l.text = append(l.text, part...)
			}
			if len(bytes.TrimSuffix(l.text, []byte("\n"))) > MaxLine {
				l = line{err: errLong}
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if errors.Is(err, io.EOF) && len(l.text) == 0 && l.err == nil {
				return
			}
			if err != nil && !errors.Is(err, io.EOF) {
				l = line{err: err}
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
