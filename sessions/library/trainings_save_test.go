package library

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/training"
)

// A session of a lab is kept under a name that tells it, beside another one of that name; where there can be no file
// that is said, and it stays in memory.
func TestKeepLab(t *testing.T) {
	dir := t.TempDir()
	l, err := training.Find("flops")
	require.NoError(t, err)
	begin := func() *training.Session {
		t.Helper()
		s, err := training.New(l, map[string]any{"seed": 7})
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		return s
	}
	for range 2 {
		s := begin()
		if err := SaveTraining(s, ""); err != nil || s.Path() != "" {
			t.Fatalf("without a folder it is kept in %s, %v", s.Path(), err)
		}
		require.NoError(t, SaveTraining(s, dir))
		path := s.Path()
		if err := SaveTraining(s, t.TempDir()); err != nil || s.Path() != path {
			t.Errorf("it is kept once more, in %s, %v", s.Path(), err)
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*-lab-flops-7*.jsonl")); err != nil || len(files) != 2 {
		t.Errorf("there are %v, %v", files, err)
	}
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	if s := begin(); SaveTraining(s, filepath.Join(file, "sub")) == nil || s.Path() != "" {
		t.Errorf("it is kept in %s", s.Path())
	}
}
