package published

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

// small is a study of three cells: one that is done, one that has just begun and one that failed.
func small() *study.Table {
	nan, half := math.NaN(), 0.5
	began := time.Date(2026, 11, 22, 14, 0, 0, 0, time.UTC)
	return &study.Table{
		Declaration: &study.Declaration{Name: "small", Title: "a, \"title\"", Problems: []string{"branin", "zdt1:3"},
			Methods: []string{"random"}, Seeds: 2, Budget: "3",
			Published: []study.PublishedNumber{{Problem: "branin", Method: "random", Evaluations: 2, Value: 0.3,
				Interval: &half,
				Source:   "table 1"}}},
		Rows: []study.Row{
			{Cell: study.Cell{Problem: "branin", Method: "random", Seed: 1, Budget: 3}, Dim: 2, Status: study.Done,
				Steps: 3, Program: "v1", Worker: "one", Began: began, Ended: began.Add(time.Second), Seconds: 0.123456,
				Trace: study.Trace{Evaluations: []int{1, 2, 3}, Seconds: []float64{0.1, 1. / 3, 0.25},
					Spent: []float64{1, 2, 3}, Best: []float64{nan, 17.50803, 0.4},
					SimpleRegret:     []float64{nan, 17.110142643, 0},
					CumulativeRegret: []float64{nan, 1, 2}, WeightedRegret: []float64{nan, 1, 2}}},
			{Cell: study.Cell{Problem: "branin", Method: "random", Seed: 2, Budget: 3}, Dim: 2, Status: study.Waiting},
			{Cell: study.Cell{Problem: "zdt1:3", Method: "random", Seed: 1, Budget: 3}, Dim: 3, Status: study.Failed,
				Steps: 1, Attempts: 3, Error: "no\x1b[31m more", Program: "v1",
				Trace: study.Trace{Evaluations: []int{4}, Seconds: []float64{2}, Spent: []float64{4},
					Hypervolume: []float64{0.75}}},
		},
	}
}

func TestCSV(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, CSV(&b, small()))
	want := `study,cell,problem,method,seed,budget,dim,status,iteration,evaluations,seconds,spent,repeats,best,simple_regret,cumulative_regret,weighted_regret,hypervolume,bayes_regret
small,0,branin,random,1,3,2,done,1,1,0.1,1,,,,,,,
small,0,branin,random,1,3,2,done,2,2,0.3333333333333333,2,,17.50803,17.110142643,1,1,,
small,0,branin,random,1,3,2,done,3,3,0.25,3,,0.4,0,2,2,,
small,2,zdt1:3,random,1,3,3,failed,1,4,2,4,,,,,,0.75,
`
	assert.Equal(t, want, b.String())
}

func TestCellsCSV(t *testing.T) {
	var b bytes.Buffer
	table := small()
	require.NoError(t, CellsCSV(&b, table))
	assert.NotContains(t, b.String(), "\x1b", "a control character is written")
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatal(len(rows), err)
	}
	for i, want := range []string{
		"small 0 branin random 1 3 2 ID done 3 0 - v1 one 2026-11-22T14:00:00Z 2026-11-22T14:00:01Z 0.123456 simple_regret 0 3 3 - 0.4 0 2 2 - -",
		"small 1 branin random 2 3 2 ID waiting 0 0 - - - - - 0 simple_regret - - - - - - - - - -",
		"small 2 zdt1:3 random 1 3 3 ID failed 1 3 no␛[31m_more v1 - - - 0 hypervolume 0.75 4 4 - - - - - 0.75 -",
	} {
		want = strings.ReplaceAll(want, "ID", table.Rows[i].ID())
		got := rows[i+1]
		for k := range got {
			if got[k] = strings.ReplaceAll(got[k], " ", "_"); got[k] == "" {
				got[k] = "-"
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("row %d is\n%s, not\n%s", i, strings.Join(got, " "), want)
		}
	}
}

// TestJSON: everything is read back, NaN too.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, JSON(&b, small()))
	if strings.Contains(b.String(), "\x1b") || strings.Count(b.String(), "\n") != 1 {
		t.Error(b.String())
	}
	got, err := Read(&b)
	require.NoError(t, err)
	want := small()
	if fmt.Sprintf("%+v", got.Rows) != fmt.Sprintf("%+v", want.Rows) ||
		!reflect.DeepEqual(got.Declaration, want.Declaration) {
		t.Errorf("%+v", got)
	}
}

func TestReadRefuses(t *testing.T) {
	cells := func(list string) string {
		return `{"format":"bandscope study","version":1,"study":{"name":"a","seeds":1,"problems":["branin"],"methods":["random"]},"cells":` + list + "}"
	}
	for text, want := range map[string]string{
		``:                             "not a study in JSON",
		`[]`:                           "not a study in JSON",
		`{"format":"x"}`:               `its format must be "bandscope study", got "x"`,
		`{"format":"bandscope study"}`: "has version 0",
		`{"format":"bandscope study","version":2}`:            "this program reads version 1",
		`{"format":"bandscope study","version":1}`:            "no declaration of a study",
		`{"format":"bandscope study","version":1,"study":{}}`: "the study has no name",
		cells(
			`[{"trace":{"evaluations":[1],"best":[1,2]}}]`): "cell 0: the trace has different lengths: evaluations 1, best 2",
		cells(
			`[{"trace":{"best":[1]}}]`): "cell 0: the trace has different lengths: evaluations 0, best 1",
		cells(
			`[{"trace":{"evaluations":[2,1]}}]`): "got 2 and then 1",
		cells(
			`[{"trace":{"evaluations":[4600000000000000000]}}]`): "evaluations must be in [1, 1000000000]",
		cells(
			`[{"seed":1,"budget":1,"status":"done","trace":{"evaluations":[1]}}]`): "1 rows and 0 steps",
		cells(
			`[{"seed":1,"budget":4600000000000000000,"status":"done"}]`): "budget must be in [1, 1000000]",
		cells(
			`[{"seed":1,"budget":1,"status":"\u001b[2J"}]`): "status must be one of [waiting running done failed foreign]",
		cells(
			`[{"budget":1,"status":"done"}]`): "seed must be in",
		cells(
			`[{"seed":1,"budget":1,"status":"done","seconds":-1}]`): "seconds must be a number of at least 0",
		`{"format":"bandscope study","version":1,"study":{},"cells":[{"trace":{"evaluations":[1],"best":["x"]}}]}`:                                  "string",
		`{"format":"bandscope study","version":1,"study":{},"cells":[{"trace":{"evaluations":[1],"best":[1]}}]} {"format":"bandscope study"} trail`: "after top-level",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	require.NoError(f, JSON(&b, small()))
	f.Add(b.Bytes())
	f.Add(
		[]byte(
			`{"format":"bandscope study","version":1,"study":{},"cells":[{"trace":{"evaluations":[1],"best":[null]}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		require.NoError(t, JSON(&once, table))
		again, err := Read(bytes.NewReader(once.Bytes()))
		require.NoError(t, err)
		if err := JSON(&twice, again); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Errorf("%v: %s, then %s", err, once.Bytes(), twice.Bytes())
		}
	})
}
