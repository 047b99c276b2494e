package acts

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// SchemaDialect is the dialect of all schemas.
const SchemaDialect = "https://json-schema.org/draft/2020-12/schema"

// schemas are the schemas of an act; resolved checks arguments.
type schemas struct {
	arguments, answer *jsonschema.Schema
	resolved          *jsonschema.Resolved
}

func newSchemas(a *Act) schemas {
	s := schemas{arguments: schemaFor(a.arguments), answer: schemaFor(a.answer)}
	s.arguments.Title, s.arguments.Description = a.Name, a.About
	s.answer.Title = "answer to " + a.Name
	var err error
	s.resolved, err = s.arguments.CloneSchemas().Resolve(nil)
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", a.Name, err)) // the types are declared here; a test makes all schemas
	}
	return s
}

// schemaFor is the schema of a type: that of its fields, with the bounds in their tags (see constrain).
func schemaFor(t reflect.Type) *jsonschema.Schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: typeSchemas()})
	if err != nil {
		panic(fmt.Sprintf("%v has no schema: %v", t, err)) // the types are declared here; a test makes all schemas
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	constrain(s, t, map[reflect.Type]bool{})
	return s
}

// constrain adds to the schema of a struct what the tags of its fields say, also of those inside:
//
//	bounds:"0..1000"   of a number
//	enum:"a|b"         the values of a text
//	length:"200"       the greatest length of a text
//	items:"2..100"     how many items a list, or entries a map, has; one number is the most
//	default:"1"        what a field is that is left out
//
// Optional fields must not be null.
func constrain(s *jsonschema.Schema, t reflect.Type, outer map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map {
		notNull(s)
		if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
			s = s.Items
		} else if t.Kind() == reflect.Map {
			s = s.AdditionalProperties
		}
		t = t.Elem()
		if s == nil {
			return
		}
	}
	notNull(s)
	if t.Kind() != reflect.Struct || s.Properties == nil || outer[t] {
		return
	}
	outer[t] = true
	defer delete(outer, t)
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		properties := s.Properties[name]
		if properties == nil || f.Anonymous {
			continue
		}
		constrain(properties, f.Type, outer)
		tagged(properties, f.Tag)
	}
}

// notNull removes null from the types of a schema, unless it has an encoding of its own.
func notNull(s *jsonschema.Schema) {
	if slices.Equal(s.Types, []string{"number", "null"}) {
		return
	}
	i := slices.Index(s.Types, "null")
	if i < 0 {
		return
	}
	s.Types = slices.Delete(slices.Clone(s.Types), i, i+1)
	switch {
	case len(s.Types) == 1:
		s.Type, s.Types = s.Types[0], nil
	case len(s.Types) == 0:
		s.Types = nil
	}
}

// tagged adds what the tags of a field say to its schema.
func tagged(s *jsonschema.Schema, tag reflect.StructTag) {
	if text := tag.Get("bounds"); text != "" {
		low, high, _ := strings.Cut(text, "..")
		s.Minimum, s.Maximum = bound(low), bound(high)
	}
	if text := tag.Get("enum"); text != "" {
		for _, v := range strings.Split(text, "|") {
			s.Enum = append(s.Enum, v)
		}
	}
	if text := tag.Get("length"); text != "" {
		s.MaxLength = count(text)
	}
	if text := tag.Get("items"); text != "" {
		low, high, two := strings.Cut(text, "..")
		if !two {
			low, high = "", text
		}
		if s.AdditionalProperties != nil && s.Items == nil {
			s.MinProperties, s.MaxProperties = count(low), count(high)
		} else {
			s.MinItems, s.MaxItems = count(low), count(high)
		}
	}
	if text := tag.Get("default"); text != "" {
		s.Default = json.RawMessage(text)
	}
}

func bound(text string) *float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return &v
}

func count(text string) *int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	return &n
}

// RequestSchema is the schema of a request for the act as a line of JSON.
func (a *Act) RequestSchema() *jsonschema.Schema {
	s, name := a.ArgumentsSchema().CloneSchemas(), any(a.Name)
	s.Properties["id"] = &jsonschema.Schema{Description: "returned unchanged with the answer"}
	s.Properties["session"] = sessionSchema()
	s.Properties["act"] = &jsonschema.Schema{Const: &name}
	s.PropertyOrder = append([]string{"id", "session", "act"}, s.PropertyOrder...)
	s.Required = append([]string{"session", "act"}, s.Required...)
	return s
}

// ToolSchema is the schema of the arguments together with the name of the session.
func (a *Act) ToolSchema() *jsonschema.Schema {
	s := a.ArgumentsSchema().CloneSchemas()
	s.Properties["session"] = sessionSchema()
	s.PropertyOrder = append([]string{"session"}, s.PropertyOrder...)
	s.Required = append([]string{"session"}, s.Required...)
	return s
}

func sessionSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: "the file of the session, as in s.jsonl"}
}

// ReplySchema is the schema of the lines with which a request for the act is answered.
func (a *Act) ReplySchema() *jsonschema.Schema {
	closed := func(required string, schema *jsonschema.Schema, optional ...string) *jsonschema.Schema {
		s := &jsonschema.Schema{Type: "object", Required: []string{required}, PropertyOrder: []string{"id", required},
			Properties:           map[string]*jsonschema.Schema{"id": {}, required: schema},
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
		for _, name := range optional {
			s.PropertyOrder = append(s.PropertyOrder, name)
			s.Properties[name] = &jsonschema.Schema{Type: map[string]string{"notice": "string", "points": "array"}[name]}
		}
		return s
	}
	progress := &jsonschema.Schema{Type: "object", Description: "how far a long act is; 0 of 0 if that is not known",
		Properties: map[string]*jsonschema.Schema{"what": {Type: "string"}, "done": {Type: "integer"},
			"total": {Type: "integer"}}, PropertyOrder: []string{"what", "done", "total"}}
	s := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{closed("ok", a.AnswerSchema().CloneSchemas(), "notice"),
		closed("error", errorSchema(), "notice", "points"), closed("progress", progress)}}
	if a.Waits {
		s.AnyOf = append(s.AnyOf, closed("event", schemaFor(reflect.TypeFor[Event]())))
	}
	return s
}

func errorSchema() *jsonschema.Schema {
	s := schemaFor(reflect.TypeFor[Error]())
	for _, c := range Codes {
		s.Properties["code"].Enum = append(s.Properties["code"].Enum, string(c))
	}
	return s
}

// Schema is the schema of the requests and answers of an act.
func (a *Act) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Schema: SchemaDialect, Title: a.Name, Description: a.About,
		Comment: fmt.Sprintf("version %d", Version),
		Defs:    map[string]*jsonschema.Schema{"request": a.RequestSchema(), "answer": a.ReplySchema()},
		AnyOf:   []*jsonschema.Schema{{Ref: "#/$defs/request"}, {Ref: "#/$defs/answer"}}}
}

// Schema is the schema of the requests of all acts, with the answers under $defs.
func Schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Schema: SchemaDialect, Title: "requests", Comment: fmt.Sprintf("version %d", Version),
		Description: "a line of JSON that bandscope pipe reads", Defs: map[string]*jsonschema.Schema{}}
	add := func(name string, schema *jsonschema.Schema, request bool) {
		s.Defs[name] = schema
		if request {
			s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Ref: "#/$defs/" + name})
		}
	}
	for _, a := range All() {
		add(a.Name, a.RequestSchema(), true)
		add(a.Name+"-answer", a.ReplySchema(), false)
	}
	add("cancel", CancelSchema(), true)
	return s
}

// CancelSchema is the schema of a request that cancels another one.
func CancelSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Description: "cancel the request with an id",
		Properties:           map[string]*jsonschema.Schema{"cancel": {Description: "the id of the request"}},
		Required:             []string{"cancel"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}
