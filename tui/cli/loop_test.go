package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// experiment is a folder with a session on espresso.
func experiment(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.toml"), []byte(espresso), 0o600))
	if out, errs, status := run(t, dir, "new s.jsonl --problem p.toml -o random --seed 3"); status != 0 ||
		!strings.Contains(out, "bandscope ask s.jsonl") {
		t.Fatalf("new: status %d, %s%s", status, out, errs)
	}
	return dir
}

// A session is asked and told from the command line: what is out, in parts, out of order, failed, elsewhere, unasked;
// and every wrong word says what would be right and records nothing.
func TestAskAndTell(t *testing.T) {
	dir := experiment(t)
	if err := os.WriteFile(filepath.Join(dir, "wrong.csv"),
		[]byte("dose,time,extraction,bitterness\n16,30,20,3\n16,31,42,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line   string
		status int
		want   string // on standard output, or of an error on standard error
	}{
		{"tell s.jsonl 1 extraction=18", 1, "; there are no pending points: ask for one first"},
		{"show s.jsonl", 0, "no pending points"},
		{"ask s.jsonl", 0, "1     dose = 1"},
		{"ask s.jsonl --json", 0, `{"points":[{"point":1,"x":{"dose":1`},
		{"ask s.jsonl -n 3", 0, "\n3     dose"},
		{"ask s.jsonl --new", 0, "4     dose"},
		{"ask s.jsonl -n 0", 2, "ask for 1 to 1000 points at once, got 0"},
		{"ask none.jsonl", 1, "none.jsonl: no such file"},
		{"new s.jsonl --problem p.toml", 1, "s.jsonl exists already"},
		{"new t.jsonl", 2, "nothing to optimize"},
		{"new t.jsonl --problem p.toml -o gp-ie", 2, "did you mean gp-ei"},
		{"tell s.jsonl", 2, "point is missing"},
		{"tell s.jsonl x extraction=18", 2, "as 7, or 7.2 in a batch"},
		{"tell s.jsonl 2 extraction", 2, "NAME=VALUE: it must be name=value"},
		{"tell s.jsonl 2 extraction=high", 2, `extraction: "high" is not a finite number`},
		{"tell s.jsonl 2 extraction=1 extraction=2", 2, "extraction is given twice"},
		{"tell s.jsonl 2 --sd 0.3", 2, "--sd: it must be name=value"},
		{"tell s.jsonl 2", 2, "report a value or a failure"},
		{"tell s.jsonl 2 extractoin=18", 2, "did you mean extraction?"},
		{"tell s.jsonl 2 extraction=NaN", 2, "not a finite number"},
		{"tell s.jsonl 2 dose=18", 2, "dose is a variable"},
		{"tell s.jsonl 2 extraction=42 bitterness=3", 1,
			": is this correct?; nothing was recorded; repeat it with force"},
		{"tell s.jsonl 2 extraction=18 --at dose=99", 1, "dose = 99 g is outside of its bounds, 14 to 20: is this correct?"},
		{"tell s.jsonl 2 extraction=18 --cost -1", 2, "positive"},
		{"tell s.jsonl 9 extraction=18", 1, "pending: 1, 2, 3, 4"},
		{"tell s.jsonl 2.1 extraction=18", 1, "there is no point 2.1"},
		{"show s.jsonl", 0, "0 of 50 steps"}, // nothing of all this was recorded
		{"tell s.jsonl 2 extraction=42 bitterness=3 --force", 0, "point 2 is step 1:  extraction = 42  bitterness = 3"},
		{"tell s.jsonl 2 extraction=18", 1, "if it is wrong, correct step 1"},
		{"tell s.jsonl 4 --failed leak", 0, "point 4 is step 2:  failed (leak)"},
		{"tell s.jsonl 1 extraction=18.2 --sd extraction=0.3", 0, "point 1:  extraction = 18.2  still missing: bitterness"},
		{"tell s.jsonl 1 extraction=18", 1, "if it is wrong, correct point 1"},
		{"ask s.jsonl -n 2", 0, "still missing: bitterness\n3 "},
		{"tell s.jsonl 1 bitterness=3 --at dose=17.9 --note warm --cost 2", 0,
			"point 1 is step 3:  extraction = 18.2  bitterness = 3"},
		{"add s.jsonl extraction=18 bitterness=3 --inputs dose=16", 2, "missing: time"},
		{"add s.jsonl extraction=18 bitterness=3 --inputs dose=16,time=30", 0, "point 5 is step 4"},
		{"tell s.jsonl 3 --sheet r.csv", 2, "--sheet can only be used with --force"},
		{"tell s.jsonl --sheet none.csv", 1, "none.csv: no such file"},
		{"tell s.jsonl --sheet wrong.csv", 1, ": is this correct?; nothing"},
		{"show s.jsonl", 0, "4 of 50 steps"},
		{"show s.jsonl", 0, "1 pending point\n3     dose"},
		{"show s.jsonl --json", 0, `"steps":4`},
		{"tell s.jsonl --sheet wrong.csv --force", 0, "2 results recorded; 0 rows already recorded"},
		{"tell s.jsonl --sheet wrong.csv --force", 0, "0 results recorded; 2 rows already recorded"},
		{"replay --verify s.jsonl", 0, "verified"},
	} {
		out, errs, status := run(t, dir, c.line)
		text := out
		if c.status != 0 {
			text = errs
		}
		if status != c.status || !strings.Contains(text, c.want) || c.status != 0 && out != "" ||
			strings.Contains(errs, "panic") {
			t.Errorf("%q: status %d, %s%s\nwant %d and %q", c.line, status, out, errs, c.status, c.want)
		}
	}
	for line, want := range map[string]string{
		"tell s.jsonl ": "3", "tell s.jsonl 3 ex": "extraction=", "tell s.jsonl 3 extraction=18 ": "bitterness=",
		"tell s.jsonl 3 --at do": "dose=", "tell s.jsonl 3 --sd b": "bitterness="} {
		words := strings.Fields(line)
		if strings.HasSuffix(line, " ") {
			words = append(words, "")
		}
		if got, _ := completed(t, dir, words...); len(got) != 1 || got[0] != want {
			t.Errorf("%q is completed by %q, want %q", line, got, want)
		}
	}
}

// Whoever finds another process in the file waits for it; of two that tell the same point one is told that it is told
// already. To look needs no turn.
func TestTwoTellAtOnce(t *testing.T) {
	dir := experiment(t)
	run(t, dir, "ask s.jsonl -n 6")
	var all sync.WaitGroup
	var late atomic.Int32
	for i := range 12 {
		all.Go(func() {
			out, errs, status := run(t, dir, fmt.Sprintf("tell s.jsonl %d extraction=%d bitterness=3", i/2+1, 15+i%2))
			switch {
			case status == 1 && strings.Contains(errs, "the result is already reported"):
				late.Add(1)
			case status != 0:
				t.Errorf("status %d, %s%s", status, out, errs)
			}
		})
	}
	all.Wait()
	p := startPipe(t, dir)
	if a := p.ask(t, `{"act":"status"}`); a["ok"].(map[string]any)["steps"] != 6.0 || late.Load() != 6 {
		t.Errorf("%v, %d were late", a, late.Load())
	}
	if out, errs, status := run(t, dir, "show s.jsonl"); status != 0 {
		t.Errorf("a look while another writes: status %d, %s%s", status, out, errs)
	}
	p.end(t)
}

// The points of a batch have names of their own, are told one by one, in any order and each way, and the batch is a
// step when all of them are.
func TestBatchFromTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "new s.jsonl -f forrester -o sto-bnts-linear --set batch=3 --set width=16 --set initial=1")
	for name, text := range map[string]string{
		"one.csv": "point,f\n2.3,4\n", "two.csv": "point,f,notes\n2.2,1,warm\n2.3,4,\n3.1,5,\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"ask s.jsonl", 0, "1     x = "},
		{"tell s.jsonl 1 f=3", 0, "point 1 is step 1:  f = 3"},
		{"ask s.jsonl --json", 0, `{"points":[{"point":"2.1","x":{"x":`},
		{"tell s.jsonl 2 f=1", 1, "; pending: 2.1, 2.2, 2.3"},
		{"tell s.jsonl 2.4 f=1", 1, "there is no point 2.4"},
		{"tell s.jsonl 2.2 f=1 --note warm", 0, "point 2.2:  f = 1"},
		{"tell s.jsonl 2.2 f=2", 1, "you can correct it after you report the other points of its batch"},
		{"ask s.jsonl -n 2", 0, "2.3   x = "},
		{"ask s.jsonl -n 3", 0, "\n3.3   x = "},
		{"show s.jsonl", 0, "5 pending points\n2.1 "},
		{"tell s.jsonl --sheet one.csv", 0, "point 2.3:  f = 4\n1 result recorded"},
		{"tell s.jsonl 2.1 --failed leak", 0, "point 2.1 is step 2:  failed (leak)"},
		{"tell s.jsonl --sheet two.csv", 0, "point 3.1:  f = 5\n1 result recorded; 2 rows already recorded"},
		{"tell s.jsonl --sheet two.csv", 0, "0 results recorded; 3 rows already recorded"},
		{"tell s.jsonl 2.1 f=3", 1, "(it is step 2); pending: 3.2, 3.3; if it is wrong, correct step 2.1"},
	} {
		out, errs, status := run(t, dir, c.line)
		text := out
		if c.status != 0 {
			text = errs
		}
		if status != c.status || !strings.Contains(text, c.want) || c.status != 0 && out != "" {
			t.Errorf("%q: status %d, %s%s\nwant %d and %q", c.line, status, out, errs, c.status, c.want)
		}
	}
	p := startPipe(t, dir)
	for line, want := range map[string]string{
		`{"act":"tell","point":3.2,"values":{"f":3}}`:   `such as "7.2"`,
		`{"act":"tell","point":"3.1","values":{"f":3}}`: "the result is already reported"} {
		if a := p.ask(t, line); !strings.Contains(fmt.Sprint(a["error"]), want) {
			t.Errorf("%s: %v", line, a)
		}
	}
	if a := p.ask(t, `{"act":"tell","point":"3.3","values":{"f":3}}`)["ok"].(map[string]any); a["point"] != "3.3" || a["step"] != nil {
		t.Errorf("%v", a)
	}
	if a := p.ask(t, `{"act":"tell","point":"3.2","values":{"f":6}}`)["ok"].(map[string]any); a["point"] != "3.2" || a["step"] != 3.0 {
		t.Errorf("%v", a)
	}
	p.end(t)
	if out, _, _ := run(t, dir, "export s.jsonl --format csv -o all.csv"); out != "" {
		t.Error(out)
	}
	if out, errs, status := run(t, dir, "tell s.jsonl --sheet all.csv"); status != 0 ||
		!strings.Contains(out, "0 results recorded; 7 rows already recorded") {
		t.Errorf("its own export: %s%s", out, errs)
	}
	if out, errs, status := run(t, dir, "replay --verify s.jsonl"); status != 0 || !strings.Contains(out, "verified") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// A table that does not fit on the disk is on record up to a row, which is said; told again, it goes on.
func TestTableOnAFullDisk(t *testing.T) {
	dir := experiment(t)
	path, err := program()
	require.NoError(t, err)
	text := "dose,time,extraction,bitterness\n"
	for i := range 40 {
		text += fmt.Sprintf("16,%d,%g,3\n", 30+i, 15+float64(i)/10)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "r.csv"), []byte(text), 0o600))
	c := exec.Command("sh", "-c", `ulimit -f 12; "$0" tell s.jsonl --sheet r.csv; echo status $?`, path)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err)
	n := strings.Count(string(out), "is step")
	if want := fmt.Sprintf("%d rows recorded before it; report the table again to continue", n); n == 0 ||
		n == 40 || !strings.Contains(string(out), "file too large") ||
		!strings.Contains(string(out), want) || !strings.HasSuffix(string(out), "status 1\n") {
		t.Fatalf("%d are told:\n%s", n, out)
	}
	if out, errs, status := run(t, dir, "tell s.jsonl --sheet r.csv"); status != 0 ||
		!strings.Contains(out, fmt.Sprintf("%d results recorded; %d rows already recorded", 40-n, n)) {
		t.Errorf("told again: status %d, %s%s", status, out, errs)
	}
	if out, _, _ := run(t, dir, "show s.jsonl"); !strings.Contains(out, "40 of 50 steps") ||
		!strings.Contains(out, "no pending points") {
		t.Errorf("afterwards: %s", out)
	}
}

// pipe is a running bandscope pipe.
type pipe struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startPipe(t *testing.T, dir string) *pipe {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	p := &pipe{command: exec.Command(path, "pipe", "s.jsonl")}
	p.command.Dir, p.command.Stderr = dir, os.Stderr
	in, errIn := p.command.StdinPipe()
	out, errOut := p.command.StdoutPipe()
	if errIn != nil || errOut != nil {
		t.Fatal(errIn, errOut)
	}
	p.in, p.out = in, bufio.NewReader(out)
	require.NoError(t, p.command.Start())
	t.Cleanup(func() { p.command.Process.Kill() })
	return p
}

// ask sends a line and returns its answer.
func (p *pipe) ask(t *testing.T, line string) map[string]any {
	t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
	text, err := p.out.ReadString('\n')
	require.NoError(t, err)
	return rows(t, text)[0]
}

func (p *pipe) end(t *testing.T) {
	t.Helper()
	p.in.Close()
	assert.NoError(t, p.command.Wait(), "the pipe ends with")
}

// A signal ends the pipe soon, and nothing is lost.
func TestPipeObeysSignals(t *testing.T) {
	dir := experiment(t)
	p := startPipe(t, dir)
	p.ask(t, `{"act":"ask"}`)
	p.command.Process.Signal(os.Interrupt)
	p.command.Wait()
	assert.Equal(t, 130, p.command.ProcessState.ExitCode(), "status")
	if out, _, _ := run(t, dir, "show s.jsonl"); !strings.Contains(out, "1 pending point") {
		t.Errorf("afterwards: %s", out)
	}
}

// Branin stepped as usual, by ask and tell, and through the pipe: the same points, to the last digit.
func TestLoopsAreSteps(t *testing.T) {
	const steps, setting = 9, "-f branin -o gp-ei --seed 7 --budget 20"
	branin, err := functions.Find("branin", 1)
	require.NoError(t, err)
	value := func(x []float64) string {
		y, err := branin.TrueValues(x)
		require.NoError(t, err)
		b, _ := json.Marshal(y[0])
		return string(b)
	}
	input := func(p map[string]any) []float64 {
		x := p["x"].(map[string]any)
		return []float64{x["x1"].(float64), x["x2"].(float64)}
	}
	dir := t.TempDir()
	run(t, dir, fmt.Sprintf("run -n %d %s --save stepped.jsonl", steps, setting))
	run(t, dir, "new told.jsonl "+setting)
	run(t, dir, "new s.jsonl "+setting)
	p := startPipe(t, dir)
	for range steps {
		out, errs, status := run(t, dir, "ask told.jsonl --json")
		require.Equal(t, 0, status, "status %d, %s", status, errs)
		point := rows(t, out)[0]["points"].([]any)[0].(map[string]any)
		run(t, dir, fmt.Sprintf("tell told.jsonl %v f=%s", point["point"], value(input(point))))
		point = p.ask(t, `{"act":"ask"}`)["ok"].(map[string]any)["points"].([]any)[0].(map[string]any)
		p.ask(t, fmt.Sprintf(`{"act":"tell","point":%v,"values":{"f":%s}}`, point["point"], value(input(point))))
	}
	p.end(t)
	var want string
	for _, file := range []string{"stepped", "told", "s"} {
		s, err := sessions.OpenReadOnly(t.Context(), filepath.Join(dir, file+".jsonl"))
		require.NoError(t, err)
		var got strings.Builder
		for _, it := range s.State().Iterations {
			fmt.Fprintln(&got, it.Step, it.Points)
		}
		if want == "" {
			want = got.String()
		}
		if n := strings.Count(got.String(), "\n"); n != steps || got.String() != want {
			t.Errorf("%s: %d steps\n%swant\n%s", file, n, got.String(), want)
		}
	}
}
