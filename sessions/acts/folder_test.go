package acts_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// A folder opens its sessions by their names alone, and says which it has.
func TestFolderNames(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600),
		os.Symlink("/etc/passwd", filepath.Join(dir, "out.jsonl")),
		os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "nowhere.jsonl"))} {
		require.NoError(t, err)
	}
	f, err := acts.NewFolder(dir, sessions.Author{}, nil)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Create(t.Context(), "s.jsonl", sessions.Config{Problem: "forrester", Optimizer: "random"})
	require.NoError(t, err)
	for name, want := range map[string]string{"t.jsonl": `no session "t.jsonl"`, "../s.jsonl": "in this folder",
		"/etc/passwd": "in this folder", "out.jsonl": "out of the folder", "nowhere.jsonl": "no session", "": "in this folder"} {
		var e *acts.Error
		if _, err := f.Session(t.Context(), name); !errors.As(err, &e) || e.Code != acts.CodeRequest ||
			!strings.Contains(e.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	for _, name := range []string{"s.jsonl", "s"} {
		if s, err := f.Session(t.Context(), name); err != nil || s.Path() == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A new test function has the noise and the parameters that create names; large integers are integers.
func TestCreateWithNoise(t *testing.T) {
	f, err := acts.NewFolder(t.TempDir(), sessions.Author{}, nil)
	require.NoError(t, err)
	defer f.Close()
	turn := acts.Turn{Folder: f, Name: "s.jsonl"}
	if _, err := perform(t, turn, "create", `{"function": "forrester", "method": "neural-ucb", "noise": 0.5,
		"parameters": {"epochs": 1000000}}`); err != nil {
		t.Fatal(err)
	}
	s, wrong := f.Session(t.Context(), "s.jsonl")
	require.NoError(t, wrong)
	if st := s.State(); st.Config.Noise != 0.5 || st.Params.Value("epochs") != 1_000_000 {
		t.Errorf("noise %g, epochs %v", st.Config.Noise, st.Params.Value("epochs"))
	}
	if _, err := perform(t, turn, "create", `{"function": "forrester", "noise": -1}`); err == nil ||
		err.Code != acts.CodeRequest {
		t.Errorf("a negative noise: %v", err)
	}
}
