package house

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of arrows anew; an arrow that goes up stays a failure")

// arrowsFile is the table: a room, a colon, and the rooms that it imports.
const arrowsFile = "testdata/arrows.txt"

// Every arrow between two rooms is one that somebody decided on: the table holds those that there are, no more and no
// fewer. After a decision, go test ./tui/internal/house -run Arrows -update.
func TestArrowsAreThoseOfTheTable(t *testing.T) {
	got, err := arrows(os.DirFS(root))
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(arrowsFile, []byte(table(got)), 0o644))
	}
	text, err := os.ReadFile(arrowsFile)
	require.NoError(t, err)
	for _, wrong := range differences(got, parseTable(string(text))) {
		t.Error(wrong)
	}
}

// Arrows run down: main, tui, sessions, optimizers, model, functions; and rooms that are to be apart have none.
func TestArrowsRunDown(t *testing.T) {
	got, err := arrows(os.DirFS(root))
	require.NoError(t, err)
	for _, wrong := range upward(got) {
		t.Error(wrong)
	}
	for _, rooms := range apart {
		for _, room := range rooms {
			if _, ok := got[room]; !ok {
				t.Errorf("there is no %s that could be apart from others", room)
			}
		}
	}
}

// Both tests see what they are for.
func TestArrowsThatAreWrongAreSeen(t *testing.T) {
	allowed := map[string][]string{"main": {"tui"}, "tui": {"sessions", "tui/chart"}}
	for _, c := range []struct {
		got  map[string][]string
		want string
	}{
		{map[string][]string{"main": {"tui"}, "tui": {"sessions", "tui/chart"}}, ""},
		{map[string][]string{"main": {"sessions", "tui"}, "tui": {"sessions", "tui/chart"}}, "main imports sessions"},
		{map[string][]string{"main": {"tui"}, "tui": {"sessions"}}, "tui does not import tui/chart"},
		{map[string][]string{"main": {"tui"}}, "there is no tui"},
		{map[string][]string{"main": {"tui"}, "tui": {"sessions", "tui/chart"}, "new": nil}, "new is a new room"},
	} {
		if wrong := strings.Join(differences(c.got, allowed), "\n"); !strings.Contains(wrong, c.want) ||
			c.want == "" && wrong != "" {
			t.Errorf("%v: %q, want %q", c.got, wrong, c.want)
		}
	}
	for from, target := range map[string]string{
		"functions": "model", "model/gp": "optimizers", "optimizers/search": "sessions", "sessions": "tui/chart",
		"tui": "main", "attic": "functions",
		"tui/librarypage": "tui/branches", "tui/explore/note": "tui/explore/modes"} {
		if wrong := upward(map[string][]string{from: {target}}); len(wrong) != 1 {
			t.Errorf("the arrow from %s to %s: %q", from, target, wrong)
		}
	}
	planted := os.DirFS(t.TempDir())
	if _, err := arrows(planted); err == nil {
		t.Error("a folder that is no module has arrows")
	}
}

// floors are the folders of the top level, from the roof down; a room imports rooms of its own floor and of those
// below.
var floors = []string{"main", "tui", "sessions", "optimizers", "model", "functions"}

// apart are rooms beside each other that know nothing of each other.
var apart = [][]string{
	{"tui/explore", "tui/compare", "tui/branches", "tui/librarypage", "tui/experimentform", "tui/labs", "tui/studypage"},
	{"tui/labs/retrievalview", "tui/labs/hierarchyview"},
	{"tui/explore/note", "tui/explore/modes", "tui/explore/results"},
	{"sessions/report", "sessions/library"},
	{"sessions/eventlog", "sessions/sanitize"},
}

func upward(got map[string][]string) (wrong []string) {
	floor := func(room string) int {
		top, _, _ := strings.Cut(room, "/")
		return slices.Index(floors, top)
	}
	for _, from := range slices.Sorted(maps.Keys(got)) {
		if floor(from) < 0 {
			wrong = append(wrong, from+" is on no floor")
			continue
		}
		for _, end := range got[from] {
			if floor(end) < floor(from) {
				wrong = append(wrong, from+" imports "+end+", which is above it")
			}
			for _, rooms := range apart {
				if slices.Contains(rooms, from) && slices.Contains(rooms, end) {
					wrong = append(wrong, from+" imports "+end+", which is beside it")
				}
			}
		}
	}
	return wrong
}

func differences(got, want map[string][]string) (wrong []string) {
	for _, room := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[room]; !ok {
			wrong = append(wrong, room+" is a new room: say in "+arrowsFile+" what it imports")
			continue
		}
		for _, end := range got[room] {
			if !slices.Contains(want[room], end) {
				wrong = append(wrong, room+" imports "+end+", which "+arrowsFile+" does not have")
			}
		}
		for _, end := range want[room] {
			if !slices.Contains(got[room], end) {
				wrong = append(wrong, room+" does not import "+end+", which "+arrowsFile+" says")
			}
		}
	}
	for _, room := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[room]; !ok {
			wrong = append(wrong, "there is no "+room+", which "+arrowsFile+" has")
		}
	}
	return wrong
}

func table(got map[string][]string) string {
	var b strings.Builder
	for _, room := range slices.Sorted(maps.Keys(got)) {
		fmt.Fprintln(&b, strings.TrimSpace(room+": "+strings.Join(got[room], " ")))
	}
	return b.String()
}

func parseTable(text string) map[string][]string {
	rooms := map[string][]string{}
	for line := range strings.Lines(text) {
		room, end, _ := strings.Cut(line, ":")
		rooms[strings.TrimSpace(room)] = strings.Fields(end)
	}
	return rooms
}

// arrows are the rooms of a module with the rooms that their own code imports, tests left out; the room of the top
// folder is main.
func arrows(module fs.FS) (map[string][]string, error) {
	mod, err := fs.ReadFile(module, "go.mod")
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(strings.TrimPrefix(strings.SplitN(string(mod), "\n", 2)[0], "module "))
	rooms := map[string]map[string]bool{}
	err = eachFile(module, func(file string, text []byte) error {
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		room := roomFor(file)
		if rooms[room] == nil {
			rooms[room] = map[string]bool{}
		}
		for _, spec := range f.Imports {
			if end, err := strconv.Unquote(spec.Path.Value); err != nil {
				return err
			} else if label, ok := strings.CutPrefix(end, name+"/"); ok {
				rooms[room][label] = true
			}
		}
		return nil
	})
	all := map[string][]string{}
	for room, end := range rooms {
		all[room] = slices.Sorted(maps.Keys(end))
	}
	return all, err
}

// roomFor is the room of a file: its folder, or main.
func roomFor(file string) string {
	if room := path.Dir(file); room != "." {
		return room
	}
	return "main"
}

// eachFile visits the module's own Go code, tests and hidden folders left out.
func eachFile(module fs.FS, visit func(file string, text []byte) error) error {
	return fs.WalkDir(module, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (len(file) > 1 && d.Name()[0] == '.' || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(module, file)
		if err != nil {
			return err
		}
		return visit(file, text)
	})
}
