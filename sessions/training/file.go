package training

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Open reads a session of a lab and stands where it was left. It is appended to unless it is damaged, locked by another
// process or may not be written; Notices says so. Nothing that is in the file is ever changed. It is given up when the
// context ends.
func Open(ctx context.Context, path string) (*Session, error) {
	return recorder.Open(ctx, path, fromLog)
}

// OpenReadOnly reads a session of a lab as it is at the moment, for a look only: its file is neither locked nor written
// to, and what is done with the session stays in memory.
func OpenReadOnly(ctx context.Context, path string) (*Session, error) {
	return recorder.OpenReadOnly(ctx, path, fromLog)
}

// Read makes a session of a log, in memory. What cannot be read of it is an error.
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
		return nil, errors.New("this is the session of an optimizer and of no lab")
	}
	l, err := Find(h.Lab.Name)
	if err != nil {
		return nil, err
	}
	s := newSession(l)
	s.lesson, s.platform = h.Lesson, h.Platform
	if s.params, err = knownParams(l, h.Lab.Params); err != nil {
		return nil, err
	}
	for _, key := range h.Lab.Columns {
		s.cols = append(s.cols, l.Column(key))
	}
	s.rec.Rules = s.rules()
	return s, nil
}

// Summary is as much of a session of a lab as a list tells.
type Summary struct {
	Lab   string
	Seed  uint64
	Steps int // updates on record, of the longest run
}

// ReadSummary reads as much of a log as a list tells.
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
