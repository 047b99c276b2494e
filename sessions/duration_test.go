package sessions

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Another expected duration is recorded, read again, undone by a step back, and no belief depends on it.
func TestExpectDuration(t *testing.T) {
	cfg, err := Config{Seed: 3, Optimizer: "random"}.WithExperiment("../functions/experiment/testdata/espresso.toml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Ask(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	before, model := s.State(), s.State().ModelID()
	if err := s.ExpectDuration("36h", "the oven is slow"); err != nil {
		t.Fatal(err)
	}
	if got := s.State().ExpectedDuration(); got != 36*time.Hour || before.ExpectedDuration() != 0 {
		t.Errorf("a result takes %v, before %v", got, before.ExpectedDuration())
	}
	if s.State().ModelID() != model {
		t.Error("the belief depends on the duration")
	}
	for text, want := range map[string]string{"36h": "already declared", "soon": "a duration is a number"} {
		if err := s.ExpectDuration(text, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	again.Last()
	if got := again.State().ExpectedDuration(); got != 36*time.Hour {
		t.Errorf("opened again, a result takes %v", got)
	}
	h, err := again.History()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(h.Acts); n == 0 || h.Acts[n-1].Text != "a result usually takes 36h, because the oven is slow" {
		t.Errorf("the history is %+v", h.Acts)
	}
	if err := again.ExpectDuration("", ""); err != nil || again.State().ExpectedDuration() != 0 {
		t.Errorf("without a duration: %v, %v", again.State().ExpectedDuration(), err)
	}
	fixed, err := New(t.Context(), Config{Problem: "forrester", Optimizer: "random"})
	if err != nil {
		t.Fatal(err)
	}
	defer fixed.Close()
	if err := fixed.ExpectDuration("2d", ""); err == nil || !strings.Contains(err.Error(), "test function") {
		t.Errorf("of a test function: %v", err)
	}
}
