package library

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bandscope/sessions/eventlog"
)

// ErrExists is wrapped by the error of a file that is there already.
var ErrExists = errors.New("a file with this name already exists")

// SaveExperiment writes an experiment file, whole or not at all, also when the machine dies meanwhile. A file that is
// there is left alone (ErrExists), unless over says that it is to be replaced.
func SaveExperiment(path string, text []byte, over bool) (err error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !over:
		return fmt.Errorf("%s: %w", path, ErrExists)
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file and cannot be replaced; choose another name", path)
	case err == nil:
		path, err = filepath.EvalSymlinks(path)
		if err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp, err := eventlog.WriteTemp(path, bytes.NewReader(text), 0o644)
	if err != nil {
		return fmt.Errorf("cannot write a file to the folder %s: %w", filepath.Dir(path), err)
	}
	defer os.Remove(temp) // gone where all went well
	if over {
		return eventlog.Rename(temp, path)
	}
	return move(temp, path)
}
