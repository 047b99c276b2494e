package acts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
)

// maxDepth bounds how deep the arguments of an act are nested.
const maxDepth = 32

// decode reads arguments into a struct after it has checked them against their schema.
func decode(raw json.RawMessage, s *jsonschema.Schema, into any) error {
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
	if err := check(s, value, "", maxDepth); err != nil {
		return NewError(CodeRequest, err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return NewError(CodeRequest, typeError(err))
	}
	return nil
}

// typeError is an error of package json without the names of its types.
func typeError(err error) error {
	var owner *json.UnmarshalTypeError
	if errors.As(err, &owner) {
		return fmt.Errorf("%s has the wrong type: got %s", owner.Field, owner.Value)
	}
	return err
}

// check reports where a value does not follow a schema: unknown and missing fields, types, bounds. Schemas with
// alternatives are left to the type of the field, which knows them better.
func check(s *jsonschema.Schema, v any, path string, depth int) error {
	if s == nil {
		return nil
	}
	if depth == 0 {
		return fmt.Errorf("%s is nested too deep", path)
	}
	if want := typesOf(s); want != nil && !slices.ContainsFunc(want, func(t string) bool { return hasType(v, t) }) {
		return fmt.Errorf("%s must be %s, got %s", named(path), describeTypes(want), kindOf(v))
	}
	switch v := v.(type) {
	case float64:
		return checkNumber(s, v, path)
	case string:
		return checkText(s, v, path)
	case []any:
		if err := checkCount(len(v), s.MinItems, s.MaxItems, path, "item"); err != nil {
			return err
		}
		for i, item := range v {
			if err := check(s.Items, item, fmt.Sprintf("%s[%d]", path, i), depth-1); err != nil {
				return err
			}
		}
	case map[string]any:
		return checkObject(s, v, path, depth)
	}
	return nil
}

func checkObject(s *jsonschema.Schema, v map[string]any, path string, depth int) error {
	if err := checkCount(len(v), s.MinProperties, s.MaxProperties, path, "entry"); err != nil {
		return err
	}
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return fmt.Errorf("%s is missing", join(path, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		properties := s.Properties[name]
		if properties == nil {
			properties = s.AdditionalProperties
		}
		if properties == nil && s.Properties == nil {
			continue
		}
		if properties == nil || properties.Not != nil {
			return didyoumean.NewUnknownError("field", name, slices.Sorted(maps.Keys(s.Properties)))
		}
		if err := check(properties, v[name], join(path, name), depth-1); err != nil {
			return err
		}
	}
	return nil
}

func checkNumber(s *jsonschema.Schema, v float64, path string) error {
	low, high := s.Minimum, s.Maximum
	switch {
	case low != nil && high != nil && (v < *low || v > *high):
		return fmt.Errorf("%s must be from %s to %s, got %s", path, numfmt.Exact(*low), numfmt.Exact(*high),
			numfmt.Exact(v))
	case low != nil && v < *low:
		return fmt.Errorf("%s must be at least %s, got %s", path, numfmt.Exact(*low), numfmt.Exact(v))
	}
	return nil
}

func checkText(s *jsonschema.Schema, v, path string) error {
	if s.MaxLength != nil && utf8.RuneCountInString(v) > *s.MaxLength {
		return fmt.Errorf("%s can have at most %s, got %d", path, numfmt.Count(*s.MaxLength, "character"),
			utf8.RuneCountInString(v))
	}
	if s.Enum != nil && !slices.Contains(s.Enum, any(v)) {
		var known []string
		for _, e := range s.Enum {
			known = append(known, fmt.Sprint(e))
		}
		return didyoumean.NewUnknownError(path, v, known)
	}
	return nil
}

func checkCount(n int, low, high *int, path, noun string) error {
	switch {
	case high != nil && n > *high:
		return fmt.Errorf("%s can have at most %s, got %d", path, numfmt.Count(*high, noun), n)
	case low != nil && n < *low:
		return fmt.Errorf("%s needs at least %s, got %d", path, numfmt.Count(*low, noun), n)
	}
	return nil
}

func named(path string) string {
	if path == "" {
		return "a request"
	}
	return path
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

// hasType reports whether a JSON value has a type of JSON Schema.
func hasType(v any, t string) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	case float64:
		return t == "number" || t == "integer" && v == float64(int64(v)) && v < 1<<53 && v > -1<<53
	}
	return false
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

func describeTypes(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = map[string]string{"object": "an object", "array": "a list", "string": "a text", "number": "a number",
			"integer": "a whole number", "boolean": "true or false", "null": "null"}[t]
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
