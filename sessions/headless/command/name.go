package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// Ending is that of a session's file.
const Ending = ".jsonl"

// FileOf is the file of a session that is given by its path or, where there is no such file, by the name under which it is kept in a folder. Where there is
// neither, it is the path.
func FileOf(given, dir string) string {
	if _, err := os.Lstat(given); err == nil || dir == "" || given != filepath.Base(given) {
		return given
	}
	path := filepath.Join(dir, strings.TrimSuffix(given, Ending)+Ending)
	if _, err := os.Lstat(path); err != nil {
		return given
	}
	return path
}

// NoSession explains why a file cannot be opened; of a word that looks like a command of a tree the commands are named.
func NoSession(path string, tree *cobra.Command, err error) error {
	if !errors.Is(err, os.ErrNotExist) || strings.ContainsAny(path, "./\\") {
		return err
	}
	var names []string
	for _, c := range tree.Commands() {
		names = append(names, c.Name())
	}
	return Usagef("there is no command and no session file %q; the commands are %s", path, strings.Join(names, ", "))
}
