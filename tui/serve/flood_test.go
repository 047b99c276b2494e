package serve

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/serve/web"
)

// silence opens connections that say nothing, until the test ends.
func silence(t *testing.T, n int, addresses ...string) {
	for range n {
		for _, address := range addresses {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { conn.Close() })
		}
	}
}

// flood joins with new names, and tries wrong codes and PINs, until the context ends.
func flood(ctx context.Context, c *served) {
	join, _ := c.Codes()
	for i := 0; ctx.Err() == nil; i++ {
		_, _ = c.webPerson(ctx, web.Hello{Name: fmt.Sprintf("more%d", i), Code: join})
		_, _ = c.webPerson(ctx, web.Hello{Name: "guess", Code: "aaaa-aaaa"})
		_, _ = c.byPIN(ctx, "flood0", "4321", false)
	}
}

// While one student floods the server, 40 others of the same address join: 20 over SSH, 20 in browsers.
func TestClassJoinsDuringAFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("many connections")
	}
	c := begin(t, options(t))
	position := c.webAt(t)
	join, _ := c.Codes()
	for i := range maxPeople { // names of an earlier flood
		c.people.Known[fmt.Sprintf("taken%d", i)] = person{}
	}
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for i := range newNamesAtOnce + 5 {
		if _, err := c.webPerson(ctx, web.Hello{Name: fmt.Sprintf("flood%d", i), Code: join}); err != nil {
			t.Fatal(err)
		}
	}
	silence(t, 300, c.address, position)
	work.Go(func() { flood(ctx, c) })
	defer work.Wait()
	defer stop()
	errs := make(chan error, 40)
	var class sync.WaitGroup
	for i := range 20 {
		class.Go(func() {
			conn, err := c.dial(fmt.Sprintf("ssh%d", i), join, "1234")
			if err == nil {
				t.Cleanup(func() { conn.Close() })
				_, err = conn.NewSession()
			}
			errs <- err
		})
		class.Go(func() { errs <- visits(t, position, fmt.Sprintf("web%d", i), join) })
	}
	class.Wait()
	close(errs)
	for err := range errs {
		assert.NoError(t, err)
	}
}

// visits joins in a browser, and stays.
func visits(t *testing.T, place, name, code string) error {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+place+"/terminal", &websocket.DialOptions{HTTPHeader: map[string][]string{
		"Origin": {"http://" + place}}, Subprotocols: []string{"bandscope.terminal.1"}})
	if err != nil {
		return err
	}
	t.Cleanup(func() { conn.CloseNow() })
	hello := fmt.Sprintf(`{"type":"hello","name":%q,"code":%q,"cols":90,"rows":25}`, name, code)
	if err := conn.Write(ctx, websocket.MessageText, []byte(hello)); err != nil {
		return err
	}
	_, answer, err := conn.Read(ctx)
	if err == nil && !strings.Contains(string(answer), "joined") {
		err = fmt.Errorf("%s: %s", name, answer)
	}
	return err
}

// Names of people who are away and left nothing are given back: those of guests after a while, all if no name is free.
func TestNamesAreGivenBack(t *testing.T) {
	c := begin(t, options(t))
	ctx := t.Context()
	seen := func(name string, moment time.Time) {
		c.people.mu.Lock()
		defer c.people.mu.Unlock()
		known := c.people.Known[name]
		known.seen = moment
		c.people.Known[name] = known
	}
	old := time.Now().Add(-2 * guestWait)
	guest, err := c.byName(ctx, "guest", false)
	require.NoError(t, err)
	token := c.tokens.give(guest)
	_, err = c.byName(ctx, "guest", false)
	assert.ErrorIs(t, err, ErrGuest, "the name of a guest who just left: %v", err)
	seen("guest", old)
	_, err = c.byName(ctx, "guest", false)
	assert.NoError(t, err, "the name of a guest who left")
	_, err = c.tokens.take(token)
	assert.ErrorIs(t, err, ErrToken, "the token of the former guest: %v", err)
	_, err = c.byPIN(ctx, "pin", "1234", false)
	require.NoError(t, err)
	seen("pin", old)
	_, err = c.byName(ctx, "pin", false)
	assert.ErrorIs(t, err, ErrGuest, "a name with a PIN: %v", err)
	file, err := c.byName(ctx, "file", false)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(file.Dir, "own.jsonl"), nil, 0o600))
	seen("file", old)
	_, err = c.byName(ctx, "file", false)
	assert.ErrorIs(t, err, ErrGuest, "a name with a file: %v", err)
	c.join(t, "here", false, 90, 25).wait("The teacher is not here yet")
	seen("here", old)
	if n, err := c.clearNames(func(string, person) bool { return true }); err != nil || n != 1 || c.people.knows("pin") {
		t.Errorf("%d names are cleared, %v", n, err) // the guest is new
	}
	if !c.people.knows("file") || !c.people.knows("here") || !c.people.knows("guest") {
		t.Error("a name is cleared that is in use")
	}
}

// The panel of the teacher disconnects a person, and a person has few terminals.
func TestDisconnect(t *testing.T) {
	c := begin(t, options(t))
	mia := c.join(t, "mia", false, 90, 25)
	mia.wait("The teacher is not here yet")
	room := c.roomFor(nil)
	d := desk{server: c.Server, room: room}
	require.NoError(t, d.Disconnect(c.names.ID("mia")))
	if text := mia.over(); !strings.Contains(text, errDisconnected.Error()) {
		t.Errorf("the terminal says %q", text)
	}
	assert.Error(t, d.Disconnect(c.names.ID("mia")), "who is away is disconnected")
	for range maxTerminals {
		c.join(t, "noah", false, 90, 25).wait("The teacher is not here yet")
	}
	if text := c.join(t, "noah", false, 90, 25).over(); !strings.Contains(text, ErrOften.Error()) {
		t.Errorf("one terminal too many says %q", text)
	}
}
