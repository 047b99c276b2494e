package sessions

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/eventlog"
)

// ending ends a context after so many bytes, and counts what is still read or written after that.
type ending struct {
	r      io.Reader
	cancel context.CancelFunc
	left   int
	after  int
}

func (e *ending) take(n int) {
	if e.left < 0 {
		e.after += n
	}
	if e.left -= n; e.left < 0 {
		e.cancel()
	}
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.take(n)
	return n, err
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Whatever reads or writes much stops when its context ends.
func TestContextsAreHeeded(t *testing.T) {
	log, _ := realLog(t)
	for name, f := range map[string]func(context.Context, *ending) error{
		"a log with a line of 32 MiB": func(ctx context.Context, e *ending) error {
			e.r = io.MultiReader(bytes.NewReader(log), io.LimitReader(zeros{}, 32<<20))
			_, err := Read(ctx, e)
			return err
		},
		"a log of empty lines": func(ctx context.Context, e *ending) error {
			e.r = io.MultiReader(bytes.NewReader(log), strings.NewReader(strings.Repeat("\n", 1<<20)))
			_, err := Read(ctx, e)
			return err
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		e := &ending{cancel: cancel, left: 1000}
		if err := f(ctx, e); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if e.after > 8<<10 {
			t.Errorf("%s: %d bytes after the end of its context", name, e.after)
		}
		cancel()
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.jsonl"), log, 0o600))
	if _, _, _, err := ReadSummary(ended, bytes.NewReader(log)); !errors.Is(err, context.Canceled) {
		t.Errorf("a glance: %v", err)
	}
	if _, err := Open(ended, filepath.Join(dir, "a.jsonl")); !errors.Is(err, context.Canceled) {
		t.Errorf("opening: %v", err)
	}
}

// What is no session's file is named, whoever opens it.
func TestOpenWhatIsNoFile(t *testing.T) {
	for path, want := range map[string]string{
		t.TempDir(): "it is a folder", os.DevNull: "it is a device",
		filepath.Join(t.TempDir(), "none"): "no such file"} {
		for _, open := range []func(context.Context, string) (*Session, error){Open, OpenReadOnly} {
			if _, err := open(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("a session at %s: %v, want %q", path, err, want)
			}
		}
	}
}

// A look at a session tells the same as opening it, and what is cut off or damaged, while another has it open.
func TestPeek(t *testing.T) {
	log, _ := realLog(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(path, append(bytes.Clone(log), `{"id":"cut`...), 0o600))
	writer, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer writer.Close()
	seen, err := OpenReadOnly(t.Context(), path)
	require.NoError(t, err)
	if a, b := seen.State(), writer.State(); a.Head != b.Head || len(a.Iterations) != 3 || a.Ahead != b.Ahead ||
		a.Path != "" {
		t.Errorf("it stands at %s, %d ahead, the session at %s, %d ahead", a.Head, a.Ahead, b.Head, b.Ahead)
	}
	if n := seen.Notices(); len(n) != 1 || !strings.Contains(n[0], "it was cut off, or is being written") {
		t.Errorf("notices: %q", n)
	}
	damaged := bytes.Replace(log, []byte(`"seconds"`), []byte(`"sekonds"`), 1)
	require.NoError(t, os.WriteFile(path, damaged, 0o600))
	if seen, err = OpenReadOnly(t.Context(), path); err != nil || len(seen.Notices()) != 1 ||
		!strings.Contains(seen.Notices()[0], "is damaged") {
		t.Errorf("a damaged file: %v", err)
	}
}

// What an editor does to a log is named.
func TestEditedLogs(t *testing.T) {
	log, _ := realLog(t)
	for _, c := range []struct{ text, want string }{
		{"\ufeff" + string(log), "line 1: this is not a bandscope session: it starts with a byte-order mark"},
		{"\xff\xfe{\x00", "it is UTF-16"},
		{strings.ReplaceAll(string(log), "\n", "\r\n"),
			"line 1: this is not a bandscope session: it ends with a carriage return"},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.10q: %v, want %q", c.text, err, c.want)
		}
		if _, _, _, err := ReadSummary(t.Context(), strings.NewReader(c.text)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%.10q at a glance: %v", c.text, err)
		}
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(path, append(bytes.TrimSuffix(log, []byte("\n")), "\r\n"...), 0o600))
	s, err := OpenReadOnly(t.Context(), path)
	if err != nil || len(s.Notices()) != 1 || !strings.Contains(s.Notices()[0], "it ends with a carriage return") {
		t.Errorf("one line: %v, %q", err, s.Notices())
	}
}

// A suggestion outside of the domain is no part of a session.
func TestSuggestionsLieInTheDomain(t *testing.T) {
	for x, ok := range map[string]bool{"0": true, "1": true, "1.0000001": false, "-0.1": false, `"NaN"`: false} {
		s := start(t, Config{Problem: "forrester", Optimizer: "random"})
		err := s.rec.State().apply(&eventlog.Event{Kind: kindSuggested,
			Data: []byte(`{"x":[[` + x + `]],"source":"random","seconds":0}`)})
		if (err == nil) != ok || !ok && !strings.Contains(err.Error(), "x must be in [0, 1]") {
			t.Errorf("%s: %v", x, err)
		}
	}
}
