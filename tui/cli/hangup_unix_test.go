//go:build unix

package cli

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// A command notices that nobody reads its output, without a write.
func TestUntilHangup(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	ctx, cancel := untilHangup(t.Context(), w)
	defer cancel()
	require.NoError(t, ctx.Err(), "it ends while somebody reads")
	r.Close()
	<-ctx.Done()
	if context.Cause(ctx) != errHangup {
		t.Errorf("it ends with %v", context.Cause(ctx))
	}
}
