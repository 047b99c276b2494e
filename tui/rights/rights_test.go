package rights

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Without rights no path can be typed and no file opened; with a folder, only the files in it.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	confined := Rights{Sessions: filepath.Join(dir, "ada")}
	for _, r := range []Rights{{}, confined} {
		if _, err := r.Path("x.jsonl", ""); !errors.Is(err, ErrPath) {
			t.Errorf("a path can be typed: %v", err)
		}
	}
	for path, want := range map[string]error{"ada/s.jsonl": nil, "ada/trash/s.jsonl": nil, "bob/s.jsonl": ErrPath,
		"ada/../bob/s.jsonl": ErrPath, "adam/s.jsonl": ErrPath, "": ErrPath} {
		if err := confined.CheckFile(filepath.Join(dir, path)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if err := (Rights{}).CheckFile(filepath.Join(dir, path)); !errors.Is(err, ErrPath) {
			t.Errorf("%s without rights: %v", path, err)
		}
		assert.NoError(t, Own(dir).CheckFile(filepath.Join(dir, path)), "%s of the own machine", path)
	}
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	if path, err := Own(dir).Path(" ~/x.jsonl ", ""); err != nil || path != filepath.Join(home, "x.jsonl") {
		t.Errorf("a path in the home folder is %q, %v", path, err)
	}
	_, err = Own(dir).Path(" ", "x.svg")
	assert.ErrorContains(t, err, "such as x.svg", "an empty path")
}

// Computations of several windows count together, while they run; when the time is used up, those who watch hear it at
// once, and again at each further attempt.
func TestComputing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewComputing(7*time.Second, make(Places, 3))
		r := Rights{Computing: c}
		begun := time.Now()
		var heard []time.Duration
		var why error
		var mu sync.Mutex // of what is heard; otherwise it is read after synctest.Wait
		stop := c.Watch(func(err error) {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, time.Since(begun))
			why = err
		})
		first, err := r.Compute(t.Context())
		require.NoError(t, err)
		time.Sleep(2 * time.Second)
		second, err := r.Compute(t.Context())
		require.NoError(t, err)
		time.Sleep(time.Second) // 4 s by now
		first()
		first() // does nothing
		time.Sleep(2 * time.Second)
		mu.Lock()
		if got := c.Spent(); got != 6*time.Second || heard != nil {
			t.Errorf("%v are counted, and said is %v", got, heard)
		}
		mu.Unlock()
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if len(heard) != 1 || heard[0].Round(100*time.Millisecond) != 6*time.Second ||
			!strings.Contains(why.Error(), "took 7s, and 7s are allowed") {
			t.Errorf("said is %v after %v", why, heard)
		}
		second()
		_, err = r.Compute(t.Context())
		assert.Error(t, err, "computations go on")
		synctest.Wait()
		assert.Equal(t, 2, len(heard), "a further attempt is said %d times", len(heard)-1)
		stop()
		assert.Equal(t, 0, len(c.places), "%d places are not given back", len(c.places))
	})
}

// Who waits for a place stops when their context ends.
func TestWaiting(t *testing.T) {
	c := NewComputing(time.Hour, make(Places, 1))
	end, err := c.begin(t.Context())
	require.NoError(t, err)
	defer end()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.begin(ctx)
	assert.ErrorIs(t, err, context.Canceled, "who waits gets %v", err)
}
