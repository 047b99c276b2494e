package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

// A file that somebody has open is not settled, and stays as it is; when nobody has, all that was handed over stands in
// it alone, also what a program that died had left beside it.
func TestSettle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a study, 50% of it?.db")
	if err := Checkpoint(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
	worker, onlooker := open(t, path), open(t, path)
	cells := added(t, worker, ours)
	died := filepath.Join(t.TempDir(), "died.db") // as it stands now beside its journal
	for _, part := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + part)
		if err != nil || len(b) == 0 {
			t.Fatal(len(b), err)
		}
		require.NoError(t, os.WriteFile(died+part, b, 0o600))
	}
	for _, s := range []*Store{worker, onlooker} {
		if _, err := s.Studies(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := Checkpoint(t.Context(), path); !errors.As(err, new(*InUseError)) {
			t.Errorf("of a file that is open: %v", err)
		}
		if _, err := s.Declaration(t.Context(), ours.Name); err != nil {
			t.Errorf("after it was refused: %v", err)
		}
		s.Close()
	}
	for _, path := range []string{path, died} {
		require.NoError(t, Checkpoint(t.Context(), path))
		for _, part := range []string{"-wal", "-shm", "-journal"} {
			if _, err := os.Stat(path + part); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s stays beside the file: %v", part, err)
			}
		}
		alone := filepath.Join(t.TempDir(), "moved.db")
		require.NoError(t, os.Rename(path, alone))
		s, err := OpenExisting(t.Context(), alone)
		require.NoError(t, err)
		if all, err := s.Studies(t.Context()); err != nil || len(all) != 1 ||
			all[0].Cells[study.Waiting] != len(cells) {
			t.Errorf("after it was moved: %+v, %v", all, err)
		}
		s.Close()
	}
}

// What is no file of studies is not touched, and neither is anything when nobody waits any more.
func TestSettleLeavesOthersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	require.NoError(t, os.WriteFile(path, []byte("a diary"), 0o600))
	if err := Checkpoint(t.Context(), path); !errors.As(err, new(*NotStudyDatabaseError)) {
		t.Errorf("of a diary: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "a diary" {
		t.Errorf("the diary is %q, %v", b, err)
	}
	s := open(t, filepath.Join(t.TempDir(), "b.db"))
	s.Close()
	ctx, up := context.WithCancel(t.Context())
	up()
	if err := Checkpoint(ctx, s.String()); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}
