package eventlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The kernel's list of locks tells who has a file.
func TestHolder(t *testing.T) {
	const locks = "1: POSIX  ADVISORY  WRITE 7 fe:00:42 0 EOF\n2: FLOCK  ADVISORY  WRITE 8 fe:00:43 0 EOF\n" +
		"3: FLOCK  ADVISORY  WRITE 9 fe:00:42 0 EOF\n4: -> FLOCK\n5: FLOCK ADVISORY WRITE x fe:00:44 0 EOF\n"
	command := func(pid int) string { return map[int]string{9: "bandscope " + strings.Repeat("s", 80)}[pid] }
	for inode, want := range map[uint64]string{
		42: "process 9: bandscope " + strings.Repeat("s", 49) + "…", 43: "", 44: "", 45: ""} {
		assert.Equal(t, want, parseLockHolder(locks, inode, command), "%d", inode)
	}
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	lock := flock.New(path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if text, err := os.ReadFile("/proc/locks"); err != nil || len(text) == 0 {
		t.Skip("this system does not tell of locks")
	}
	if _, err := OpenFile(path); err == nil || !strings.Contains(err.Error(), "another process (process ") {
		t.Errorf("got %v", err)
	}
}
