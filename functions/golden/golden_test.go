package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failing is a test that keeps what it fails with.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Errorf(format string, args ...any) { f.said += fmt.Sprintf(format, args...) }

// A failure tells the lines that differ with two around them, and not the whole; colours where nothing else differs.
func TestFailuresAreDiffs(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	path := filepath.Join(t.TempDir(), "screen.golden")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	plain := func(text string) string { return strings.ReplaceAll(text, "\x1b[1m", "") }
	for _, c := range []struct{ line, want string }{
		{"line 20", ""},
		{"line twenty", "--- want\n+++ got\n@@ -19,5 +19,5 @@\n line 18\n line 19\n-line 20\n+line twenty\n line 21\n" +
			" line 22\n"},
		{"\x1b[1mline 20", "--- want\n+++ got\n@@ -19,5 +19,5 @@\n line 18\n line 19\n-line 20\n+␛[1mline 20\n" +
			" line 21\n line 22\n"},
	} {
		lines[20] = c.line
		f := &failing{TB: t}
		File(f, path, strings.Join(lines, "\n")+"\n", plain)
		want := c.want
		if want != "" {
			want = path + " differs (-update writes it):\n" + want
		}
		assert.Equal(t, want, f.said, "%q fails with\n%s\nwant\n%s", c.line, f.said, want)
	}
}
