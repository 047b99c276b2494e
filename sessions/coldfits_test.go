package sessions

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions/fitcache"
)

// coldSessions is how many random sessions are compared; with -tags study there are more.
var coldSessions = 4

// coldFolder says to the child of TestColdSuggestions where its sessions are.
const coldFolder = "BANDSCOPE_COLD"

// coldPlace is where a session stands when its next point is computed: at the end of a branch or at an earlier step.
type coldPlace struct {
	Branch string // the ID of the end of the branch
	Step   int
	X      [][]float64
	Note   string
}

// TestColdChild is the child of TestColdSuggestions: a process that has fitted nothing. It computes the next points at
// the places of one session.
func TestColdChild(t *testing.T) {
	dir := os.Getenv(coldFolder)
	if dir == "" {
		t.Skip("it is the child of another test")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.NoError(t, err)
	all := map[string][]coldPlace{}
	for _, path := range paths {
		var places []coldPlace
		text, err := os.ReadFile(path + ".places")
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &places))
		s := reopen(t, path)
		for i := len(places) - 1; i >= 0; i-- { // the last first, without the fits of those before it
			p := places[i]
			require.NoError(t, s.Switch(p.Branch))
			s.Seek(p.Step)
			all[filepath.Base(path)] = append(all[filepath.Base(path)], nextPlace(t, s))
		}
	}
	text, err := json.Marshal(all)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "suggestions"), text, 0o600))
}

// nextPlace is where a session stands, with its next point to the last bit.
func nextPlace(t *testing.T, s *Session) coldPlace {
	t.Helper()
	sug, err := s.Next(t.Context(), nil)
	require.NoError(t, err)
	s.rec.Lock()
	p := coldPlace{Branch: s.rec.Tip.ID, Step: len(s.rec.State().Iterations), Note: sug.Note}
	s.rec.Unlock()
	n, _ := sug.X.Dims()
	for i := range n {
		p.X = append(p.X, sug.X.RawRowView(i))
	}
	return p
}

// randomSession plays a random session with more results than the first scheduled fits, and returns the next points at
// some of its places: with imports, corrections, forks, other bounds, other parameters and pending points.
func randomSession(t *testing.T, path string, seed uint64) (places []coldPlace) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 37))
	pick := func(texts ...string) string { return texts[rng.IntN(len(texts))] }
	cfg := Config{Problem: pick("branin", "forrester", "hartmann:3", "branin-currin", "branin-disk"), Seed: seed, Budget: 200,
		Params: map[string]any{"restarts": 1}}
	cfg.Optimizer = pick("gp-ei", "gp-ucb", "mes", "turbo")
	if cfg.Problem == "branin-disk" && cfg.Optimizer == "mes" {
		cfg.Optimizer = "gp-ei"
	}
	if cfg.Problem == "branin-currin" {
		cfg.Optimizer = "mobo-rs-ucb"
	}
	cfg.Params["kernel"] = pick("matern52", "se", "matern32", "se*rq")
	s := start(t, cfg)
	require.NoError(t, s.SaveAs(path))
	record := func(author string, count int) {
		p := s.State().Problem
		for range count {
			u := make([]float64, p.Dim())
			for j := range u {
				u[j] = rng.Float64()
			}
			y, err := p.TrueValues(p.Domain.FromUnit(u))
			require.NoError(t, err)
			_, err = s.Record(author, [][]float64{p.Domain.FromUnit(u)}, functions.Outcome{Values: y})
			require.NoError(t, err)
		}
	}
	if n := rng.IntN(3); n > 0 {
		record(ByImport, []int{30, 56}[n-1])
	}
	record(ByPerson, max(0, 51-len(s.State().Iterations)))
	for range 2 {
		record(ByPerson, rng.IntN(6))
		before := len(places)
		if s.State().Pending == nil {
			places = append(places, nextPlace(t, s))
		}
		st := s.State()
		var err error
		switch rng.IntN(6) {
		case 0:
			y := st.Iterations[20].Points[0].Y[0] + 0.5
			err = s.Correct(21, 0, append([]float64{y}, st.Iterations[20].Points[0].Y[1:]...), "misread")
		case 1:
			s.Seek(len(st.Iterations) - 2)
			record(ByPerson, 2)
		case 2:
			v := st.Problem.Domain[0]
			err = s.Bound(t.Context(), v.Name, v.Low+v.Width()/4, v.High, "it leaks")
		case 3:
			err = s.Edit("noise_sd", "0.01")
		case 4:
			_, err = s.AskPoint(st.Problem.Domain.FromUnit(make([]float64, st.Problem.Dim())))
			places = places[:before] // pending points are at the end only
		case 5:
			record(ByImport, 8)
		}
		require.NoError(t, err)
	}
	s.Last()
	if s.State().Pending == nil {
		places = append(places, nextPlace(t, s))
	}
	require.NoError(t, s.Close())
	return places
}

// The next point is the same to the last bit in a session that was stepped without interruption and in a process that
// has just started, with the fits that are kept beside the session, without them, and with damaged ones.
func TestColdSuggestions(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes for long")
	}
	dir := t.TempDir()
	want := map[string][]coldPlace{}
	count := 0
	for i := range coldSessions {
		name := fmt.Sprintf("%d.jsonl", i)
		path := filepath.Join(dir, name)
		want[name] = randomSession(t, path, uint64(i))
		text, err := json.Marshal(want[name])
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path+".places", text, 0o600))
		if _, err := os.Stat(fitcache.StorePath(path)); err == nil {
			count++
		}
	}
	if count < coldSessions*3/4 {
		t.Errorf("only %d of %d sessions keep fits", count, coldSessions)
	}
	for _, values := range []string{"kept", "damaged", "deleted"} {
		fits, err := filepath.Glob(filepath.Join(dir, "*.fits"))
		require.NoError(t, err)
		for _, path := range fits {
			spoil(t, path, values)
		}
		for name, got := range coldChild(t, dir) {
			for i, p := range got {
				if w := want[name][len(got)-1-i]; !reflect.DeepEqual(p, w) {
					t.Errorf("%s, fits %s: the next point is %v, want %v", name, values, p, w)
				}
			}
			assert.Equal(t, len(want[name]), len(got), "%s: there are %d places", name, len(got))
		}
	}
}

// spoil damages the fits beside a session, or deletes them: some lines change in one byte, some are cut off, and some
// are exchanged.
func spoil(t *testing.T, path, damage string) {
	t.Helper()
	switch damage {
	case "deleted":
		require.NoError(t, os.Remove(path))
	case "damaged":
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		lines := strings.SplitAfter(string(text), "\n")
		for i, line := range lines {
			switch offset := len(line) * 3 / 4; {
			case line == "":
			case i%3 == 0:
				lines[i] = line[:offset] + string(line[offset]^1) + line[offset+1:]
			case i%3 == 1:
				lines[i] = line[:offset]
			}
		}
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600))
	}
}

// coldChild runs TestColdChild in a process of its own, and returns what that found.
func coldChild(t *testing.T, dir string) (found map[string][]coldPlace) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestColdChild$", "-test.timeout=0")
	child.Env = append(os.Environ(), coldFolder+"="+dir)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "suggestions"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &found))
	return found
}
