package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// output writes to the terminal of a browser. It stops while the browser has not acknowledged maxUnread bytes, so that
// a slow browser gets fewer frames of the screen instead of late ones.
type output struct {
	ctx          context.Context // ends with the connection
	ws           *websocket.Conn
	timeout      time.Duration
	unread       atomic.Int64
	acknowledged chan struct{} // has an element after an acknowledgement

	mu     sync.Mutex
	failed error
}

// Write sends p. After an error the connection is closed, and all later writes fail.
func (o *output) Write(p []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil {
		return 0, o.failed
	}
	ctx, cancel := context.WithTimeout(o.ctx, o.timeout)
	defer cancel()
	for n < len(p) {
		part := p[n:min(n+maxOutput, len(p))]
		if err := o.write(ctx, part); err != nil {
			o.failed = errors.New("the browser does not read")
			o.ws.CloseNow()
			return n, o.failed
		}
		n += len(part)
	}
	return n, nil
}

// write sends a frame when the browser has read enough of the earlier ones.
func (o *output) write(ctx context.Context, frame []byte) error {
	for o.unread.Load()+int64(len(frame)) > maxUnread {
		select {
		case <-o.acknowledged:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	o.unread.Add(int64(len(frame)))
	return o.ws.Write(ctx, websocket.MessageBinary, frame)
}

// acknowledge counts bytes that the browser has displayed.
func (o *output) acknowledge(bytes int64) error {
	if o.unread.Add(-bytes) < 0 {
		return errors.New("more bytes are acknowledged than were sent")
	}
	select {
	case o.acknowledged <- struct{}{}:
	default:
	}
	return nil
}
