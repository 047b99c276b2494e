package experiment

import (
	"reflect"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/tomlfile"
)

// rootFile is an experiment as its file has it. The tags say what a form needs: whether a key is required, an example, a
// description, the allowed texts, and the comment beside the first occurrence.
type rootFile struct {
	Name        string          `toml:"name" required:"true" example:"espresso" about:"the name of the experiment"`
	About       string          `toml:"about" example:"extraction of espresso" about:"the purpose of the experiment in one sentence"`
	Cost        string          `toml:"cost" example:"1 + dose/10" about:"the cost of an evaluation, if it varies: an expression of the variables"`
	Constraints []string        `toml:"constraints" example:"[\"dose * ratio <= 40\"]" about:"conditions that every evaluated point must satisfy, separated by semicolons"`
	Budget      int             `toml:"budget" example:"40" about:"how many experiments you can do; at most a third of them are the initial design"`
	Failures    string          `toml:"failures" example:"ignored" about:"whether the model learns where evaluations fail (from the third failure) or ignores failures as accidents" choices:"learned ignored"`
	Duration    string          `toml:"duration" example:"2d" about:"how long a result usually takes, in min, h, d or w; a point is due after it"`
	Variables   []variableFile  `toml:"variable"`
	Objectives  []objectiveFile `toml:"objective"`
	Limits      []limitFile     `toml:"limit"`
	Mixtures    []mixtureFile   `toml:"mixture"`
	Table       *tableOfFile    `toml:"table"`
}

type variableFile struct {
	Name        string               `toml:"name" required:"true" example:"dose" about:"the name of the variable"`
	Kind        functions.Kind       `toml:"kind" example:"real" about:"the type of its values" choices:"real integer ordered choice"`
	Low         float64              `toml:"low" required:"true" example:"14" about:"the lower bound"`
	High        float64              `toml:"high" required:"true" example:"20" about:"the upper bound"`
	Unit        string               `toml:"unit" example:"g" about:"the unit of its values"`
	Scale       functions.Scale      `toml:"scale" example:"log" about:"linear if equal differences matter, log if equal factors matter" choices:"linear log"`
	Step        float64              `toml:"step" example:"0.5" about:"the distance between suggested values: low, low + step and so on up to high"`
	Values      []float64            `toml:"values" example:"[0.1, 0.3, 1, 3]" about:"the allowed numbers of an ordered variable"`
	Choices     []string             `toml:"choices" example:"[\"water\", \"ethanol\"]" about:"the names of the choices"`
	Descriptors map[string][]float64 `toml:"descriptors" example:"{ boiling = [100, 78] }" about:"properties that say which choices are similar, one number per choice"`
}

type objectiveFile struct {
	Name       string              `toml:"name" required:"true" example:"yield" about:"the name of the objective"`
	Direction  functions.Direction `toml:"direction" required:"true" example:"maximize" about:"whether lower or higher values are better" choices:"minimize maximize"`
	Unit       string              `toml:"unit" example:"%" about:"the unit of its values"`
	Range      []float64           `toml:"range" example:"[14, 24]" about:"the least and the greatest value that you expect" note:"expected values"`
	Scale      functions.Scale     `toml:"scale" example:"log" about:"linear if equal differences matter, log if equal factors matter (log needs a range above 0)" choices:"linear log"`
	Noise      float64             `toml:"noise" example:"0.3" about:"the standard deviation of a single measurement, if known" note:"standard deviation, if known"`
	Worthwhile float64             `toml:"worthwhile" example:"0.5" about:"the smallest improvement that is worth another measurement (on a log scale a factor)"`
	AtMost     *float64            `toml:"at_most" example:"10" about:"the greatest value at which a result is still acceptable"`
	AtLeast    *float64            `toml:"at_least" example:"10" about:"the least value at which a result is still acceptable"`
}

type limitFile struct {
	Name    string    `toml:"name" required:"true" example:"temperature" about:"the name of a quantity that is measured but not optimized"`
	AtMost  *float64  `toml:"at_most" example:"80" about:"the greatest value at which a result is still acceptable"`
	AtLeast *float64  `toml:"at_least" example:"80" about:"the least value at which a result is still acceptable"`
	Unit    string    `toml:"unit" example:"°C" about:"the unit of its values"`
	Range   []float64 `toml:"range" example:"[20, 120]" about:"the least and the greatest value that you expect" note:"expected values"`
	Noise   float64   `toml:"noise" example:"0.3" about:"the standard deviation of a single measurement, if known" note:"standard deviation, if known"`
}

type mixtureFile struct {
	Components []string `toml:"components" required:"true" example:"[\"water\", \"oil\", \"soap\"]" about:"the names of the variables that have a fixed sum"`
	Total      float64  `toml:"total" example:"100" about:"the sum of the components, in their unit; 1 if it is left out"`
}

type tableOfFile struct {
	File string `toml:"file" required:"true" example:"candidates.csv" about:"the CSV file of the measured candidates"`
}

// Field is a key of a table as a form has it.
type Field struct {
	Key      string
	Required bool
	Example  string   // as written in a file
	About    string   // what it is
	Choices  []string // the allowed texts; nil for any
	Text     bool     // its value is text in quotes
	List     bool     // it is several values
	Comment  string   // the comment written beside its first occurrence; empty for none
	Table    bool     // it is a table, in braces
	Commas   bool     // of several values: each may hold commas, so that semicolons are typed between them
}

// fields are the keys of each table, without those of tables inside of it.
var fields = map[string][]Field{Root: fieldsOf(rootFile{}), Variables: fieldsOf(variableFile{}),
	Objectives: fieldsOf(objectiveFile{}), Limits: fieldsOf(limitFile{}), Mixtures: fieldsOf(mixtureFile{}),
	tableTable: fieldsOf(tableOfFile{})}

func fieldsOf(file any) (list []Field) {
	texts := reflect.TypeFor[[]string]()
	for _, f := range reflect.VisibleFields(reflect.TypeOf(file)) {
		if f.Tag.Get("about") == "" {
			continue
		}
		kind := f.Type.Kind()
		field := Field{Key: f.Tag.Get("toml"), Required: f.Tag.Get("required") != "", Example: tomlfile.Example(f),
			About: f.Tag.Get("about"), Comment: f.Tag.Get("note"), Text: kind == reflect.String || f.Type == texts,
			List: kind == reflect.Slice, Table: kind == reflect.Map, Commas: f.Tag.Get("toml") == constraintsKey}
		if choices, ok := f.Tag.Lookup("choices"); ok {
			field.Choices = strings.Fields(choices)
		}
		list = append(list, field)
	}
	return list
}

// Fields are the keys of a table that a person fills in, in the order of the file.
func Fields(table string) []Field { return slices.Clone(fields[table]) }

// excludedKeys are the keys that do not apply to a variable of a kind: a variable that lists its values has no other
// bounds.
var excludedKeys = map[string][]string{"": listedKeys, "real": listedKeys, string(functions.Integer): listedKeys,
	string(functions.Ordered): {"low", "high", "choices", "descriptors"},
	string(functions.Choice):  {"low", "high", "values", "scale"}}

var listedKeys = []string{"values", "choices", "descriptors"}

// realKeys are the keys of real variables alone.
var realKeys = []string{"step"}

// AppliesTo reports whether a field has a place in a row of a table, by the kind that is typed there.
func (f Field) AppliesTo(table, kind string) bool {
	return table != Variables || !slices.Contains(excludedKeys[kind], f.Key) &&
		(kind == "" || kind == realName || !slices.Contains(realKeys, f.Key))
}
