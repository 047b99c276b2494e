//go:build mutate

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// What becomes of a mutant.
const (
	killed     = "killed"
	survived   = "survived"
	suspected  = "survived, perhaps equal"
	uncompiled = "does not compile"
)

// memory bounds what a mutant may take, in KiB.
const memory = 12 << 20

// bench tries mutants in the module itself: an overlay replaces one file.
type bench struct {
	root, dir string // of the module; of temporary files
	env       []string
	took      map[string]time.Duration // by the tests of packages without a mutant; negative where they fail
}

// newBench has a home folder of its own, in which tests find no sessions and leave none.
func newBench(ctx context.Context, root string) (*bench, error) {
	dir, err := os.MkdirTemp("", "bandscope-mutate-")
	if err != nil {
		return nil, err
	}
	paths, err := exec.CommandContext(ctx, "go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	lines := strings.Fields(string(paths))
	env := append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "GOCACHE="+lines[0], "GOMODCACHE="+lines[1],
		"TMPDIR="+dir)
	return &bench{root: root, dir: dir, env: env, took: map[string]time.Duration{}}, nil
}

// put lets go read a file with a mutant: also where a test builds the program.
func (b *bench) put(m mutant) error {
	path := filepath.Join(b.dir, "mutant.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(b.root, m.File): path}})
	if err == nil {
		err = os.WriteFile(path, m.apply(), 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(b.dir, "overlay.json"), overlay, 0o644)
	}
	return err
}

// run runs go, with the mutant or without one, and all that it starts, until the context ends.
func (b *bench) run(ctx context.Context, mutated bool, args ...string) (string, error) {
	limited := []string{"-c", fmt.Sprintf(`ulimit -v %d; exec go "$@"`, memory), "sh"}
	cmd := exec.CommandContext(ctx, "sh", append(limited, args...)...)
	cmd.Dir, cmd.Env = b.root, b.env
	if mutated {
		cmd.Env = append(cmd.Environ(), "GOFLAGS=-overlay="+filepath.Join(b.dir, "overlay.json"))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// passes reports whether the tests of a package pass without a mutant; they are run once.
func (b *bench) passes(ctx context.Context, pkg string) bool {
	if _, known := b.took[pkg]; !known {
		start := time.Now()
		out, err := b.run(ctx, false, "test", "-vet=off", pkg)
		b.took[pkg] = time.Since(start)
		if err != nil {
			b.took[pkg] = -1
			fmt.Printf("the tests of %s fail without a mutant, and kill none:\n%s\n", pkg, out)
		}
	}
	return b.took[pkg] >= 0
}

// patience is how long the tests of a package may take.
func (b *bench) patience(pkg string) time.Duration {
	if took, ok := b.took[pkg]; ok {
		return time.Minute + 5*max(took, 0)
	}
	return 6 * time.Minute
}

// try runs the tests that may notice a mutant, the nearest first, for about as long as the limit, and tells what
// noticed it.
func (b *bench) try(ctx context.Context, u *unit, m mutant, limit time.Duration) (status, author string, err error) {
	start := time.Now()
	if err := b.put(m); err != nil {
		return "", "", err
	}
	if out, err := b.run(ctx, true, "build", "-o", os.DevNull, u.ImportPath); err != nil {
		return uncompiled, firstLine(out), ctx.Err()
	}
	tested := 0
	for i, n := range u.near {
		if i > 0 && limit > 0 && time.Since(start) > limit {
			break
		}
		tested++
		patience := b.patience(n.ImportPath)
		limited, cancel := context.WithTimeout(ctx, patience+10*time.Second)
		out, err := b.run(limited, true, "test", "-vet=off", "-failfast", "-timeout", patience.String(), n.ImportPath)
		if limited.Err() != nil {
			out += tooSlow
		}
		cancel()
		if err != nil && b.passes(ctx, n.ImportPath) {
			return killed, n.ImportPath + " " + reason(out), ctx.Err()
		}
	}
	status = survived
	if m.Suspect != "" {
		status = suspected
	}
	return status, fmt.Sprintf("the tests of %d of %d packages", tested, len(u.near)), ctx.Err()
}

// tooSlow is what Go says of tests that run out of time.
const tooSlow = "test timed out"

// failing finds the first test that fails.
var failing = regexp.MustCompile(`--- FAIL: (\S+)`)

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
	begin := bytes.LastIndexByte(m.src[:m.offset], '\n') + 1
	end := m.offset + len(m.Old)
	if i := bytes.IndexByte(m.src[end:], '\n'); i >= 0 {
		end += i
	} else {
		end = len(m.src)
	}
	changed := m.apply()
	var b strings.Builder
	for _, side := range []struct {
		sign string
		text []byte
	}{{"-", m.src[begin:end]}, {"+", changed[begin : end+len(changed)-len(m.src)]}} {
		for line := range bytes.SplitSeq(side.text, []byte("\n")) {
			fmt.Fprintf(&b, "    %s %s\n", side.sign, line)
		}
	}
	return b.String()
}
