package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The playground needs a terminal, and says so before anything is written. Its file is read by the other commands, and a
// lesson can be made over one.
func TestPlayWithoutATerminal(t *testing.T) {
	dir := t.TempDir()
	for line, want := range map[string]string{
		"play":               "needs a terminal",
		"play --save p.json": "needs a terminal",
		"play a b":           "got 2 arguments",
		"play --sett x":      "--set",
	} {
		if out, errs, status := run(t, dir, line); status != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s%s; want %q", line, status, out, errs, want)
		}
	}
	script := "> lesson playground gp-ei 1 kernel=1*se(length=0.2)\n# A lengthscale\nWhat it does.\n> begin\n" +
		"> query 0.2 = 1\n> query 0.7 = -1\n# Two results\nThe band is narrow there.\n> claim points = 2\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "l.md"), []byte(script), 0o600))
	for line, want := range map[string]string{
		"lesson new l.jsonl --script l.md": "1 page",
		"lesson check l.md":                "1 claim",
	} {
		if out, errs, status := run(t, dir, line); status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s%s; want %q", line, status, out, errs, want)
		}
	}
	for line, want := range map[string]string{
		"predict l.jsonl --grid 3":    "mean",
		"replay l.jsonl --verify":     "the largest difference is 0 of the domain",
		"export l.jsonl --format csv": "0.2,1",
		"show l.jsonl":                "playground",
		"check l.jsonl":               "gp-ei",
		"list sessions --dir .":       "playground",
	} {
		out, errs, status := run(t, dir, line)
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s%s; want %q", line, status, out, errs, want)
		}
	}
}
