// Package encoding tells and reads the values of variables as people and other programs write them: a choice by its
// name, and of other variables the number. A point is one number a variable everywhere else, of a choice the place of
// its name; here such a row becomes JSON, cells of a table and words, and comes back from them, with errors that name
// the nearest choice. Which values a variable takes is functions.Variable's to say, what a point is for is the
// callers'.
package encoding

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
)

// Value is a value of a variable for other programs: in JSON a number, null where it is not finite, or the name of a
// choice as a string.
type Value struct {
	x    float64
	name string // of a choice
}

// Encode is the value x of a variable.
func Encode(v functions.Variable, x float64) Value {
	if v.Kind == functions.Choice {
		return Value{x, v.Text(x)}
	}
	return Value{x: x}
}

// EncodeRow are the values of an input, in the order of the variables.
func EncodeRow(d functions.Domain, x []float64) []Value {
	if x == nil {
		return nil
	}
	row := make([]Value, len(x))
	for j, v := range x {
		row[j] = Encode(d[j], v)
	}
	return row
}

// EncodeRows is EncodeRow for several inputs.
func EncodeRows(d functions.Domain, x [][]float64) [][]Value {
	rows := make([][]Value, len(x))
	for i := range x {
		rows[i] = EncodeRow(d, x[i])
	}
	return rows
}

// EncodeMap are the values of an input by variable.
func EncodeMap(d functions.Domain, x []float64) map[string]Value {
	m := map[string]Value{}
	for j, v := range d {
		m[v.Name] = Encode(v, x[j])
	}
	return m
}

// String is the name, or the number to its last digit.
func (v Value) String() string {
	if v.name != "" {
		return v.name
	}
	return strconv.FormatFloat(v.x, 'g', -1, 64)
}

// IsChoice reports whether it is the name of a choice.
func (v Value) IsChoice() bool { return v.name != "" }

// MarshalJSON writes the number, null, or the name.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case v.name != "":
		return json.Marshal(v.name)
	case !functions.Finite([]float64{v.x}):
		return []byte("null"), nil
	}
	return json.Marshal(v.x)
}

// Typed is a value as it is typed: a number or the name of a choice.
func Typed(text string) Value { return Value{name: text} }

// UnmarshalJSON reads a number or a name.
func (v *Value) UnmarshalJSON(b []byte) error {
	*v = Value{}
	switch {
	case string(b) == "null":
		return fmt.Errorf("null is not a value of a variable; leave it out")
	case len(b) > 0 && b[0] == '"':
		return json.Unmarshal(b, &v.name)
	}
	return json.Unmarshal(b, &v.x)
}

// DecodeMap turns values by variable into the numbers of an input. A number may be a text, as typed. The error reports an
// unknown name, or a value that is not a number or not a choice; functions.Variable.Check tests the bounds.
func DecodeMap(d functions.Domain, values map[string]Value) (map[string]float64, error) {
	return decodeEach(d, values, func(v functions.Variable, value Value) (float64, error) {
		if v.Kind == functions.Choice || value.name != "" {
			return v.Parse(value.String())
		}
		return value.x, nil
	})
}

// ParseMap is DecodeMap for values as they are typed.
func ParseMap(d functions.Domain, texts map[string]string) (map[string]float64, error) {
	return decodeEach(d, texts, functions.Variable.Parse)
}

// decodeEach reads values by variable, in the order of their names.
func decodeEach[T any](d functions.Domain, values map[string]T,
	read func(functions.Variable, T) (float64, error)) (map[string]float64, error) {
	m := make(map[string]float64, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		v, err := find(d, name)
		if err != nil {
			return nil, err
		}
		m[name], err = read(v, values[name])
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// find is a variable by its name.
func find(d functions.Domain, name string) (functions.Variable, error) {
	names := make([]string, len(d))
	for j, v := range d {
		names[j] = v.Name
		if v.Name == name {
			return v, nil
		}
	}
	return functions.Variable{}, didyoumean.NewUnknownError("variable", name, names)
}

// Parse reads an input whose values are typed with commas between them; a name with a comma is in double quotes.
func Parse(d functions.Domain, text string) ([]float64, error) {
	texts := functions.SplitList(text, ',')
	if len(texts) != len(d) {
		err := d.Check(make([]float64, len(texts))) // which says how many there are
		for _, v := range d {
			if i := slices.IndexFunc(v.Choices, func(name string) bool { return strings.Contains(name, ",") }); i >= 0 {
				return nil, fmt.Errorf("%w; put a name with a comma in double quotes, as in %s", err,
					functions.Quote(v.Choices[i]))
			}
		}
		return nil, err
	}
	x := make([]float64, len(d))
	for j, t := range texts {
		var err error
		x[j], err = d[j].Parse(t)
		if err != nil {
			return nil, err
		}
	}
	return x, d.Check(x)
}

// Complete is the choice that begins with a text, ignoring case, if there is exactly one; otherwise the text as it is.
func Complete(v functions.Variable, text string) string {
	text = functions.Unquote(text)
	found := ""
	for _, name := range v.Choices {
		switch {
		case name == text:
			return text
		case text == "" || len(name) < len(text) || !strings.EqualFold(name[:len(text)], text):
		case found != "":
			return text
		default:
			found = name
		}
	}
	return cmp.Or(found, text)
}

// FormatExact formats a value as it was given: a number with all the digits that a person types, or the name of a
// choice.
func FormatExact(v functions.Variable, x float64) string {
	if v.Kind == functions.Choice {
		return v.Text(x)
	}
	return numfmt.Exact(x)
}

// FormatRow formats the values of an input as Parse reads them.
func FormatRow(d functions.Domain, x []float64) string {
	texts := make([]string, len(x))
	for j, v := range x {
		texts[j] = functions.Quote(FormatExact(d[j], v))
	}
	return strings.Join(texts, ", ")
}

// FormatRange describes the values that a variable takes between its bounds, which may be narrower than those of its
// domain: "from 20 to 100", "from 20 to 100 in steps of 5", "one of DMF, water", "pinned at water".
func FormatRange(v functions.Variable) string {
	switch {
	case v.Low == v.High:
		return "pinned at " + FormatExact(v, v.Low)
	case v.Kind == functions.Choice || v.Kind == functions.Ordered:
		var levels []string
		for i := range v.Levels() {
			if x := v.Level(i); x >= v.Low && x <= v.High {
				levels = append(levels, FormatExact(v, x))
			}
		}
		return "one of " + strings.Join(levels, ", ")
	case v.Kind == functions.Integer:
		return "a whole number from " + numfmt.Exact(v.Low) + " to " + numfmt.Exact(v.High)
	}
	text := "from " + numfmt.Exact(v.Low) + " to " + numfmt.Exact(v.High)
	if v.Steps() > 0 {
		text += " in steps of " + numfmt.Exact(v.Step)
	}
	return text
}

// FormatBounds describes the narrowed bounds of a variable: "within [20, 60]", "at water".
func FormatBounds(v functions.Variable) string {
	if v.Low == v.High {
		return "at " + FormatExact(v, v.Low)
	}
	if v.Kind == functions.Choice {
		return "to " + FormatRange(v)
	}
	return "within [" + numfmt.Exact(v.Low) + ", " + numfmt.Exact(v.High) + "]"
}
