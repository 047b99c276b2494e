package acts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
)

// decode reads arguments into a struct after it has checked them against their schema.
func decode(raw json.RawMessage, s schemas, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return wrong("the arguments are not one JSON object: %w", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return wrong("the arguments must be one JSON object, got %s", kindOf(value))
	}
	invalid := s.resolved.Validate(value)
	if invalid == nil || strings.Contains(invalid.Error(), "anyOf:") { // the type of the field has a better error
		if err := json.Unmarshal(raw, into); err != nil {
			return asRequest(typeError(err))
		}
	}
	if invalid == nil {
		return nil
	}
	return asRequest(plainError(s.arguments, invalid.Error()))
}

// typeError is an error of package json without the names of its types.
func typeError(err error) error {
	var owner *json.UnmarshalTypeError
	if errors.As(err, &owner) {
		return fmt.Errorf("%s has the wrong type: got %s", owner.Field, owner.Value)
	}
	return err
}

// violations of package jsonschema begin with the schemas that were validated; the last one is the innermost.
var validating = regexp.MustCompile(`^(?:validating (\S+): )+`)

// plainError says in plain words how arguments violate a schema, from a message of package jsonschema: the field,
// the problem, and the valid values.
func plainError(s *jsonschema.Schema, message string) error {
	where := validating.FindStringSubmatch(message)
	if where == nil {
		return errors.New(message)
	}
	message = message[len(where[0]):]
	path, inner := schemaPath(s, where[1])
	if inner == nil {
		return fmt.Errorf("%s has the wrong form", path)
	}
	keyword, detail, _ := strings.Cut(message, ": ")
	got := func(end string) string {
		text, _, _ := strings.Cut(detail, end)
		if runes := []rune(text); len(runes) > maxGot {
			return string(runes[:maxGot]) + "…"
		}
		return text
	}
	switch keyword {
	case "required":
		return fmt.Errorf("%s is missing", join(path, firstQuoted(detail)))
	case "type":
		return fmt.Errorf("%s must be %s, got %s", cmp.Or(path, "a request"), describeTypes(typesOf(inner)),
			gotType(detail, got(" has type")))
	case "enum":
		known := make([]string, len(inner.Enum))
		for i, e := range inner.Enum {
			known[i] = fmt.Sprint(e)
		}
		return didyoumean.NewUnknownError(path, got(" does not equal"), known)
	case "minimum", "maximum":
		number, err := strconv.ParseFloat(strings.TrimSuffix(got(" is "), "/1"), 64)
		if err != nil {
			number = math.NaN()
		}
		if inner.Maximum == nil {
			return fmt.Errorf("%s must be at least %s, got %s", path, numfmt.Exact(*inner.Minimum), numfmt.Exact(number))
		}
		return fmt.Errorf("%s must be from %s to %s, got %s", path, numfmt.Exact(*inner.Minimum),
			numfmt.Exact(*inner.Maximum), numfmt.Exact(number))
	case "maxLength":
		return fmt.Errorf("%s can have at most %s", path, numfmt.Count(*inner.MaxLength, "character"))
	case "minItems":
		return fmt.Errorf("%s needs at least %s", path, numfmt.Count(*inner.MinItems, "item"))
	case "maxItems":
		return fmt.Errorf("%s can have at most %s", path, numfmt.Count(*inner.MaxItems, "item"))
	case "minProperties":
		return fmt.Errorf("%s needs at least %s", path, numfmt.Count(*inner.MinProperties, "entry"))
	case "maxProperties":
		return fmt.Errorf("%s can have at most %s", path, numfmt.Count(*inner.MaxProperties, "entry"))
	}
	if name, unexpected := strings.CutPrefix(message, "unexpected additional properties "); unexpected {
		return didyoumean.NewUnknownError("field", firstQuoted(name), slices.Sorted(maps.Keys(inner.Properties)))
	}
	return fmt.Errorf("%s has the wrong form", path)
}

// maxGot bounds how much of a wrong value an error repeats.
const maxGot = 80

// gotType names a wrong value: a number or a truth value as it is, others by their type.
func gotType(detail, value string) string {
	_, rest, _ := strings.Cut(detail, "has type ")
	switch t := firstQuoted(rest); t {
	case "number", "integer", "boolean":
		return value
	default:
		return typeNames[t]
	}
}

// firstQuoted is the first text in double quotes.
func firstQuoted(text string) string {
	i := strings.IndexByte(text, '"')
	if i < 0 {
		return ""
	}
	quoted, err := strconv.QuotedPrefix(text[i:])
	if err != nil {
		return ""
	}
	name, _ := strconv.Unquote(quoted)
	return name
}

// schemaPath is the name of the field at a path of a schema, and its schema.
func schemaPath(s *jsonschema.Schema, path string) (name string, inner *jsonschema.Schema) {
	words := strings.Split(strings.TrimPrefix(path, "root"), "/")[1:]
	for i := 0; s != nil && i < len(words); i++ {
		switch words[i] {
		case "properties":
			i++
			name, s = join(name, words[i]), s.Properties[words[i]]
		case "items":
			s = s.Items
		case "additionalProperties":
			s = s.AdditionalProperties
		default:
			return name, nil
		}
	}
	return name, s
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

// kindOf names the type of a JSON value.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}

// typeNames are the types of JSON Schema in plain words.
var typeNames = map[string]string{"object": "an object", "array": "a list", "string": "a text", "number": "a number",
	"integer": "a whole number", "boolean": "true or false", "null": "null"}

func describeTypes(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = typeNames[t]
	}
	return strings.Join(words, " or ")
}

// usage says which fields the arguments of the act have.
func (a *Act) usage() string {
	s := a.ArgumentsSchema()
	names := slices.Clone(s.PropertyOrder)
	if len(names) == 0 {
		return a.Name + " takes no arguments"
	}
	for i, name := range names {
		if slices.Contains(s.Required, name) {
			names[i] += " (required)"
		}
	}
	return fmt.Sprintf("%s takes %s; bandscope schema %s prints them", a.Name, strings.Join(names, ", "), a.Name)
}
