package house

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// extensions are the parts of the program that the core does not import: folders, with the folders below them. All other
// rooms are the core: problems, models, methods, sessions, the explorer, pictures, steering, lessons, comparison, replay.
// Plates are part of the session, and tables of how results arrive.
var extensions = map[string][]string{
	"class":     {"sessions/classroom", "tui/class", "tui/serve", "tui/handout"},
	"labs":      {"functions/trainer", "sessions/training", "tui/labs"},
	"studies":   {"sessions/study", "tui/studypage", "tui/studyreport"},
	"importers": {"sessions/foreign"},
	"agents":    {"tui/mcp", "sessions/pipe"},
	"programs":  {"functions/external", "optimizers/program"},
}

// assembly are the rooms that put the program together from its core and its extensions.
var assembly = []string{"main", "tui/cli"}

// exceptions are the rooms of the core that import an extension, with the reason for each.
var exceptions = []struct{ from, extension, why string }{
	{"functions", "labs", "problems that train a model are entries of the list of problems"},
	{"optimizers/registry", "programs", "a program is a method like others"},
	{"sessions", "programs", "a session records the program that suggests its points, and ends it"},
	{"sessions/lesson", "labs", "lessons on labs are written in the language of all lessons"},
	{"sessions/library", "labs", "sessions of labs are kept in the folder of all sessions"},
	{"tui/librarypage", "labs", "one screen lists everything that can be opened"},
	{"tui/librarypage", "studies", "one screen lists everything that can be opened"},
}

// The core imports no extension, but for the exceptions, each of which is needed.
func TestCoreImportsNoExtension(t *testing.T) {
	got, err := arrows(os.DirFS(root))
	require.NoError(t, err)
	for _, wrong := range outward(got) {
		t.Error(wrong)
	}
	for name, folders := range extensions {
		for _, folder := range folders {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(got)), func(room string) bool { return below(room, folder) }) {
				t.Errorf("the extension %s has no folder %s", name, folder)
			}
		}
	}
}

// An arrow from the core to an extension is seen, and so is an exception that nothing needs.
func TestArrowsToExtensionsAreSeen(t *testing.T) {
	got, err := arrows(os.DirFS(root))
	require.NoError(t, err)
	got["tui/explore"] = append(got["tui/explore"], "tui/studyreport", "tui/studyreport/new")
	got["tui/mcp"] = append(got["tui/mcp"], "sessions/classroom")
	got["tui/librarypage"] = slices.DeleteFunc(got["tui/librarypage"], func(room string) bool { return below(room, "sessions/study") })
	want := []string{"tui/explore imports tui/studyreport, which belongs to the extension studies",
		"tui/explore imports tui/studyreport/new, which belongs to the extension studies",
		"tui/librarypage imports nothing of the extension studies: delete the exception"}
	if wrong := outward(got); !slices.Equal(wrong, want) {
		t.Errorf("%q, want %q", wrong, want)
	}
}

// outward are the arrows from the core to extensions that are no exceptions, and the exceptions without an arrow.
func outward(got map[string][]string) (wrong []string) {
	needed := map[int]bool{}
	for _, from := range slices.Sorted(maps.Keys(got)) {
		if extensionOf(from) != "" || slices.Contains(assembly, from) {
			continue
		}
		for _, end := range got[from] {
			name := extensionOf(end)
			if name == "" {
				continue
			}
			i := slices.IndexFunc(exceptions, func(e struct{ from, extension, why string }) bool {
				return e.from == from && e.extension == name
			})
			if i < 0 {
				wrong = append(wrong, from+" imports "+end+", which belongs to the extension "+name)
			}
			needed[i] = true
		}
	}
	for i, e := range exceptions {
		if !needed[i] {
			wrong = append(wrong, e.from+" imports nothing of the extension "+e.extension+": delete the exception")
		}
	}
	return wrong
}

// extensionOf is the extension to which a room belongs; empty for the core.
func extensionOf(room string) string {
	for name, folders := range extensions {
		if slices.ContainsFunc(folders, func(folder string) bool { return below(room, folder) }) {
			return name
		}
	}
	return ""
}

// below reports whether a room is a folder or is in it.
func below(room, folder string) bool { return room == folder || strings.HasPrefix(room, folder+"/") }

// The files to read first are there, and are few.
func TestFirstFilesExist(t *testing.T) {
	guide, err := os.ReadFile(root + "/.github/CONTRIBUTING.md")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(guide), "## Read these ten files first")
	list, _, _ = strings.Cut(list, "**Concepts.**")
	files := regexp.MustCompile("(?m)^[0-9]+\\. `([^`]+)`").FindAllStringSubmatch(list, -1)
	assert.Equal(t, 10, len(files), "%d files are listed, want 10", len(files))
	for _, file := range files {
		_, err = os.Stat(root + "/" + file[1])
		assert.NoError(t, err)
	}
}
