//go:build unix

package cli

import (
	"context"
	"os"
	"testing"
)

// A command notices that nobody reads its output, without a write.
func TestUntilHangup(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := untilHangup(t.Context(), w)
	defer cancel()
	if ctx.Err() != nil {
		t.Fatal("it ends while somebody reads")
	}
	r.Close()
	<-ctx.Done()
	if context.Cause(ctx) != errHangup {
		t.Errorf("it ends with %v", context.Cause(ctx))
	}
}
