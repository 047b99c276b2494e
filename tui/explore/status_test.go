package explore

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
)

// A long error is shown in full above the keys, in a window of its size, until the next key.
func TestLongError(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 80, 24, trueColor)
	d.Press("space")
	d.M.Status.Fail(errors.New(strings.Repeat("the optimizer could not allocate memory; ", 6) + "use fewer candidates"))
	d.Shows("use fewer candidates")
	if rows := strings.Split(d.Text(), "\n"); len(rows) != 24 || !strings.Contains(rows[23], "help") {
		t.Errorf("%d rows, the last one is %q", len(rows), rows[len(rows)-1])
	}
	d.M.Status.Fail(errors.New(strings.Repeat("a long text ", 500)))
	if n := strings.Count(d.Text(), "a long text a long text"); n < 3 || n > 6*maxErrorRows {
		t.Errorf("%d parts of an endless error are shown", n)
	}
	d.Shows("…")
	d.Press("space")
	d.Shows("step 2/")
	assert.NotContains(t, d.Text(), "a long text", "the error stays")
}
