package tomlfile

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Keys are the keys of the files that a struct describes.
func Keys(t reflect.Type) (names []string) {
	for _, field := range reflect.VisibleFields(t) {
		if name := key(field); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// key is the key of a field; empty if it has none.
func key(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
	return strings.TrimPrefix(name, "-")
}

// Example is a value of a field as a file has it; empty if the field has no example.
func Example(field reflect.StructField) string {
	example := field.Tag.Get("example")
	if field.Type.Kind() == reflect.String && example != "" {
		return strconv.Quote(example)
	}
	return example
}

// lookUp is the field that a path of keys leads to.
func lookUp(t reflect.Type, path []string) (reflect.StructField, bool) {
	if t.Kind() == reflect.Struct && len(path) > 0 {
		for _, field := range reflect.VisibleFields(t) {
			if key(field) != path[0] {
				continue
			}
			if len(path) == 1 {
				return field, true
			}
			inner, ok := lookUp(element(field.Type), path[1:])
			return inner, ok
		}
	}
	return reflect.StructField{}, false
}

// element is the type of a table that a key holds, once or as a list.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// expectation says what a key must be.
func expectation(name string, field reflect.StructField) string {
	t := field.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	text := "text in quotes"
	switch t.Kind() {
	case reflect.Float64:
		text = "a number"
	case reflect.Int:
		text = "a whole number"
	case reflect.Uint64:
		text = "a whole number of at least 0"
	case reflect.Bool:
		text = "true or false"
	case reflect.Map:
		text = "a table in braces"
	case reflect.Struct:
		return fmt.Sprintf("%s must be one table that begins with [%s], on its own line", name, name)
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.Struct:
			return fmt.Sprintf("%s must be tables; each begins with [[%s]], in double brackets, on its own line", name, name)
		case reflect.Float64:
			text = "a list of numbers"
		default:
			text = "a list of texts in quotes"
		}
	}
	text = name + " must be " + text
	if example := Example(field); example != "" {
		text += fmt.Sprintf(", such as %s = %s", name, example)
	}
	return text
}
