//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

var errHangup = errors.New("nobody reads the answers any more")

// lookForHangup is how often untilHangup looks, in the worst case.
const lookForHangup = time.Second

// untilHangup is a context that ends when the other end of a pipe or a terminal is closed, as it is if the reader is
// killed. A write would notice that too, but only after a long computation. Files have no other end.
func untilHangup(ctx context.Context, out *os.File) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		fds := []unix.PollFd{{Fd: int32(out.Fd())}} // without events, Poll waits for the end alone
		for ctx.Err() == nil {
			n, err := unix.Poll(fds, int(lookForHangup.Milliseconds()))
			if n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				cancel(errHangup)
			}
			if n > 0 || err != nil && !errors.Is(err, unix.EINTR) {
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
