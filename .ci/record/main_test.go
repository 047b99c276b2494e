//go:build record

package main

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"
)

// Made again by the same code, a lesson and a picture are the same to the byte.
func TestRecordingsRepeat(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the recordings are those of amd64, and other processors round differently")
	}
	t.Chdir("../..")
	list, err := recordings()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{".readme/bands-pictures.svg", "sessions/library/lessons/06-regret.jsonl"} {
		made := 0
		for _, r := range list {
			if r.file != file {
				continue
			}
			made++
			got, err := r.make(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s", file, compare(want, got))
			}
		}
		if made != 1 {
			t.Errorf("%s is made %d times", file, made)
		}
	}
}

func TestCompare(t *testing.T) {
	const begin, noted, suggested = `{"config":{}}`, `{"kind":"noted"}`, `{"kind":"suggested","data":{"x":[[0.25,3]]}}`
	session := func(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	before := session(begin, suggested, noted)
	for _, c := range []struct {
		before, made []byte
		want         string
	}{
		{before, before, "the same"},
		{nil, before, "new"},
		{before, session(begin, noted, suggested), "other events, 3 instead of 3"},
		{before, session(begin, strings.Replace(suggested, "3]", "3.5]", 1), noted),
			"1 of 1 suggestions moved, by up to 0.5 in a variable"},
		{before, session(begin, suggested, strings.Replace(noted, "}", `,"author":{}}`, 1)),
			"the same suggestions, but other lines"},
		{[]byte("<svg>"), []byte("<svg/>"), "differs"},
	} {
		if got := compare(c.before, c.made); got != c.want {
			t.Errorf("%s\n%s: %q, want %q", c.before, c.made, got, c.want)
		}
	}
}
