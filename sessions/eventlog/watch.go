package eventlog

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	pollEvery  = 200 * time.Millisecond // where the system does not notify
	checkEvery = 2 * time.Second        // where it does, for notifications that are lost
	settleTime = 10 * time.Millisecond  // after a notification, so that several become one
)

// Watcher waits for changes of a file: by the notifications of the system or, where there are none and on network file
// systems, by a look every 200 ms.
type Watcher struct {
	path    string
	system  *fsnotify.Watcher // nil where there are no notifications
	changed chan struct{}     // holds a token after a notification
	every   time.Duration
}

// NewWatcher watches a file.
func NewWatcher(path string) *Watcher {
	w := &Watcher{path: path, changed: make(chan struct{}, 1), every: pollEvery}
	if isRemote(path) {
		return w
	}
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return w
	}
	if err := system.Add(path); err != nil {
		system.Close()
		return w
	}
	w.system, w.every = system, checkEvery
	go w.listen()
	return w
}

// listen passes on the notifications until the watcher is closed.
func (w *Watcher) listen() {
	for {
		select {
		case _, open := <-w.system.Events:
			if !open {
				return
			}
		case _, open := <-w.system.Errors: // notifications may be lost
			if !open {
				return
			}
		}
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}

// Path is the path of the file.
func (w *Watcher) Path() string { return w.path }

// Wait returns when the file may have changed, or when the context ends.
func (w *Watcher) Wait(ctx context.Context) {
	timer := time.NewTimer(w.every)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-w.changed:
		select {
		case <-ctx.Done():
		case <-time.After(settleTime):
		}
	}
}

// Close ends the watch.
func (w *Watcher) Close() {
	if w.system != nil {
		w.system.Close()
	}
}

// isRemote reports whether a file is on a network file system, of which the system does not notify.
func isRemote(path string) bool { return isRemoteDir(filepath.Dir(path)) }
