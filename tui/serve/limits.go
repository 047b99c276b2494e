package serve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"bandscope/functions/lru"
	"bandscope/tui/input"
)

// Why somebody is let go.
var (
	errIdle = errors.New("you were away for long; everything is saved")
	errStay = errors.New("the time of this visit is over; everything is saved")
	errGone = errors.New("the terminal is gone")
)

// writePatience is how long a terminal may take no output before it counts as gone.
const writePatience = 10 * time.Second

// diskEvery is how often the size of a person's folder is measured.
const diskEvery = 15 * time.Second

// Attempts to join that an address may make: as many at once as a class behind one address does, then one every few
// seconds.
const (
	attemptsAtOnce = 80
	attemptEvery   = 2 * time.Second
	failuresAtOnce = 20
	failureEvery   = 6 * time.Second
	maxAddresses   = 4096
)

// limiter limits how often an address may connect and fail. It is safe for concurrent use.
type limiter struct {
	mu        sync.Mutex
	addresses *lru.Cache[string, *attempts]
}

type attempts struct{ connections, failures *rate.Limiter }

func newLimiter() *limiter {
	return &limiter{addresses: lru.New[string](maxAddresses, func(*attempts) int { return 1 })}
}

func (l *limiter) of(a net.Addr) *attempts {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		host = a.String()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	known, ok := l.addresses.Get(host)
	if !ok {
		known = &attempts{rate.NewLimiter(rate.Every(attemptEvery), attemptsAtOnce),
			rate.NewLimiter(rate.Every(failureEvery), failuresAtOnce)}
		l.addresses.Put(host, known)
	}
	return known
}

// connects reports whether an address may connect now.
func (l *limiter) connects(a net.Addr) bool { return l.of(a).connections.Allow() }

// mayTry reports whether an address may try a code or a PIN.
func (l *limiter) mayTry(a net.Addr) bool { return l.of(a).failures.Tokens() >= 1 }

// failed counts a code or PIN that was not right.
func (l *limiter) failed(a net.Addr) { l.of(a).failures.Allow() }

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

func newPatientWriter(to io.Writer, patience time.Duration, end func()) *patientWriter {
	return &patientWriter{to, patience, sync.OnceFunc(end)}
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
