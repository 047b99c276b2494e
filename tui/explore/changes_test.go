package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/mode"
)

// Every act says what it did; one that failed says nothing and leaves the record as it was.
func TestActs(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	step := Step{}
	for _, c := range []struct {
		act   mode.Change
		said  string // the beginning of it; empty where the act fails
		why   string
		steps int // done afterwards
	}{
		{step, "step 1: evaluated x = ", "", 1},
		{step, "step 2: evaluated x = ", "", 2},
		{Correct{"step 1 = 2.5 because typo"}, "step 1 is corrected to 2.5", "", 2},
		{Correct{"step 9 = 1"}, "", "there is no step 9", 2},
		{step, "step 3: evaluated x = ", "", 3},
		{AskBatch{""}, "", "for example: 8 same temperature", 3},
		{AskBatch{"many"}, "", "from 1 to 1000", 3},
		{AskBatch{"2 same"}, "", "the variables whose value", 3},
		{AskBatch{"2 apart x"}, "", `such as 0.1, got "x"`, 3},
		{AskBatch{"2 apart"}, "", "such as 0.1", 3},
		{AskBatch{"2 x"}, "", `"same" and variables`, 3},
		{AskBatch{"2 same y"}, "", `no variable "y"`, 3},
		{AskBatch{"2 apart 0.3"}, "points 4 to 5 are pending", "", 3},
		{AskBatch{"1 same x"}, "x = ", "", 3},
	} {
		text, err := c.act.Do(t.Context(), s, nil)
		if (err != nil) != (c.why != "") || err != nil && !strings.Contains(err.Error(), c.why) ||
			!strings.HasPrefix(text, c.said) || c.said == "" && text != "" {
			t.Errorf("%T says %q, %v", c.act, text, err)
		}
		if n := len(s.State().Iterations); n != c.steps || c.act.Doing() == "" {
			t.Errorf("after %T, %q, there are %d steps", c.act, c.act.Doing(), n)
		}
	}
}

// What is asked for is offered again in the words in which it was typed.
func TestWordsOfABatch(t *testing.T) {
	for text, want := range map[string]string{
		"8": "8", " 8 same temperature": "8 same temperature", "8 apart 0.1 same a,b": "8 same a, b apart 0.1",
		"3 same a same b": "3 same a, b"} {
		b, err := parseBatch(text)
		if got := BatchText(b); err != nil || got != want {
			t.Errorf("%q is %q, want %q (%v)", text, got, want, err)
		}
	}
}
