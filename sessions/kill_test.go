package sessions

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// kills is how often the one who asks and tells is killed.
var kills = 60

// laboratory says to the child of TestKilled where its session and its book are.
const laboratory = "BANDSCOPE_LABORATORY"

// values are what comes of a point of the espresso.
func values(x []float64) named { return named{"extraction": x[0], "bitterness": x[1] / 4} }

// book is what the one who evaluates wrote down: a word and an id a line. A last line without an end was not written.
func book(t testing.TB, path string) (lines [][2]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if word, id, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok && strings.HasSuffix(line, "\n") {
			lines = append(lines, [2]string{word, id})
		}
	}
	return lines
}

// TestLaboratory is the child of TestKilled: it asks, evaluates and tells until it is killed, and writes into its book
// what it has done.
func TestLaboratory(t *testing.T) {
	dir := os.Getenv(laboratory)
	if dir == "" {
		t.Skip("it is the child of another test")
	}
	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(time.Now().UnixNano())))
	notes, err := os.OpenFile(filepath.Join(dir, "book"), os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	write := func(word string, it Iteration) {
		if _, err := fmt.Fprintf(notes, "%s %s\n", word, it.ID); err != nil {
			t.Fatal(err)
		}
	}
	evaluated := map[string]bool{}
	for _, line := range book(t, notes.Name()) {
		evaluated[line[1]] = evaluated[line[1]] || line[0] == "evaluated"
	}
	fmt.Println("begun")
	path := filepath.Join(dir, "s.jsonl")
	for {
		s, err := OpenForWriting(t.Context(), path, 10*time.Second)
		require.NoError(t, err)
		for range rng.IntN(6) {
			st := s.State()
			if len(st.Pending) == 0 || len(st.Pending) < 4 && rng.IntN(2) == 0 {
				it, err := s.Ask(t.Context(), nil)
				require.NoError(t, err)
				write("asked", it)
				continue
			}
			it := st.Pending[rng.IntN(len(st.Pending))]
			if !evaluated[it.ID] {
				write("evaluated", it)
				evaluated[it.ID] = true
			}
			r := functions.Result{Values: values(it.Points[0].X)}
			if it.HasResults() {
				delete(r.Values, "extraction")
			} else if rng.IntN(2) == 0 { // the rest another time
				delete(r.Values, "bitterness")
			}
			whole := it.HasResults() || len(r.Values) == 2
			o, err := st.Problem.Outcome(it.Points[0].X, r)
			if err == nil {
				_, err = s.Tell(it.ID, o)
			}
			require.NoError(t, err)
			write(map[bool]string{true: "told", false: "begun"}[whole], it)
		}
		require.NoError(t, s.Close())
	}
}

// Whoever asks and tells is killed at any moment: no point that is out is forgotten, none is evaluated twice, and no
// result is lost.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	path, notes := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "book")
	s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	require.NoError(t, s.Close())
	require.NoError(t, os.WriteFile(notes, nil, 0o644))
	rng := rand.New(rand.NewPCG(1, 2))
	for range kills {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLaboratory$")
		child.Env = append(os.Environ(), laboratory+"="+dir)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		first := bufio.NewScanner(out)
		first.Scan()
		time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond) // any moment
		require.NoError(t, child.Process.Kill())
		text := first.Text()
		for first.Scan() {
			text += "\n" + first.Text()
		}
		child.Wait()
		require.Equal(t, "begun", text, "it ended by itself")
	}
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer s.Close()
	settled(t, s)
	st := s.State()
	evaluated := map[string]int{}
	for _, line := range book(t, notes) {
		it, out := st.iteration(line[1])
		switch {
		case it.ID == "":
			t.Fatalf("%s: %s, and it is forgotten", line[1], line[0])
		case line[0] == "told" && out, line[0] == "begun" && !it.HasResults():
			t.Fatalf("%s: %s, and it is lost: %+v", line[1], line[0], it)
		}
		if line[0] == "evaluated" {
			if evaluated[line[1]]++; evaluated[line[1]] > 1 {
				t.Fatalf("%s is evaluated twice", line[1])
			}
		}
	}
	for _, it := range slices.Concat(st.Iterations, st.Pending) {
		if !it.HasResults() {
			continue
		}
		want := values(it.Points[0].X)
		if v := it.Points[0].Y[0]; v != want["extraction"] || it.Points[0].Y[1] != want["bitterness"] &&
			(!it.Incomplete() || !math.IsNaN(it.Points[0].Y[1])) || evaluated[it.ID] != 1 {
			t.Fatalf("%+v", it)
		}
	}
	t.Logf("%d kills: %d are told, %d out; %s", kills, len(st.Iterations), len(st.Pending), s.Notices())
	if len(st.Iterations) < kills/4 {
		t.Errorf("only %d were told", len(st.Iterations))
	}
}
