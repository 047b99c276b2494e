//go:build !unix

package cli

import (
	"context"
	"os"
)

// untilHangup is the context itself: a write notices that nobody reads.
func untilHangup(ctx context.Context, _ *os.File) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}
