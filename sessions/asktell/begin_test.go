package asktell_test

import (
	"os"
	"path/filepath"
	"testing"

	"bandscope/sessions"
)

const espresso = `name = "espresso"
[[variable]]
name = "dose"
low = 14
high = 20
[[variable]]
name = "time"
low = 20
high = 40
[[objective]]
name = "extraction"
direction = "maximize"
unit = "%"
range = [14, 24]
[[objective]]
name = "bitterness"
direction = "minimize"
range = [0, 10]
`

// begin is a session on the experiment, in a file.
func begin(t testing.TB) *sessions.Session {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.toml")
	if err := os.WriteFile(file, []byte(espresso), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := sessions.Config{Optimizer: "random", Seed: 1}.WithExperiment(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sessions.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveAs(filepath.Join(filepath.Dir(file), "s.jsonl")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
