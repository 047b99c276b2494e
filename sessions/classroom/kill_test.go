package classroom

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// childFile is the environment variable with the file of the class in which the child process answers.
const childFile = "BANDSCOPE_TEST_CLASS"

// TestAnswering is no test: it is the process that TestKilled kills. It says each answer once it is acknowledged.
func TestAnswering(t *testing.T) {
	path := os.Getenv(childFile)
	if path == "" {
		t.Skip("it is run by TestKilled")
	}
	c, err := Open(t.Context(), path)
	do(t, err)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			for k := 1; ; k++ {
				if err := c.Record(person(i), LessonStep{Lesson: "l", Page: k, Pages: 1000}); err != nil {
					return
				}
				fmt.Printf("%d %d\n", i, k)
			}
		})
	}
	all.Wait()
}

// A process that is killed at any moment has lost nothing that it acknowledged, and the next one goes on.
func TestKilled(t *testing.T) {
	for round := range 12 {
		path := filepath.Join(t.TempDir(), "class.jsonl")
		c, err := Create(path, "Bayes")
		do(t, err)
		fill(t, c, 6)
		do(t, c.Close())
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAnswering$")
		child.Env = append(os.Environ(), childFile+"="+path)
		out, err := child.StdoutPipe()
		do(t, err, child.Start())
		answers := map[int]int{}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			var i, k int
			if _, err := fmt.Sscan(lines.Text(), &i, &k); err == nil && strings.Count(lines.Text(), " ") == 1 {
				answers[i] = max(answers[i], k)
			}
			if n == 5+13*round { // any moment; lines that are in the pipe still count
				do(t, child.Process.Kill())
			}
		}
		child.Wait()
		c, err = Open(t.Context(), path)
		do(t, err)
		reached := map[int]int{}
		for _, r := range c.State().Progress().Readings {
			reached[r.Person-1] = r.Page
		}
		for i, k := range answers {
			if reached[i] < k {
				t.Errorf("round %d: page %d of person %d was acknowledged, page %d is on record", round, k, i,
					reached[i])
			}
		}
		assert.NotEqual(t, 0, len(answers), "round %d: nothing was acknowledged", round)
		do(t, c.Record(person(0), LessonStep{Lesson: "l", Page: 999, Pages: 1000}), c.Close())
	}
}
