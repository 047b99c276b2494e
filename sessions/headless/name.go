package headless

import (
	"os"
	"path/filepath"
	"strings"
)

// ending is that of a session's file.
const ending = ".jsonl"

// FileOf is the file of a session that is given by its path or, where there is no such file, by the name under which it is kept in a folder. Where there is
// neither, it is the path.
func FileOf(given, dir string) string {
	if _, err := os.Lstat(given); err == nil || dir == "" || given != filepath.Base(given) {
		return given
	}
	path := filepath.Join(dir, strings.TrimSuffix(given, ending)+ending)
	if _, err := os.Lstat(path); err != nil {
		return given
	}
	return path
}
