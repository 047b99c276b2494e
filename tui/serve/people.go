package serve

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"bandscope/sessions/eventlog"
)

// Person is somebody who joined: a name, and a folder of their own.
type Person struct {
	Name    string
	Teacher bool
	Dir     string // of their sessions
}

// person is what people.json keeps of a person.
type person struct {
	Salt []byte `json:"salt,omitempty"` // of the PIN
	Hash []byte `json:"hash,omitempty"` // PBKDF2-SHA256 of it
	Key  string `json:"key,omitempty"`  // fingerprint of their public key, who joins by that instead

	seen time.Time // when the person joined or left last; zero if the server was started since
}

// guest reports whether nobody can come back under the name but by the token of a browser.
func (p person) guest() bool { return len(p.Hash) == 0 && p.Key == "" }

// people are those who may join, in a file of the folder that only its owner can read.
type people struct {
	dir string

	mu    sync.Mutex
	Codes struct{ Join, Teacher string }
	Known map[string]person // by name
}

const (
	pinRounds = 100_000 // of PBKDF2
	minPIN    = 4       // characters
	maxPIN    = 200
	maxPeople = 1000
	guestWait = 10 * time.Minute // until somebody else can take the name of a guest who left
	joinWait  = 10 * time.Second // from the name to the terminal
)

// names are the names that people can have: those of folders on every system.
var names = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)

// Why somebody cannot join; the errors are shown to them.
var (
	ErrName  = errors.New("a name has up to 32 letters a–z, digits, - and _, and begins with a letter or a digit")
	ErrCode  = errors.New("the join code is not right")
	ErrPIN   = errors.New("the PIN of this name is not right; if it is not your name, choose another one")
	ErrNoPIN = fmt.Errorf("a PIN has %d to %d characters", minPIN, maxPIN)
	ErrGuest = errors.New("this name is taken; choose another one, or type your PIN behind it")
	ErrTaken = errors.New("this name belongs to another key; choose another one")
	ErrFull  = fmt.Errorf("%d people are known here, and no more can join", maxPeople)
)

// openPeople reads the people of a folder, and makes the codes if there are none yet.
func openPeople(dir string) (*people, error) {
	p := &people{dir: dir, Known: map[string]person{}}
	b, err := os.ReadFile(p.path())
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(b, p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.path(), err)
		}
	}
	if p.Known == nil {
		p.Known = map[string]person{}
	}
	for name := range p.Known {
		if !names.MatchString(name) {
			return nil, fmt.Errorf("%s: %w, got %q", p.path(), ErrName, name)
		}
	}
	if p.Codes.Join == "" || p.Codes.Teacher == "" || p.Codes.Join == p.Codes.Teacher {
		p.Codes.Join, p.Codes.Teacher = newCode(), newCode()
		return p, p.save()
	}
	return p, nil
}

func (p *people) path() string { return filepath.Join(p.dir, "people.json") }

// save replaces the file; p.mu is held, or nobody else has p.
func (p *people) save() error {
	b, err := json.MarshalIndent(p, "", "\t")
	if err != nil {
		return err
	}
	return eventlog.Replace(p.path(), append(b, '\n'), 0o600)
}

// newCode makes a code of 40 random bits that is easy to type.
func newCode() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b) // it never fails
	s := strings.ToLower(base32.StdEncoding.EncodeToString(b))
	return s[:4] + "-" + s[4:]
}

// role says what a code is: that of a teacher, or of everybody.
func (p *people) role(code string) (teacher bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	code = strings.ToLower(strings.TrimSpace(code))
	join := subtle.ConstantTimeCompare([]byte(code), []byte(p.Codes.Join)) == 1
	teacher = subtle.ConstantTimeCompare([]byte(code), []byte(p.Codes.Teacher)) == 1
	if !join && !teacher {
		return false, ErrCode
	}
	return teacher, nil
}

// knows reports whether a name is in use.
func (p *people) knows(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.Known[name]
	return ok
}

// byName is the person of a name that nobody has, without a PIN.
func (p *people) byName(name string, teacher bool) (*Person, error) {
	if !names.MatchString(name) {
		return nil, ErrName
	}
	if p.knows(name) {
		return nil, ErrGuest
	}
	return p.join(name, person{}, teacher)
}

// saw takes note that a person has joined or left.
func (p *people) saw(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.Known[name]; ok {
		known.seen = time.Now()
		p.Known[name] = known
	}
}

// giveBack forgets the names that are chosen, of people whose folders have no files, and returns them.
func (p *people) giveBack(chosen func(string, person) bool) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := maps.Clone(p.Known)
	var names []string
	for name, known := range before {
		if !chosen(name, known) {
			continue
		}
		err := os.Remove(filepath.Join(p.dir, "people", name)) // fails if there is a file
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			names = append(names, name)
			delete(p.Known, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	if err := p.save(); err != nil {
		p.Known = before
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

// byPIN is the person of a name, who proves it by a PIN, or chooses one the first time.
func (p *people) byPIN(name, pin string, teacher bool) (*Person, error) {
	if !names.MatchString(name) {
		return nil, ErrName
	}
	if len(pin) < minPIN || len(pin) > maxPIN {
		return nil, ErrNoPIN
	}
	p.mu.Lock()
	known, ok := p.Known[name]
	p.mu.Unlock()
	if ok {
		if hash, err := hashPIN(pin, known.Salt); err != nil || len(known.Hash) == 0 ||
			subtle.ConstantTimeCompare(hash, known.Hash) != 1 {
			return nil, ErrPIN
		}
		return p.join(name, known, teacher)
	}
	salt := make([]byte, 16)
	_, _ = rand.Read(salt)
	hash, err := hashPIN(pin, salt)
	if err != nil {
		return nil, err
	}
	return p.join(name, person{Salt: salt, Hash: hash}, teacher)
}

func hashPIN(pin string, salt []byte) ([]byte, error) {
	return pbkdf2.Key(sha256.New, pin, salt, pinRounds, sha256.Size)
}

// byKey is the person of a name, who proves it by a key with this fingerprint.
func (p *people) byKey(name, fingerprint string) (*Person, error) {
	if !names.MatchString(name) {
		return nil, ErrName
	}
	return p.join(name, person{Key: fingerprint}, false)
}

// join keeps a person, whose folder it makes. If another person has the name meanwhile, it is an error.
func (p *people) join(name string, as person, teacher bool) (*Person, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch known, ok := p.Known[name]; {
	case ok && (known.Key != as.Key || subtle.ConstantTimeCompare(known.Hash, as.Hash) != 1):
		return nil, ErrTaken
	case !ok && len(p.Known) >= maxPeople:
		return nil, ErrFull
	case !ok:
		as.seen = time.Now()
		p.Known[name] = as
		if err := p.save(); err != nil {
			delete(p.Known, name)
			return nil, err
		}
	}
	dir := filepath.Join(p.dir, "people", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return &Person{Name: name, Teacher: teacher, Dir: dir}, nil
}
