package acts

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions/eventlog"
)

// Number is a number of an answer. In JSON, numbers that are not finite are strings.
type Number = eventlog.Float

// number is a Number, or nil where there is none.
func number(v float64) *Number {
	if math.IsNaN(v) {
		return nil
	}
	n := Number(v)
	return &n
}

// Interval is two ends, the lower one first, in the unit of a quantity or in percent of its range.
type Interval struct {
	Low, High string // numbers, perhaps with %
}

// MarshalJSON writes [low, high], or a text with percent signs.
func (i Interval) MarshalJSON() ([]byte, error) {
	if text := i.String(); strings.Contains(text, "%") {
		return json.Marshal(text)
	}
	return fmt.Appendf(nil, "[%s,%s]", i.Low, i.High), nil
}

// UnmarshalJSON reads [low, high], or a text such as "60%..80%".
func (i *Interval) UnmarshalJSON(b []byte) error {
	var ends []float64
	if json.Unmarshal(b, &ends) == nil {
		if len(ends) != 2 {
			return fmt.Errorf("an interval is [low, high], got %s", b)
		}
		*i = Interval{numfmt.Exact(ends[0]), numfmt.Exact(ends[1])}
		return nil
	}
	var text string
	if json.Unmarshal(b, &text) != nil {
		return fmt.Errorf(`an interval is [low, high], or a text such as "60%%..80%%", got %s`, b)
	}
	read, err := ParseInterval(text)
	*i = read
	return err
}

// ParseInterval reads low..high.
func ParseInterval(text string) (Interval, error) {
	low, high, ok := strings.Cut(text, "..")
	i := Interval{strings.TrimSpace(low), strings.TrimSpace(high)}
	for _, end := range []string{i.Low, i.High} {
		if v, err := strconv.ParseFloat(strings.TrimSuffix(end, "%"), 64); !ok || err != nil || math.IsNaN(v) ||
			math.IsInf(v, 0) {
			return Interval{}, fmt.Errorf("an interval is low..high, as in 70..85 or 60%%..80%%, got %q", text)
		}
	}
	return i, nil
}

func (i Interval) String() string { return i.Low + ".." + i.High }

// Bound is a limit or a noise: a number, or "none".
type Bound string

// UnmarshalJSON reads a number or "none".
func (b *Bound) UnmarshalJSON(text []byte) error {
	var v float64
	if json.Unmarshal(text, &v) == nil && string(text) != "null" {
		*b = Bound(strconv.FormatFloat(v, 'g', -1, 64))
		return nil
	}
	if string(text) != `"none"` {
		return fmt.Errorf(`it must be a number, or "none", got %s`, text)
	}
	*b = None
	return nil
}

// MarshalJSON writes a number or "none".
func (b Bound) MarshalJSON() ([]byte, error) {
	if b == None {
		return []byte(`"none"`), nil
	}
	return []byte(b), nil
}

// Range is an expected range: two numbers, or "none".
type Range string

// UnmarshalJSON reads [low, high], "none", or a text such as "0,10".
func (r *Range) UnmarshalJSON(text []byte) error {
	var ends []float64
	var typed string
	switch {
	case json.Unmarshal(text, &typed) == nil:
		low, high, _ := strings.Cut(typed, ",")
		if ends, err := parseNumbers([]string{low, high}, ""); typed != None && (err != nil || len(ends) != 2) {
			return fmt.Errorf("a range is two numbers, the lower one first, as in 0,10; got %q", typed)
		}
		*r = Range(typed)
	case json.Unmarshal(text, &ends) == nil && len(ends) == 2:
		*r = Range(numfmt.Exact(ends[0]) + "," + numfmt.Exact(ends[1]))
	default:
		return fmt.Errorf(`a range is [low, high], or "none", got %s`, text)
	}
	return nil
}

// MarshalJSON writes [low, high] or "none".
func (r Range) MarshalJSON() ([]byte, error) {
	if r == None {
		return []byte(`"none"`), nil
	}
	return []byte("[" + string(r) + "]"), nil
}

// Setting is the value of a parameter: a number, a text, or true or false.
type Setting string

// UnmarshalJSON reads a value.
func (s *Setting) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		*s = Setting(v)
	case float64:
		format := byte('g')
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			format = 'f' // 1000000, which is an integer, and not 1e+06
		}
		*s = Setting(strconv.FormatFloat(v, format, -1, 64))
	case bool:
		*s = map[bool]Setting{true: "on", false: "off"}[v]
	default:
		return fmt.Errorf("a parameter is a number, a text, true or false, got %s", b)
	}
	return nil
}

// typeSchemas are the schemas of types with an encoding of their own.
func typeSchemas() map[reflect.Type]*jsonschema.Schema {
	typed := func(names ...string) *jsonschema.Schema { return &jsonschema.Schema{Types: names} }
	none := any(None)
	numbers := func(least, most int) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: typed("number"), MinItems: &least, MaxItems: &most}
	}
	pair, two := numbers(2, 2), 2
	or := func(list ...*jsonschema.Schema) *jsonschema.Schema { return &jsonschema.Schema{AnyOf: list} }
	word := &jsonschema.Schema{Const: &none}
	least := 1.0
	name := or(&jsonschema.Schema{Type: "integer", Minimum: &least},
		&jsonschema.Schema{Type: "string", Pattern: `^[1-9]\d*(\.[1-9]\d*)?$`})
	steps := &jsonschema.Schema{Type: "array", Items: name, MinItems: &two, MaxItems: &two}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Number]():          or(typed("number"), &jsonschema.Schema{Enum: []any{"NaN", "+Inf", "-Inf"}}),
		reflect.TypeFor[encoding.Value]():  typed("number", "string"),
		reflect.TypeFor[Setting]():         typed("number", "string", "boolean"),
		reflect.TypeFor[Interval]():        or(pair, &jsonschema.Schema{Type: "string", Pattern: `\.\.`}),
		reflect.TypeFor[Bound]():           or(typed("number"), word),
		reflect.TypeFor[Range]():           or(pair.CloneSchemas(), typed("string")),
		reflect.TypeFor[Bounds]():          or(numbers(2, 3), typed("number", "string")),
		reflect.TypeFor[PlateSize]():       {Type: "string", Pattern: `^\d+[xX×]\d+$`},
		reflect.TypeFor[Pair]():            or(steps, &jsonschema.Schema{Type: "string", Pattern: ":"}),
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[Name]():            name.CloneSchemas(),
	}
}
