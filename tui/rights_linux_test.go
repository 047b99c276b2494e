package tui

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/golden"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/sessions/study/worker"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/palette"
	"bandscope/tui/rights"
)

// watched are folders whose use the kernel reports: each listing, opening, reading and change of a file.
type watched struct {
	t    *testing.T
	file int
	dirs map[int32]string
}

// watchFolders watches folders with all below them.
func watchFolders(t *testing.T, roots ...string) *watched {
	t.Helper()
	file, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	require.NoError(t, err)
	t.Cleanup(func() { syscall.Close(file) })
	w := &watched{t, file, map[int32]string{}}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = w.add(path)
			}
			return err
		})
		require.NoError(t, err)
	}
	w.uses() // those of the walk
	return w
}

func (w *watched) add(dir string) error {
	const mask = syscall.IN_OPEN | syscall.IN_ACCESS | syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_CREATE |
		syscall.IN_DELETE | syscall.IN_MOVE
	id, err := syscall.InotifyAddWatch(w.file, dir, mask)
	w.dirs[int32(id)] = dir
	return err
}

// uses are the uses since the last call: "lists", "reads" and "changes", with an example of each.
func (w *watched) uses() map[string]string {
	w.t.Helper()
	uses, buffer := map[string]string{}, make([]byte, 1<<16)
	for {
		n, err := syscall.Read(w.file, buffer)
		if err == syscall.EAGAIN || n <= 0 {
			return uses
		}
		for position := 0; position+syscall.SizeofInotifyEvent <= n; {
			id, mask := int32(binary.NativeEndian.Uint32(buffer[position:])), binary.NativeEndian.Uint32(buffer[position+4:])
			length := int(binary.NativeEndian.Uint32(buffer[position+12:]))
			name := strings.TrimRight(string(buffer[position+syscall.SizeofInotifyEvent:][:length]), "\x00")
			position += syscall.SizeofInotifyEvent + length
			subject := "reads"
			switch {
			case mask&(syscall.IN_MODIFY|syscall.IN_ATTRIB|syscall.IN_CREATE|syscall.IN_DELETE|syscall.IN_MOVE) != 0:
				subject = "changes"
			case mask&syscall.IN_ISDIR != 0:
				subject = "lists"
			}
			uses[subject] = filepath.Join(w.dirs[id], name)
		}
	}
}

// classroom is the machine of a server's owner, with sessions and studies of the owner and of people.
type classroom struct {
	others []string // folders that are not the person's
	files  []string // of others, which the person tries to name
	own    string   // the person's folder
}

// plant makes a classroom for a person; the owner's folders are the default ones of the process.
func plant(t *testing.T) classroom {
	t.Helper()
	root := t.TempDir()
	home, data := filepath.Join(root, "home"), filepath.Join(root, "data")
	t.Setenv("HOME", home)
	t.Setenv("XDG_DATA_HOME", data)
	xdg.Reload()
	t.Cleanup(func() { os.Unsetenv("XDG_DATA_HOME"); xdg.Reload() })
	people := filepath.Join(data, "bandscope", "class", "people")
	c := classroom{others: []string{home, filepath.Join(data, "bandscope", "sessions"),
		filepath.Join(data, "bandscope", "studies"), filepath.Join(people, "bob")}, own: filepath.Join(people, "ada")}
	for _, dir := range append(c.others, c.own) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "studies"), 0o700))
		session := filepath.Join(dir, "secret-session.jsonl")
		if dir == c.own {
			session = filepath.Join(dir, "own-session.jsonl")
		} else {
			c.files = append(c.files, session)
		}
		require.NoError(t, os.Rename(savedSession(t, t.TempDir(), "branin"), session))
	}
	for path, name := range map[string]string{c.others[2]: "secret-study", filepath.Join(c.own, "studies"): "own-study"} {
		st, err := store.Open(t.Context(), filepath.Join(path, name+".db"))
		require.NoError(t, err)
		d := &study.Declaration{Name: name, Problems: []string{"forrester"}, Methods: []string{"random"}, Seeds: 1, Budget: "1"}
		require.NoError(t, worker.Submit(t.Context(), st, d))
		require.NoError(t, st.Close())
	}
	return c
}

// walk is the window of somebody in a class.
type walk struct {
	*stepper
	rights rights.Rights
}

// enter opens a window with rights, on a session without a model: this is about folders.
func (c classroom) enter(t *testing.T, r rights.Rights) *walk {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 5})
	require.NoError(t, err)
	w := &walk{newStepper(Options{Session: s, Rights: r, Offer: true}), r}
	w.stays = true
	w.open(120, 36)
	return w
}

// offers are all entries of the palette on the current page, by their kinds and names.
func (w *walk) offers(ctx context.Context) []palette.Entry {
	return append(w.a.entries(), sessionEntries(ctx, w.a)...)
}

// try does an entry, types a file into what it asks, and confirms.
func (w *walk) try(e palette.Entry, file string) {
	if e.Do == nil {
		return
	}
	before := w.a.current
	w.a.explainer = nil
	w.run(e.Do()) // without the list of recent commands, which performing any entry writes
	if w.a.current != before {
		w.run(w.a.current.Init()) // what it reads is read, but not what it computes next
	}
	if w.a.current.KeyMap().Typing {
		for _, r := range file + "\r" {
			name := string(r)
			if r == '\r' {
				name = "enter"
			}
			w.take(screentest.Key(name))
		}
	}
}

// Nothing that the palette offers to somebody in a class reaches a file of the server's owner or of another person: it
// is not listed, read or changed, whoever follows, teaches or watches. The golden file has what each entry reaches of
// the person's own folder.
func TestPaletteOfAClass(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a window for each entry")
	}
	c := plant(t)
	others := watchFolders(t, c.others...)
	for role, may := range map[string]rights.Rights{
		"student":  rights.InClass(t.Context(), c.own, rights.NewComputing(time.Hour, make(rights.Places, 4))),
		"watching": rights.Watching(t.Context())} {
		local := watchFolders(t, c.own)
		reached := map[string]map[string]bool{}
		pages := []palette.Entry{{Name: "explorer"}}
		if role == "student" {
			pages = append(pages, c.enter(t, may).a.placeEntries()...)
		}
		for _, page := range pages {
			start := func() *walk {
				w := c.enter(t, may)
				if page.Name != "explorer" {
					for _, e := range w.a.placeEntries() {
						if e.Name == page.Name {
							w.try(e, "")
						}
					}
				}
				return w
			}
			w := start()
			offered := func() []palette.Entry {
				if page.Name != "explorer" {
					return w.a.commandEntries() // the others are the same
				}
				return w.offers(t.Context())
			}
			title := w.a.current.KeyMap().Title
			catalogs := map[string]int{}
			for i, e := range offered() {
				if e.Kind != palette.Command && e.Kind != palette.Place && e.Kind != palette.Elsewhere {
					// the entries of a catalog differ in a name only
					if catalogs[entryLine("", e)]++; catalogs[entryLine("", e)] > 2 {
						continue
					}
				}
				assert.NotContains(t, e.Name+e.About, "secret", "a %s is offered %s, %s", role, e.Name, e.About)
				if w.left || w.a.current.KeyMap().Title != title || e.Kind != palette.Term && e.Kind != palette.Guide {
					require.NoError(t, w.a.close())
					w = start()
				}
				now := offered()
				index := slices.IndexFunc(now, func(other palette.Entry) bool { return other.ID() == e.ID() })
				if index < 0 {
					t.Fatalf("%s is not offered again", e.Name)
				}
				local.uses()
				w.try(now[index], c.files[i%len(c.files)])
				if text := w.a.draw(); strings.Contains(text, "secret-st") {
					t.Errorf("a %s who does %q sees a study of others:\n%s", role, e.Name, text)
				}
				if uses := others.uses(); len(uses) > 0 {
					t.Errorf("a %s who does %q in %s reaches %v", role, e.Name, page.Name, uses)
				}
				line := entryLine(page.Name, e)
				if reached[line] == nil {
					reached[line] = map[string]bool{}
				}
				for use := range local.uses() {
					reached[line][use] = true
				}
			}
			require.NoError(t, w.a.close())
		}
		var text strings.Builder
		for _, line := range slices.Sorted(maps.Keys(reached)) {
			uses := slices.Sorted(maps.Keys(reached[line]))
			if len(uses) == 0 {
				uses = []string{"nothing"}
			}
			fmt.Fprintf(&text, "%s: %s\n", sanitize.Text(line), strings.Join(uses, ", "))
		}
		golden.File(t, filepath.Join("testdata", "reach-"+role+".txt"), text.String(), nil)
		if uses := others.uses(); len(uses) > 0 {
			t.Errorf("a %s reaches %v", role, uses)
		}
	}
}

// entryLine names an entry in the list of what is reached; entries of a catalog are one line.
func entryLine(page string, e palette.Entry) string {
	catalogs := map[palette.Kind]string{palette.Function: "a test function", palette.Lesson: "a lesson",
		palette.Comparison: "a comparison", palette.Training: "a lab", palette.Term: "a term", palette.Guide: "a guide",
		palette.Session: "a session", palette.Study: "a study"}
	if name := catalogs[e.Kind]; name != "" {
		return name
	}
	return page + ", " + e.Name
}
