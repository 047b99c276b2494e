package fitcache

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"bandscope/optimizers"
	"bandscope/sessions/eventlog"
)

// Store keeps the fits of a session on which later fits build in a file beside that of the session, so that the first
// step of another process makes one fit and does not repeat them. The file is a cache: it may be deleted at any time.
//
// The fits are not events of the log, because nothing that the log says follows from them. To play a session, no fit is
// needed. To verify it, all are made again, so that a wrong one could not hide. A build of the program, or a processor,
// that rounds differently finds hyperparameters that differ in the last bits: with fits in the log, suggestions would
// depend on which build came first, and a fit that is missing would change them. And a damaged line of the log makes a
// session read-only, whereas a damaged fit is made again.
//
// A key is a digest of all that a fit depends on: the observations, the parameters, the seed, and the build with its
// rounding. So branches share the fits to their common observations, a correction, a fork, or another parameter has its
// own, and the fits of other builds are passed over. Programs that write at the same time append whole lines; a line
// that does not match its id, cut off or damaged, is ignored. sessions/FORMAT.md describes the file.
//
// The zero value keeps fits in memory only.
type Store struct {
	mu       sync.Mutex
	session  string // path of the session; empty for none
	readOnly bool
	read     bool // the file was read
	values   map[string][]float64
	written  map[string]bool // which are in the file
}

var _ optimizers.FitStore = (*Store)(nil)

// maxStored bounds the file, in bytes: a larger one is replaced by a new one. A session of 1,000 results of 100 variables has
// about 400 kB.
const maxStored = 8 << 20

// StorePath is the path of the file beside that of a session.
func StorePath(session string) string { return session + ".fits" }

// SetSession sets the file of the session; empty for none. With readOnly the store reads fits and writes none. Fits
// that the store has go to the new file with the next one, or by Flush.
func (s *Store) SetSession(path string, readOnly bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readOnly = readOnly
	if path != s.session {
		s.session = path
		s.read = false
		s.written = nil
	}
}

// Load implements optimizers.FitStore.
func (s *Store) Load(key string) ([]float64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readFile()
	v, ok := s.values[key]
	return v, ok
}

// Save implements optimizers.FitStore. A fit that cannot be written is kept in memory.
func (s *Store) Save(key string, values []float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readFile()
	if _, ok := s.values[key]; !ok {
		s.values[key] = values
	}
	s.write()
}

// Flush writes the fits that are not in the file yet.
func (s *Store) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.values) > 0 {
		s.readFile()
		s.write()
	}
}

// storedFit is a line of the file.
type storedFit struct {
	Fit    string    `json:"fit"`
	Values []float64 `json:"values"`
}

// line is the line of a fit: it begins with its id, as the lines of a session do.
func (f storedFit) line() ([]byte, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return append(append([]byte(`{"id":"`+lineID(text)+`",`), text[1:]...), '\n'), nil
}

func lineID(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// parseFit reads a line; it reports whether the line is whole.
func parseFit(line []byte) (f storedFit, ok bool) {
	const id = len(`{"id":"0123456789abcdef",`)
	if len(line) <= id || !bytes.HasPrefix(line, []byte(`{"id":"`)) {
		return f, false
	}
	text := append([]byte("{"), line[id:]...)
	if string(line[:id]) != `{"id":"`+lineID(text)+`",` {
		return f, false
	}
	return f, json.Unmarshal(text, &f) == nil
}

// readFile reads the file once. The caller holds the lock.
func (s *Store) readFile() {
	if s.values == nil {
		s.values = map[string][]float64{}
	}
	if s.read {
		return
	}
	s.read, s.written = true, map[string]bool{}
	if s.session == "" {
		return
	}
	in, err := eventlog.OpenRegular(StorePath(s.session), maxStored)
	if err != nil {
		return
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil { // the end, perhaps of a line that was cut off
			return
		}
		if f, ok := parseFit(line[:len(line)-1]); ok {
			s.written[f.Fit] = true
			if _, ok := s.values[f.Fit]; !ok {
				s.values[f.Fit] = f.Values
			}
		}
	}
}

// write appends the fits that the file does not have. The caller holds the lock.
func (s *Store) write() {
	if s.session == "" || s.readOnly || len(s.written) == len(s.values) {
		return
	}
	var text []byte
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		if s.written[key] {
			continue
		}
		if line, err := (storedFit{key, s.values[key]}).line(); err == nil {
			text = append(text, line...)
		}
		s.written[key] = true // or else it would be tried at every step
	}
	s.append(text)
}

// append appends whole lines to the file at once, after the end of a line. A file that is too large is replaced. The
// file may be read by those who may read the session.
func (s *Store) append(text []byte) {
	stat, err := os.Stat(s.session)
	if err != nil {
		return // the session was moved
	}
	path, mode := StorePath(s.session), stat.Mode().Perm()
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return
	case err == nil && info.Size()+int64(len(text)) > maxStored:
		_ = eventlog.Replace(path, text, mode)
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, mode)
	if err != nil {
		return
	}
	defer f.Close()
	if end, err := f.Seek(0, io.SeekEnd); err == nil && end > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, end-1); err == nil && last[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	_, _ = f.Write(text)
}
