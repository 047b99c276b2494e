//go:build unix

package external

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// host is a host, and an allowed command of the program that talks.
func host(t testing.TB, timeout time.Duration, words ...string) (*Host, string) {
	t.Helper()
	h, c := &Host{}, command(append([]string{"talk"}, words...)...)
	Allow(c, timeout)
	t.Cleanup(func() { h.Close() })
	return h, c
}

// exchange sends a line, and fails the test if the answer is another one.
func exchange(t testing.TB, h *Host, command, hello, line, want string) {
	t.Helper()
	greeting, answer, err := h.Exchange(t.Context(), command, []byte(hello), []byte(line))
	if err != nil || string(greeting) != "1 "+hello || string(answer) != want {
		t.Errorf("%s, %s: got %q, %q, %v; want %q", hello, line, greeting, answer, err, want)
	}
}

// One process answers all lines; another first line is for another process.
func TestHostKeepsOneProcess(t *testing.T) {
	h, c := host(t, 0, "echo")
	exchange(t, h, c, "hello", "a", "2 a")
	exchange(t, h, c, "hello", "b", "3 b")
	exchange(t, h, c, "other", "a", "2 a")
	exchange(t, h, c, "hello", "a", "2 a")
	if greeting, answer, err := h.Exchange(t.Context(), c, []byte("hello"), nil); err != nil || answer != nil ||
		string(greeting) != "1 hello" {
		t.Errorf("without a line: %q, %q, %v", greeting, answer, err)
	}
}

// Callers at once wait for each other, and each gets its own answer.
func TestHostAnswersOneAfterTheOther(t *testing.T) {
	h, c := host(t, 0, "echo")
	var all sync.WaitGroup
	for _, line := range strings.Fields("a b c d e f g h") {
		all.Go(func() {
			_, answer, err := h.Exchange(t.Context(), c, []byte("hello"), []byte(line))
			if err != nil || !strings.HasSuffix(string(answer), " "+line) {
				t.Errorf("%s: got %q, %v", line, answer, err)
			}
		})
	}
	all.Wait()
}

// Only what the command line names is started.
func TestHostStartsOnlyWhatIsAllowed(t *testing.T) {
	path := watched(t)
	_, _, err := (&Host{}).Exchange(t.Context(), command("hang", path), []byte("hello"), nil)
	if e := (*NotAllowedError)(nil); !errors.As(err, &e) || e.Command != command("hang", path) {
		t.Errorf("got %v", err)
	}
}

// Every fault names what was wrong, and the next request has a process that works.
func TestHostReportsFaults(t *testing.T) {
	for name, want := range map[string]string{
		"dies":   "the program ended with exit status 4; standard error: out of �[31mbeans",
		"closes": "the program closed its standard output",
		"mute":   "the program did not answer within 300ms",
		"line":   "the program printed a line of more than 4 MiB",
	} {
		h, c := host(t, 300*time.Millisecond, name, "3")
		exchange(t, h, c, "hello", "a", "2 a")
		_, _, err := h.Exchange(t.Context(), c, []byte("hello"), []byte("b"))
		// a program that died may have died before it was asked, so a new one was asked, which answers its second line
		if e := (*DialogueError)(nil); name != "dies" && (!errors.As(err, &e) || err.Error() != want) || name == "dies" &&
			err != nil {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
		h, c = host(t, 300*time.Millisecond, name, "2")
		_, _, err = h.Exchange(t.Context(), c, []byte("hello"), []byte("a"))
		if e := (*DialogueError)(nil); !errors.As(err, &e) || err.Error() != want {
			t.Errorf("%s at its first request: got %v, want %s", name, err, want)
		}
		if greeting, _, err := h.Exchange(t.Context(), c, []byte("hello"), nil); err != nil || string(greeting) != "1 hello" {
			t.Errorf("%s, afterwards: got %q, %v", name, greeting, err)
		}
		h.Close()
	}
}

// What is printed without a request is a fault that names the line.
func TestHostReportsWhatNobodyAskedFor(t *testing.T) {
	h, c := host(t, time.Minute, "chats", "2")
	_, answer, err := h.Exchange(t.Context(), c, []byte("hello"), []byte("a")) // it prints two lines
	if err != nil || string(answer) != "loading the model" {
		t.Fatalf("got %q, %v", answer, err)
	}
	for range 100 { // until the second one is there
		if _, _, err = h.Exchange(t.Context(), c, []byte("hello"), []byte("a")); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), `the program printed "`) ||
		!strings.Contains(err.Error(), "without being asked") {
		t.Errorf("got %v", err)
	}
}

// A process that ended between two requests is replaced without an error.
func TestHostStartsAgain(t *testing.T) {
	h, c := host(t, 0, "echo")
	exchange(t, h, c, "hello", "a", "2 a")
	h.current.process.group.kill(h.current.process.cmd.Process)
	exchange(t, h, c, "hello", "b", "2 b")
}

// Whoever no longer waits, or closes the host, ends a program that does not answer, with all that it started.
func TestHostEndsTheGroup(t *testing.T) {
	before := answerGrace
	answerGrace = 50 * time.Millisecond
	defer func() { answerGrace = before }()
	for _, values := range []string{"cancel", "close"} {
		path := watched(t)
		h, c := host(t, 0, "hang", "2", path)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, _, err := h.Exchange(ctx, c, []byte("hello"), []byte("go"))
			done <- err
		}()
		_, ended := processes(t, path, 2)
		want := context.Canceled
		if values == "cancel" {
			cancel()
		} else {
			h.Close()
			want = ErrClosed
		}
		if err := <-done; !errors.Is(err, want) {
			t.Errorf("%s: got %v", values, err)
		}
		ended()
		cancel()
	}
	if _, _, err := func() (a, b []byte, err error) {
		h, c := host(t, 0, "echo")
		h.Close()
		return h.Exchange(t.Context(), c, []byte("hello"), nil)
	}(); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// An answer that comes after nobody waits any more is dropped, and the process goes on.
func TestHostDropsLateAnswers(t *testing.T) {
	h, c := host(t, 0, "echo")
	exchange(t, h, c, "hello", "a", "2 a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.current.ask(ctx, []byte("b"), time.Minute); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	_, answer, err := h.Exchange(t.Context(), c, []byte("hello"), []byte("c"))
	if err != nil || !strings.HasSuffix(string(answer), " c") {
		t.Errorf("got %q, %v", answer, err)
	}
}

// A program does not outlive this one, however this one ends.
func TestKillEndsTheGroupOfADialogue(t *testing.T) {
	path := watched(t)
	talker := exec.Command(os.Args[0], "program", "talkhost", path)
	require.NoError(t, talker.Start())
	_, ended := processes(t, path, 2)
	require.NoError(t, talker.Process.Kill())
	talker.Wait()
	ended()
}

// Equal commands are equal texts, and a shell reads them back.
func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"python  cma.py":           "python cma.py",
		`python "my cma.py" --x=1`: "python 'my cma.py' --x=1",
		`sh -c 'echo "it''s"'`:     `sh -c 'echo "its"'`,
		`a "it's"`:                 `a 'it'\''s'`,
		`a ''`:                     `a ''`,
	} {
		got, err := Canonical(text)
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v; want %s", text, got, err, want)
		}
		if again, err := Canonical(got); err != nil || again != got {
			t.Errorf("%s is not its own form: %s, %v", got, again, err)
		}
	}
	for text, want := range map[string]string{"": "empty", "a; b": "only a shell", "a 'b": "close every quote",
		"a \x1b[31m": "cannot be shown", strings.Repeat("a", 5000): "at most"} {
		if _, err := Canonical(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
