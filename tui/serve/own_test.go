package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// What somebody in a class starts counts as their computing time, and ends with them: workers of studies too. The
// studies are in their own folder.
func TestStudiesOfAPerson(t *testing.T) {
	o := options(t)
	o.Room, o.Computing = "", 4*time.Second
	c := begin(t, o)
	bob := c.join(t, "bob", false, 120, 36)
	bob.wait("step 0/50")
	bob.press(":dai-1d\r")
	bob.wait("next view")
	bob.press("r")
	if text := bob.over(); !strings.Contains(text, "your computations took") {
		t.Errorf("who reaches the limit hears %q", text)
	}
	if spent := c.computing["bob"].Spent(); spent < o.Computing {
		t.Errorf("%v are counted", spent)
	}
	if n := len(c.places); n != 0 {
		t.Errorf("%d computations go on", n)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "people", "bob", "studies", "dai-1d.db")); err != nil {
		t.Error(err)
	}
}

// The workers of somebody who leaves end: their terminal is not over before.
func TestWorkersEndWithThePerson(t *testing.T) {
	o := options(t)
	o.Room = ""
	c := begin(t, o)
	bob := c.join(t, "bob", false, 120, 36)
	bob.wait("step 0/50")
	bob.press(":dai-1d\r")
	bob.wait("next view")
	bob.press("r")
	bob.wait("1 worker")
	bob.conn.Close()
	bob.over()
	for c.count.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	before := c.computing["bob"].Spent()
	if n := len(c.places); n != 0 || c.computing["bob"].Spent() != before {
		t.Errorf("%d computations go on", n)
	}
}

// A further window of the teacher's name, with the students' code, follows like every other one: it leads nothing, and
// what it does alone is not shown to the class.
func TestTeachersNameWithTheStudentsCode(t *testing.T) {
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	second, bob := c.join(t, "ada", false, 110, 34), c.join(t, "bob", false, 100, 30)
	second.wait("ada teaches")
	bob.wait("step 0/50")
	second.press(" ")
	second.wait("space does nothing here")
	second.press("\x07") // ctrl+g
	second.wait("this is your own copy")
	second.press("   ")
	second.wait("step 3/50")
	ada.press(" ")
	ada.wait("step 1/50")
	bob.wait("step 1/50")
	second.press(":keyboard to bob")
	second.wait("keyboard to bob")
	if s := second.text(); strings.Contains(s, "press the keys of this window") {
		t.Errorf("the second window has the commands of the teacher:\n%s", s)
	}
	second.press(escape)
	second.wait("f, minimize") // behind the palette
	ada.press("q")
	ada.over()
	bob.wait("the teacher is away")
	second.press("\x07")
	second.wait("the teacher is away")
}

// A further teacher follows; once the first has left, ctrl+g teaches, in a window of their own.
func TestFurtherTeacher(t *testing.T) {
	c := begin(t, options(t))
	ada, eve, bob := c.join(t, "ada", true, 120, 36), c.join(t, "eve", true, 120, 36), c.join(t, "bob", false, 100, 30)
	ada.wait("step 0/50")
	eve.wait("ada teaches")
	bob.wait("ada teaches")
	ada.press("q")
	ada.over()
	eve.wait("the teacher is away")
	bob.wait("the teacher is away")
	eve.press("\x07")
	eve.wait("you teach in the room")
	eve.pressUntil(" ", "step 1/50")
	bob.wait("eve teaches")
	bob.wait("step 1/50")
}

// Both windows of a name have the keyboard that was passed to it; both can look around at once, each in a copy.
func TestTwoWindowsOfAName(t *testing.T) {
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	first, second := c.join(t, "bob", false, 110, 34), c.join(t, "bob", false, 100, 30)
	first.wait("ada teaches")
	second.wait("ada teaches")
	ada.press(":pass the keyboard to bob\r")
	first.wait("you have the keyboard")
	second.wait("you have the keyboard")
	first.press(" ")
	ada.wait("step 1/50")
	second.press(" ")
	ada.wait("step 2/50")
	first.press("\x07")
	second.press("\x07")
	first.wait("this is your own copy")
	second.wait("this is your own copy")
	files, _ := filepath.Glob(filepath.Join(c.options.Dir, "people", "bob", "class-*.jsonl"))
	assert.Equal(t, 2, len(files), "the copies are %v, want two", files)
	first.press("\x07")
	first.wait("you have the keyboard")
	second.conn.Close()
	second.over()
	first.press(" ")
	ada.wait("step 3/50")
}

// The teacher and the person who has the keyboard press keys at the same time: every step is recorded, by the name of
// who asked for it.
func TestKeysOfTwo(t *testing.T) {
	c := begin(t, options(t))
	ada, bob := c.join(t, "ada", true, 120, 36), c.join(t, "bob", false, 100, 30)
	ada.wait("step 0/50")
	bob.wait("step 0/50")
	ada.press(":pass the keyboard to bob\r")
	bob.wait("you have the keyboard")
	bob.press(" ")
	ada.press("\x1b[C") // moves within the window
	ada.wait("step 1/50")
	for range 8 {
		ada.press("\x1b[C")
		bob.press("\x1b[D")
	}
	ada.press(":take the keyboard back\r")
	ada.wait("the keyboard is yours alone")
	ada.press("q")
	ada.over()
	files, _ := filepath.Glob(filepath.Join(c.options.Dir, "people", "ada", "*.jsonl"))
	require.Equal(t, 1, len(files), "the teacher's sessions are %v", files)
	s, err := sessions.OpenReadOnly(t.Context(), files[0])
	require.NoError(t, err)
	defer s.Close()
	for _, a := range s.Contributions() {
		if a.Suggestions > 0 && a.Name != "bob" {
			t.Errorf("a step of bob is recorded by %s", a.Name)
		}
	}
}
