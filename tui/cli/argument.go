package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
)

// argument is an argument of an act on a command line: a flag or a word. Its value is what it is in JSON.
type argument struct {
	parent, name string // of the field in JSON, and of the object that has it
	kind         reflect.Type
	flag, short  string
	word         string // for the usage; empty for a flag
	help         string
	completion   string
	enum         []string
	value        any // nil until it is set
	text         string
}

// add adds the flag to a command, unless it is a word.
func (g *argument) add(c *cobra.Command) {
	if g.word != "" {
		return
	}
	f := c.Flags().VarPF(g, g.flag, g.short, g.help)
	if g.kind.Kind() == reflect.Bool {
		f.NoOptDefVal = "true"
	}
	if words := g.completer(); words != nil {
		completeFlag(c, g.flag, words)
	}
}

func (g *argument) isMap() bool { return g.kind.Kind() == reflect.Map }

// subject is how an error names the argument.
func (g *argument) subject() string {
	if g.word != "" {
		return strings.Trim(g.word, "[]")
	}
	return "--" + g.flag
}

// example is the form of the value of a flag; empty for a word.
func (g *argument) example() string {
	if g.word != "" {
		return ""
	}
	return strings.ToUpper(g.Type())
}

// completer are the words that a shell offers; nil for none.
func (g *argument) completer() completer {
	if g.enum != nil {
		return choices(g.enum...)
	}
	return wordsOf[g.completion]
}

// String is the value as it was typed last.
func (g *argument) String() string { return g.text }

// Type names the type of the value, for the help and for errors.
func (g *argument) Type() string {
	kind := g.kind
	for kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch {
	case kind == reflect.TypeFor[encoding.Value](): // a number or a name
		return "string"
	case isEncoded(kind):
		return strings.ToLower(kind.Name())
	case kind.Kind() == reflect.Map || kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Map:
		return "name=value"
	case kind.Kind() == reflect.Slice:
		return kind.Elem().Kind().String() + "Slice"
	}
	return kind.Kind().String()
}

// Set reads a value. Those of lists and maps are added to the ones before.
func (g *argument) Set(text string) (err error) {
	g.text = text
	g.value, err = readArgument(g.kind, text, g.value)
	return err
}

// isEncoded reports whether a type reads its own JSON.
func isEncoded(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// readArgument reads a text as a value of a type, and adds it to the value before. An error about
// the type does not repeat the text.
func readArgument(t reflect.Type, text string, before any) (any, error) {
	switch {
	case t.Kind() == reflect.Pointer:
		return readArgument(t.Elem(), text, before)
	case isEncoded(t):
		return readEncoded(t, text)
	}
	switch t.Kind() {
	case reflect.Bool:
		return strconv.ParseBool(text)
	case reflect.Int:
		return strconv.Atoi(text)
	case reflect.Uint64:
		return strconv.ParseUint(text, 10, 64)
	case reflect.Float64:
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is not a finite number%s", text, numfmt.CommaHint(text))
		}
		return v, nil
	case reflect.Map:
		return readPairs(t.Elem(), text, before)
	case reflect.Slice:
		return readList(t.Elem(), text, before)
	}
	return text, nil
}

// readEncoded reads a value of a type with an encoding of its own: as JSON, or else as a text.
func readEncoded(t reflect.Type, text string) (any, error) {
	raw := json.RawMessage(strings.TrimSpace(text))
	v := reflect.New(t).Interface()
	if len(raw) > 0 && raw[0] != '[' && raw[0] != '{' && string(raw) != "null" && json.Unmarshal(raw, v) == nil {
		return raw, nil
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(quoted), json.Unmarshal(quoted, v)
}

// readPairs reads name=value pairs with commas between them.
func readPairs(t reflect.Type, text string, before any) (any, error) {
	pairs, ok := before.(map[string]any)
	if !ok {
		pairs = map[string]any{}
	}
	for _, pair := range functions.SplitPairs(text) {
		name, value, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("it must be name=value, got %q", pair)
		}
		if _, twice := pairs[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		v, err := readArgument(t, value, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		pairs[name] = v
	}
	return pairs, nil
}

// readList reads an item that is name=value pairs, or items with commas between them.
func readList(t reflect.Type, text string, before any) (any, error) {
	list, _ := before.([]any)
	items := []string{text}
	if t.Kind() != reflect.Map {
		items = functions.SplitList(text, ',')
	}
	for _, item := range items {
		if t.Kind() == reflect.String {
			item = functions.Unquote(item)
		}
		v, err := readArgument(t, item, nil)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}
