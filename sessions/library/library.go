package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/training"
)

// DefaultDir is the folder where sessions are kept: bandscope/sessions in the platform's folder for a user's data;
// empty if the user has no such folder, because the environment names no home.
func DefaultDir() string {
	if xdg.Home == "/" && !filepath.IsAbs(os.Getenv("XDG_DATA_HOME")) {
		return ""
	}
	return filepath.Join(xdg.DataHome, "bandscope", "sessions")
}

// DefaultStudiesDir is the folder where studies are kept, beside that of the sessions; empty without a home folder.
func DefaultStudiesDir() string {
	beside := DefaultDir()
	if beside == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(beside), "studies")
}

// ErrNoHome says that there is no folder for sessions, and what to do.
var ErrNoHome = errors.New("there is no folder for sessions because HOME is not set; choose one with --dir")

// Entry is one file of a folder of sessions.
type Entry struct {
	Path      string `json:"path"`
	Name      string `json:"name"`
	Problem   string `json:"problem,omitempty"`
	Optimizer string `json:"optimizer,omitempty"`
	Training  string `json:"lab,omitempty"` // in place of both, where it is a session of one
	Seed      uint64 `json:"seed"`
	// observations on record, over all branches; of a lab the updates of the longest
	Steps      int       `json:"steps"`
	Asked      int       `json:"-"` // suggestions on record, over all branches: as many at least
	Modified   time.Time `json:"modified"`
	Unreadable string    `json:"unreadable,omitempty"` // why it cannot be read
}

// List lists the sessions of a folder, the newest first; files that cannot be read are listed with the reason. A folder
// that does not exist holds none. It is given up when the context ends.
func List(ctx context.Context, dir string) ([]Entry, error) {
	if dir == "" {
		return nil, ErrNoHome
	}
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
		e := describe(ctx, filepath.Join(dir, f.Name()))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(b.Name, a.Name))
	})
	return list, nil
}

// describe reads a file as far as the list needs it: the header, and how many lines say that something was observed.
func describe(ctx context.Context, path string) Entry {
	e := Entry{Path: path, Name: strings.TrimSuffix(filepath.Base(path), ".jsonl")}
	if err := e.fill(ctx); err != nil {
		e.Unreadable = err.Error()
	}
	return e
}

func (e *Entry) fill(ctx context.Context) error {
	f, err := eventlog.OpenRegular(e.Path, eventlog.MaxFile)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	e.Modified = info.ModTime()
	cfg, asked, steps, err := sessions.ReadSummary(ctx, f)
	if errors.Is(err, sessions.ErrTraining) {
		return e.fillTraining(ctx, f)
	}
	if err != nil {
		return err
	}
	e.Problem = cfg.Problem
	e.Optimizer = cfg.Optimizer
	e.Seed = cfg.Seed
	e.Steps = steps
	e.Asked = asked
	return nil
}

// fillTraining reads the session of a lab as far as the list needs it.
func (e *Entry) fillTraining(ctx context.Context, f io.ReadSeeker) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	g, err := training.ReadSummary(ctx, f)
	e.Training = g.Lab
	e.Seed = g.Seed
	e.Steps = g.Steps
	e.Asked = g.Steps
	return err
}

// Subject says what a session is about: a problem and a method, or a lab.
func (e Entry) Subject() string {
	if e.Training != "" {
		return "lab " + e.Training
	}
	return e.Problem + " · " + e.Optimizer
}

// Length says how much is on record.
func (e Entry) Length() string {
	if e.Training != "" {
		return numfmt.Count(e.Steps, "update")
	}
	return numfmt.Count(e.Steps, "step")
}

// stamp is how the names of files begin: when the session did.
const stamp = "20060102-150405"

// NameFor is a name for a session in a folder: when it began, and what it is about. A file of that name may exist.
func NameFor(dir string, cfg sessions.Config, begun time.Time) string {
	clean := func(s string) string { return strings.NewReplacer(":", "-", "/", "-", "\\", "-").Replace(s) }
	return filepath.Join(dir, fmt.Sprintf("%s-%s-%s-%d.jsonl", begun.Format(stamp), clean(cfg.Problem),
		clean(cfg.Optimizer), cfg.Seed))
}

// FreePath is a name with a number behind it where that is needed: no file of that name exists.
func FreePath(path string) string {
	base := strings.TrimSuffix(path, ".jsonl")
	for i := 2; ; i++ {
		if _, err := os.Lstat(path); err != nil { // it is free, or writing it fails with an error
			return path
		}
		path = fmt.Sprintf("%s-%d.jsonl", base, i)
	}
}

// Save sees to it that a session is on disk from its first event on, in a folder; an empty folder keeps it in memory. A
// session whose file cannot be written to stays in memory, which the error says.
func Save(s *sessions.Session, dir string) error {
	if dir == "" || s.Path() != "" {
		return nil
	}
	path := NameFor(dir, s.State().Config, time.Now())
	if t := s.Task(); t != nil && t.Lesson != "" {
		path = filepath.Join(dir, "exercise-"+strings.TrimSuffix(filepath.Base(t.Lesson), ".jsonl")+".jsonl")
	}
	return saveError(s.SaveAs(FreePath(path)))
}

// saveError says what to do if a session could not be saved.
func saveError(err error) error {
	if err != nil {
		return fmt.Errorf("this session is not saved: %w (press ctrl+s to save it elsewhere)", err)
	}
	return nil
}
