package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

var update = flag.Bool("update", false, "record the sessions of testdata/builds anew")

// recordedOnce are sessions of which testdata/builds has a record that the ordinary build made.
func recordedOnce() []sessions.Config {
	return []sessions.Config{
		{Problem: "branin", Optimizer: "gp-ei", Seed: 1, Budget: 12},
		{Problem: "branin", Optimizer: "gp-ts", Seed: 2, Budget: 8},
		{Problem: "forrester", Optimizer: "neural-greedy", Seed: 3, Budget: 10, Params: map[string]any{"width": 500}},
		{Problem: "branin", Optimizer: "ntk-ucb", Seed: 4, Budget: 10},
		{Problem: "branin-currin", Optimizer: "mobo-rs-ts", Seed: 5, Budget: 7},
	}
}

// A session that one build of the program has recorded is played by every build to the letter, and verified within the
// tolerance, although they compute the last bits otherwise. With -update the ordinary build records them anew, which
// must be done when a method comes to propose something else.
func TestEveryBuildRepeatsTheOthers(t *testing.T) {
	for _, cfg := range recordedOnce() {
		t.Run(cfg.Optimizer, func(t *testing.T) {
			path := filepath.Join("testdata", "builds", cfg.Optimizer)
			if *update {
				recordOnce(t, cfg, path)
			}
			s := reopen(t, path+".jsonl")
			want, err := os.ReadFile(path + ".txt")
			require.NoError(t, err)
			if got := played(s); got != string(want) {
				t.Errorf("it plays\n%s\nand was recorded as\n%s", got, want)
			}
			v, err := Verify(t.Context(), s, nil)
			if err != nil || v.FirstDivergence != nil || v.Checked != cfg.Budget {
				t.Errorf("%v, %v", v, err)
			}
			o, err := VerifyOutcomes(t.Context(), s, nil)
			if err != nil || o.FirstDivergence != nil || o.Checked != cfg.Budget {
				t.Errorf("%v, %v", o, err)
			}
			t.Logf("%v; %v", v, o)
		})
	}
}

// played is what a session shows when it is played.
func played(s *sessions.Session) string {
	s.Last()
	st := s.State()
	tr := AllTracesFor(st)
	var b strings.Builder
	for i := range st.Iterations {
		b.WriteString(Line(st, i, tr) + "\n")
	}
	return b.String()
}

func recordOnce(t *testing.T, cfg sessions.Config, path string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	s := start(t, cfg)
	steps(t, s, cfg.Budget)
	require.NoError(t, os.WriteFile(path+".txt", []byte(played(s)), 0o644))
	if err := os.Remove(path + ".jsonl"); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	require.NoError(t, s.SaveAs(path+".jsonl"))
	require.NoError(t, s.Close())
}
