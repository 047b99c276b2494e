package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// release is the part of the configuration of releases that is checked here.
type release struct {
	Before struct{ Hooks []string }
	Builds []struct {
		ID                                string
		Goos, Goarch, Flags, Env, Ldflags []string
		ModTimestamp                      string `yaml:"mod_timestamp"`
	}
	Archives, Nfpms []struct{ IDs []string }
	Images          []struct{ Dockerfile string } `yaml:"dockers_v2"`
}

// A release has both builds for every system and processor, each in an archive; the scripts and files that it needs are
// there; and nothing depends on the time of the build, so that the same commit gives the same bytes.
func TestReleaseIsComplete(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", path))
		require.NoError(t, err)
		return string(text)
	}
	text := read(".goreleaser.yaml")
	var r release
	require.NoError(t, yaml.Unmarshal([]byte(text), &r))
	archived := map[string]bool{}
	for _, a := range r.Archives {
		for _, id := range a.IDs {
			archived[id] = true
		}
	}
	if len(r.Builds) != 2 || len(r.Nfpms) != 1 || len(r.Images) != 1 || len(r.Before.Hooks) != 2 {
		t.Fatalf("%+v", r)
	}
	for _, b := range r.Builds {
		if !slices.Equal(b.Goos, []string{"linux", "darwin", "windows"}) || !slices.Equal(b.Goarch, []string{"amd64", "arm64"}) ||
			!archived[b.ID] {
			t.Errorf("%s is for %v on %v, in an archive: %v", b.ID, b.Goos, b.Goarch, archived[b.ID])
		}
		if !slices.Equal(b.Flags, []string{"-trimpath", "-buildvcs=true"}) || !slices.Equal(b.Ldflags, []string{"-s -w -buildid="}) ||
			b.ModTimestamp != "{{ .CommitTimestamp }}" {
			t.Errorf("%s: %v, %v, %s", b.ID, b.Flags, b.Ldflags, b.ModTimestamp)
		}
	}
	// The build with vectors is the one that is tested, and the pages beside the program come from the program of the release.
	if vectors := strings.Join(r.Builds[1].Env, " "); !strings.Contains(read(".ci/run"), "vectors() { "+vectors+" ") {
		t.Errorf(".ci/run tests another build than %s", vectors)
	}
	for _, path := range []string{r.Before.Hooks[1], r.Images[0].Dockerfile} {
		read(path)
	}
	if pages := read(r.Before.Hooks[1]); !strings.Contains(pages, "-trimpath -buildvcs=true -ldflags='-s -w -buildid='") {
		t.Errorf("%s builds another program", r.Before.Hooks[1])
	}
	if now := regexp.MustCompile(`\{\{[^}]*\.(Date|Now|Timestamp)\b`).FindString(text); now != "" {
		t.Errorf("%s is the time of the build", now)
	}
}
