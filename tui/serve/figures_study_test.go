//go:build study

package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"bandscope/sessions/classroom"
)

// The figures of a class: go test -tags study ./tui/serve -run Figures -v -timeout 0, with the program to measure in
// BANDSCOPE_BINARY. Clients and server share the machine.

// process is a server that runs as a program.
type process struct {
	*served
	command *exec.Cmd
}

func serveProcess(t *testing.T, args ...string) *process {
	t.Helper()
	binary := os.Getenv("BANDSCOPE_BINARY")
	if binary == "" {
		t.Skip("BANDSCOPE_BINARY is not set")
	}
	dir := filepath.Join(t.TempDir(), "class")
	cmd := exec.Command(binary, append([]string{"serve", "--folder", dir, "--address", "127.0.0.1:0"}, args...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() })
	address := ""
	for in := bufio.NewScanner(out); in.Scan(); {
		if words := strings.Fields(in.Text()); len(words) > 3 && words[0] == "join:" {
			address = "127.0.0.1:" + words[3]
		}
		if strings.HasPrefix(in.Text(), "exposed") {
			break
		}
	}
	go io.Copy(io.Discard, out)
	known := people{dir: dir}
	b, err := os.ReadFile(known.path())
	if err == nil {
		err = json.Unmarshal(b, &known)
	}
	require.NoError(t, err)
	return &process{&served{Server: &Server{people: &known}, address: address}, cmd}
}

// resident is the memory of the server, in megabytes.
func (p *process) resident(t *testing.T) float64 {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		t.Skip(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kb); err == nil {
			return kb / 1024
		}
	}
	t.Fatal("no VmRSS")
	return 0
}

// recording is a terminal that only records what it is sent, and when.
type recording struct {
	in     io.WriteCloser
	w, h   int
	mu     sync.Mutex
	pieces []piece
}

type piece struct {
	at   time.Time
	text []byte
}

func (r *recording) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pieces = append(r.pieces, piece{time.Now(), slices.Clone(p)})
	return len(p), nil
}

func (p *process) record(t *testing.T, name string, teacher bool, w, h int) *recording {
	t.Helper()
	code, teachers := p.Codes()
	if teacher {
		code = teachers
	}
	conn, err := p.dial(name, code, "1234")
	require.NoError(t, err)
	s, err := conn.NewSession()
	require.NoError(t, err)
	r := &recording{w: w, h: h}
	if r.in, err = s.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	s.Stdout = r
	require.NoError(t, s.RequestPty("xterm-256color", h, w, gossh.TerminalModes{}))
	require.NoError(t, s.Shell())
	t.Cleanup(func() { conn.Close() })
	return r
}

// first is when something came after a moment; zero for never.
func (r *recording) first(after time.Time) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.pieces {
		if p.at.After(after) {
			return p.at
		}
	}
	return time.Time{}
}

// shows is when the screen first showed each text.
func (r *recording) shows(texts []string) []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := vt.NewEmulator(r.w, r.h)
	go io.Copy(io.Discard, e)
	values := make([]time.Time, len(texts))
	for _, p := range r.pieces {
		e.Write(p.text)
		screen := e.String()
		for i, want := range texts {
			if values[i].IsZero() && strings.Contains(screen, want) {
				values[i] = p.at
			}
		}
	}
	return values
}

func quantile(list []time.Duration, q float64) time.Duration {
	slices.Sort(list)
	return list[min(int(q*float64(len(list))), len(list)-1)]
}

// A step of the teacher reaches 40 followers, of five sizes.
func TestFiguresOfFollowing(t *testing.T) {
	p := serveProcess(t, "--room", "bayes")
	ada := p.record(t, "ada", true, 120, 36)
	time.Sleep(2 * time.Second)
	sizes := [][2]int{{80, 24}, {100, 30}, {120, 36}, {160, 48}, {200, 60}}
	var followers []*recording
	for i := range 40 {
		size := sizes[i%len(sizes)]
		followers = append(followers, p.record(t, fmt.Sprintf("p%d", i), false, size[0], size[1]))
	}
	time.Sleep(3 * time.Second)
	const steps = 10
	pressed, texts := make([]time.Time, steps), make([]string, steps)
	for i := range steps {
		pressed[i], texts[i] = time.Now(), fmt.Sprintf("step %d: evaluated", i+1)
		io.WriteString(ada.in, " ")
		time.Sleep(2 * time.Second)
	}
	local := ada.shows(texts)
	last, lag := make([]time.Duration, steps), make([]time.Duration, steps)
	for _, f := range followers {
		for i, position := range f.shows(texts) {
			if position.IsZero() {
				t.Fatalf("step %d does not reach a terminal of %d×%d; its screen has %d pieces", i+1, f.w, f.h, len(f.pieces))
			}
			last[i], lag[i] = max(last[i], position.Sub(pressed[i])), max(lag[i], position.Sub(local[i]))
		}
	}
	t.Logf("from the key to the last follower: %v; median %v, largest %v", last, quantile(last, 0.5), quantile(last, 1))
	t.Logf("from the teacher's screen to the last follower: median %v, largest %v", quantile(lag, 0.5), quantile(lag, 1))
	t.Logf("the server has %.0f MB with 41 terminals", p.resident(t))
}

// Thirty people step gp-ei on their own, each about every two seconds.
func TestFiguresOfStepping(t *testing.T) {
	p := serveProcess(t)
	empty := p.resident(t)
	var all []*recording
	for i := range 30 {
		all = append(all, p.record(t, fmt.Sprintf("p%d", i), false, 100, 30))
	}
	time.Sleep(5 * time.Second)
	for _, r := range all {
		io.WriteString(r.in, ":gp-ei\r")
		time.Sleep(300 * time.Millisecond)
	}
	time.Sleep(5 * time.Second)
	const steps = 15
	var group sync.WaitGroup
	pressed := make([][steps]time.Time, len(all))
	for i, r := range all {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for k := range steps {
				time.Sleep(time.Duration(1000+rng.IntN(2000)) * time.Millisecond)
				pressed[i][k] = time.Now()
				io.WriteString(r.in, " ")
			}
		})
	}
	group.Wait()
	time.Sleep(3 * time.Second)
	var frames []time.Duration
	for i, r := range all {
		for k := range steps {
			if position := r.first(pressed[i][k]); !position.IsZero() {
				frames = append(frames, position.Sub(pressed[i][k]))
			}
		}
	}
	if len(frames) < 30*steps*9/10 {
		t.Fatalf("%d frames", len(frames))
	}
	t.Logf("from a key to the next frame: median %v, 95 %% %v", quantile(frames, 0.5), quantile(frames, 0.95))
	texts := make([]string, steps)
	for k := range texts {
		texts[k] = fmt.Sprintf("step %d/50", k+1)
	}
	var done []time.Duration
	for i, r := range all {
		for k, position := range r.shows(texts) {
			if !position.IsZero() {
				done = append(done, position.Sub(pressed[i][k]))
			}
		}
	}
	if len(done) > 0 {
		t.Logf("from a key to the step: %d of %d; median %v, 95 %% %v", len(done), 30*steps, quantile(done, 0.5), quantile(done, 0.95))
	}
	last := all[0].shows([]string{"gp-ei"})
	t.Logf("gp-ei is shown: %v", !last[0].IsZero())
	t.Logf("the server has %.0f MB without people, and %.1f MB more for each", empty, (p.resident(t)-empty)/30)
}

// processor is the processor time of the server.
func (p *process) processor(t *testing.T) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		t.Skip(err)
	}
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] { // of the program and of the system for it
		n, err := strconv.Atoi(field)
		require.NoError(t, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// A student with 5 s of computing time starts what the palette offers, again and again for 30 s, and then leaves.
func TestFiguresOfComputing(t *testing.T) {
	p := serveProcess(t, "--computing", "5s")
	join, _ := p.Codes()
	start := p.processor(t)
	begun := time.Now()
	ends := 0
	for time.Since(begun) < 30*time.Second {
		conn, err := p.dial("bob", join, "1234")
		if err != nil {
			t.Logf("joining: %v", err)
			time.Sleep(time.Second)
			continue
		}
		bob := open(t, conn, "xterm-256color", 120, 36)
		for _, keys := range []string{":dai-1d\r", "r", "\x1b", ":check\r", "\x1b", ":race\r", "r", "\x1b", "   "} {
			io.WriteString(bob.in, keys) // the terminal can have ended
			select {
			case <-bob.ended:
			case <-time.After(time.Second):
			}
		}
		select {
		case <-bob.ended:
			ends++
		case <-time.After(max(30*time.Second-time.Since(begun), 0)):
		}
		if text := bob.heard(); ends == 1 && text != "" {
			t.Logf("%v until the first end; the student reads: %s", p.processor(t)-start, text)
		}
		conn.Close()
	}
	left := p.processor(t)
	t.Logf("%v of processor time in %v, with %d ends of the terminal", left-start, time.Since(begun), ends)
	time.Sleep(5 * time.Second)
	t.Logf("%v in the 5 s after the student left", p.processor(t)-left)
}

// A thousand connections come and go.
func TestFiguresOfComingAndGoing(t *testing.T) {
	c := begin(t, options(t))
	c.join(t, "ada", true, 100, 30).wait("step 0/50")
	join, _ := c.Codes()
	visit := func(i int) {
		c.limits = newLimiter()
		conn, err := c.dial("bob", join, "1234")
		require.NoError(t, err, i)
		k := open(t, conn, "xterm", 100, 30)
		if i%3 > 0 {
			k.wait("ada teaches")
		}
		conn.Close()
		k.over()
	}
	open := func() int {
		files, _ := os.ReadDir("/proc/self/fd")
		return len(files)
	}
	for i := range 20 {
		visit(i)
	}
	before, files := settled(t, c, 1), open()
	for i := range 1000 {
		visit(i)
	}
	t.Logf("before: %d goroutines, %d files; after 1,000, with an emulator each: %d, %d", before, files, settled(t, c, 1), open())
}

// The server is killed 200 times, each time when a person reads that the answer is recorded: every one of them is in the
// record of the class.
func TestFiguresOfKilling(t *testing.T) {
	for round := range 200 {
		p := serveProcess(t, "--room", "bayes")
		ada := p.join(t, "ada", true, 100, 30)
		ada.wait("step 0/50")
		bob := p.join(t, "bob", false, 100, 30)
		bob.wait("ada teaches")
		ada.press(":ask what the band will do\r")
		bob.wait("What will the band do")
		bob.press("1")
		bob.wait("your answer is recorded")
		p.command.Process.Kill()
		p.command.Wait()
		<-bob.ended
		<-ada.ended
		record, err := classroom.OpenReadOnly(t.Context(), filepath.Join(p.people.dir, "room-bayes.jsonl"))
		require.NoError(t, err, round)
		if n := len(record.State().Answered(1)); n != 1 {
			t.Fatalf("round %d: %d answers are on record, want 1", round, n)
		}
	}
	t.Log("200 acknowledged answers are on record")
}
