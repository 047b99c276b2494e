//go:build unix

package guide_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var importLine = regexp.MustCompile(`(?m)^(?:import|from) (\w+)`)

// Every ready-made program of the guide about optimizers takes 20 steps on a test function, and all its suggestions are
// computed again, where python3 can import what the program needs.
func TestOptimizers(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs programs of minutes")
	}
	bin, dir := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "bandscope"))
	}
	root, wrong := filepath.Abs(filepath.Join("..", ".."))
	if err = cmp.Or(err, wrong); err != nil {
		t.Fatal(err)
	}
	s := shell{dir, bin, root}
	var programs []block
	for _, b := range blocks(documents(t)["own-optimizer.md"]) {
		if b.file == "" {
			continue
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, b.file), []byte(b.text), 0o600))
		if b.language == "python" && b.file != "protocol.py" {
			programs = append(programs, b)
		}
	}
	assert.Equal(t, 6, len(programs), "there are %d programs", len(programs))
	for _, b := range programs {
		arguments := []string{""}
		if strings.Contains(b.text, "sys.argv[1]") {
			arguments = append(arguments, " GPSampler")
		}
		for _, argument := range arguments {
			t.Run(b.file+argument, func(t *testing.T) {
				needs := importLine.FindAllStringSubmatch(b.text, -1)
				if argument != "" {
					needs = append(needs, []string{"", "torch"})
				}
				for _, m := range needs {
					if _, err := s.run("python3", "-c", "import "+m[1]); err != nil {
						t.Skip("python3 cannot import " + m[1])
					}
				}
				method := "exec:python3 " + b.file + argument
				file := strings.ReplaceAll(b.file+argument, " ", "-") + ".jsonl"
				if out, err := s.run(filepath.Join(bin, "bandscope"), "run", "-f", "branin", "-o", method, "-n", "20", "--save", file); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				out, err := s.run(filepath.Join(bin, "bandscope"), "replay", "--verify", file, "-o", method)
				if err != nil || !strings.HasPrefix(out, "verified: 20 suggestions recomputed; the largest difference is 0 ") {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
}
