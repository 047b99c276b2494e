package foreign

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// checkRun checks that a run can be a session with all its results, and that errors can be shown.
func checkRun(t *testing.T, r *Run, err error) {
	t.Helper()
	if err != nil {
		if len(err.Error()) > 2000 {
			t.Errorf("the error has %d bytes", len(err.Error()))
		}
		return
	}
	s, err := r.Session(t.Context(), sessions.Config{Optimizer: "random", Seed: 1})
	require.NoError(t, err, "%+v", r.Experiment)
	defer s.Close()
	if n := len(s.State().Iterations); n != len(r.Trials) {
		t.Errorf("%d results of %d", n, len(r.Trials))
	}
}

// Whatever the JSON is, it is refused or makes a run that can be a session.
func FuzzAx(f *testing.F) {
	for _, name := range []string{"testdata/ax.json", "testdata/ax-client.json"} {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(text)
	}
	const of = `{"search_space":{"parameters":[%s]},"trials":{"0":{"status":{"name":"COMPLETED"},"generator_run_structs":` +
		`[{"generator_run":{"arms":[{"name":"0_0","parameters":%s}]}}]}},"data_by_trial":{},"optimization_config":` +
		`{"objective":{"metric":{"name":"m"},"minimize":true}}}`
	for _, c := range [][2]string{
		{`{"__type":"ChoiceParameter","name":"a","values":[[1],{"b":2}]}`, `{"a":[1]}`},
		{`{"__type":"RangeParameter","name":"a","lower":-1e308,"upper":1e308}`, `{"a":1e308}`},
		{`{"__type":"RangeParameter","name":"a","lower":1,"upper":0,"log_scale":true}`, `{"a":null}`},
		{`{"__type":"FixedParameter","name":"\u001b[2J","value":true}`, `{}`},
	} {
		f.Add(fmt.Appendf(nil, of, c[0], c[1]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := readAx(text)
		if err == nil {
			err = r.finish()
		}
		checkRun(t, r, err)
	})
}

// optunaSchema are the tables of a storage without the types of their columns, so that a test can write anything.
const optunaSchema = `PRAGMA page_size = 512; PRAGMA synchronous = off; PRAGMA journal_mode = memory;
CREATE TABLE version_info (library_version);
CREATE TABLE studies (study_id, study_name);
CREATE TABLE study_directions (study_id, objective, direction);
CREATE TABLE trials (trial_id, number, study_id, state);
CREATE TABLE trial_params (trial_id, param_name, param_value, distribution_json);
CREATE TABLE trial_values (trial_id, objective, value, value_type);
INSERT INTO version_info VALUES ('5.0');
`

// storageFile makes a storage with two trials of one study.
func storageFile(t testing.TB, study, direction, state, param string, number any, distribution string,
	value any, kind string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec(optunaSchema)
	}
	for id := 1; id <= 2 && err == nil; id++ {
		for _, row := range []struct {
			table  string
			values []any
		}{{"trials", []any{id, id, 1, state}}, {"trial_params", []any{id, param, number, distribution}},
			{"trial_params", []any{id, "x", id, `{"name":"FloatDistribution","attributes":{"low":0,"high":9}}`}},
			{"trial_values", []any{id, 0, value, kind}}} {
			if err == nil {
				_, err = db.Exec("INSERT INTO "+row.table+" VALUES (?, ?, ?, ?)", row.values...)
			}
		}
	}
	if err == nil {
		_, err = db.Exec("INSERT INTO studies VALUES (1, ?); ", study)
	}
	if err == nil {
		_, err = db.Exec("INSERT INTO study_directions VALUES (1, 0, ?)", direction)
	}
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return path
}

// Whatever a storage contains, it is refused or makes a run that can be a session.
func FuzzOptuna(f *testing.F) {
	const float, choice = `{"name":"FloatDistribution","attributes":{"low":0,"high":9}}`,
		`{"name":"CategoricalDistribution","attributes":{"choices":["a",null,1e300,[1]]}}`
	for _, c := range []struct {
		study, direction, state, param string
		number                         float64
		distribution                   string
		value                          float64
		kind                           string
	}{
		{"s", "MINIMIZE", "COMPLETE", "p", 2, float, 1, "FINITE"},
		{"s", "maximize", "PRUNED", "p", 2, choice, 1, "FINITE"},
		{"branin", "MAXIMIZE", "FAIL", "p", 1e300, choice, math.Inf(1), "INF_POS"},
		{"\x1b[2J", "UP", "RUNNING", "", math.Inf(1), choice, -1e308, "FINITE"},
		{"", "MINIMIZE", "COMPLETE", "x", -1, `{"name":"IntDistribution","attributes":{"low":0,"high":1e300,"step":1e-300}}`, 1e308, "FINITE"},
		{"s", "MINIMIZE", "COMPLETE", "p", 5, `{"name":"DiscreteUniformDistribution","attributes":{"low":5,"high":5.5,"q":0.1}}`, 1, "FINITE"},
		{"s", "MINIMIZE", "COMPLETE", "p", 5, `{"name":"IntLogUniformDistribution","attributes":{"low":-5,"high":5,"log":true}}`, 1, "FINITE"},
	} {
		f.Add([]byte(nil), c.study, c.direction, c.state, c.param, c.number, c.distribution, c.value, c.kind, uint8(0))
		f.Add([]byte(nil), c.study, c.direction, c.state, c.param, c.number, c.distribution, c.value, c.kind, uint8(7))
	}
	file, err := os.ReadFile(storageFile(f, "s", "MINIMIZE", "COMPLETE", "p", 2.0, float, 1.0, "FINITE"))
	require.NoError(f, err)
	for _, part := range []int{1, 2, 3} {
		f.Add(file[:len(file)*part/3], "", "", "", "", 0.0, "", 0.0, "", uint8(0))
	}
	f.Fuzz(func(t *testing.T, file []byte, study, direction, state, param string, number float64, distribution string,
		value float64, kind string, types uint8) {
		var path string
		if len(file) > 0 {
			path = filepath.Join(t.TempDir(), "s.db")
			if err := os.WriteFile(path, append([]byte("SQLite format 3\x00"), file[min(len(file), 16):]...), 0o600); err != nil {
				t.Fatal(err)
			}
		} else {
			asText := func(v float64, bit uint8) any {
				switch {
				case types&bit != 0:
					return fmt.Sprint(v)
				case types&128 != 0:
					return nil
				}
				return v
			}
			path = storageFile(t, study, direction, state, param, asText(number, 1), distribution, asText(value, 2), kind)
		}
		r, err := Read(t.Context(), path, Options{})
		checkRun(t, r, err)
	})
}

// A storage cannot have texts that are longer than it is, nor views in the place of tables.
func TestHostileStorages(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"computed text": {"studies (study_id, study_name)",
			"studies (study_id, n, study_name AS (CAST(zeroblob(900000000) AS TEXT)))", "too big"},
		"view": {"TABLE trial_values (trial_id, objective, value, value_type)",
			"VIEW trial_values AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", "it has 5 of the tables"},
		"virtual table": {"TABLE trial_values (trial_id, objective, value, value_type)",
			"VIRTUAL TABLE trial_values USING fts5(trial_id)", "it has 5 of the tables"},
		"another type": {"INSERT INTO version_info VALUES ('5.0')", "INSERT INTO studies VALUES ('one', x'00')", "study"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.db")
			db, err := sql.Open("sqlite", path)
			if err == nil {
				_, err = db.Exec(strings.Replace(optunaSchema, c.from, c.to, 1))
			}
			if name == "computed text" && err == nil {
				_, err = db.Exec("INSERT INTO studies (study_id) VALUES (1)")
			}
			require.NoError(t, err)
			require.NoError(t, db.Close())
			if r, err := Read(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %+v, %v, want %s", r, err, c.want)
			}
		})
	}
}
