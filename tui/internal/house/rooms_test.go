package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The least and the most characters of a package's comment: about three lines, and ten. Of rooms for tests alone a
// sentence is enough.
const least, most = 180, 1200

// forTests reports whether a room is for tests alone.
func forTests(room string) bool {
	return strings.Contains(room, "internal/") || room == "optimizers/testbed" || room == "functions/golden"
}

// Every room says, once, what lives in it, what does not, and what goes in and out.
func TestEveryRoomSaysWhatItIs(t *testing.T) {
	comments, names := map[string][]string{}, map[string]string{}
	err := eachFile(os.DirFS(root), func(file string, text []byte) error {
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		room := path.Dir(file)
		names[room] = f.Name.Name
		if c := comment(f); c != "" {
			comments[room] = append(comments[room], c)
		}
		return nil
	})
	require.NoError(t, err)
	for _, room := range slices.Sorted(maps.Keys(names)) {
		if len(comments[room]) != 1 {
			t.Errorf("%s has %d package comments, want one", room, len(comments[room]))
			continue
		}
		c := comments[room][0]
		if n := len([]rune(c)); (n < least && !forTests(room)) || n > most {
			t.Errorf("the comment of %s has %d characters, want %d to %d: what lives there, what does not, and what goes in and out", room, n, least, most)
		}
		if begin := "Package " + names[room] + " "; room != "." && !strings.HasPrefix(c, begin) {
			t.Errorf("the comment of %s does not begin with %q", room, begin)
		}
	}
}

// The picture of the rooms for contributors shows every room, and none that there is not. Rooms for tests alone are
// left out.
func TestEveryRoomStandsInThePicture(t *testing.T) {
	rooms, err := arrows(os.DirFS(root))
	require.NoError(t, err)
	guide, err := os.ReadFile(root + "/.github/CONTRIBUTING.md")
	require.NoError(t, err)
	_, picture, _ := strings.Cut(string(guide), "**The packages.**")
	_, picture, _ = strings.Cut(picture, "```text\n")
	picture, _, _ = strings.Cut(picture, "```")
	shown := map[string]bool{}
	for line := range strings.Lines(picture) {
		for _, word := range strings.Fields(strings.TrimLeft(line, " │├└─▶")) {
			if _, ok := rooms[word]; ok {
				shown[word] = true
			} else if strings.Contains(word, "/") {
				t.Errorf("the picture shows %s, which is no room", word)
			}
		}
	}
	for room := range rooms {
		if !shown[room] && !forTests(room) {
			t.Errorf("the picture does not show %s", room)
		}
	}
}

// comment is what a file says of its package, one line each, without empty ones.
func comment(f *ast.File) string {
	if f.Doc == nil {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(f.Doc.Text()) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(line)
		}
	}
	return b.String()
}
