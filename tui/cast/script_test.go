package cast

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/widget"
)

// A script is read with the times of its acts, and settings that are left out have their defaults.
func TestReadScript(t *testing.T) {
	got, err := ReadScript("# a comment\r\nsize 120 36\n\ntheme light\nplots pictures\ntitle Two  words\nsession forrester gp-ei 4 initial=2\n" +
		"keys space ctrl+s\npace 2\nsay «Hello»\n\ttype a b\nwait 1.25s\nkeys evaluate_a_point")
	require.NoError(t, err)
	want := &Script{Width: 120, Height: 36, Light: true, Pictures: true, Title: "Two  words",
		Session: []string{"forrester", "gp-ei", "4", "initial=2"}, Acts: []Act{
			{Line: 8, Key: "space", Pause: 800 * time.Millisecond},
			{Line: 8, Key: "ctrl+s", Pause: 800 * time.Millisecond},
			{Line: 10, Say: "«Hello»"},
			{Line: 11, Key: "a", Pause: 2 * time.Second},
			{Line: 11, Key: "space", Pause: 100 * time.Millisecond},
			{Line: 11, Key: "b", Pause: 100 * time.Millisecond},
			{Line: 12, Pause: 1250 * time.Millisecond},
			{Line: 13, Key: "evaluate_a_point", Pause: 2 * time.Second},
		}}
	assert.Equal(t, want, got, "got  %+v\n", got)
	if got, err = ReadScript("lesson prior\nkeys q"); err != nil || got.Width != 100 || got.Height != 30 || got.Lesson != "prior" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Errors name the line and what is right.
func TestReadScriptErrors(t *testing.T) {
	for text, want := range map[string]string{
		"plots kitty\nkeys q":                 "plots must be cells or pictures",
		"":                                    "no acts",
		"size 100 30":                         "no acts",
		"key space":                           `line 1: no word "key"`,
		"\nkeys":                              "line 2: keys needs a value",
		"size 100":                            "size 100 30",
		"size 20 30":                          "width from 80 to 300",
		"size 1e2 30":                         "width from 80 to 300",
		"theme blue":                          "dark or light",
		"keys a\nsize 100 30":                 "line 2: write size before",
		"title a\ntitle b":                    "line 2: title is there twice",
		"lesson a\nsession b c 1":             "not both",
		"session b c 1\nlesson a":             "not both",
		"wait soon":                           "seconds from 0 to 600",
		"wait -1":                             "seconds from 0 to 600",
		"wait NaN":                            "seconds from 0 to 600",
		"pace 1e9":                            "seconds from 0 to 600",
		"keys ctrl+":                          "a key is missing",
		"say a\x1b[31m":                       "control character",
		"say \xff":                            "control character",
		"type " + strings.Repeat("a", 10_001): "more than 10000 acts",
		strings.Repeat("#\n", 1<<19) + "#":    "more than",
	} {
		if _, err := ReadScript(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// A text is a script with bounded acts and keys that can be pressed, or an error with a line.
func FuzzReadScript(f *testing.F) {
	f.Add("size 100 30\ntitle A\nsession forrester gp-ei 4\npace 0.5\nsay x\nkeys space ctrl+s enter\ntype 0.4 ü\nwait 2s\n")
	f.Add("lesson prior\nkeys ctrl++ shift+ +")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadScript(text)
		if err != nil {
			if line := 0; strings.HasPrefix(err.Error(), "line ") {
				if _, e := fmt.Sscanf(err.Error(), "line %d:", &line); e != nil || line < 1 ||
					line > strings.Count(text, "\n")+1 {
					t.Errorf("%v", err)
				}
			}
			return
		}
		if s.Width < minWidth || s.Width > maxWidth || s.Height < minHeight || s.Height > maxHeight ||
			len(s.Acts) == 0 || len(s.Acts) > maxActs {
			t.Errorf("%+v", s)
		}
		for _, a := range s.Acts {
			if a.Key != "" && widget.KeyPress(a.Key).String() == "" || a.Pause < 0 || a.Pause > maxPause*time.Second {
				t.Errorf("%+v", a)
			}
		}
	})
}
