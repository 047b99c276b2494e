package sessions

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A problem with a known front has its range from the beginning, in the header; one that is no range of the problem is
// refused.
func TestDeclaredRange(t *testing.T) {
	for problem, want := range map[string]Range{
		"thesis-xy": {From: FromFront, Best: []float64{1, 1}, Worst: []float64{0, 0}},
		"schaffer":  {From: FromFront, Best: []float64{0, 0}, Worst: []float64{4, 4}},
		"four-bar-truss": {From: FromComputed, Best: []float64{1237.841423, 0.002761423749},
			Worst: []float64{2886.369560424, 0.04}},
	} {
		s := start(t, Config{Problem: problem, Optimizer: "random", Seed: 4})
		if got := s.State().Range; !reflect.DeepEqual(*got, want) ||
			!bytes.Contains(s.rec.Tree.Root().Line, []byte(`"range":{"source":"`+want.From)) {
			t.Errorf("%s: %+v in %s", problem, got, s.rec.Tree.Root().Line)
		}
	}
	if s := start(t, Config{Problem: "branin", Optimizer: "random", Seed: 4}); s.State().Range != nil ||
		bytes.Contains(s.rec.Tree.Root().Line, []byte("range")) {
		t.Error("one objective has a range")
	}
	for _, bad := range []string{
		`{"best":[1],"worst":[0,0]}`, `{"best":[0,0],"worst":[1,1]}`, `{"best":[1,1],"worst":[1,0]}`,
		`{"best":["NaN",1],"worst":[0,0]}`, `{"best":["+Inf",1],"worst":[0,0]}`} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		_, line := signedLine(
			`{"format":"bandscope session","version":"1.0","config":{"problem":"thesis-xy","optimizer":"random"},"range":` + bad + `}`)
		require.NoError(t, os.WriteFile(path, append(line, '\n'), 0o600))
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "range") {
			t.Errorf("the range %s is taken: %v", bad, err)
		}
	}
}
