package experiment

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

const screening = "solvent,solvent.polarity,Temperature (C),id,const,yield:max,waste:min\n" +
	"water,80.1,20,1,5,10,1\n" +
	"DMF,36.7,20,2,5,30,\n" +
	"water,80.1,40.5,3,5,20,3\n"

// The variables, their kinds, levels and descriptors, and the objectives follow from the columns; a column that is the
// same in every row says nothing.
func TestTableOfItsOwn(t *testing.T) {
	d, err := ParseTable("dir/my screen.csv", []byte("\ufeff"+screening))
	require.NoError(t, err)
	want := functions.Domain{
		{Name: "solvent", Kind: functions.Choice, Choices: []string{"water", "DMF"}, High: 1,
			Descriptors: []functions.Descriptor{{Name: "polarity", Values: []float64{80.1, 36.7}}}},
		{Name: "Temperature", Unit: "C", Kind: functions.Ordered, Values: []float64{20, 40.5}, Low: 20, High: 40.5}}
	if d.Name != "my_screen" || !reflect.DeepEqual(d.Variables, want) || len(d.Objectives) != 2 ||
		d.Objectives[0].Direction != functions.Maximize || d.Objectives[1].Direction != functions.Minimize {
		t.Errorf("%+v", d)
	}
	text, err := json.Marshal(d)
	var back Declaration
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err == nil {
		err = back.Check()
	}
	if err != nil || !strings.Contains(string(text), "[1,20,30,null]") || !math.IsNaN(back.Table.Rows[1][3]) {
		t.Fatalf("%v: %s", err, text)
	}
	p := back.Problem()
	front := p.Front().Points(0)
	if want := [][]float64{{10, 1}, {20, 3}}; !reflect.DeepEqual(front, want) {
		t.Errorf("the front is %v, want %v", front, want)
	}
	if y, err := p.TrueValues([]float64{0, 40.5}); err != nil || !reflect.DeepEqual(y, []float64{20, 3}) {
		t.Errorf("%v, %v", y, err)
	}
	assert.ErrorContains(t, p.CheckConstraints([]float64{1, 40.5}), "the table has no row with solvent = DMF")
}

// Rows are pending where a cell says so, or where nothing is measured; a column that only names the rows is a label.
func TestPendingRows(t *testing.T) {
	const head = "id,SMILES,ligand,temperature,yield:max\n"
	for _, c := range []struct {
		text      string
		pending   bool
		failed    []int
		measured  int
		label     string
		labels    []string
		variables int
	}{
		{head + "1,C1,a,60,PENDING\n2,C2,b,60,\n3,C3,a,80,33\n4,C4,b,80,failed\n", true, []int{3}, 2, "SMILES",
			[]string{"C1", "C2", "C3", "C4"}, 2},
		{head + "1,C1,a,60,\n2,C2,b,60,\n", true, nil, 0, "SMILES", []string{"C1", "C2"}, 1},
		{head + "1,C1,a,60,3\n2,C2,b,60,\n", false, nil, 0, "SMILES", []string{"C1", "C2"}, 1},
		{head + "1,C1,a,60,3\n2,C2,a,60,5\n", false, nil, 0, "", nil, 2}, // the rows differ by their names only
		{"id,ligand,yield:max\nx,a,1\nx,b,2\ny,b,3\n", false, nil, 0, "", nil, 2},
		{"smiles,smiles.mass,n,yield:max\nC,1,1,1\nCC,2,2,2\n", false, nil, 0, "", nil, 2}, // its properties matter
	} {
		d, err := ParseTable("t.csv", []byte(c.text))
		require.NoError(t, err, c.text)
		text, err := json.Marshal(d)
		require.NoError(t, err)
		var back Declaration
		require.NoError(t, json.Unmarshal(text, &back))
		require.NoError(t, back.Check())
		got := back.Table
		assert.Equal(t, c.pending, got.Pending, c.text)
		assert.Equal(t, c.failed, got.Failed, c.text)
		assert.Equal(t, c.label, got.Label, c.text)
		assert.Equal(t, c.labels, back.Problem().Table.Labels, c.text)
		assert.Len(t, back.Variables, c.variables, c.text)
		assert.Equal(t, !c.pending, back.Problem().Evaluator() != nil, c.text)
		if c.pending {
			assert.Len(t, got.Measurements(len(back.Variables)), c.measured, c.text)
		}
	}
}

const tabulated = `name = "screen"
[table]
file = "screen.csv"

[[variable]]
name = "solvent"

[[variable]]
name = "Temperature_C"
scale = "log"
unit = "°C"

[[objective]]
name = "yield"
direction = "maximize"
`

// A declaration chooses columns and says more about them; its table is read beside it only.
func TestTableOfADeclaration(t *testing.T) {
	plain := strings.NewReplacer(":max", "", ":min", "").Replace(screening)
	var asked string
	read := func(content string) FileReader {
		return func(path string, most int) ([]byte, error) {
			asked = path
			return []byte(content), nil
		}
	}
	d, err := ParseWithFiles("screen.toml", []byte(tabulated), read(plain))
	if err != nil || asked != "screen.csv" {
		t.Fatal(err)
	}
	if len(d.Variables) != 2 || d.Variables[1].Scale != functions.Log || d.Variables[1].Unit != "°C" ||
		d.Table.File != "screen.csv" || len(d.Table.SHA256) != 64 || len(d.Table.Rows) != 3 {
		t.Errorf("%+v", d)
	}
	for _, c := range []struct{ old, new, content, want string }{
		{"", "", "", "screen.toml: line 3: screen.csv: the file is empty; its first row must name the columns"},
		{"", "", strings.ReplaceAll(plain, "40.5", "4O.5"), `screen.toml: line 3: screen.csv: line 4, column 3 ("Temperature (C)"): "4O.5" is not a number`},
		{"", "", strings.ReplaceAll(plain, "40.5", ""), "line 4, column 3 (\"Temperature (C)\"): the cell is empty"},
		{"", "", strings.ReplaceAll(plain, "5,30", "5,many"), `line 3, column 6 ("yield"): "many" is not a number`},
		{"", "", strings.ReplaceAll(plain, "5,30", `5,"30,5"`), `line 3 has 30,5 with a decimal comma, and line 2 has 80.1 with a decimal point`},
		{"", "", strings.ReplaceAll(plain, "5,30", "5,1e999"), `line 3, column 6 ("yield")`},
		{"", "", strings.ReplaceAll(plain, "5,30", "5"), "line 3: the row has 6 cells, but the header has 7"},
		{"", "", strings.ReplaceAll(plain, "5,30", `5,"30`), `line 4, character`},
		{"", "", plain + "DMF,36.7,20,9,5,1,1\n", "line 5: the variables have the same values as in line 3"},
		{"", "", strings.ReplaceAll(plain, "water,80.1,40.5", "water,81,40.5"), `line 4, column 2 ("solvent.polarity"): polarity of water is 81, but 80.1 in line 2`},
		{"", "", strings.ReplaceAll(plain, "DMF", "water"), `line 1, column 1: solvent is "water" in every row; leave the variable out`},
		{"", "", strings.ReplaceAll(plain, "yield", "Temperature C"), `the column has the same name as column 3: "Temperature_C"`},
		{"", "", "a,b\n1,2\n", "the table has 1 row; it needs 2 or more"},
		{`name = "yield"`, `name = "yeild"`, plain, `line 3: screen.csv: line 1: no column "yeild"; did you mean yield?`},
		{`"screen.csv"`, `"../screen.csv"`, plain, `line 3: the table must be in the folder of this file or below it`},
		{`"screen.csv"`, `"/screen.csv"`, plain, `line 3: the table must be in the folder of this file or below it`},
		{`scale = "log"`, `low = 3`, plain, "line 10: low of a variable of a table follows from the table; remove it"},
		{`scale = "log"`, `choices = ["a"]`, plain, "line 10: choices of a variable of a table follows from the table"},
		{`file = "screen.csv"`, `files = "screen.csv"`, plain, `line 3, column 1: unknown key "files"; did you mean file?`},
		{"[[variable]]\nname = \"solvent\"", "[table]\nfile = \"b.csv\"", plain, "table must be one table"},
	} {
		text := strings.Replace(tabulated, c.old, c.new, 1)
		_, err := ParseWithFiles("screen.toml", []byte(text), read(c.content))
		assert.ErrorContains(t, err, c.want, "%q for %q, %.60q:\n%v\nwant\n%s", c.new, c.old, c.content, err, c.want)
	}
	_, err = Parse("screen.toml", []byte(tabulated))
	assert.ErrorContains(t, err, "cannot be read here")
	unread := errors.New("gone")
	if _, err := ParseWithFiles("screen.toml", []byte(tabulated), func(string, int) ([]byte, error) {
		return nil, unread
	}); err == nil || err.Error() != "screen.toml: line 3: gone" {
		t.Error(err)
	}
	_, err = NewDraft(d)
	assert.Error(t, err, "a form shows a table")
	other := *d
	other.Table = &Table{File: "screen.csv", SHA256: "0123456789"}
	if list := d.Differences(&other); len(list) != 1 || !strings.HasPrefix(list[0], "table is now screen.csv (SHA-256 01234567…)") {
		t.Error(list)
	}
}

// Large tables are refused before they take memory.
func TestTableBounds(t *testing.T) {
	many := "x,y:min\n" + strings.Repeat("1,2\n", MaxTableRows+1)
	if _, err := ParseTable("t.csv", []byte(many)); err == nil || !strings.Contains(err.Error(), "more than 10000 rows") {
		t.Error(err)
	}
	if _, err := ParseTable("t.csv", make([]byte, MaxTableFile+1)); err == nil ||
		!strings.Contains(err.Error(), "the maximum is 8388608") {
		t.Error(err)
	}
	if _, err := ParseTable("t.csv", []byte("x,y\n1,2\n2,3\n")); err == nil ||
		!strings.Contains(err.Error(), "no column is marked as an objective") {
		t.Error(err)
	}
}

// Whatever a table contains, it is refused with a reason or makes a declaration that survives its JSON, whose rows are
// the only points that can be evaluated.
func FuzzTable(f *testing.F) {
	for _, seed := range []string{screening, "x,y:max\n1,2\n2,3\n", "a;b\n1;2", "x,y:min\n\"1\n,2\n", "x.y,x,z:min\n1,a,1\n2,b,2\n",
		"x,x,y:max\n1,2,3\n4,5,6\n", "x,y:max\n-0,1\n0,2\n", "x,y:max\n1e300,1\n-1e300,2\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseTable("t.csv", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "t.csv: ") || strings.ContainsRune(err.Error(), '\x1b') {
				t.Fatalf("%q", err)
			}
			return
		}
		out, err := json.Marshal(d)
		require.NoError(t, err)
		var back Declaration
		require.NoError(t, json.Unmarshal(out, &back))
		require.NoError(t, back.Check())
		p := back.Problem()
		for i, x := range p.Table.X {
			if p.Domain.Check(x) != nil || p.CheckConstraints(x) != nil || p.Table.Nearest(p.Domain, x) != i {
				t.Fatalf("row %d %v", i, x)
			}
		}
	})
}
