package training

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Open reads a session of a lab and continues where it ended. It appends to the file unless the file is damaged, locked
// by another process or not writable; Notices says so. It never changes recorded lines. It stops when the context ends.
func Open(ctx context.Context, path string) (*Session, error) {
	return recorder.Open(ctx, path, fromLog)
}

// OpenProtected is Open for a screen: nothing is recorded before Continue, or before SaveAs makes a copy.
func OpenProtected(ctx context.Context, path string) (*Session, error) {
	s, err := Open(ctx, path)
	if err == nil {
		s.Protect()
	}
	return s, err
}

// OpenReadOnly reads a session of a lab as it is at the moment. It neither locks nor writes the file; changes of the
// session stay in memory.
func OpenReadOnly(ctx context.Context, path string) (*Session, error) {
	return recorder.OpenReadOnly(ctx, path, fromLog)
}

// Read makes a session in memory from a log. It returns an error if a line of the log cannot be read.
func Read(ctx context.Context, in io.Reader) (*Session, error) {
	s, found, err := recorder.Read(ctx, in, fromLog)
	if err == nil && len(found.Problems) > 0 {
		err = errors.New(found.Damage())
	}
	return s, err
}

// fromLog is the session of a log before its first event is applied.
func fromLog(found *eventlog.Contents) (*Session, error) {
	var h header
	if err := json.Unmarshal(found.Tree.Root().Data, &h); err != nil {
		return nil, err
	}
	if h.Lab.Name == "" {
		return nil, errors.New("this is a session of an optimizer, not of a lab")
	}
	l, err := Find(h.Lab.Name)
	if err != nil {
		return nil, err
	}
	s := newSession(l)
	s.lesson, s.platform = h.Lesson, h.Platform
	s.params, err = knownParams(l, h.Lab.Params)
	if err != nil {
		return nil, err
	}
	for _, key := range h.Lab.Columns {
		s.cols = append(s.cols, l.Column(key))
	}
	s.rec.Rules = s.rules()
	return s, nil
}

// Summary is the part of a session of a lab that lists show.
type Summary struct {
	Lab   string
	Seed  uint64
	Steps int // recorded updates of the longest run
}

// ReadSummary reads the summary of a log.
func ReadSummary(ctx context.Context, in io.Reader) (Summary, error) {
	s, _, err := recorder.Read(ctx, in, fromLog)
	if err != nil {
		return Summary{}, err
	}
	g := Summary{Lab: s.spec.Name, Seed: uint64(s.params.Int(s.spec.Seed))}
	for _, b := range s.rec.Tree.Branches() {
		g.Steps = max(g.Steps, s.rec.Steps(b.End))
	}
	return g, nil
}
