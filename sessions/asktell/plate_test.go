package asktell_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
)

// filled is the sheet of a plate as CSV, with the results of some wells; nil for an empty one.
func filled(t *testing.T, s *sessions.Session, p asktell.PlateSheet, o sheet.Options,
	result func(i int, point asktell.PlatePoint) (values []float64, failed, note string)) string {
	t.Helper()
	columns, rows := p.Table(s.State().Problem)
	var head []string
	for _, c := range columns {
		head = append(head, c.Head)
	}
	for i, row := range rows {
		values, failed, note := result(i, p.Points[i])
		n := len(row)
		for k, v := range values {
			row[n-2-len(values)+k] = sheet.Num(v)
		}
		row[n-2], row[n-1] = sheet.Text(failed), sheet.Text(note)
	}
	var out bytes.Buffer
	if err := sheet.WriteCSV(&out, head, rows, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A plate has every point as often as it is asked for, controls with the same values on every plate, and wells in an
// order that the seed decides; its results have the name of the plate as their block.
func TestPlate(t *testing.T) {
	s := begin(t)
	o := asktell.PlateOptions{Rows: 3, Columns: 4, Replicates: 2, Controls: 2}
	p, err := asktell.AskPlate(t.Context(), s, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "plate 1" || len(p.Points) != 12 || p.Points[0].Well != "A1" || p.Points[11].Well != "C4" {
		t.Fatalf("%+v", p)
	}
	inputs, controls := map[string]int{}, 0
	for _, point := range p.Points {
		inputs[fmt.Sprint(point.Input())]++
		if point.Control {
			controls++
			if x := point.Input(); x[0] != 17 || x[1] != 30 {
				t.Errorf("the control is %v, want the center", x)
			}
		}
	}
	if len(inputs) != 6 || controls != 2 {
		t.Errorf("%d inputs and %d controls, want 5 with 2 wells each and a control", len(inputs), controls)
	}
	again, err := asktell.AskPlate(t.Context(), s, o, nil)
	if err != nil || again.ID != p.ID || len(s.State().Plates) != 1 {
		t.Errorf("asked again: %v, %v", again.ID, err)
	}
	text := filled(t, s, p, sheet.Options{Separator: ';', Decimal: ','},
		func(i int, point asktell.PlatePoint) ([]float64, string, string) {
			switch {
			case i < 4:
				return []float64{18.5 + float64(i), 3}, "", "warm; really"
			case i == 4:
				return nil, "leaked", ""
			}
			return nil, "", ""
		})
	result, err := tellTable(t, s, strings.NewReader(text))
	if err != nil || len(result.Results) != 5 || result.WithoutResult != 7 {
		t.Fatalf("%+v, %v\n%s", result, err, text)
	}
	its := s.State().Iterations
	if len(its) != 5 || its[0].Points[0].Block != "plate 1" || its[0].Points[0].Note != "warm; really" ||
		its[0].Points[0].Suggested != nil || its[4].Points[0].Reason != "leaked" || its[4].Points[0].Block != "plate 1" {
		t.Errorf("%+v", its)
	}
	rest := filled(t, s, p, sheet.Options{}, func(i int, point asktell.PlatePoint) ([]float64, string, string) {
		if i == 4 {
			return nil, "leaked", ""
		}
		if i < 4 {
			return []float64{18.5 + float64(i), 3}, "", "warm; really"
		}
		return []float64{15, 4}, "", ""
	})
	if result, err = tellTable(t, s, strings.NewReader(rest)); err != nil || result.Duplicates != 5 || len(result.Results) != 7 {
		t.Fatalf("the rest: %+v, %v", result, err)
	}
	o.Controls = 1
	next, err := asktell.AskPlate(t.Context(), s, o, nil)
	if err != nil || next.Name != "plate 2" {
		t.Fatalf("%+v, %v", next, err)
	}
	i := slices.IndexFunc(next.Points, func(p asktell.PlatePoint) bool { return p.Control })
	if x := next.Points[i].Input(); x[0] != 17 || x[1] != 30 {
		t.Errorf("the control of the second plate is %v, not that of the first", x)
	}
	if st := s.State(); len(st.Plates) != 2 || st.Input().Data.Blocks != nil {
		t.Errorf("one plate has a shift: %v", st.Input().Data.Blocks)
	}
}

// Rows and columns share values; the others differ.
func TestPlateOfRows(t *testing.T) {
	for _, amounts := range []string{asktell.ShareRow, asktell.ShareColumn} {
		s := begin(t)
		p, err := asktell.AskPlate(t.Context(), s, asktell.PlateOptions{Rows: 2, Columns: 3, Shared: []string{"dose"}, By: amounts}, nil)
		if err != nil || len(p.Points) != 6 {
			t.Fatalf("%+v, %v", p, err)
		}
		doses, times := map[string]map[float64]bool{}, map[float64]bool{}
		for _, point := range p.Points {
			key := point.Well[:1]
			if amounts == asktell.ShareColumn {
				key = point.Well[1:]
			}
			if doses[key] == nil {
				doses[key] = map[float64]bool{}
			}
			doses[key][point.Input()[0]], times[point.Input()[1]] = true, true
		}
		for key, values := range doses {
			if len(values) != 1 {
				t.Errorf("%s %s has the doses %v", amounts, key, values)
			}
		}
		if len(times) != 6 {
			t.Errorf("the times are %v", times)
		}
	}
}

// In sorted order few values change, and the controls are spread over the wells.
func TestSortedPlate(t *testing.T) {
	s := begin(t)
	p, err := asktell.AskPlate(t.Context(), s, asktell.PlateOptions{Rows: 2, Columns: 5, Replicates: 2, Controls: 2,
		Order: sessions.PlateSorted}, nil)
	if err != nil {
		t.Fatal(err)
	}
	changes, before := 0, []float64(nil)
	for i, point := range p.Points {
		if point.Control != (i == 2 || i == 7) {
			t.Errorf("well %s: control is %v", point.Well, point.Control)
		}
		if point.Control {
			continue
		}
		if x := point.Input(); before != nil && !slices.Equal(x, before) {
			changes++
		}
		before = point.Input()
	}
	if changes != 3 {
		t.Errorf("the values change %d times, want 3 of 4 points", changes)
	}
}

// Whatever is wrong with a request or a sheet, the error says where, and nothing is recorded.
func TestWrongPlates(t *testing.T) {
	s := begin(t)
	for want, o := range map[string]asktell.PlateOptions{
		"1 to 32 rows and 1 to 48 columns":                     {Rows: 40, Columns: 2},
		"1 well of 6 points and 1 control need 7 wells":        {Rows: 2, Columns: 3, Points: 6, Controls: 1},
		"which the points share; leave the controls out":       {Rows: 2, Columns: 3, Controls: 1, Shared: []string{"dose"}},
		"say which variable the points of a row share":         {Rows: 2, Columns: 3, By: asktell.ShareRow},
		"2 wells of 3 points do not fit into the rows":         {Rows: 2, Columns: 3, Points: 3, Replicates: 2, By: "row", Shared: []string{"dose"}},
		`no way to share values "diagonal"`:                    {Rows: 2, Columns: 3, By: "diagonal"},
		"a control needs the values of all variables; missing": {Rows: 2, Columns: 3, ControlPoints: []map[string]float64{{"dose": 16}}},
	} {
		if _, err := asktell.AskPlate(t.Context(), s, o, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	p, err := asktell.AskPlate(t.Context(), s, asktell.PlateOptions{Rows: 1, Columns: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	good := filled(t, s, p, sheet.Options{}, func(int, asktell.PlatePoint) ([]float64, string, string) {
		return []float64{18, 3}, "", ""
	})
	head := s.State().Head
	for _, c := range []struct{ old, new, want string }{
		{"s-" + p.ID, "s-0123456789abcdef", `line 2, column 1 ("sheet"): the sheet is not of this session, which has the plates plate 1`},
		{",A2,", ",A1,", `line 3, column 3 ("well"): A1 of plate 1 holds point`},
		{",A2,", ",B2,", `line 3, column 3 ("well"): plate 1 has no point in the well B2`},
		{"extraction (%)", "extraction (g)", "line 1, column 8: extraction is in g here, but in % in the problem"},
		{"extraction (%)", "extracted", `line 1: no column "extraction"; did you mean extracted?`},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if _, err := tellTable(t, s, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
		if s.State().Head != head {
			t.Fatalf("%q: something was recorded", c.new)
		}
	}
	// a row without its point is found by its well, in a workbook as in CSV
	text := strings.Replace(good, fmt.Sprintf(",A2,%v,", p.Points[1].Name), ",A2,,", 1)
	if result, err := tellTable(t, s, strings.NewReader(text)); err != nil || len(result.Results) != 3 {
		t.Errorf("%+v, %v", result, err)
	}
}

// The sheet of a plate comes back as a workbook, with the digits that it keeps.
func TestPlateAsWorkbook(t *testing.T) {
	s := begin(t)
	p, err := asktell.AskPlate(t.Context(), s, asktell.PlateOptions{Rows: 2, Columns: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	columns, rows := p.Table(s.State().Problem)
	var head []string
	for _, c := range columns {
		head = append(head, c.Head)
	}
	rows[1][len(head)-4], rows[1][len(head)-3] = sheet.Num(18.25), sheet.Text("3,5")
	var out bytes.Buffer
	if err := sheet.WriteWorkbook(&out, head, rows, sheet.Marks{Name: p.Name}); err != nil {
		t.Fatal(err)
	}
	result, err := tellTable(t, s, &out)
	if err != nil || len(result.Results) != 1 || result.Results[0].Values["bitterness"] != 3.5 {
		t.Fatalf("%+v, %v", result, err)
	}
	if pt := s.State().Iterations[0].Points[0]; pt.Suggested != nil {
		t.Errorf("the point moved from %v to %v", pt.Suggested, pt.X)
	}
}

// A plate survives the file of its session.
func TestPlateIsReadBack(t *testing.T) {
	s := begin(t)
	p, err := asktell.AskPlate(t.Context(), s, asktell.PlateOptions{Rows: 1, Columns: 2, Name: "tuesday"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := sessions.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	list := asktell.Plates(again)
	if len(list) != 1 || list[0].ID != p.ID || list[0].Name != "tuesday" || list[0].Points[1].Well != "A2" {
		t.Errorf("%+v", list)
	}
}

// Replicates have the same values, and may have the same result: a row belongs to the point that it names.
func TestReplicatesOfASheet(t *testing.T) {
	s := begin(t)
	p, err := asktell.AskPlate(t.Context(), s, asktell.PlateOptions{Rows: 1, Columns: 2, Replicates: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const head = "point,dose,time,extraction,bitterness\n"
	x := p.Points[0].Input()
	row := func(i int) string { return fmt.Sprintf("%v,%v,%v,20,3\n", p.Points[i].Name, x[0], x[1]) }
	if _, err := tellTable(t, s, strings.NewReader(head+row(0))); err != nil {
		t.Fatal(err)
	}
	result, err := tellTable(t, s, strings.NewReader(head+row(1)+row(0)))
	if err != nil || len(result.Results) != 1 || result.Duplicates != 1 || result.Results[0].Name != p.Points[1].Name {
		t.Errorf("%+v, %v", result, err)
	}
}
