package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"bandscope/functions/lru"
	"bandscope/tui/input"
)

// Why somebody is let go.
var (
	errIdle         = errors.New("you were away for long; everything is saved")
	errStay         = errors.New("the time of this visit is over; everything is saved")
	errDisconnected = errors.New("your teacher has ended your visit; everything is saved")
	errGone         = errors.New("the terminal is gone")
)

// writePatience is how long a terminal may take no output before it counts as gone.
const writePatience = 10 * time.Second

// diskEvery is how often the size of a person's folder is measured.
const diskEvery = 15 * time.Second

// A wrong PIN is paced for its name, wherever it comes from, so that a PIN of 4 digits cannot be tried out. A new name is
// paced for its code, which bounds how fast names are written to the disk; people wait for their turn. A wrong code has
// no limit but the time of a connection: the codes have 40 bits, and a thousand tries a second need 17 years.
const (
	pinsAtOnce     = 20
	pinEvery       = 6 * time.Second
	newNamesAtOnce = 100
	newNameEvery   = time.Second / 20
	maxTerminals   = 4 // of a person
	maxPaced       = 4096
)

// errPaced is why a PIN is not tried.
var errPaced = errors.New("too many wrong PINs for this name; wait a minute")

// limiter paces the attempts to join. It is safe for concurrent use.
type limiter struct {
	mu    sync.Mutex
	pins  *lru.Cache[string, *rate.Limiter] // by name
	codes map[bool]*rate.Limiter            // by whether it is the teacher's
}

func newLimiter() *limiter {
	newNames := func() *rate.Limiter { return rate.NewLimiter(rate.Every(newNameEvery), newNamesAtOnce) }
	return &limiter{pins: lru.New[string](maxPaced, func(*rate.Limiter) int { return 1 }),
		codes: map[bool]*rate.Limiter{false: newNames(), true: newNames()}}
}

// pin is what paces the wrong PINs of a name.
func (l *limiter) pin(name string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	known, ok := l.pins.Get(name)
	if !ok {
		known = rate.NewLimiter(rate.Every(pinEvery), pinsAtOnce)
		l.pins.Put(name, known)
	}
	return known
}

// mayTry reports whether a PIN of a name may be tried.
func (l *limiter) mayTry(name string) bool { return l.pin(name).Tokens() >= 1 }

// failed counts a PIN that was not right.
func (l *limiter) failed(name string) { l.pin(name).Allow() }

// newName waits until a name can be made by a code.
func (l *limiter) newName(ctx context.Context, teacher bool) error { return l.codes[teacher].Wait(ctx) }

// folderSize is the size of the files in a folder, in bytes.
func folderSize(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) { // it was removed meanwhile
			return nil
		}
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}

// diskError is why a person with too many files is not served; nil if they have few enough.
func diskError(size, limit int64) error {
	if size <= limit {
		return nil
	}
	return fmt.Errorf("your folder has %.1f MB, and %.1f MB are allowed; ask your teacher", float64(size)/1e6,
		float64(limit)/1e6)
}

// patientWriter writes in the background, and gives up a reader that takes nothing for long.
type patientWriter struct {
	to       io.Writer
	patience time.Duration
	end      func()
}

func newPatientWriter(out io.Writer, patience time.Duration, end func()) *patientWriter {
	return &patientWriter{out, patience, sync.OnceFunc(end)}
}

func (w *patientWriter) Write(p []byte) (int, error) {
	late := time.AfterFunc(w.patience, w.end)
	defer late.Stop()
	n, err := w.to.Write(p)
	if err != nil {
		w.end()
	}
	return n, err
}

// activeReader decodes what it reads, and says how much that was and when there is no more.
type activeReader struct {
	io.Reader
	input *input.Decoder
	read  func(n int)
	ended func()
}

func (r activeReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.read(n)
	if err != nil {
		r.ended()
	}
	return r.input.Take(p[:n], err)
}
