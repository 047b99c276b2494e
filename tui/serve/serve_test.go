package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"bandscope/sessions"
)

// Those who follow see the teacher's page in their own size, and changes of it; who looks around has a copy that the
// teacher's window does not follow.
func TestFollow(t *testing.T) {
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	bob := c.join(t, "bob", false, 100, 30)
	bob.wait("ada teaches")
	bob.wait("step 0/50")
	c.join(t, "low", false, 80, 24).wait("╭─ prior")
	tiny := c.join(t, "eve", false, 30, 8)
	tiny.wait("too small")
	ada.press(" ")
	ada.wait("step 1/50")
	bob.wait("step 1/50")
	ada.press("?")
	bob.wait("help:")
	ada.press(escape)
	bob.wait("step 1/50")

	bob.press(" ")
	bob.wait("space does nothing here")
	bob.press("\x07") // ctrl+g
	bob.wait("this is your own copy")
	bob.press(" ")
	bob.wait("step 2/50")
	if s := ada.text(); !strings.Contains(s, "step 1/50") {
		t.Errorf("the teacher's window follows a copy:\n%s", s)
	}
	bob.press("\x07")
	bob.wait("ada teaches")
	bob.wait("step 1/50")
	bob.resize(90, 28)
	bob.wait("ada teaches")
	files, _ := filepath.Glob(filepath.Join(c.options.Dir, "people", "bob", "class-*.jsonl"))
	assert.Equal(t, 1, len(files), "the copies are %v, want one", files)
	bob.press("q")
	assert.Equal(t, "", bob.over(), "who leaves hears")
}

// The keyboard is passed and taken back; what a person does with it is recorded by their name.
func TestKeyboard(t *testing.T) {
	c := begin(t, options(t))
	ada, bob := c.join(t, "ada", true, 120, 36), c.join(t, "bob", false, 100, 30)
	ada.wait("step 0/50")
	bob.wait("step 0/50")
	ada.press(":pass the keyboard to bob\r")
	bob.wait("you have the keyboard")
	bob.press(":quit\r")
	ada.wait("only ada ends this window")
	bob.press(" ")
	ada.wait("step 1/50")
	bob.press("q")
	ada.wait("only ada ends this window")
	bob.press("nquiet")
	ada.wait("quiet")
	bob.press("\x13") // ctrl+s
	ada.wait("space step")
	ada.press("\x1b[C") // text right behind a field is none for commands
	ada.press(":take the keyboard back\r")
	ada.wait("the keyboard is yours alone")
	bob.press(" ")
	bob.wait("space does nothing here")
	ada.press(" ")
	ada.wait("step 2/50")
	ada.press(":pass the keyboard to bob\r")
	bob.wait("you have the keyboard")
	bob.press("q")
	ada.wait("only ada ends this window")
	for row, line := range strings.Split(ada.text(), "\n") {
		if before, _, found := strings.Cut(line, "q quit"); found {
			ada.press(fmt.Sprintf("\x1b[<0;%[1]d;%[2]dM\x1b[<0;%[1]d;%[2]dm", utf8.RuneCountInString(before)+1, row+1))
		}
	}
	ada.over()
	bob.wait("the teacher is away")
	files, _ := filepath.Glob(filepath.Join(c.options.Dir, "people", "ada", "*.jsonl"))
	require.Equal(t, 1, len(files), "the teacher's sessions are %v", files)
	s, err := sessions.OpenReadOnly(t.Context(), files[0])
	require.NoError(t, err)
	defer s.Close()
	entries := map[string]int{}
	for _, a := range s.Contributions() {
		entries[a.Name+" "+a.Via] = a.Suggestions
	}
	if len(entries) != 2 || entries["ada ssh"] != 1 || entries["bob ssh"] != 1 {
		t.Errorf("the suggestions are by %v, want one by each", entries)
	}
}

// A teacher without a room opens one, and those who are alone are invited.
func TestOpenRoom(t *testing.T) {
	o := options(t)
	o.Room = ""
	c := begin(t, o)
	ada, bob := c.join(t, "ada", true, 120, 36), c.join(t, "bob", false, 100, 30)
	ada.wait("step 0/50")
	bob.wait("step 0/50")
	wall := c.join(t, "wall", false, 100, 30, "watch")
	wall.wait("no room is open yet")
	wall.press("\x07 o")
	ada.press(":open a room\r")
	ada.wait("the room ada is open")
	bob.wait("ctrl+g goes there")
	bob.press("\x07")
	bob.wait("ada teaches")
	late := c.join(t, "eve", false, 100, 30)
	late.wait("ada teaches")
	wall.wait("ada teaches")
}

// A projector shows the room, and its keys do nothing. Its last line says so, in place of the teacher's keys.
func TestWatch(t *testing.T) {
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	wall := c.join(t, "wall", false, 120, 36, "watch")
	wall.wait("0 here · read only")
	lines := strings.Split(strings.TrimSpace(wall.text()), "\n")
	assert.Equal(t, "room bayes · ada teaches · 0 here · read only", strings.TrimSpace(lines[len(lines)-1]))
	assert.NotContains(t, wall.text(), "space step")
	wall.press("\x07 ")
	ada.press(" ")
	wall.wait("step 1/50")
	wall.press("q")
	wall.over()
}

// Odd terminals are served or let go, and others go on.
func TestOddTerminals(t *testing.T) {
	if testing.Short() {
		t.Skip("drawing large screens takes long")
	}
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 120, 36)
	ada.wait("step 0/50")
	join, _ := c.Codes()
	dial := func(name string) *gossh.Client {
		conn, err := c.dial(name, join, "1234")
		require.NoError(t, err)
		return conn
	}
	t.Run("one cell", func(t *testing.T) {
		k := open(t, dial("one"), "xterm", 1, 1)
		k.press("\x07q")
		k.press("q")
		k.conn.Close()
	})
	t.Run("large", func(t *testing.T) {
		k := open(t, dial("large"), "xterm-256color", 500, 200)
		k.wait("ada teaches")
		k.resize(100, 30)
		k.wait("ada teaches")
		k.session.WindowChange(1<<31-1, 1<<31-1) // the emulator here would need it all
		k.resize(100, 30)
		k.wait("ada teaches")
	})
	t.Run("no size", func(t *testing.T) {
		k := open(t, dial("none"), "", 0, 0)
		k.resize(100, 30)
		k.wait("ada teaches")
	})
	t.Run("no color", func(t *testing.T) {
		k := open(t, dial("dumb"), "dumb", 100, 30)
		k.wait("ada teaches")
	})
	t.Run("garbage", func(t *testing.T) {
		k := open(t, dial("noise"), "xterm", 100, 30)
		k.wait("ada teaches")
		b := make([]byte, 1<<16)
		rand.Read(b)
		k.in.Write(b)
		k.conn.Close()
	})
	t.Run("a megabyte", func(t *testing.T) {
		k := open(t, dial("paste"), "xterm", 100, 30)
		k.wait("ada teaches")
		k.in.Write([]byte("\x1b[200~" + strings.Repeat("paste ", 1<<20/6) + "\x1b[201~"))
		k.press("q")
		k.over()
	})
	t.Run("never reads", func(t *testing.T) {
		conn := dial("deaf")
		ch, requests, err := conn.OpenChannel("session", nil)
		require.NoError(t, err)
		go gossh.DiscardRequests(requests)
		ch.SendRequest("pty-req", true, gossh.Marshal(struct {
			Term               string
			Cols, Rows, Px, Py uint32
			Modes              string
		}{"xterm-256color", 200, 60, 0, 0, ""}))
		ch.SendRequest("shell", true, nil)
		defer conn.Close()
		ada.press(" ")
		ada.wait("step 1/50")
	})
	t.Run("gone in mid-fit", func(t *testing.T) {
		k := open(t, dial("gone"), "xterm", 100, 30)
		k.wait("ada teaches")
		k.press("\x07")
		k.wait("your own copy")
		k.press(" ")
		k.conn.Close()
	})
	ada.press(" ")
	ada.wait("step 2/50")
}

// Two terminals of one person are two windows; nobody has the other's file.
func TestTwoTerminalsOfOnePerson(t *testing.T) {
	if testing.Short() {
		t.Skip("TestFollow shares the same")
	}
	c := begin(t, options(t))
	c.join(t, "ada", true, 120, 36).wait("step 0/50")
	a, b := c.join(t, "bob", false, 100, 30), c.join(t, "bob", false, 80, 24)
	a.wait("1 here")
	for _, k := range []*client{a, b} {
		k.wait("ada teaches")
		k.press("\x07")
		k.wait("own copy")
		k.press(" ")
		k.wait("step 1/")
	}
}

// People are let go for each limit, and hear why.
func TestLimits(t *testing.T) {
	for _, test := range []struct {
		what, want string
		change     func(*Options)
		press      string
	}{
		{"idle", errIdle.Error(), func(o *Options) { o.Idle = 300 * time.Millisecond }, ""},
		{"stay", errStay.Error(), func(o *Options) { o.Stay = 300 * time.Millisecond }, ""},
		{"disk", "are allowed", func(o *Options) { o.Disk = -1 }, ""},
		{"computing", "your computations took", func(o *Options) { o.Computing = 1 }, " "},
		{"people", ErrMany.Error(), func(o *Options) { o.People = 0 }, ""},
	} {
		o := options(t)
		o.Room = ""
		test.change(&o)
		c := begin(t, o)
		k := c.join(t, "bob", false, 100, 30)
		k.press(test.press)
		if text := k.over(); !strings.Contains(text, test.want) {
			t.Errorf("%s: %q", test.what, text)
		}
	}
}

// One connection opens no more terminals than there are places, and others can still join when they are closed.
func TestManyTerminalsOfOneConnection(t *testing.T) {
	o := options(t)
	o.People = 3
	c := begin(t, o)
	join, _ := c.Codes()
	conn, err := c.dial("bob", join, "1234")
	require.NoError(t, err)
	var all []*client
	for range 3 {
		k := open(t, conn, "xterm", 80, 24)
		k.wait("The teacher is not here yet")
		all = append(all, k)
	}
	for range 20 {
		if text := open(t, conn, "xterm", 80, 24).over(); !strings.Contains(text, ErrMany.Error()) {
			t.Errorf("one terminal more: %q", text)
		}
	}
	all[0].press("q")
	all[0].over()
	settled(t, c, 2)
	c.join(t, "eve", false, 80, 24).wait("The teacher is not here yet")
}

// At the end of the server every session is saved, every terminal is as it was, and its person hears why.
func TestEnd(t *testing.T) {
	c := begin(t, options(t))
	ada, bob := c.join(t, "ada", true, 120, 36), c.join(t, "bob", false, 100, 30)
	ada.wait("step 0/50")
	ada.press(" ")
	bob.wait("step 1/50")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, c.End(ctx))
	for _, k := range []*client{ada, bob} {
		if text := k.over(); !strings.Contains(text, ErrEnding.Error()) {
			t.Errorf("at the end: %q", text)
		}
		assert.False(t, k.screen.IsAltScreen(), "the terminal is not as it was")
	}
	files, _ := filepath.Glob(filepath.Join(c.options.Dir, "people", "ada", "*.jsonl"))
	for _, f := range files {
		s, err := sessions.OpenReadOnly(t.Context(), f)
		if err != nil || len(s.State().Iterations) != 1 {
			t.Errorf("%s: %v", f, err)
		}
		s.Close()
	}
	join, _ := c.Codes()
	if conn, err := c.dial("eve", join, "1234"); err == nil {
		if text := open(t, conn, "xterm", 80, 24).over(); !strings.Contains(text, ErrEnding.Error()) {
			t.Errorf("after the end: %q", text)
		}
	}
}

// Connections that come and go leave no goroutine and no open file.
func TestComeAndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("many terminals take long")
	}
	c := begin(t, options(t))
	ada := c.join(t, "ada", true, 100, 30)
	ada.wait("step 0/50")
	join, _ := c.Codes()
	visit := func() {
		conn, err := c.dial("bob", join, "1234")
		require.NoError(t, err)
		k := open(t, conn, "xterm", 100, 30)
		k.wait("ada teaches")
		conn.Close()
		k.over()
	}
	visit()
	before := settled(t, c, 1)
	const visits = 10
	for range visits {
		visit()
	}
	if after := settled(t, c, 1); after > before+visits+3 { // the emulator of each visit keeps one here
		t.Errorf("%d goroutines, then %d", before, after)
	}
}

// settled is the least number of goroutines in a while after no more than so many terminals are open: those that only
// wait for a clock come and go.
func settled(t testing.TB, c *served, terminals int64) int {
	t.Helper()
	deadline := time.Now().Add(patience)
	for c.count.Load() > terminals {
		if time.Now().After(deadline) {
			t.Fatalf("%d terminals are open", c.count.Load())
		}
		time.Sleep(10 * time.Millisecond)
	}
	least := runtime.NumGoroutine()
	for range 100 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
		least = min(least, runtime.NumGoroutine())
	}
	return least
}
