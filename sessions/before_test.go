package sessions

import (
	"os"
	"path/filepath"
	"testing"

	"bandscope/optimizers"
)

// A session that was recorded before there was a parameter holds what was then, so that it goes on as it began; a new
// one has the default, and keeps it on record.
func TestRecordsFromBeforeAParameter(t *testing.T) {
	for _, method := range []string{"neural-bo", "neural-ucb", "neural-ts", "sto-bnts", "sto-bnts-linear"} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		_, line := signedLine(
			`{"format":"bandscope session","version":"1.8","config":{"problem":"forrester","optimizer":"` + method +
				`","params":{"width":20}}}`)
		if err := os.WriteFile(path, append(line, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := reopen(t, path).State().Params.Choice(optimizers.InputsKey); got != optimizers.InputsCube {
			t.Errorf("%s on record: its network sees %s", method, got)
		}
		s := start(t, Config{Problem: "forrester", Optimizer: method, Params: map[string]any{"width": 20}})
		if err := s.SaveAs(path + "2"); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if got := reopen(t, path+"2").State().Params.Choice(optimizers.InputsKey); got != optimizers.InputsCircles {
			t.Errorf("%s: its network sees %s", method, got)
		}
	}
}
