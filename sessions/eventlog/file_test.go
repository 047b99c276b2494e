package eventlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faulty is a disk of which some acts fail, that keeps what was asked of it; a write that fails has written a part.
type faulty struct {
	disk
	fails []string
	part  int // bytes that a write that fails writes
	asked []string
}

func (f *faulty) ask(subject string) error {
	f.asked = append(f.asked, subject)
	if slices.Contains(f.fails, subject) {
		return errFull
	}
	return nil
}

func (f *faulty) Write(b []byte) (int, error) {
	if err := f.ask("write"); err != nil {
		n, _ := f.disk.Write(b[:min(f.part, len(b))])
		return n, err
	}
	return f.disk.Write(b)
}

func (f *faulty) Sync() error {
	if err := f.ask("sync"); err != nil {
		return err
	}
	return f.disk.Sync()
}

// appendOnly is the fault of a file that is open for appending on Windows: it cannot be truncated.
const appendOnly = "append only"

func (f *faulty) Truncate(size int64) error {
	if err := f.ask("truncate"); err != nil {
		return err
	}
	if slices.Contains(f.fails, appendOnly) {
		return &fs.PathError{Op: "truncate", Err: fs.ErrPermission}
	}
	return f.disk.Truncate(size)
}

func (f *faulty) Stat() (fs.FileInfo, error) {
	if err := f.ask("stat"); err != nil {
		return nil, err
	}
	return f.disk.Stat()
}

// inTurn appends events in a turn.
func inTurn(f *File, tree *Tree, events ...*Event) error {
	if _, err := f.Begin(tree); err != nil {
		return err
	}
	return errors.Join(f.Append(events), f.End())
}

// Whatever fails of a disk, what the file holds afterwards is what it held before, and the next lines are written, or
// nothing more is.
func TestDiskFails(t *testing.T) {
	for _, fails := range [][]string{
		{"write"}, {"sync"}, {"write", "truncate"}, {"sync", "truncate"}, {"write", "stat"},
		{"write", appendOnly}, {"sync", appendOnly}} {
		for _, part := range []int{0, 1, 20, 1 << 20} {
			subject := fmt.Sprint(fails, " after ", part, " bytes")
			tree := grown(t, "a", "b")
			file, err := Create(filepath.Join(t.TempDir(), "s.jsonl"), tree.Events())
			require.NoError(t, err)
			faults := &faulty{disk: file.file, fails: fails, part: part}
			file.file = faults
			next, err := tree.Next(tree.LastPosition(), "c", 1, Author{}, 0)
			require.NoError(t, err)
			err = inTurn(file, tree, next)
			assert.ErrorIs(t, err, errFull, "%s: got %v", subject, err)
			faults.fails = nil
			stuck := len(fails) == 2 && fails[1] != appendOnly && !(fails[0] == "write" && part == 0)
			assert.NotEqual(t, stuck, file.Writable(), "%s: writable", subject)
			err = inTurn(file, tree, next)
			if stuck {
				assert.ErrorIs(t, err, ErrReadOnly, "%s: the next act gives %v", subject, err)
				file.Close()
				continue
			}
			if tree.Add(next); err != nil {
				t.Errorf("%s: the next act gives %v", subject, err)
			}
			if got, _ := os.ReadFile(file.Path()); string(got) != written(tree) {
				t.Errorf("%s: the file has\n%s", subject, got)
			}
			file.Close()
		}
	}
}

// While a file is locked, no other lock of it is granted, and it can be read and appended to as before. A file that is
// not there cannot be locked.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	first, second := NewLock(path), NewLock(path)
	if ok, err := first.TryLock(); ok || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v, %v", ok, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	require.NoError(t, err)
	defer file.Close()
	if ok, err := first.TryLock(); !ok || err != nil {
		t.Fatalf("the first lock: %v, %v", ok, err)
	}
	if ok, err := second.TryLock(); ok || err != nil {
		t.Errorf("a second lock: %v, %v", ok, err)
	}
	_, err = file.WriteString("text")
	assert.NoError(t, err, "appending")
	if text, err := os.ReadFile(path); err != nil || string(text) != "text" {
		t.Errorf("reading: %q, %v", text, err)
	}
	opened, err := file.Stat()
	if locked, errLocked := first.Stat(); errors.Join(err, errLocked) != nil || !os.SameFile(opened, locked) {
		t.Errorf("the locked file is %v, %v", locked, errLocked)
	}
	assert.NoError(t, errors.Join(first.Unlock(), first.Unlock()), "unlocking")
	if ok, err := second.TryLock(); !ok || err != nil {
		t.Errorf("after the first lock: %v, %v", ok, err)
	}
	assert.NoError(t, second.Unlock())
}

// What is appended is on the disk before Append returns, and a new file before Create does.
func TestEverythingIsSynced(t *testing.T) {
	tree := grown(t, "a")
	f, err := os.Create(filepath.Join(t.TempDir(), "new.jsonl"))
	require.NoError(t, err)
	faults := &faulty{disk: f}
	next := &File{path: f.Name(), lock: NewLock(f.Name()), file: faults}
	next.writable.Store(true)
	require.NoError(t, next.identify(f))
	if err := next.begin(tree.Events()); err != nil || strings.Join(faults.asked, " ") != "write sync" {
		t.Errorf("a new file: %q, %v", faults.asked, err)
	}
	faults.asked = nil
	if err := inTurn(next, tree, add(t, tree, tree.LastPosition(), "b", 1),
		add(t, tree, tree.LastPosition(), "c", 1)); err !=
		nil || strings.Join(faults.asked, " ") != "write sync" {
		t.Errorf("two lines: %q, %v", faults.asked, err)
	}
	faults.asked = nil
	next.DeferSync()
	for range 3 {
		require.NoError(t, inTurn(next, tree, add(t, tree, tree.LastPosition(), "d", 1)))
	}
	if err := next.Flush(); err != nil || strings.Join(faults.asked, " ") != "write write write sync" {
		t.Errorf("three lines that are held: %q, %v", faults.asked, err)
	}
	if err := inTurn(next, tree, add(t, tree, tree.LastPosition(), "e", 1)); err != nil ||
		strings.Join(faults.asked[4:], " ") != "write sync" {
		t.Errorf("a line after them: %q, %v", faults.asked, err)
	}
	faults.fails = []string{"sync"}
	next.DeferSync()
	assert.NoError(t, inTurn(next, tree, add(t, tree, tree.LastPosition(), "f", 1)))
	if err := next.Flush(); !errors.Is(err, errFull) || next.Writable() {
		t.Errorf("a line that is held and not on the disk: %v, and it is writable: %v", err, next.Writable())
	}
	err = next.begin(tree.Events())
	assert.ErrorIs(t, err, errFull, "a new file that is not on the disk: %v", err)
	next.Close()
}

// A file is had by one, is never overwritten, and goes on after what was cut off on a line of its own.
func TestFiles(t *testing.T) {
	tree := grown(t, "a")
	path := filepath.Join(t.TempDir(), "folder", "s.jsonl")
	file, err := Create(path, tree.Events())
	require.NoError(t, err)
	_, err = Create(path, tree.Events())
	assert.ErrorContains(t, err, "exists already", "overwriting")
	_, err = file.Begin(tree)
	require.NoError(t, err)
	other, err := OpenFile(path)
	if err == nil || other.Writable() || other.Path() != path || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second writer: %v", err)
	}
	assert.NoError(t, errors.Join(other.Close(), file.Close(), file.Close()))
	const torn = `{"id":"0123`
	require.NoError(t, os.WriteFile(path, []byte(written(tree)+torn), 0o600))
	if file, err = OpenFile(path); err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	found, err := Read(t.Context(), strings.NewReader(written(tree)+torn))
	require.NoError(t, err)
	file.ResumeFrom(found)
	mark, err := tree.Next(tree.LastPosition(), KindResumed, ResumedData{file.Torn()}, Author{}, 0)
	require.NoError(t, err)
	if err := inTurn(file, tree, mark); err != nil || file.Torn() != "" {
		t.Errorf("going on: %v, %q", err, file.Torn())
	}
	got, _ := os.ReadFile(path)
	if want := written(tree) + torn + "\n" + string(mark.Line) + "\n"; string(got) != want {
		t.Errorf("the file has\n%s\nwant\n%s", got, want)
	}
}
