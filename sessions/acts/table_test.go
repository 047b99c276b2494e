package acts_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/report"
)

// A table brings results of points that are out, by number or by input, others that nobody suggested, and what is on
// record is passed over.
func TestTellTable(t *testing.T) {
	s := begin(t, "random")
	points, err := acts.AskPoints(t.Context(), s, acts.AskArgs{Count: new(4)}, nil)
	require.NoError(t, err)
	x := points[2].Input()
	text := fmt.Sprintf("point,dose,time,extraction,bitterness,extraction_sd,failed,notes\n2,,,18,3,0.2,,warm\n"+
		",16,30,19,4,,false,\n,%v,%v,20,1,,,\n1,17,25,,,,leak,\n4,,,,,,,\n", x[0], x[1])
	result, err := tellTable(t, s, strings.NewReader(text))
	if err != nil || len(result.Results) != 4 || result.WithoutResult != 1 || result.Duplicates != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	its := s.State().Iterations
	if len(its) != 4 || its[0].Number != 2 || its[0].Points[0].SE[0] != 0.2 || its[0].Points[0].Note != "warm" ||
		its[1].By != "person" || its[2].Number != 3 ||
		its[3].Number != 1 || its[3].Points[0].X[0] != 17 || its[3].Points[0].Reason != "leak" {
		t.Errorf("%+v", its)
	}
	var export bytes.Buffer
	require.NoError(t, report.Export(t.Context(), s.State(), &export, "csv"))
	head := s.State().Head
	if result, err = tellTable(t, s, &export); err != nil || result.Duplicates != 4 ||
		len(result.Results) != 0 || s.State().Head != head {
		t.Errorf("the export told again: %+v, %v", result, err)
	}
	other := begin(t, "random")
	report.Export(t.Context(), s.State(), &export, "csv")
	if result, err = tellTable(t, other, &export); err != nil || len(result.Results) != 4 ||
		!other.State().Iterations[3].Points[0].Failed {
		t.Errorf("the export told elsewhere: %+v, %v", result, err)
	}
}

// Whatever is wrong with a table, its row is named and nothing is recorded, also not of the rows before.
func TestWrongTable(t *testing.T) {
	s := begin(t, "random")
	if _, err := acts.AskPoints(t.Context(), s, acts.AskArgs{Count: new(2)}, nil); err != nil {
		t.Fatal(err)
	}
	head := s.State().Head
	const names = "point,dose,time,extraction,bitterness\n1,,,18,3\n"
	for text, want := range map[string]string{
		"":                              "the file is empty",
		"dose,time\n16,30\n":            `no column of an objective, such as "extraction"`,
		"dose,extraction\n16,18\n":      `neither a column "time" nor "point"`,
		"point,extraction,extraction\n": `the column has the same name as column 2: "extraction"`,
		names + "9,,,18,3\n":            "line 3: point 9 was never asked for",
		names + "1,,,18,3\n":            "line 2 and line 3 are both for point 1",
		names + "x,,,18,3\n":            "line 3: a point has a number such as",
		names + ",16,30,high,3\n":       `line 3, column 4 ("extraction"): "high" is not a number`,
		names + ",16,,18,3\n":           "line 3: it has values for some variables only",
		names + ",99,30,18,3\n":         "line 3: dose = 99 is outside of its bounds, 14 to 20: is this correct?",
		names + ",16,30,42,3\n":         ": is this correct?",
		names + ",16,30,NaN,3\n":        "line 3: extraction = NaN",
		names + ",16\n":                 "line 3: the row has 2 cells, but the header has 5",
		"point;dose;time;extraction\n1;;;high\n;16,5;30;18,5\n": `line 2, column 4 ("extraction"): "high" is not a number`,
		"dose,time,extraction [g]\n16,30,18\n":                  `line 1, column 3: extraction is in g here, but in % in the problem`,
		names + ",16.5,30,\"18,5\",3\n":                         "line 3 has 18,5 with a decimal comma, and line 3 has 16.5 with a decimal point",
		names + "2,,,\x1b[31m,3\n":                              `"\x1b[31m" is not a number`,
	} {
		if _, err := tellTable(t, s, strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		require.Equal(t, head, s.State().Head, "%q: something was recorded", text)
	}
}

// A table that has grown is told again, however its rows name their points: what is on record is passed over, what was
// told of a point is completed, and what was told otherwise is an error.
func TestTableThatHasGrown(t *testing.T) {
	s := begin(t, "random")
	if _, err := acts.AskPoints(t.Context(), s, acts.AskArgs{Count: new(3)}, nil); err != nil {
		t.Fatal(err)
	}
	const names = "point,dose,time,extraction,bitterness,cost,notes"
	tell := func(rows string, count, same int, want string) {
		t.Helper()
		head := s.State().Head
		got, err := tellTable(t, s, strings.NewReader(names+rows))
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) || s.State().Head != head {
				t.Errorf("%v, want %q", err, want)
			}
			return
		}
		if err != nil || len(got.Results) != count || got.Duplicates != same {
			t.Errorf("%s: got %+v, %v", rows, got, err)
		}
	}
	tell("\n1,,,18,,,warm\n2,,,19,4,,", 2, 0, "")
	tell("\n1,,,18,,,warm\n2,,,19,4,,", 0, 2, "")
	tell("\n1,,,18,,,\n2,,,19,5,,", 0, 0, "line 3: point 2: the result is already reported")
	tell("\n1,,,17,3,,\n3,,,20,1,,", 0, 0, "line 2: point 1: extraction was reported as 18 and is 17 here")
	tell("\n1,,,18,3,,warm\n2,,,19,4,,\n3,,,20,1,2,", 2, 1, "")
	if its := s.State().Iterations; len(its) != 3 || its[1].Number != 1 || its[1].Points[0].Note != "warm" ||
		its[2].Points[0].Cost != 2 {
		t.Errorf("%+v", its)
	}
	if err := s.AddObjective(functions.Objective{Name: "price", Direction: functions.Minimize,
		Range: &[2]float64{0, 9}}, ""); err != nil {
		t.Fatal(err)
	}
	x := s.State().Iterations[2].Points[0].X
	rows := fmt.Sprintf(",price\n1,,,18,3,,,5\n,%v,%v,20,1,2,,6\n", x[0], x[1])
	tell(rows, 2, 0, "")
	tell(rows, 0, 2, "")
	if its := s.State().Iterations; len(its) != 3 || its[1].Points[0].Y[2] != 5 || its[2].Points[0].Y[2] != 6 ||
		its[2].Incomplete() {
		t.Errorf("%+v", its)
	}
}

// tellTable reports a table whose format is recognized.
func tellTable(t *testing.T, s *sessions.Session, r io.Reader) (acts.TableResult, error) {
	t.Helper()
	return acts.TellTable(t.Context(), s, r, sheet.Options{}, false, nil)
}
