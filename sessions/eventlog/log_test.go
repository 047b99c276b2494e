package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// head is the header of a test's log.
type head struct {
	Header
	Config string `json:"config"`
}

// grown is a tree of a header and one event after another.
func grown(t testing.TB, kinds ...string) *Tree {
	t.Helper()
	tree, err := NewTree(head{NewHeader("devel", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), "c"})
	require.NoError(t, err)
	root := tree.Root()
	for i, k := range kinds {
		root = add(t, tree, root, k, map[string]int{"number": i})
	}
	return tree
}

func add(t testing.TB, tree *Tree, after *Event, kind string, data any) *Event {
	t.Helper()
	e, err := tree.Next(after, kind, data, Author{}, time.Second)
	require.NoError(t, err)
	tree.Add(e)
	return e
}

// written is a tree as a file has it.
func written(tree *Tree) string {
	var b strings.Builder
	for _, e := range tree.Events() {
		b.Write(e.Line)
		b.WriteByte('\n')
	}
	return b.String()
}

// The log's own spelling gives every value back.
func TestFloatRoundTrip(t *testing.T) {
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1e-320, math.MaxFloat64, 0.1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		b, err := json.Marshal(Float(v))
		var back Float
		if err == nil {
			err = json.Unmarshal(b, &back)
		}
		if err != nil || math.Float64bits(float64(back)) != math.Float64bits(v) && !math.IsNaN(v) {
			t.Errorf("%g is written %s and read %g: %v", v, b, float64(back), err)
		}
	}
}

// What is read is what was written, to the last byte, with the time that it took.
func TestReadsWhatWasWritten(t *testing.T) {
	tree := grown(t, "a", "b", "c")
	add(t, tree, tree.Events()[1], "<&>", "é\u2028")
	found, err := Read(t.Context(), strings.NewReader(written(tree)))
	require.NoError(t, err)
	if got := written(found.Tree); got != written(tree) || found.Elapsed != 4*time.Second ||
		found.Started != "2026-01-02T03:04:05Z" || found.Lines != 5 {
		t.Errorf("read %+v\n%s", found, got)
	}
	if again := written(found.Tree); !strings.Contains(again, `"kind":"<&>"`) {
		t.Errorf("text does not stand as it is: %s", again)
	}
	var h head
	if err := json.Unmarshal(found.Tree.Root().Data, &h); err != nil || h.Config != "c" {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestHeadersAreChecked(t *testing.T) {
	line := func(text string) string {
		_, _, line, err := encode(json.RawMessage(text))
		require.NoError(t, err)
		return string(line) + "\n"
	}
	for text, want := range map[string]string{
		"":               "the file is empty",
		"\n":             "",
		"{}\n":           "line 1: this is not a bandscope session: it does not start with an id",
		line(`{"a":1}`):  `line 1: this is not a bandscope session: its format is ""`,
		line(`{"a":[]}`): "line 1",
		line(`{"format":"bandscope session","version":"2.0"}`):  "newer bandscope",
		line(`{"format":"bandscope session","version":"x.0"}`):  "not a number",
		line(`{"format":"bandscope session","version":"1.99"}`): "",
	} {
		_, err := Read(t.Context(), strings.NewReader(text))
		if text == "\n" {
			want = "the file is empty"
		}
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Equal events, made at the same time, have different ids.
func TestEqualEventsDiffer(t *testing.T) {
	tree := grown(t)
	seen := map[string]bool{}
	for range 5 {
		seen[add(t, tree, tree.Root(), "a", 1).ID] = true
	}
	assert.Equal(t, 5, len(seen), "there are %d ids", len(seen))
}

// The first event after another goes on with its branch, the others begin new ones; marks are on none.
func TestBranches(t *testing.T) {
	tree := grown(t, "a", "b", "c")
	a := tree.Events()[1]
	add(t, tree, a, KindAnnotated, 0)
	d := add(t, tree, a, "d", 0)
	e := add(t, tree, d, "e", 0)
	f := add(t, tree, d, "f", 0)
	mark := add(t, tree, e, KindVisited, 0)
	var got []string
	for _, b := range tree.Branches() {
		from := ""
		if b.From != nil {
			from = b.From.Kind
		}
		got = append(got, fmt.Sprint(b.End.Kind, b.Parent, from))
	}
	if want := "c-1 e0a f1d"; strings.Join(got, " ") != want {
		t.Errorf("the branches are %q, want %q", got, want)
	}
	if f.Branch() != 2 || e.Branch() != 1 || a.Branch() != 0 {
		t.Errorf("f is on branch %d, e on %d, a on %d", f.Branch(), e.Branch(), a.Branch())
	}
	if tree.LastPosition() != e || tree.End(d) != f || tree.End(e) != e || tree.End(tree.Root()) != f {
		t.Errorf("it was left at %s, and ends at %s", tree.LastPosition().Kind, tree.End(d).Kind)
	}
	if !d.IsAncestorOf(f) || e.IsAncestorOf(f) || !f.IsAncestorOf(f) || f.IsAncestorOf(d) {
		t.Error("the way to f is not what it is")
	}
	if path := f.PathFromRoot(); len(path) != 4 || path[0] != tree.Root() || path[3] != f || tree.Find(mark.ID) != mark {
		t.Errorf("the way to f has %d events", len(path))
	}
}

// Lines of any length end in an answer: one that is too long is damage, a kind is counted by its lines.
func TestCount(t *testing.T) {
	text := written(grown(t, "a", "b", "a")) + strings.Repeat("x", MaxLine+1) + "\n" + `{"kind":"a"}` + "\n"
	header, n, err := Count(t.Context(), strings.NewReader(text), "a", "b")
	if err != nil || !slices.Equal(n, []int{3, 1}) || !bytes.Contains(header, []byte(`"config":"c"`)) {
		t.Errorf("%s, %d, %v", header, n, err)
	}
	found, err := Read(t.Context(), strings.NewReader(text))
	if err != nil || len(found.Problems) != 2 ||
		!strings.Contains(found.Damage(), "line 5 is damaged: it is longer than 16 MiB (and 1 more); 4 of 6 lines can be read") {
		t.Errorf("%+v, %v", found, err)
	}
}

// A line that was cut off is forgiven by the mark after it, and by nothing else.
func TestTornLines(t *testing.T) {
	tree := grown(t, "a")
	whole := written(tree)
	const torn = `{"id":"0123`
	found, err := Read(t.Context(), strings.NewReader(whole+torn))
	if err != nil || found.Torn == "" || !found.NoNewline || len(found.Problems) > 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	for hash, problems := range map[string]int{found.Torn: 0, "another": 1} {
		e, err := tree.Next(tree.LastPosition(), KindResumed, ResumedData{hash}, Author{}, 0)
		require.NoError(t, err)
		again, err := Read(t.Context(), strings.NewReader(whole+torn+"\n"+string(e.Line)+"\n"))
		if err != nil || len(again.Problems) != problems || again.Torn != "" {
			t.Errorf("%s: %+v, %v", hash, again, err)
		}
	}
}

// Only regular files of a size that can be read are opened; what else there is at a path is named.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge")
	require.NoError(t, os.WriteFile(huge, nil, 0o600))
	require.NoError(t, os.Truncate(huge, MaxFile+1))
	for path, want := range map[string]string{
		dir: "it is a folder", huge: "it has 1025 MiB; the maximum is 1024 MiB", os.DevNull: "it is a device",
		filepath.Join(dir, "none"): "none: "} {
		if _, err := OpenRegular(path, MaxFile); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if f, err := OpenRegular(huge, MaxFile+1); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
}

// FuzzRead reads anything: what is whole is written and read again as it is.
func FuzzRead(f *testing.F) {
	text := written(grown(f, "a", "b", KindVisited))
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	f.Add([]byte("{}\n"))
	f.Add([]byte(strings.Replace(text, `"a"`, `"b"`, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := Read(t.Context(), bytes.NewReader(data))
		if err != nil {
			return
		}
		if len(found.Problems) > 0 {
			found.Damage()
		}
		again, err := Read(t.Context(), strings.NewReader(written(found.Tree)))
		if err != nil || len(again.Problems) > 0 || written(again.Tree) != written(found.Tree) ||
			len(again.Tree.Branches()) != len(found.Tree.Branches()) {
			t.Errorf("%v, %+v", err, again)
		}
	})
}

var errFull = errors.New("no space left on device")
