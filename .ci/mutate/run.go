//go:build mutate

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// What becomes of a mutant.
const (
	killed      = "killed"
	survived    = "survived"
	suspected   = "survived, perhaps equal"
	uncompiled  = "does not compile"
	interrupted = "interrupted"
)

// verdict is what became of a mutant.
type verdict struct {
	mutant
	Status  string  `json:"status"`
	By      string  `json:"by,omitempty"` // the package and the test that noticed it
	Seconds float64 `json:"seconds"`
}

// copied is a copy of the module in which one mutant at a time is tried.
type copied struct {
	root string // of the module itself
	dir  string
	home string
	env  []string
}

// copyModule copies the files that git knows, or would take, into a temporary folder.
func copyModule(ctx context.Context, root string) (*copied, error) {
	base, err := os.MkdirTemp("", "bandscope-mutate-")
	if err != nil {
		return nil, err
	}
	c := &copied{root: root, dir: filepath.Join(base, "module"), home: filepath.Join(base, "home")}
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "-co", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return c, fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(c.dir, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(c.dir, name), data, 0o644)
		}
		if err != nil {
			return c, err
		}
	}
	if err := os.MkdirAll(c.home, 0o755); err != nil {
		return c, err
	}
	paths, err := exec.CommandContext(ctx, "go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		return c, fmt.Errorf("go env: %w", err)
	}
	lines := strings.Fields(string(paths))
	c.env = append(os.Environ(), "HOME="+c.home, "XDG_DATA_HOME="+c.home, "GOCACHE="+lines[0], "GOMODCACHE="+lines[1], "TMPDIR="+base)
	return c, nil
}

// remove takes the copy away.
func (c *copied) remove() { os.RemoveAll(filepath.Dir(c.dir)) }

// memory bounds what a mutant may take, in KiB.
const memory = 12 << 20

// run runs a command in the copy, with all that it starts, until the context ends.
func (c *copied) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, memory), "sh"}, args...)...)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// usual is how long the tests of packages take without a mutation, as far as that is known.
type usual struct {
	mu   sync.Mutex
	took map[string]time.Duration // negative for tests that fail
}

// of is how long the tests of a package take; they are run if that is not known, for which nothing may be mutated.
func (t *usual) of(ctx context.Context, c *copied, pkg string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if took, ok := t.took[pkg]; ok {
		return took
	}
	start := time.Now()
	out, err := c.run(ctx, "go", "test", "-vet=off", pkg)
	took := time.Since(start)
	if ctx.Err() != nil {
		return took
	}
	if err != nil {
		took = -1
		fmt.Printf("the tests of %s fail without a mutation, and kill none:\n%s\n", pkg, out)
	}
	t.took[pkg] = took
	return took
}

// patience is how long the tests of a package may take.
func (t *usual) patience(pkg string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if took, ok := t.took[pkg]; ok {
		return time.Minute + 5*max(took, 0)
	}
	return 6 * time.Minute
}

// failing finds the first test that fails.
var failing = regexp.MustCompile(`--- FAIL: (\S+)`)

// try puts a mutant into the copy, runs the tests that may notice it, and takes it out again.
func (c *copied) try(ctx context.Context, u *unit, m mutant, t *usual, limit time.Duration) verdict {
	start := time.Now()
	v := verdict{mutant: m, Status: survived}
	if m.Suspect != "" {
		v.Status = suspected
	}
	path := filepath.Join(c.dir, m.File)
	defer func() { os.WriteFile(path, m.src, 0o644) }()
	if err := os.WriteFile(path, m.apply(), 0o644); err != nil {
		v.Status, v.By = interrupted, err.Error()
		return v
	}
	if out, err := c.run(ctx, "go", "build", "-o", os.DevNull, u.ImportPath); err != nil {
		v.Status, v.By = uncompiled, firstLine(out)
	}
	tested := 0
	for i, n := range u.near {
		if v.Status == uncompiled || ctx.Err() != nil || i > 0 && limit > 0 && time.Since(start) > limit {
			break
		}
		patience := t.patience(n.ImportPath)
		limited, cancel := context.WithTimeout(ctx, patience+10*time.Second)
		out, err := c.run(limited, "go", "test", "-vet=off", "-failfast", "-timeout", patience.String(), n.ImportPath)
		late := limited.Err() != nil
		cancel()
		if tested++; err == nil || ctx.Err() != nil {
			continue
		}
		if late {
			out += tooSlow
		}
		os.WriteFile(path, m.src, 0o644)
		if t.of(ctx, c, n.ImportPath) >= 0 {
			if v.Status, v.By = killed, n.ImportPath+" "+reason(out); ctx.Err() != nil {
				v.Status = interrupted
			}
			break
		}
		os.WriteFile(path, m.apply(), 0o644)
	}
	if ctx.Err() != nil {
		v.Status = interrupted
	}
	if v.By == "" {
		v.By = fmt.Sprintf("the tests of %d of %d packages", tested, len(u.near))
	}
	v.Seconds = time.Since(start).Seconds()
	return v
}

// tooSlow is what Go says of tests that run out of time.
const tooSlow = "test timed out"

// reason says in a few words why tests failed.
func reason(out string) string {
	switch m := failing.FindStringSubmatch(out); {
	case m != nil:
		return m[1]
	case strings.Contains(out, tooSlow):
		return "(too slow)"
	case strings.Contains(out, "[build failed]"):
		return "(the tests do not compile)"
	case strings.Contains(out, "panic:"):
		return "(panic)"
	}
	return "(" + firstLine(out) + ")"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// apply is a file with the mutant.
func (m mutant) apply() []byte {
	return bytes.Join([][]byte{m.src[:m.offset], []byte(m.New), m.src[m.offset+len(m.Old):]}, nil)
}

// diff is the lines that a mutant changes, before and after.
func (m mutant) diff() string {
	lines := func(text []byte, from, length int) string {
		begin := bytes.LastIndexByte(text[:from], '\n') + 1
		end := len(text)
		if i := bytes.IndexByte(text[from+length:], '\n'); i >= 0 {
			end = from + length + i
		}
		return string(text[begin:end])
	}
	var b strings.Builder
	for _, side := range []struct{ sign, text string }{{"-", lines(m.src, m.offset, len(m.Old))}, {"+", lines(m.apply(), m.offset, len(m.New))}} {
		for line := range strings.SplitSeq(side.text, "\n") {
			fmt.Fprintf(&b, "    %s %s\n", side.sign, line)
		}
	}
	return b.String()
}
