package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bandscope/sessions/eventlog"
)

// windowFile is the file in the folder of sessions with what the window remembers, and maxRecent bounds the commands.
const (
	windowFile = "window.json"
	maxRecent  = 30
)

// Remembered is what the window remembers between two runs.
type Remembered struct {
	Recent []string `json:"recent,omitempty"` // IDs of the latest commands of the palette, the last one first
	Cells  bool     `json:"cells,omitempty"`  // plots are drawn in cells, where the terminal could show pictures
}

// Remember reads what a folder of sessions has on record for the window; nothing where there is no record, or a damaged
// one.
func Remember(dir string) Remembered {
	var r Remembered
	b, err := os.ReadFile(filepath.Join(dir, windowFile))
	if err != nil || json.Unmarshal(b, &r) != nil {
		return Remembered{}
	}
	r.Recent = r.Recent[:min(len(r.Recent), maxRecent)]
	return r
}

// Use puts a command first in the list of recent ones.
func (r *Remembered) Use(name string) {
	others := slices.DeleteFunc(slices.Clone(r.Recent), func(n string) bool { return n == name })
	r.Recent = append([]string{name}, others[:min(len(others), maxRecent-1)]...)
}

// Save records it in a folder of sessions. The file is replaced as a whole; of two programs the last one wins. A folder
// that does not exist is not made for this.
func (r Remembered) Save(dir string) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	err = eventlog.Replace(filepath.Join(dir, windowFile), b, 0o600)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("recording the settings of the window: %w", err)
	}
	return nil
}
