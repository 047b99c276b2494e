//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mixed puts an experiment with variables of all kinds into a folder.
func mixed(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	text, err := os.ReadFile("../../functions/experiment/testdata/coupling.toml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "coupling.toml"), text, 0o600))
	return dir
}

// Each command tells and takes choices by their names, and says of a wrong value what would be right.
func TestNames(t *testing.T) {
	dir := mixed(t)
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"new c.jsonl --problem coupling.toml -o random --seed 7 --set design_size=budget", 0, "coupling · random"},
		{"ask c.jsonl", 0, "portions = 2  solvent = water  base = K2CO3"},
		{"ask c.jsonl --json", 0, `"portions":2,"solvent":"water"`},
		{"tell c.jsonl 1 yield=42 --at solvent=DNF", 2, `no solvent "DNF"; did you mean DMF?`},
		{"tell c.jsonl 1 yield=42 --at solvnt=DMF", 2, `no variable "solvnt"; did you mean solvent?`},
		{"tell c.jsonl 1 yield=42 --at portions=2.5", 2, "portions must be a whole number"},
		{"tell c.jsonl 1 yield=42 --at solvent=DMF,loading=1", 0, "point 1 is step 1"},
		{"add c.jsonl yield=51 --inputs temperature=80,loading=2.5,portions=3,solvent=water,base=none_at_all", 0,
			"point 2 is step 2"},
		{"set c.jsonl --narrow solvent=water,loading=1..5", 0,
			"loading stays within [1, 5] from now on; solvent is pinned at water from now on"},
		{"set c.jsonl --narrow base=K2CO3..Cs2CO3", 2,
			"base is a choice and has no bounds; pin it at one of K2CO3, Cs2CO3, none at all, or leave it free"},
		{"set c.jsonl --narrow loading=0.7..5", 2, "loading must be one of 0.5, 1, 2.5, 5"},
		{"set c.jsonl", 0, "solvent pinned at water  (its domain: one of toluene, dioxane, DMF, water)"},
		{"ask c.jsonl", 0, "solvent = water"},
		{"correct c.jsonl --step 2 --at base=Cs2CO3,portions=2 --reason misread", 0,
			"portions = 2, solvent = water, base = Cs2CO3"},
		{"set c.jsonl --narrow base=none_at_all", 0, "base is pinned at none at all"},
		{"show c.jsonl", 0, "yield = 51 % at temperature = 80 °C  loading = 2.5 mol%  portions = 2  solvent = water  base = Cs2CO3"},
		{"replay c.jsonl --verify", 0, "verified: 2 suggestions"},
		{"replay c.jsonl --plain", 0, "(was 51 at (80, 2.5, 3, water, none at all), because misread)"},
		{"predict c.jsonl -x temperature=60,loading=1,portions=2,solvent=DMF,base=K2CO3 --format json", 0, `"inputs":[[60,1,2,"DMF","K2CO3"]]`},
		{"predict c.jsonl -x temperature=60,loading=1,portions=2,solvent=3,base=K2CO3", 2, `input 1: no solvent "3"; there are toluene`},
		{"export c.jsonl --format json", 0, "\"water\",\n          \"Cs2CO3\""},
		{"export c.jsonl --format txt", 0, "x = 80 2.5 2 water Cs2CO3"},
	} {
		words := strings.Fields(c.line)
		for i := range words {
			if strings.Contains(words[i], "none_at_all") {
				words[i] = strings.ReplaceAll(words[i], "_", " ")
			}
		}
		out, errs, status := try(t, dir, words...)
		if got := out + errs; status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: status %d, %s%s; want %d, %q", c.line, status, out, errs, c.status, c.want)
		}
	}
}

// What a table tells of names is told again by none of its rows, and begins another session.
func TestNamesInTables(t *testing.T) {
	dir := mixed(t)
	script(t, dir, "yield.sh", `echo "{\"yield\":$BANDSCOPE_X_portions,\"at\":{\"solvent\":\"DMF\"}}"`)
	const what = " --problem coupling.toml -o random --seed 7"
	if _, errs, status := run(t, dir, "run -n 3 --exec ./yield.sh --save c.jsonl"+what); status != 0 {
		t.Fatal(errs)
	}
	table, _, _ := run(t, dir, "export c.jsonl --format csv")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.csv"), []byte(table), 0o600))
	if out, errs, status := run(t, dir, "tell c.jsonl --sheet c.csv"); status != 0 ||
		!strings.Contains(out, "3 rows already recorded") {
		t.Errorf("%s%s\n%s", out, errs, table)
	}
	run(t, dir, "new d.jsonl"+what)
	if out, errs, status := run(t, dir, "tell d.jsonl --sheet c.csv"); status != 0 ||
		!strings.Contains(out, "3 results recorded") {
		t.Errorf("%s%s\n%s", out, errs, table)
	}
	if _, errs, status := run(t, dir, "run --import c.csv -n 1 --exec ./yield.sh --save e.jsonl"+what); status != 0 {
		t.Error(errs)
	}
	if out, errs, status := run(t, dir, "replay e.jsonl --plain"); status != 0 || strings.Count(out, " DMF ") != 4 {
		t.Errorf("%s%s", out, errs)
	}
}

// A program is asked by names, in its environment and in JSON, and answers with them; the session that it made repeats
// itself.
func TestNamesForPrograms(t *testing.T) {
	dir := mixed(t)
	script(t, dir, "each.sh", `case $BANDSCOPE_X_solvent in toluene) y=10;; dioxane) y=20;; DMF) y=30;; water) y=40;; *) exit 1;; esac
case $BANDSCOPE_X_base in none*) echo '{"failed":"no base"}';; *) echo $y;; esac`)
	script(t, dir, "kept.sh", `while read -r line; do
id=${line#*\"id\":}; case $line in *'"base":"none'*) r='"failed":"no base"';; *'"solvent":"toluene"'*) r='"yield":10';; *'"solvent":"dioxane"'*) r='"yield":20';; *'"solvent":"DMF"'*) r='"yield":30';; *'"solvent":"water"'*) r='"yield":40';; *) exit 1;; esac
echo "{\"id\":${id%%,*},$r}"
done`)
	script(t, dir, "wrong.sh", `echo '{"yield":1,"at":{"solvent":"ethanol"}}'`)
	worth := map[any]float64{"toluene": 10, "dioxane": 20, "DMF": 30, "water": 40}
	for _, amounts := range []string{"--exec ./each.sh", "--exec-pipe ./kept.sh"} {
		out, errs, status := run(t, dir, "run --problem coupling.toml -o random --seed 7 -n 6 --json --save c.jsonl "+
			amounts)
		require.Equal(t, 0, status, errs)
		failed := 0
		for _, row := range rows(t, out) {
			if row["x"] == nil { // what the run ends with
				if best := row["best_x"].([]any); worth[best[3]] != row["best"] {
					t.Errorf("%s: the best is %v at %v", amounts, row["best"], best)
				}
				continue
			}
			x, y := row["x"].([]any)[0].([]any), row["y"].([]any)[0].([]any)[0]
			if x[4] == "none at all" {
				failed++
			} else if y != worth[x[3]] {
				t.Errorf("%s: %v at %v", amounts, y, x)
			}
		}
		if failed == 0 || failed == 6 {
			t.Errorf("%s: %d of 6 failed", amounts, failed)
		}
		if out, errs, status := run(t, dir, "replay --verify c.jsonl"); status != 0 {
			t.Errorf("verify: %s%s", out, errs)
		}
		require.NoError(t, os.Remove(filepath.Join(dir, "c.jsonl")))
	}
	if out, _, _ := run(t, dir, "run --problem coupling.toml -o random -n 1 --json --exec ./wrong.sh"); !strings.Contains(out, `at: no solvent \"ethanol\"`) {
		t.Errorf("the wrong answer: %s", out)
	}
}
