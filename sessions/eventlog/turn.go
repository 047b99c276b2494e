package eventlog

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

// Programs that append to one file take turns: a turn locks the file, reads the lines that others appended since the
// last turn, appends, and unlocks. So the lines of all of them are one log, each made after all lines before it.

const (
	// TurnPatience is how long a turn waits for the turn of another program.
	TurnPatience = 2 * time.Second
	maxHold      = 200 * time.Millisecond // of a turn over several acts
	maxRetry     = 4 * time.Millisecond   // between two tries to lock the file
)

// DamagedError is the error about lines that another program appended and that cannot be read or applied.
type DamagedError struct {
	Path string
	Err  error
}

// Error names the file, the problem and the remedy.
func (d *DamagedError) Error() string {
	return fmt.Sprintf("another program added a line to %s that cannot be read (%v); the session is read-only here: save it to another file", d.Path, d.Err)
}

// Unwrap is the problem of the line.
func (d *DamagedError) Unwrap() error { return d.Err }

// Begin takes the turn to append. It waits at most TurnPatience for other programs; then the error is a LockedError. It
// returns the events of the lines that other programs have appended since the last turn, for the caller to add to the
// tree of the log. Errors leave no turn: a LostError as of Append, and a DamagedError, with the events before the
// damaged line; after these two, nothing is appended any more. If the turn is taken already, Begin does nothing.
func (f *File) Begin(tree *Tree) ([]*Event, error) {
	if !f.writable.Load() {
		return nil, ErrReadOnly
	}
	if f.inTurn {
		return nil, nil
	}
	if err := f.acquire(); err != nil {
		return nil, err
	}
	f.inTurn, f.turnSince = true, time.Now()
	added, err := f.catchUp(tree)
	if err != nil {
		return added, errors.Join(err, f.release())
	}
	return added, nil
}

// End ends the turn, after DeferSync only if others have waited long enough.
func (f *File) End() error {
	if !f.inTurn || f.syncDeferred && time.Since(f.turnSince) < maxHold {
		return nil
	}
	var err error
	if f.syncDeferred && f.writable.Load() {
		err = f.file.Sync()
		if err != nil {
			f.writable.Store(false)
		}
	}
	return errors.Join(err, f.release())
}

// release unlocks the file.
func (f *File) release() error {
	f.inTurn = false
	return f.lock.Unlock()
}

// acquire locks the file.
func (f *File) acquire() error {
	for until := time.Now().Add(TurnPatience); ; {
		ok, err := f.lock.TryLock()
		if err != nil {
			if _, lost := CheckSame(f.path, f.opened); lost != nil {
				f.writable.Store(false)
				return lost
			}
		}
		switch {
		case ok:
			return nil
		case err != nil || time.Now().After(until):
			return &LockedError{Path: f.path, By: lockHolder(f.opened), Err: err}
		}
		time.Sleep(rand.N(maxRetry)) // random, so that no program always comes second
	}
}

// GiveUp ends all writing and following: lines that others appended cannot be applied.
func (f *File) GiveUp() {
	f.writable.Store(false)
	f.damaged = true
}

// catchUp reads the lines that others have appended, with the turn.
func (f *File) catchUp(tree *Tree) ([]*Event, error) {
	if locked, err := f.lock.Stat(); err == nil && !os.SameFile(locked, f.opened) {
		f.writable.Store(false)
		return nil, &LostError{Path: f.path, How: "replaced"}
	}
	now, err := CheckSame(f.path, f.opened)
	if err == nil && now == nil { // the folder cannot be read
		now, err = f.file.Stat()
	}
	if err == nil && now.Size() < f.end {
		err = &LostError{Path: f.path, How: "changed"}
	}
	if err != nil {
		f.writable.Store(false)
		return nil, err
	}
	if now.Size() == f.end {
		return nil, nil
	}
	added, err := f.readAdded(tree, now.Size(), true)
	if err != nil {
		f.writable.Store(false)
	}
	return added, err
}

// Follow returns the events of the complete lines that other programs have appended since the last turn, without
// taking a turn, for the caller to add to the tree of the log. The errors are those of Begin, but nothing changes for
// Append.
func (f *File) Follow(tree *Tree) ([]*Event, error) {
	if f.opened == nil || f.damaged {
		return nil, nil
	}
	now, err := CheckSame(f.path, f.opened)
	if err == nil && now != nil && now.Size() < f.size {
		err = &LostError{Path: f.path, How: "changed"}
	}
	if err != nil || now == nil || now.Size() == f.size || now.Size() == f.end {
		return nil, err
	}
	return f.readAdded(tree, now.Size(), false)
}

// readAdded reads the lines between the end of those that are known and the end of the file. A line that was cut off,
// because a program ended while it wrote, is known by the mark after it, or in a turn by being the last.
func (f *File) readAdded(tree *Tree, end int64, inTurn bool) (added []*Event, err error) {
	in, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if err := f.checkLast(in); err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(io.NewSectionReader(in, f.size, end-f.size), 1<<16)
	known := map[string]*Event{} // that are read here
	find := func(id string) *Event { return cmp.Or(known[id], tree.Find(id)) }
	var bad error                   // of the line before, if it is damaged or was cut off
	badHash, position := "", f.size // at is the start of the next line
	for {
		line, ended, err := readLine(lines)
		if errors.Is(err, io.EOF) || err == nil && !ended && !inTurn { // that line is being written
			break
		}
		if err != nil {
			return added, &DamagedError{f.path, err}
		}
		start := position
		position += int64(len(line))
		if ended {
			position++
		}
		if bad == nil && len(bytes.TrimSpace(line)) == 0 {
			f.size = position
			continue
		}
		e, err := parseEvent(line, find)
		switch {
		case err == nil && bad != nil && !e.resumesAfter(badHash):
			return added, &DamagedError{f.path, bad}
		case err != nil && !ended && bad == nil: // in a turn: it was cut off
			f.torn = hashFor(line)
			f.noNewline = true
			f.end = end
			return added, nil
		case err != nil && bad != nil:
			return added, &DamagedError{f.path, bad}
		case err != nil:
			bad, badHash = err, hashFor(line)
			continue
		}
		bad, badHash = nil, ""
		if find(e.ID) == nil {
			e.Foreign = true
			known[e.ID], added = e, append(added, e)
			f.lastID, f.lastAt = e.ID, start
		}
		f.size = position
		f.end = position
		f.noNewline = !ended
		f.torn = ""
	}
	if bad != nil && inTurn {
		return added, &DamagedError{f.path, bad}
	}
	return added, nil
}

// resumesAfter reports whether an event is the mark that continues after a line that was cut off.
func (e *Event) resumesAfter(hash string) bool {
	var d ResumedData
	return e.Kind == KindResumed && json.Unmarshal(e.Data, &d) == nil && d.Torn == hash
}

// checkLast checks that the last line that is known is where it was: an edit by hand moves it.
func (f *File) checkLast(in io.ReaderAt) error {
	if f.lastID == "" {
		return nil
	}
	want := []byte(`{"id":"` + f.lastID + `"`)
	got := make([]byte, len(want))
	if _, err := in.ReadAt(got, f.lastAt); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(got, want) {
		return &LostError{Path: f.path, How: "changed"}
	}
	return nil
}
