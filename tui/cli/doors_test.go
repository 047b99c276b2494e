package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/explore/modes"
)

const steered = `name = "espresso"
[[variable]]
name = "dose"
low = 14
high = 20
[[variable]]
name = "time"
low = 20
high = 40
[[objective]]
name = "extraction"
direction = "maximize"
range = [14, 24]
[[objective]]
name = "bitterness"
direction = "minimize"
range = [0, 10]
`

// door is a way to act on a session.
type door interface {
	ask(t *testing.T) (point int, x map[string]float64)
	tell(t *testing.T, point int, extraction, bitterness float64)
	steer(t *testing.T, prior string)
	prefer(t *testing.T, a, b int, answer string)
	set(t *testing.T, key, value string)
	close(t *testing.T)
}

// search is one search with steering, through a door.
func search(t *testing.T, d door) {
	t.Helper()
	step := func() {
		point, x := d.ask(t)
		extraction := 18 + (x["dose"]-17)/2 + (x["time"]-30)/5
		d.tell(t, point, extraction, 5+(extraction-18)*(extraction-18)/3-(x["dose"]-17)/3)
	}
	for range 6 {
		step()
	}
	d.steer(t, "dirichlet(18,6)")
	step()
	d.prefer(t, 3, 5, "b")
	d.prefer(t, 1, 2, "tie")
	step()
	d.set(t, "scalarization", "linear")
	step()
	d.ask(t)
	d.close(t)
}

// explorer acts as the screen does: by the changes of its modes, and the methods of the session.
type explorer struct{ s *sessions.Session }

func (e explorer) ask(t *testing.T) (int, map[string]float64) {
	it, err := e.s.Ask(t.Context(), nil)
	require.NoError(t, err)
	x, err := encoding.DecodeMap(e.s.State().Problem.Domain, encoding.EncodeMap(e.s.State().Problem.Domain, it.Points[0].X))
	require.NoError(t, err)
	return it.Number, x
}

func (e explorer) tell(t *testing.T, point int, extraction, bitterness float64) {
	it, _, err := e.s.State().IterationByNumber(point)
	if err == nil {
		_, err = e.s.Tell(it.ID, functions.Outcome{Values: []float64{extraction, bitterness}})
	}
	require.NoError(t, err)
}

func (e explorer) do(t *testing.T, c interface {
	Do(context.Context, *sessions.Session, sessions.Progress) (string, error)
}) {
	if _, err := c.Do(t.Context(), e.s, nil); err != nil {
		t.Fatal(err)
	}
}

func (e explorer) steer(t *testing.T, prior string) {
	e.do(t, modes.SetPrior{Text: prior, Said: "done"})
}
func (e explorer) prefer(t *testing.T, a, b int, answer string) {
	e.do(t, modes.Answer{Pair: report.Pair{A: [2]int{a, 0}, B: [2]int{b, 0}}, Answer: answer})
}
func (e explorer) set(t *testing.T, key, value string) {
	e.do(t, modes.SetParameter{Key: key, Text: value})
}
func (e explorer) close(t *testing.T) {
	require.NoError(t, e.s.Close())
}

// commands acts by command lines.
type commands struct{ dir string }

func (c commands) run(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, status := try(t, c.dir, args...)
	require.Equal(t, 0, status, "%v: status %d, %s", args, status, errs)
	return out
}

func (c commands) ask(t *testing.T) (int, map[string]float64) {
	p := rows(t, c.run(t, "ask", "s.jsonl", "--json"))[0]
	return asked(p["points"].([]any)[0].(map[string]any))
}

// asked are the number and the input of a point in JSON.
func asked(p map[string]any) (int, map[string]float64) {
	x := map[string]float64{}
	for name, v := range p["x"].(map[string]any) {
		x[name] = v.(float64)
	}
	return int(p["point"].(float64)), x
}

func exact(v float64) string { b, _ := json.Marshal(v); return string(b) }

func (c commands) tell(t *testing.T, point int, extraction, bitterness float64) {
	c.run(t, "tell", "s.jsonl", fmt.Sprint(point), "extraction="+exact(extraction), "bitterness="+exact(bitterness))
}
func (c commands) steer(t *testing.T, prior string) { c.run(t, "steer", "s.jsonl", "--prior", prior) }
func (c commands) prefer(t *testing.T, a, b int, answer string) {
	c.run(t, "steer", "s.jsonl", "--prefer", fmt.Sprintf("%d:%d", a, b), answer)
}
func (c commands) set(t *testing.T, key, value string) { c.run(t, "set", "s.jsonl", key+"="+value) }
func (c commands) close(*testing.T)                    {}

// structured acts by acts with arguments as JSON: over a pipe, or as the tools of an agent.
type structured struct {
	act func(t *testing.T, act string, arguments map[string]any) map[string]any
	end func(t *testing.T)
}

func (s structured) ask(t *testing.T) (int, map[string]float64) {
	return asked(s.act(t, "ask", map[string]any{})["points"].([]any)[0].(map[string]any))
}
func (s structured) tell(t *testing.T, point int, extraction, bitterness float64) {
	s.act(t, "tell", map[string]any{"point": point, "values": map[string]float64{"extraction": extraction,
		"bitterness": bitterness}})
}
func (s structured) steer(t *testing.T, prior string) {
	s.act(t, "steer", map[string]any{"prior": prior})
}
func (s structured) prefer(t *testing.T, a, b int, answer string) {
	s.act(t, "steer", map[string]any{"prefer": []int{a, b}, "answer": answer})
}
func (s structured) set(t *testing.T, key, value string) {
	s.act(t, "set", map[string]any{"parameters": map[string]string{key: value}})
}
func (s structured) close(t *testing.T) { s.end(t) }

// overPipe starts bandscope pipe.
func overPipe(t *testing.T, path, dir string) door {
	c := exec.Command(path, "pipe")
	c.Dir, c.Stderr = dir, os.Stderr
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	if err1 != nil || err2 != nil || c.Start() != nil {
		t.Fatal(err1, err2)
	}
	lines, id := bufio.NewReader(out), 0
	return structured{func(t *testing.T, act string, arguments map[string]any) map[string]any {
		id++
		arguments["id"], arguments["act"], arguments["session"] = id, act, "s.jsonl"
		b, _ := json.Marshal(arguments)
		if _, err := in.Write(append(b, '\n')); err != nil {
			t.Fatal(err)
		}
		for {
			line, err := lines.ReadBytes('\n')
			var a map[string]any
			if err != nil || json.Unmarshal(line, &a) != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if a["progress"] != nil {
				continue
			}
			ok, _ := a["ok"].(map[string]any)
			require.NotNil(t, ok, "%s: %s", b, line)
			return ok
		}
	}, func(t *testing.T) {
		in.Close()
		io.Copy(io.Discard, lines)
		require.NoError(t, c.Wait())
	}}
}

// overMCP starts bandscope mcp, as an agent does.
func overMCP(t *testing.T, path, dir string) door {
	c := exec.Command(path, "mcp", dir)
	client, err := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: c}, nil)
	require.NoError(t, err)
	return structured{func(t *testing.T, act string, arguments map[string]any) map[string]any {
		arguments["session"] = "s.jsonl"
		r, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: act, Arguments: arguments})
		if err != nil || r.IsError {
			t.Fatalf("%s: %v %+v", act, err, r)
		}
		return r.StructuredContent.(map[string]any)
	}, func(t *testing.T) {
		require.NoError(t, client.Close())
	}}
}

// One search with steering is the same to the last digit, whether the screen, commands, a pipe or an agent acts; only
// the authors differ.
func TestDoorsAreEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("it compares what other tests run")
	}
	path, err := program()
	require.NoError(t, err)
	kinds := map[string]string{"explorer": "", "commands": "person", "pipe": "program", "agent": "agent"}
	var want sessions.State
	for _, name := range []string{"explorer", "commands", "pipe", "agent"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p.toml"), []byte(steered), 0o600))
		if _, errs, status := run(t, dir, "new s.jsonl --problem p.toml -o mobo-rs-ts --seed 7"); status != 0 {
			t.Fatal(errs)
		}
		file := filepath.Join(dir, "s.jsonl")
		var d door
		switch name {
		case "explorer":
			s, err := sessions.Open(t.Context(), file)
			require.NoError(t, err)
			d = explorer{s}
		case "commands":
			d = commands{dir}
		case "pipe":
			d = overPipe(t, path, dir)
		case "agent":
			d = overMCP(t, path, dir)
		}
		search(t, d)
		s, err := sessions.OpenReadOnly(t.Context(), file)
		require.NoError(t, err)
		got := s.State()
		if name == "explorer" {
			want = got
		}
		if len(got.Iterations) != 9 || len(got.Pending) != 1 || len(got.Answers) != 2 {
			t.Fatalf("%s: %d steps, %d pending points, %d answers", name, len(got.Iterations), len(got.Pending),
				len(got.Answers))
		}
		for i, it := range append(got.Iterations, got.Pending...) {
			other := append(want.Iterations, want.Pending...)[i]
			if !reflect.DeepEqual(it.Inputs(), other.Inputs()) || !reflect.DeepEqual(it.Outcomes(), other.Outcomes()) ||
				!reflect.DeepEqual(it.Weights, other.Weights) {
				t.Errorf("%s: point %d is %v with %v, and in the explorer %v with %v", name, i+1, it.Inputs(), it.Outcomes(),
					other.Inputs(), other.Outcomes())
			}
		}
		if !reflect.DeepEqual(got.Answers, want.Answers) || !reflect.DeepEqual(got.Params.Changed(), want.Params.Changed()) {
			t.Errorf("%s: %v and %v, and in the explorer %v and %v", name, got.Answers, got.Params.Changed(), want.Answers,
				want.Params.Changed())
		}
		events, err := s.Events(1)
		if err != nil || events[0].By.Kind != kinds[name] {
			t.Errorf("%s: the first event is by %v, %v", name, events[0].By, err)
		}
	}
}
