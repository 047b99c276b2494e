package sessions

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"bandscope/functions"
)

// Methods see which results were imported together, without failed ones; a result of the session ends a range.
func TestRangesOfImports(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	record := func(by string, values ...float64) {
		t.Helper()
		for _, y := range values {
			if _, err := s.Record(by, [][]float64{{0.5}}, worth(y)); err != nil {
				t.Fatal(err)
			}
		}
	}
	record(ByImport, 1, 2)
	if _, err := s.Record(ByImport, [][]float64{{0.25}}, functions.Outcome{Reason: "it broke"}); err != nil {
		t.Fatal(err)
	}
	record(ByImport, 3)
	record(ByPerson, 4, 5)
	record(ByImport, 6)
	if got, want := s.State().Input().Imports(), [][2]int{{0, 3}, {5, 6}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the imports are %v, want %v", got, want)
	}
	if err := s.Correct(2, 0, nil, "of another batch"); err != nil {
		t.Fatal(err)
	}
	if got, want := s.State().Input().Imports(), [][2]int{{0, 2}, {4, 5}}; !reflect.DeepEqual(got, want) {
		t.Errorf("after one was withdrawn the imports are %v, want %v", got, want)
	}
}

// A session on record from before version 1.11 goes on with the fits that it began with. A new one has the current way
// of fits on record.
func TestSessionsKeepTheirFits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	_, line := signedLine(`{"format":"bandscope session","version":"1.10","config":{"problem":"forrester","optimizer":"gp-ei"}}`)
	if err := os.WriteFile(path, append(line, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, path)
	if _, err := s.Record(ByImport, [][]float64{{0.5}}, worth(1)); err != nil {
		t.Fatal(err)
	}
	if in := s.State().Input(); !in.FirstFits || in.Imports() != nil {
		t.Error("a session of version 1.10 has other fits")
	}
	s = start(t, Config{Problem: "forrester", Optimizer: "gp-ei"})
	if err := s.SaveAs(path + "2"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if got := reopen(t, path+"2").State(); got.Input().FirstFits || got.Config.Fits != currentFits {
		t.Errorf("a new session has the fits %d", got.Config.Fits)
	}
}
