//go:build unix

package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ladder is a method: a point that depends on the step, and on a parameter.
const ladder = `echo "started $$" >> started
while read -r line; do
case $line in
*'"hello"'*) up=${line#*'"up":'}; up=${up%%[,\}]*}; case $up in *[!0-9]*) up=1;; esac
  echo '{"hello": 1, "name": "ladder", "can": ["pending"]}';;
*) step=${line#*'"step":'}; step=${step%%,*}
  echo "{\"x\": [{\"x1\": $((step - 5)).25, \"x2\": $up}]}";;
esac
done`

// ladderDir is a folder with the method, and the flag that names it.
func ladderDir(t *testing.T) (dir, name string) {
	t.Helper()
	dir = t.TempDir()
	script(t, dir, "ladder.sh", ladder)
	return dir, "exec:sh ladder.sh"
}

// A session with a program goes on where the command line names it, and is verified there; elsewhere nothing starts,
// and the message has the exact flag.
func TestProgramAsMethod(t *testing.T) {
	dir, name := ladderDir(t)
	started := func() bool {
		_, err := os.Stat(filepath.Join(dir, "started"))
		os.Remove(filepath.Join(dir, "started"))
		return err == nil
	}
	const substitute = "bandscope: the model is that of GP-EI, because the program exec:sh ladder.sh is not started; -o 'exec:sh ladder.sh' starts it\n"
	const predictsNothing = "bandscope: the model is that of GP-EI, because the program ladder does not predict\n"
	for _, c := range []struct {
		args      []string
		status    int
		out, errs string
		starts    bool
	}{
		{[]string{"run", "-f", "branin", "-o", "exec:sh  'ladder.sh'", "-n", "4", "--save", "s.jsonl"}, 0,
			"branin · exec:sh ladder.sh · seed 1", "", true},
		{[]string{"run", "--resume", "s.jsonl", "-n", "1"}, 1, "",
			"bandscope: give -o 'exec:sh ladder.sh' again to go on: a program is started only", false},
		{[]string{"run", "--resume", "s.jsonl", "-n", "1", "-o", name, "--suggest-timeout", "30s"}, 0, "step   5", "", true},
		{[]string{"run", "--resume", "s.jsonl", "-n", "1", "-o", "gp-ei"}, 2, "", "--optimizer cannot be used with --resume",
			false},
		{[]string{"replay", "--plain", "s.jsonl"}, 0, "step   5", "", false},
		{[]string{"replay", "--verify", "s.jsonl"}, 0, "verified: 0 suggestions recomputed; the largest difference is 0 of the domain (tolerance 1e-6); not checked: 5 suggestions of a program, which is started only with -o 'exec:sh ladder.sh'", "", false},
		{[]string{"replay", "--verify", "--json", "s.jsonl"}, 0, `"not_started":5`, "", false},
		{[]string{"replay", "--verify", "s.jsonl", "-o", name}, 0, "verified: 5 suggestions recomputed; the largest difference is 0 ", "", true},
		{[]string{"replay", "--verify", "s.jsonl", "-o", "gp-ei"}, 2, "", "-o can only name a program here", false},
		{[]string{"ask", "s.jsonl"}, 1, "", "give -o 'exec:sh ladder.sh' again", false},
		{[]string{"ask", "s.jsonl", "-o", name, "-n", "2"}, 0, "x1 = 1.25", "", true},
		{[]string{"show", "s.jsonl"}, 0, "", substitute, false},
		{[]string{"predict", "s.jsonl", "--grid", "2"}, 0, "", substitute, false},
		{[]string{"why", "s.jsonl", "--step", "5"}, 0, "", substitute, false},
		{[]string{"check", "s.jsonl"}, 0, "", substitute, false},
		{[]string{"predict", "s.jsonl", "-x", "x1=0,x2=0"}, 0, "", substitute, false},
		{[]string{"predict", "s.jsonl", "-x", "x1=0,x2=0", "--samples", "1", "--json"}, 0, "", substitute, false},
		{[]string{"show", "s.jsonl", "best"}, 0, "", substitute, false},
		{[]string{"export", "s.jsonl", "--format", "svg"}, 0, "<svg", strings.Replace(substitute, "-o", "--optimizer", 1), false},
		{[]string{"export", "s.jsonl"}, 0, "x1", "", false},
		{[]string{"predict", "s.jsonl", "--grid", "2", "-o", name}, 0, "", predictsNothing, true},
		{[]string{"why", "s.jsonl", "--step", "5", "-o", name}, 0, "", predictsNothing, true},
		{[]string{"check", "s.jsonl", "-o", name}, 0, "", predictsNothing, true},
		{[]string{"predict", "s.jsonl", "-x", "x1=0,x2=0", "-o", name}, 0, "", predictsNothing, true},
		{[]string{"show", "s.jsonl", "best", "-o", name}, 0, "", predictsNothing, true},
		{[]string{"export", "s.jsonl", "--format", "svg", "--optimizer", name}, 0, "<svg", predictsNothing, true},
		{[]string{"check", "s.jsonl", "-o", "gp-ei"}, 2, "", "-o can only name a program here", false},
	} {
		out, errs, status := try(t, dir, c.args...)
		if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("%q: status %d\n%s%s", c.args, status, out, errs)
		}
		assert.Equal(t, c.starts, started(), "%q: a program was started", c.args)
	}
}

// What is wrong with a program is an error of usage before anything is written.
func TestProgramNames(t *testing.T) {
	dir, name := ladderDir(t)
	for file, text := range map[string]string{
		"ladder.toml": "name = \"ladder\"\ncommand = \"sh ladder.sh\"\n[[parameter]]\nkey = \"up\"\nkind = \"integer\"\n" +
			"default = 2\nmin = 0\nmax = 9\n",
		"bad.toml": "name = \"ladder\"\nprogram = \"sh ladder.sh\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	for _, c := range []struct {
		args      []string
		status    int
		out, errs string
	}{
		{[]string{"run", "-f", "branin", "-o", "exec:", "-n", "1"}, 2, "", "the command is empty"},
		{[]string{"run", "-f", "branin", "-o", "exec:sh 'ladder.sh", "-n", "1"}, 2, "", "close every quote"},
		{[]string{"run", "-f", "branin", "-o", "exec:sh ladder.sh; rm x", "-n", "1"}, 2, "", "only a shell understands"},
		{[]string{"run", "-f", "branin", "-o", "exec:./no-such-program", "-n", "1"}, 1, "", "cannot be started"},
		{[]string{"run", "-f", "branin", "-o", "none.toml", "-n", "1"}, 2, "", "none.toml"},
		{[]string{"run", "-f", "branin", "-o", "bad.toml", "-n", "1"}, 2, "", `bad.toml: line 2, column 1: unknown key "program"`},
		{[]string{"run", "-f", "branin", "-o", "ladder.toml", "-n", "1", "--set", "up=10"}, 2, "", "up must be an integer in [0, 9]"},
		{[]string{"run", "-f", "branin", "-o", "ladder.toml", "-n", "1", "--set", "up=3", "--save", "t.jsonl"}, 0,
			"x = -4.25 3", ""},
		{[]string{"run", "--resume", "t.jsonl", "-n", "1", "-o", name}, 0, "x = -3.25 3", ""},
		{[]string{"run", "--resume", "t.jsonl", "-n", "1", "-o", "ladder.toml"}, 0, "x = -2.25 3", ""},
		{[]string{"run", "-f", "branin", "-o", "gp-ei", "-n", "1", "--suggest-timeout", "3s"}, 2, "", "--suggest-timeout needs"},
		{[]string{"study", "-f", "branin", "-o", "random,ladder.toml", "--set", "up=10"}, 2, "", "up must be an integer in [0, 9]"},
		{[]string{"study", "-f", "branin", "-o", "random,bad.toml"}, 2, "", `bad.toml: line 2, column 1: unknown key "program"`},
		{[]string{"work", "--db", "x.db", "--allow-exec", "random"}, 2, "", "--allow-exec must name a program"},
	} {
		out, errs, status := try(t, dir, c.args...)
		if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("%q: status %d\n%s%s", c.args, status, out, errs)
		}
	}
}

// Benchmarks race programs, and studies run them where the command line allows it.
func TestProgramInAStudy(t *testing.T) {
	dir, name := ladderDir(t)
	out, errs, status := try(t, dir, "study", "-f", "branin", "-o", "random,"+name, "--seeds", "2", "--budget", "4", "--json")
	if status != 0 || strings.Count(out, "\n") != 2 || !strings.Contains(out, `"optimizer":"exec:sh ladder.sh"`) {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	text, _ := json.Marshal(`"` + name + `" repeats=on`)
	file := "name = \"ladders\"\nseeds = 2\nbudget = \"4\"\nproblems = [\"branin\"]\nmethods = [\"random\", " + string(text) +
		"]\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ladders.toml"), []byte(file), 0o600))
	out, errs, status = try(t, dir, "study", "ladders.toml", "--plain", "--db", "l.db")
	if status != 2 || !strings.Contains(errs, "add --allow-exec 'exec:sh ladder.sh'") {
		t.Errorf("without the flag: status %d\n%s%s", status, out, errs)
	}
	out, errs, status = try(t, dir, "study", "ladders.toml", "--plain", "--db", "l.db", "--allow-exec", name)
	if status != 0 || !strings.Contains(out, "exec:sh ladder.sh repeats=on") || !strings.Contains(out, "4 of 4 cells done") {
		t.Errorf("with the flag: status %d\n%s%s", status, out, errs)
	}
	for file, text := range map[string]string{
		"ladder.toml": "name = \"ladder\"\ncommand = \"sh ladder.sh\"\n[[parameter]]\nkey = \"up\"\nkind = \"integer\"\n" +
			"default = 2\nmin = 0\nmax = 9\n",
		"declared.toml": "name = \"declared\"\nseeds = 1\nbudget = 3\nproblems = [\"branin\"]\nmethods = [\"ladder.toml\", \"ladder.toml up=3\"]\nkeep = \"sessions\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	for _, c := range []struct {
		args      []string
		status    int
		out, errs string
	}{
		{[]string{"study", "-f", "branin", "-o", "random,ladder.toml", "--set", "up=3", "--seeds", "1", "--budget", "3",
			"--json"}, 0, `"optimizer":"exec:ladder"`, ""},
		{[]string{"study", "declared.toml", "--plain", "--db", "d.db"}, 2, "", "add --allow-exec 'exec:sh ladder.sh'"},
		{[]string{"study", "declared.toml", "--plain", "--db", "d.db", "--allow-exec", "ladder.toml"}, 0,
			"2 of 2 cells done", ""},
		{[]string{"study", "declared", "--look", "--db", "d.db", "--json"}, 0, `exec:ladder up=3`, ""},
	} {
		out, errs, status := try(t, dir, c.args...)
		if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("%q: status %d\n%s%s", c.args, status, out, errs)
		}
	}
}

// A study whose method and whose problem are programs gives the same rows after its worker is killed twice, and no
// program survives it.
func TestKilledStudyOfPrograms(t *testing.T) {
	dir, name := ladderDir(t)
	script(t, dir, "ladder.sh", strings.ReplaceAll(ladder, `"x1\": $((step - 5)).25, \"x2\": $up`, `"x\": 0.$((100 + step))`))
	script(t, dir, "loss.sh", `while read -r line; do
echo . >> evaluated; id=${line#*'"id":'}; id=${id%%[,\}]*}; x=${line#*0.}; x=${x%%[!0-9]*}
sleep 0.02; echo "{\"id\": $id, \"y\": {\"loss\": 0.$x}}"
done`)
	entry, _ := json.Marshal(`"` + name + `"`)
	for file, text := range map[string]string{
		"s.toml": "name = \"s\"\nproblems = [\"gbm.toml\"]\nmethods = [\"random\", " + string(entry) + "]\nseeds = 2\n" +
			"budget = 12\n",
		"gbm.toml": "name = \"gbm\"\n[[variable]]\nname = \"x\"\nlow = 0\nhigh = 1\n[[objective]]\nname = \"loss\"\n" +
			"direction = \"minimize\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	args := []string{"study", "s.toml", "--plain", "--workers", "1", "--allow-exec", name, "--exec-pipe", "gbm.toml=sh loss.sh", "--db"}
	rows := func(db string) string {
		out, errs, status := try(t, dir, append(args, db)...)
		if status != 0 || !strings.Contains(out, "4 of 4 cells done") {
			t.Fatalf("status %d\n%s%s", status, out, errs)
		}
		out, errs, status = try(t, dir, "study", "s", "--db", db, "--export", "csv")
		require.Equal(t, 0, status, errs)
		return withoutTimes(t, out)
	}
	want := rows("a.db")
	os.Remove(filepath.Join(dir, "evaluated"))
	path, err := program()
	require.NoError(t, err)
	evaluated := func() int {
		text, _ := os.ReadFile(filepath.Join(dir, "evaluated"))
		return strings.Count(string(text), "\n")
	}
	for range 2 {
		before := evaluated()
		worker := exec.Command(path, append(args, "b.db")...)
		worker.Dir = dir
		require.NoError(t, worker.Start())
		for until := time.Now().Add(time.Minute); evaluated() < before+7 && time.Now().Before(until); {
			time.Sleep(time.Millisecond)
		}
		worker.Process.Kill()
		if err := worker.Wait(); err == nil || err.Error() != "signal: killed" {
			t.Fatalf("the worker ended before it was killed: %v", err)
		}
	}
	for left := []byte{' '}; len(left) > 0; time.Sleep(10 * time.Millisecond) { // the test's own timeout bounds it
		left, _ = exec.Command("pgrep", "-f", "^sh (ladder|loss).sh$").Output()
	}
	if got := rows("b.db"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// withoutTimes is a CSV file without the columns that depend on the clock.
func withoutTimes(t *testing.T, text string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatal(err, text)
	}
	var b strings.Builder
	for _, row := range rows {
		for j, cell := range row {
			if !strings.Contains(rows[0][j], "seconds") && rows[0][j] != "worker" {
				b.WriteString(cell + ",")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
