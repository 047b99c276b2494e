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

// recentFile is the file in the folder of sessions with the latest commands of the palette, and maxRecent bounds how many.
const (
	recentFile = "recent.json"
	maxRecent  = 30
)

// Recent lists the latest commands of the palette that a folder of sessions has on record, the last one first; none
// where there is no record, or a damaged one.
func Recent(dir string) []string {
	var names []string
	if b, err := os.ReadFile(filepath.Join(dir, recentFile)); err == nil && json.Unmarshal(b, &names) == nil {
		return names[:min(len(names), maxRecent)]
	}
	return nil
}

// Used puts a name first in a list of recent ones.
func Used(names []string, name string) []string {
	names = append([]string{name}, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })...)
	return names[:min(len(names), maxRecent)]
}

// SaveRecent records the latest commands of the palette in a folder of sessions. The file is replaced as a whole; of two programs the
// last one wins. A folder that does not exist is not made for this.
func SaveRecent(dir string, names []string) error {
	b, err := json.Marshal(names)
	if err != nil {
		return err
	}
	err = eventlog.Replace(filepath.Join(dir, recentFile), b, 0o600)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("recording the latest commands: %w", err)
	}
	return nil
}
