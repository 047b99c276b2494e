package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/golden"
	"bandscope/tui/cast"
)

// record plays a script, and returns its frames.
func record(t *testing.T, text string) (*cast.Script, []cast.Frame, time.Duration) {
	t.Helper()
	s, err := cast.ReadScript(text)
	require.NoError(t, err)
	var frames []cast.Frame
	end, err := Record(t.Context(), s, "", nil, func(f cast.Frame) error { frames = cast.Append(frames, f); return nil })
	require.NoError(t, err)
	return s, frames, end
}

// asciicast is the recording of a script.
func asciicast(t *testing.T, text string) string {
	t.Helper()
	s, frames, end := record(t, text)
	var b bytes.Buffer
	w, err := cast.NewWriter(&b, s.Width, s.Height, s.Title)
	require.NoError(t, err)
	for _, f := range frames {
		require.NoError(t, w.Write(f))
	}
	require.NoError(t, w.End(end))
	return b.String()
}

const shortScript = `size 90 25
title Two steps
session forrester gp-ei 4 initial=2
say Begin
keys space space
keys :
type kernel
wait 1.5
keys esc
say End
wait 2
`

// A script gives the same bytes each time. A terminal that plays the recording shows every frame of the screen.
func TestRecordingIsPlayed(t *testing.T) {
	first := asciicast(t, shortScript)
	if again := asciicast(t, shortScript); again != first {
		t.Errorf("the recording differs the second time:\n%s", golden.Diff(first, again))
	}
	_, frames, end := record(t, shortScript)
	terminal, texts := vt.NewEmulator(90, 25), []string{}
	lines := strings.Split(strings.TrimSpace(first), "\n")
	position := 0
	for i, line := range lines[1:] {
		var e []any
		if err := json.Unmarshal([]byte(line), &e); err != nil || len(e) != 3 {
			t.Fatalf("event %d: %.80s, %v", i, line, err)
		}
		when := time.Duration(e[0].(float64) * 1e9).Round(time.Millisecond)
		if e[1] == "m" {
			texts = append(texts, e[2].(string))
			continue
		}
		if i == len(lines)-2 {
			if when != end || e[2] != "" {
				t.Errorf("the recording ends with %v, want an empty output at %v", e, end)
			}
			break
		}
		if _, err := terminal.Write([]byte(e[2].(string))); err != nil {
			t.Fatal(err)
		}
		for position+1 < len(frames) && frames[position].At < when {
			position++
		}
		if played := cast.NewFrame(when, terminal, ""); ansi.Strip(played.Cells.String()) != ansi.Strip(frames[position].Cells.String()) {
			t.Errorf("at %v the terminal shows\n%s\nwant\n%s", when, played.Cells.String(), frames[position].Cells.String())
		}
	}
	assert.Equal(t, "Begin End", strings.Join(texts, " "), "the captions are %q", texts)
	if len(first) > 60_000 {
		t.Errorf("the recording has %d bytes", len(first))
	}
}

// A recording shows lessons, the sessions of the gallery and labs, and ends with the program.
func TestRecordingOpens(t *testing.T) {
	for script, want := range map[string]string{
		"lesson posterior\nkeys space": "posterior",
		"lesson sparsity\nkeys space":  "lab",
		"keys o":                       "saved sessions",
		"keys q":                       "",
	} {
		_, frames, _ := record(t, script)
		if text := frames[len(frames)-1].Cells.String(); !strings.Contains(text, want) {
			t.Errorf("%s: the last frame has no %q:\n%s", script, want, text)
		}
	}
}

// Errors name the line of the script, and an ended context ends the recording.
func TestRecordingFails(t *testing.T) {
	if testing.Short() {
		t.Skip("TestRecordingOpens runs the same jobs")
	}
	for script, want := range map[string]string{
		"keys space\nkeys spaec":                  "line 2: no key and no command of the screen has the name \"spaec\"",
		"keys q\nkeys space":                      "line 2: the program has ended",
		"session forester gp-ei 1\nkeys space":    "forrester",
		"session forrester gp-ei 1 a\nkeys space": "KEY=VALUE",
		"lesson posteriro\nkeys space":            "posterior",
	} {
		s, err := cast.ReadScript(script)
		require.NoError(t, err)
		_, err = Record(t.Context(), s, "", nil, func(cast.Frame) error { return nil })
		assert.ErrorContains(t, err, want, "%q: %v, want %q", script, err, want)
	}
	s, err := cast.ReadScript("keys space")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Record(ctx, s, "", nil, func(cast.Frame) error { return nil })
	assert.ErrorIs(t, err, context.Canceled, "after the end of the context: %v", err)
}

// The pictures of the README are what their scripts show.
func TestReadmePicture(t *testing.T) {
	scripts, err := filepath.Glob("../.readme/*.script")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		require.NoError(t, err)
		s, frames, end := record(t, string(text))
		var b bytes.Buffer
		require.NoError(t, cast.SVG(&b, s.Title, frames, end))
		golden.File(t, strings.TrimSuffix(script, ".script")+".svg", b.String(), nil)
		assert.Less(t, b.Len(), 200_000, "bytes of %s", script)
	}
}

// A recording of pictures leaves the plots of the explorer out of the cells, where one of cells has them.
func TestRecordingOfPictures(t *testing.T) {
	plots := func(text string) (pictures, dots int) {
		_, frames, _ := record(t, text)
		last := frames[len(frames)-1]
		for y := range last.Cells.Height() {
			for x := range last.Cells.Width() {
				if r := []rune(last.Cells.CellAt(x, y).Content); len(r) > 0 && r[0] > 0x2800 && r[0] <= 0x28ff {
					dots++
				}
			}
		}
		return len(last.Plots), dots
	}
	pictures, dots := plots("session forrester gp-ei 4 initial=2\nkeys space")
	assert.Zero(t, pictures)
	assert.Greater(t, dots, 100)
	pictures, dots = plots("plots pictures\nsession forrester gp-ei 4 initial=2\nkeys space")
	assert.Equal(t, 2, pictures, "of the posterior and the acquisition")
	assert.Less(t, dots, 20, "in the legend alone")
}
