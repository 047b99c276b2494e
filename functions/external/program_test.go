//go:build unix

package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// TestMain is the programs of these tests as well: the test binary is started again with the word program and a name.
func TestMain(m *testing.M) {
	grace, linger = 200*time.Millisecond, 100*time.Millisecond
	if len(os.Args) > 2 && os.Args[1] == "program" {
		os.Exit(programs[os.Args[2]](os.Args[3:]))
	}
	os.Exit(m.Run())
}

// branin is what the programs evaluate.
func branin(t testing.TB) *functions.Problem {
	t.Helper()
	p, err := functions.Find("branin", 1)
	require.NoError(t, err)
	named := *p
	named.Objectives = []functions.Objective{{Name: "branin", Direction: functions.Minimize}}
	return &named
}

// command is the command line of one of the programs.
func command(words ...string) string {
	line := "'" + os.Args[0] + "' program"
	for _, w := range words {
		line += " '" + w + "'"
	}
	return line
}

func begin(t testing.TB, o Options) *Program {
	t.Helper()
	p, err := New(branin(t), o)
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

var somewhere = []float64{0.1, 12.3}

// A program that is asked and answers, each way.
func TestProgramEvaluates(t *testing.T) {
	want, err := branin(t).TrueValues(somewhere)
	require.NoError(t, err)
	ctx := functions.WithPointID(t.Context(), functions.PointID{Point: 7, Step: 5})
	for _, c := range []struct {
		o    Options
		cost float64
		said string
	}{
		{o: Options{Command: command("object")}, cost: 2},
		{o: Options{Command: command("environment")}, said: "branin 7 5"},
		{o: Options{Command: command("environment") + " 2>&1 | tail -n 1", Shell: true}},
		{o: Options{Command: command("serve"), KeepAlive: true}},
		{o: Options{Command: command("object"), Timeout: time.Minute}, cost: 2},
		{o: Options{Command: command("serve"), KeepAlive: true, Timeout: time.Minute}},
	} {
		var mu sync.Mutex
		var texts []string
		ctx := functions.WithListener(ctx, func(l string) { mu.Lock(); texts = append(texts, l); mu.Unlock() })
		p := begin(t, c.o)
		for range 2 {
			o, err := p.Evaluate(ctx, somewhere)
			if err != nil || o.Reason != "" || len(o.Values) != 1 || o.Values[0] != want[0] || o.Cost != c.cost {
				t.Fatalf("%+v: got %+v, %v, want %v", c.o, o, err, want)
			}
		}
		mu.Lock()
		if c.said != "" && (len(texts) != 2 || texts[1] != c.said) || c.said == "" && len(texts) > 0 {
			t.Errorf("%+v: it said %q", c.o, texts)
		}
		mu.Unlock()
	}
}

// All that goes wrong in a program is the reason of a failed outcome.
func TestProgramFails(t *testing.T) {
	for _, c := range []struct {
		words  []string
		reason string
	}{
		{[]string{"crash"}, "the program ended with exit status 3; standard error: the pump \x1b[31mis broken"},
		{[]string{"crash", "12.5"}, "the program ended with exit status 3; standard error: the pump \x1b[31mis broken"},
		{[]string{"crash", `{"failed": "no water"}`}, "no water"},
		{[]string{"panic"}, "the program ended with exit status 2; standard error: "},
		{[]string{"signal"}, "the program ended with signal: killed"},
		{[]string{"print"}, "the program printed nothing"},
		{[]string{"print", " \n"}, "the program printed nothing"},
		{[]string{"binary"}, `the program printed invalid UTF-8: "` + "\uFFFD\\x00\\x01\""},
		{[]string{"line"}, "the program printed more than 1024 KiB"},
		{[]string{"lines"}, "the program printed more than 1024 KiB"},
		{[]string{"print", "all well"}, `the program printed "all well", which is neither a JSON object nor 1 number (branin)`},
		{[]string{"print", "NaN"}, `the program printed "NaN" for branin`},
		{[]string{"print", "1e999"}, `the program printed "1e999", which is neither`},
		{[]string{"print", "1 2"}, "the program printed 2 numbers, but branin needs 1 number (branin)"},
		{[]string{"print", "1 done"}, `the program printed "1 done", which is neither`},
		{[]string{"print", `{"branin": "high"}`}, `the program gave "\"high\"" for branin, which is not a number`},
		{[]string{"print", `{"branin": null}`}, `the program gave "null" for branin, which is not a number`},
		{[]string{"print", `{"branin": NaN}`}, `which is not a valid JSON object: invalid character 'N'`},
		{[]string{"print", `{"branin": 1} 2`}, "there is text after the object"},
		{[]string{"print", `{"branin": 1`}, "which is not a valid JSON object: "},
		{[]string{"print", `{"branin": 1, "branin": 2}`}, `"branin" occurs twice`},
		{[]string{"print", `{"brannin": 1}`}, `no key "brannin"; did you mean branin`},
		{[]string{"print", `{}`}, "the program gave no value for branin"},
		{[]string{"print", `{"branin": 1, "cost": -2}`}, `the program gave the cost "-2"; a cost must be above 0`},
		{[]string{"print", `{"branin": 1, "cost": 0}`}, `the program gave the cost "0"; a cost must be above 0`},
		{[]string{"print", `{"branin": 1, "sd": {"branin": 0}}`},
			`the standard error of branin must be positive and finite, got 0`},
		{[]string{"print", `{"branin": 1, "sd": 3}`}, `the program gave "3" for sd, which must be an object of numbers`},
		{[]string{"print", `{"branin": 1, "sd": {"currin": 1}}`}, `no objective "currin"`},
		{[]string{"print", `{"branin": 1, "at": {"x9": 1}}`}, `no variable "x9"`},
		{[]string{"print", `{"branin": 1, "at": {"x1": 99}}`}, `x1 must be in [-5, 10], got 99`},
		{[]string{"print", `{"branin": 1, "failed": "spilt"}`},
			"the program reported both values and a failure: spilt"},
		{[]string{"print", `{"failed": ""}`}, "without a reason"},
		{[]string{"print", `{"failed": "spilt"}`}, "spilt"},
		{[]string{"print", `{"failed": true}`}, `the program gave "true" for failed, which must be a text`},
	} {
		p := begin(t, Options{Command: command(c.words...)})
		o, err := p.Evaluate(t.Context(), somewhere)
		if err != nil || functions.Finite(o.Values) && o.Values != nil || !strings.Contains(o.Reason, c.reason) {
			t.Errorf("%q: got %+v, %v, want %q", c.words, o, err, c.reason)
		}
		if len([]rune(o.Reason)) > 800 {
			t.Errorf("%q: the reason has %d characters", c.words, len(o.Reason))
		}
	}
}

// All that can be answered reaches the outcome.
func TestProgramAnswersAll(t *testing.T) {
	p := begin(t, Options{Command: command("print",
		`{"branin": 1, "sd": {"branin": 0.5}, "at": {"x1": 3}, "cost": 4, "note": " a slow shot "}`)})
	o, err := p.Evaluate(t.Context(), somewhere)
	want := functions.Outcome{Values: []float64{1}, SE: []float64{0.5}, At: []float64{3, somewhere[1]}, Cost: 4,
		Note: "a slow shot"}
	if err != nil || !reflect.DeepEqual(o, want) {
		t.Errorf("got %+v, %v, want %+v", o, err, want)
	}
	p = begin(t, Options{Command: command("crash", `{"failed": "no water", "cost": 2}`)})
	want = functions.Outcome{Values: []float64{math.NaN()}, Reason: "no water", Cost: 2,
		Note: "standard error: warming up\nthe pump \x1b[31mis broken"}
	if o, err = p.Evaluate(t.Context(), somewhere); err != nil || fmt.Sprint(o) != fmt.Sprint(want) {
		t.Errorf("got %+v, %v, want %+v", o, err, want)
	}
}

// Values stand under their names, or apart from everything else that is said, so that an objective can have the name of
// another key.
func TestProgramAnswersWithValuesApart(t *testing.T) {
	p := *branin(t)
	p.Objectives = []functions.Objective{{Name: "sd"}, {Name: "values"}}
	for text, want := range map[string]string{
		`{"values": {"sd": 1, "values": 2}}`:                                "",
		`{"values": {"sd": 1, "values": 2}, "sd": {"sd": 3}, "note": "as"}`: "",
		`1 2`:                                  "",
		`{"sd": 1, "values": 2}`:               `"sd" is both a key of the answer and an objective; put the values into {"values": {"sd": 1}}`,
		`{"values": {"sd": 1}}`:                "the program gave no value for values",
		`{"values": {"sd": 1, "x": 2}}`:        `no objective "x"`,
		`{"values": {"sd": "a"}}`:              `for sd in values, which is not a number`,
		`{"values": {}, "failed": "no beans"}`: "no beans",
		`{"failed": "no beans"}`:               "no beans",
	} {
		a := parse(&p, []byte(text))
		o := a.outcome(&p, somewhere, "", nil)
		if want == "" && !slices.Equal(o.Values, []float64{1, 2}) || !strings.Contains(o.Reason, want) || want == "" &&
			o.Reason != "" {
			t.Errorf("%s: got %+v, want %q", text, o, want)
		}
	}
	a := parse(branin(t), []byte(`{"values": {"branin": 1}, "branin": 2}`))
	if a.fault != `no key "branin"; there are id, values, sd, at, cost, failed and note` &&
		!strings.Contains(a.fault, `no key "branin"`) {
		t.Errorf("values both ways: %+v", a)
	}
}

// Where this process is killed, what it started is ended, however it minds.
func TestKillEndsTheGroup(t *testing.T) {
	for _, values := range []string{"", "kept"} {
		path := watched(t)
		host := exec.Command(os.Args[0], "program", "host", values, path)
		require.NoError(t, host.Start())
		_, ended := processes(t, path, 2)
		require.NoError(t, host.Process.Kill())
		host.Wait()
		ended()
	}
}

// What is said is cut, and its last lines are kept.
func TestProgramSaysALot(t *testing.T) {
	updates := make(chan string, 1000)
	p := begin(t, Options{Command: command("chatter")})
	o, err := p.Evaluate(functions.WithListener(t.Context(), func(l string) { updates <- l }), somewhere)
	if err != nil || o.Reason != "" || o.Values[0] != 1 {
		t.Fatalf("got %+v, %v", o, err)
	}
	if n := len(updates); n != 101 {
		t.Fatalf("%d lines", n)
	}
	if first := <-updates; len([]rune(first)) != maxLine || !strings.HasSuffix(first, "…") {
		t.Errorf("the first line is %q", first)
	}
	const last = "standard error: line 92\nline 93\nline 94\nline 95\nline 96\nline 97\nline 98\nline 99"
	assert.Equal(t, last, o.Note, "the note")
	p = begin(t, Options{Command: command("chatter", "and fails")})
	if o, err = p.Evaluate(t.Context(), somewhere); err != nil ||
		o.Reason != "the program ended with exit status 3; standard error: line 99" || o.Note != last {
		t.Errorf("of a program that fails: %+v, %v", o, err)
	}
}

// What cannot be started is said before anything is.
func TestProgramThatCannotBeStarted(t *testing.T) {
	for command, want := range map[string]string{
		"":                          "the command is empty",
		"  ":                        "the command is empty",
		"/nowhere/at/all":           "no such file",
		"no-such-program-at-all -x": "cannot be started",
		"sh -c 'left open":          "cannot be split into words",
		"sh x | tail":               "contains '|', which only a shell understands",
		"sh x > y":                  "contains '>', which only a shell understands",
		"sh é; rm x":                "contains ';', which only a shell understands",
	} {
		_, err := New(branin(t), Options{Command: command})
		assert.ErrorContains(t, err, want, "%q: got %v, want %q", command, err, want)
	}
	if _, err := New(branin(t), Options{Command: "sh", Timeout: -1}); err == nil {
		t.Error("a time-out below 0 is taken")
	}
	path := filepath.Join(t.TempDir(), "p")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho 1\n"), 0o755))
	p := begin(t, Options{Command: path})
	require.NoError(t, os.Remove(path))
	if o, err := p.Evaluate(t.Context(), somewhere); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("a program that is gone: %+v, %v", o, err)
	}
}

// watched is a named pipe that processes hold.
func watched(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "held")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	return path
}

// processes waits until so many hold the pipe, and returns their ids, and what waits until none does any more.
func processes(t *testing.T, path string, n int) (ids []int, ended func()) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	in := bufio.NewScanner(f)
	for len(ids) < n && in.Scan() {
		id, err := strconv.Atoi(in.Text())
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids, func() {
		t.Helper()
		for in.Scan() {
			t.Errorf("another process: %s", in.Text())
		}
		for _, id := range ids {
			for began := time.Now(); exists(id); runtime.Gosched() {
				if time.Since(began) > 10*time.Second {
					t.Fatalf("process %d goes on", id)
				}
			}
		}
	}
}

// exists says whether there is a process, other than one that has ended and nobody asked how.
func exists(id int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	return !(err == nil && strings.Contains(string(stat), ") Z ")) && !errors.Is(syscall.Kill(id, 0), syscall.ESRCH)
}

// Whoever no longer waits ends the program with all that it started, however it minds; another one starts only then.
func TestCancelEndsTheGroup(t *testing.T) {
	for _, keep := range []bool{false, true} {
		path := watched(t)
		p := begin(t, Options{Command: command("hang", path, "with a child"), KeepAlive: keep})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := p.Evaluate(ctx, somewhere)
			done <- err
		}()
		_, ended := processes(t, path, 2)
		began := time.Now()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("kept %v: got %v", keep, err)
		}
		if took := time.Since(began); took >= grace {
			t.Errorf("kept %v: it took %v to return", keep, took)
		}
		require.NoError(t, p.waitForExits(t.Context()))
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("kept %v: it took %v to end the group", keep, took)
		}
		ended()
		if _, err := p.Evaluate(ctx, somewhere); !errors.Is(err, context.Canceled) {
			t.Errorf("kept %v: a context that has ended starts something: %v", keep, err)
		}
	}
}

// Closing ends what is under way as well, and nothing is started after it.
func TestCloseEndsTheGroup(t *testing.T) {
	for _, keep := range []bool{false, true} {
		path := watched(t)
		p := begin(t, Options{Command: command("hang", path, "with a child"), KeepAlive: keep})
		done := make(chan error, 1)
		go func() {
			_, err := p.Evaluate(context.Background(), somewhere)
			done <- err
		}()
		_, ended := processes(t, path, 2)
		p.Close()
		ended()
		if err := <-done; !errors.Is(err, ErrClosed) {
			t.Errorf("kept %v: got %v", keep, err)
		}
		if _, err := p.Evaluate(t.Context(), somewhere); !errors.Is(err, ErrClosed) {
			t.Errorf("kept %v: after closing: %v", keep, err)
		}
	}
}

// When Close returns, no process is left, however long it takes to end one.
func TestCloseWaitsForProcesses(t *testing.T) {
	for _, keep := range []bool{false, true} {
		path := watched(t)
		p := begin(t, Options{Command: command("hang", path), KeepAlive: keep})
		done := make(chan error, 1)
		go func() {
			_, err := p.Evaluate(context.Background(), somewhere)
			done <- err
		}()
		ids, _ := processes(t, path, 1)
		assert.NoError(t, p.Close())
		assert.False(t, exists(ids[0]), "kept %v: the process is there after Close", keep)
		<-done
	}
}

// A time-out is a failed outcome, and ends the group.
func TestTimeout(t *testing.T) {
	for _, keep := range []bool{false, true} {
		path := watched(t)
		p := begin(t, Options{Command: command("hang", path, "with a child"), KeepAlive: keep,
			Timeout: 500 * time.Millisecond})
		type result struct {
			o   functions.Outcome
			err error
		}
		done := make(chan result, 1)
		go func() {
			o, err := p.Evaluate(t.Context(), somewhere)
			done <- result{o, err}
		}()
		_, ended := processes(t, path, 2)
		if r := <-done; r.err != nil || r.o.Reason != "the program did not answer within 500ms" {
			t.Errorf("kept %v: got %+v, %v", keep, r.o, r.err)
		}
		p.waitForExits(t.Context())
		ended()
	}
}

// A program that has answered and gone is not waited for because of what it started, which is ended.
func TestChildrenThatHoldThePipes(t *testing.T) {
	path := watched(t)
	p := begin(t, Options{Command: command("fork", path)})
	type result struct {
		o   functions.Outcome
		err error
	}
	done := make(chan result, 1)
	go func() {
		o, err := p.Evaluate(t.Context(), somewhere)
		done <- result{o, err}
	}()
	_, ended := processes(t, path, 1)
	r := <-done
	ended()
	want, _ := branin(t).TrueValues(somewhere)
	if r.err != nil || len(r.o.Values) != 1 || math.Abs(r.o.Values[0]-want[0]) > 1e-9 {
		t.Errorf("got %+v, %v", r.o, r.err)
	}
}
