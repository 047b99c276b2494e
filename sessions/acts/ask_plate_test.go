package acts_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// filled is the sheet of a plate as CSV, with the results of some wells; nil for an empty one.
func filled(t *testing.T, s *sessions.Session, p acts.PlateSheet, o sheet.Options,
	result func(i int, point acts.PlatePoint) (values []float64, failed, note string)) string {
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
	require.NoError(t, sheet.WriteCSV(&out, head, rows, o))
	return out.String()
}

// A plate has every point as often as it is asked for, controls with the same values on every plate, and wells in an
// order that the seed decides; its results have the name of the plate as their block.
func TestPlate(t *testing.T) {
	s := begin(t, "random")
	o := acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 3, Columns: 4}, Replicates: 2, Controls: 2}}
	p, err := acts.AskPlate(t.Context(), s, o, nil)
	require.NoError(t, err)
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
	again, err := acts.AskPlate(t.Context(), s, o, nil)
	if err != nil || again.ID != p.ID || len(s.State().Plates) != 1 {
		t.Errorf("asked again: %v, %v", again.ID, err)
	}
	text := filled(t, s, p, sheet.Options{Separator: ';', Decimal: ','},
		func(i int, point acts.PlatePoint) ([]float64, string, string) {
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
	rest := filled(t, s, p, sheet.Options{}, func(i int, point acts.PlatePoint) ([]float64, string, string) {
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
	o.Plate.Controls = 1
	next, err := acts.AskPlate(t.Context(), s, o, nil)
	if err != nil || next.Name != "plate 2" {
		t.Fatalf("%+v, %v", next, err)
	}
	i := slices.IndexFunc(next.Points, func(p acts.PlatePoint) bool { return p.Control })
	if x := next.Points[i].Input(); x[0] != 17 || x[1] != 30 {
		t.Errorf("the control of the second plate is %v, not that of the first", x)
	}
	if st := s.State(); len(st.Plates) != 2 || st.Input().Data.Blocks != nil {
		t.Errorf("one plate has a shift: %v", st.Input().Data.Blocks)
	}
}

// Rows and columns share values; the others differ.
func TestPlateOfRows(t *testing.T) {
	for _, amounts := range []string{acts.ShareRow, acts.ShareColumn} {
		s := begin(t, "random")
		p, err := acts.AskPlate(t.Context(), s, acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 2, Columns: 3}, By: amounts}, Shared: []string{"dose"}}, nil)
		if err != nil || len(p.Points) != 6 {
			t.Fatalf("%+v, %v", p, err)
		}
		doses, times := map[string]map[float64]bool{}, map[float64]bool{}
		for _, point := range p.Points {
			key := point.Well[:1]
			if amounts == acts.ShareColumn {
				key = point.Well[1:]
			}
			if doses[key] == nil {
				doses[key] = map[float64]bool{}
			}
			doses[key][point.Input()[0]], times[point.Input()[1]] = true, true
		}
		for key, values := range doses {
			assert.Equal(t, 1, len(values), "%s %s has the doses %v", amounts, key, values)
		}
		assert.Equal(t, 6, len(times), "the times are %v", times)
	}
}

// In sorted order few values change, and the controls are spread over the wells.
func TestSortedPlate(t *testing.T) {
	s := begin(t, "random")
	p, err := acts.AskPlate(t.Context(), s, acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 2, Columns: 5}, Replicates: 2, Controls: 2, Order: sessions.PlateSorted}}, nil)
	require.NoError(t, err)
	changes, before := 0, []float64(nil)
	for i, point := range p.Points {
		assert.Equal(t, i == 2 || i == 7, point.Control, "well %s: control", point.Well)
		if point.Control {
			continue
		}
		if x := point.Input(); before != nil && !slices.Equal(x, before) {
			changes++
		}
		before = point.Input()
	}
	assert.Equal(t, 3, changes, "the values change %d times, want 3 of 4 points", changes)
}

// Whatever is wrong with a request or a sheet, the error says where, and nothing is recorded.
func TestWrongPlates(t *testing.T) {
	s := begin(t, "random")
	size := func(rows, columns int) acts.PlateArgs {
		return acts.PlateArgs{Size: acts.PlateSize{Rows: rows, Columns: columns}}
	}
	for _, c := range []struct {
		want   string
		plate  acts.PlateArgs
		points int
		shared []string
		change func(*acts.PlateArgs)
	}{
		{want: "1 to 32 rows and 1 to 48 columns", plate: size(40, 2)},
		{want: "1 well of 6 points and 1 control need 7 wells", plate: size(2, 3), points: 6, change: func(p *acts.PlateArgs) { p.Controls = 1 }},
		{want: "which the points share; leave the controls out", plate: size(2, 3), shared: []string{"dose"}, change: func(p *acts.PlateArgs) { p.Controls = 1 }},
		{want: "say which variable the points of a row share", plate: size(2, 3), change: func(p *acts.PlateArgs) { p.By = acts.ShareRow }},
		{want: "2 wells of 3 points do not fit into the rows", plate: size(2, 3), points: 3, shared: []string{"dose"}, change: func(p *acts.PlateArgs) { p.By, p.Replicates = "row", 2 }},
		{want: `no way to share values "diagonal"`, plate: size(2, 3), change: func(p *acts.PlateArgs) { p.By = "diagonal" }},
		{want: "a control needs the values of all variables; missing", plate: size(2, 3), change: func(p *acts.PlateArgs) { p.Control = inputs(map[string]float64{"dose": 16}) }},
	} {
		o := acts.AskArgs{Plate: &c.plate, Shared: c.shared}
		if c.points > 0 {
			o.Count = &c.points
		}
		if c.change != nil {
			c.change(&c.plate)
		}
		want := c.want
		if _, err := acts.AskPlate(t.Context(), s, o, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	p, err := acts.AskPlate(t.Context(), s, acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 1, Columns: 3}}}, nil)
	require.NoError(t, err)
	good := filled(t, s, p, sheet.Options{}, func(int, acts.PlatePoint) ([]float64, string, string) {
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
		_, err = tellTable(t, s, strings.NewReader(text))
		assert.ErrorContains(t, err, c.want, "%q for %q: %v, want %q", c.new, c.old, err, c.want)
		require.Equal(t, head, s.State().Head, "%q: something was recorded", c.new)
	}
	// a row without its point is found by its well, in a workbook as in CSV
	text := strings.Replace(good, fmt.Sprintf(",A2,%v,", p.Points[1].Name), ",A2,,", 1)
	if result, err := tellTable(t, s, strings.NewReader(text)); err != nil || len(result.Results) != 3 {
		t.Errorf("%+v, %v", result, err)
	}
}

// The sheet of a plate comes back as a workbook, with the digits that it keeps.
func TestPlateAsWorkbook(t *testing.T) {
	s := begin(t, "random")
	p, err := acts.AskPlate(t.Context(), s, acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 2, Columns: 2}}}, nil)
	require.NoError(t, err)
	columns, rows := p.Table(s.State().Problem)
	var head []string
	for _, c := range columns {
		head = append(head, c.Head)
	}
	rows[1][len(head)-4], rows[1][len(head)-3] = sheet.Num(18.25), sheet.Text("3,5")
	var out bytes.Buffer
	require.NoError(t, sheet.WriteWorkbook(&out, head, rows, sheet.Marks{Name: p.Name}))
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
	s := begin(t, "random")
	p, err := acts.AskPlate(t.Context(), s, acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 1, Columns: 2}, Name: "tuesday"}}, nil)
	require.NoError(t, err)
	path := s.Path()
	require.NoError(t, s.Close())
	again, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	defer again.Close()
	list := acts.Plates(again)
	if len(list) != 1 || list[0].ID != p.ID || list[0].Name != "tuesday" || list[0].Points[1].Well != "A2" {
		t.Errorf("%+v", list)
	}
}

// Replicates have the same values, and may have the same result: a row belongs to the point that it names.
func TestReplicatesOfASheet(t *testing.T) {
	s := begin(t, "random")
	p, err := acts.AskPlate(t.Context(), s, acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 1, Columns: 2}, Replicates: 2}}, nil)
	require.NoError(t, err)
	const head = "point,dose,time,extraction,bitterness\n"
	x := p.Points[0].Input()
	row := func(i int) string { return fmt.Sprintf("%v,%v,%v,20,3\n", p.Points[i].Name, x[0], x[1]) }
	_, err = tellTable(t, s, strings.NewReader(head+row(0)))
	require.NoError(t, err)
	result, err := tellTable(t, s, strings.NewReader(head+row(1)+row(0)))
	if err != nil || len(result.Results) != 1 || result.Duplicates != 1 || result.Results[0].Point != p.Points[1].Name {
		t.Errorf("%+v, %v", result, err)
	}
}
