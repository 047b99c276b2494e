package experiment

import (
	"slices"

	"bandscope/functions"
)

// The tables of a file as a form names them: the experiment itself, its variables, its objectives, its limits and its
// mixtures.
const (
	Root       = rootTable
	Variables  = variableTable
	Objectives = objectiveTable
	Limits     = limitTable
	Mixtures   = mixtureTable
)

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

// Fields are the keys of a table that a person fills in, in the order of the file.
func Fields(table string) (list []Field) {
	for _, k := range keys[table] {
		list = append(list, Field{Key: k.name, Required: k.required, Example: k.example, About: k.about,
			Choices: k.choices, Text: k.valueType == takesText || k.valueType == takesTexts ||
				k.valueType == takesRelations,
			List: k.valueType == takesPair || k.valueType == takesNumbers || k.valueType == takesTexts ||
				k.valueType == takesRelations, Comment: k.comment,
			Table: k.valueType == takesDescriptors, Commas: k.valueType == takesRelations})
	}
	return list
}

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
