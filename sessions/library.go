package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// DefaultDir is the folder where sessions are kept: bandscope/sessions in the platform's folder for a user's data.
func DefaultDir() string { return filepath.Join(xdg.DataHome, "bandscope", "sessions") }

// Entry is one file of a folder of sessions.
type Entry struct {
	Path       string    `json:"path"`
	Name       string    `json:"name"`
	Problem    string    `json:"problem,omitempty"`
	Optimizer  string    `json:"optimizer,omitempty"`
	Seed       uint64    `json:"seed"`
	Steps      int       `json:"steps"` // observations on record, over all branches
	Modified   time.Time `json:"modified"`
	Unreadable string    `json:"unreadable,omitempty"` // why it cannot be read
}

// List lists the sessions of a folder, the newest first; files that cannot be read are listed with the reason. A folder that
// does not exist holds none.
func List(dir string) ([]Entry, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, f := range files {
		if !f.Type().IsRegular() || filepath.Ext(f.Name()) != ".jsonl" {
			continue
		}
		list = append(list, describe(filepath.Join(dir, f.Name())))
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(b.Name, a.Name))
	})
	return list, nil
}

// describe reads a file as far as the list needs it.
func describe(path string) Entry {
	e := Entry{Path: path, Name: strings.TrimSuffix(filepath.Base(path), ".jsonl")}
	if info, err := os.Stat(path); err == nil {
		e.Modified = info.ModTime()
	}
	f, err := os.Open(path)
	if err != nil {
		e.Unreadable = err.Error()
		return e
	}
	defer f.Close()
	r := reader{events: map[string]*event{}}
	if err := r.read(f); err != nil {
		e.Unreadable = err.Error()
		return e
	}
	c := r.header.Config
	e.Problem, e.Optimizer, e.Seed = c.Problem, c.Optimizer, c.Seed
	for _, ev := range r.order {
		if ev.kind == kindObserved {
			e.Steps++
		}
	}
	return e
}

// NewPath is a name for a new session in a folder: when it began, and what it is about. No file of that name exists.
func NewPath(dir string, cfg Config, now time.Time) string {
	clean := func(s string) string { return strings.NewReplacer(":", "-", "/", "-", "\\", "-").Replace(s) }
	base := fmt.Sprintf("%s-%s-%s-%d", now.Format("20060102-150405"), clean(cfg.Problem), clean(cfg.Optimizer), cfg.Seed)
	path := filepath.Join(dir, base+".jsonl")
	for i := 2; ; i++ {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path
		}
		path = filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", base, i))
	}
}

// Sanitize makes a text safe to show: control and escape characters become visible ones, so that nothing that comes from a
// file or an argument can drive the terminal.
func Sanitize(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r // the control pictures
		case r == 0x7f:
			return 0x2421
		case r >= 0x80 && r < 0xa0, r == 0x061c, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return 0xfffd // C1 controls, invisible characters and changes of direction
		}
		return r
	}, s)
}
