package classroom

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"bandscope/sessions/eventlog"
)

// Names is the one place with the names of people: a file beside the record of the class that only its owner reads. It
// makes the IDs of people, by a secret key, so that nobody finds a name or a public key from an ID by trying. Its
// methods may be called from several goroutines.
type Names struct {
	path string
	mu   sync.Mutex
	data namesData
}

type namesData struct {
	Secret string            `json:"secret"`
	Names  map[string]string `json:"names"` // by the ID
}

// maxNamesFile is the size of the file at most.
const maxNamesFile = 1 << 20

// OpenNames opens the file of names, or makes it with a new secret.
func OpenNames(path string) (*Names, error) {
	n := &Names{path: path, data: namesData{Names: map[string]string{}}}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		n.data.Secret = rand.Text() + rand.Text()
		return n, n.save()
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxNamesFile:
		return nil, fmt.Errorf("%s: this is not a file of names", path)
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &n.data)
	}
	if err == nil && n.data.Secret == "" {
		err = errors.New("it has no secret")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: this is not a file of names: %w", path, err)
	}
	if n.data.Names == nil {
		n.data.Names = map[string]string{}
	}
	return n, os.Chmod(path, 0o600)
}

// save writes the file, which is replaced as a whole.
func (n *Names) save() error {
	if err := eventlog.MakeDir(filepath.Dir(n.path), 0o700); err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(n.data); err != nil {
		return err
	}
	return eventlog.Replace(n.path, b.Bytes(), 0o600)
}

// ID is the ID of the person with a name or a public key.
func (n *Names) ID(identity string) string {
	h := hmac.New(sha256.New, []byte(n.data.Secret))
	h.Write([]byte(identity))
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Set keeps the name of a person.
func (n *Names) Set(id, name string) error {
	if err := checkID(id); err != nil {
		return err
	}
	if err := checkText("the name", name, maxName); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	before, known := n.data.Names[id]
	if known && before == name {
		return nil
	}
	if !known && len(n.data.Names) >= maxPeople {
		return fmt.Errorf("a class has at most %d people", maxPeople)
	}
	n.data.Names[id] = name
	if err := n.save(); err != nil {
		delete(n.data.Names, id)
		if known {
			n.data.Names[id] = before
		}
		return err
	}
	return nil
}

// Remove forgets the names of people.
func (n *Names) Remove(ids []string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	before := maps.Clone(n.data.Names)
	for _, id := range ids {
		delete(n.data.Names, id)
	}
	if err := n.save(); err != nil {
		n.data.Names = before
		return err
	}
	return nil
}

// Name is the name of a person; empty if it is unknown.
func (n *Names) Name(id string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.data.Names[id]
}
