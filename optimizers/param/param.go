// Package param holds the declarations of parameters: methods declare them once, and the editor, the command line,
// validation, the session file and the documentation all read that declaration. It turns a text or a value into a
// checked value, or an error with the allowed range. It does not know the purpose of a parameter: callers that must not
// depend on keys find parameters by their role, and package optimizers defines the roles.
package param

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
)

// Kind says which values a parameter takes.
type Kind string

// The kinds of parameter. A Number is a float64, an Integer an int, a Switch a bool, a Choice one of the declared
// strings or, if it has a Validate, another that this accepts; a Text is a string that Validate accepts.
const (
	Number  Kind = "number"
	Integer Kind = "integer"
	Switch  Kind = "switch"
	Choice  Kind = "choice"
	Text    Kind = "text"
)

// Role is the purpose of a parameter, for callers that work with every method: they find it by its role and do not know
// its key. Most parameters have none. Package optimizers defines the roles.
type Role string

// Decl declares one parameter.
type Decl struct {
	Key     string   `json:"key"`               // what --set and the session file call it
	Label   string   `json:"label"`             // short name on the screen
	Help    string   `json:"help"`              // one sentence
	Kind    Kind     `json:"kind"`              //
	Default any      `json:"default"`           // float64, int, bool or string, as the kind says
	Min     float64  `json:"min,omitempty"`     // least value of a number or integer
	Max     float64  `json:"max,omitempty"`     // greatest value of a number or integer
	Log     bool     `json:"log,omitempty"`     // steps of the editor are factors rather than differences
	Zero    bool     `json:"zero,omitempty"`    // a Number may be 0 too, below Min: the method then finds the value
	Unit    string   `json:"unit,omitempty"`    //
	Choices []string `json:"choices,omitempty"` // of a Choice; of a Text, values to try
	Source  string   `json:"source,omitempty"`  // where the default comes from: paper and section
	// WiderBand is the value that widens a band that is too narrow; nil if there is none.
	WiderBand any `json:"-"`

	Validate  func(text string) error  `json:"-"`               // returns an error for an invalid Text, or other text of a Choice
	Other     string                   `json:"other,omitempty"` // of a Choice: what Validate accepts, in words
	Normalize func(text string) string `json:"-"`               // writes such a text in its usual form; nil: it stays as typed
	// Alternatives are the choices that a comparison of assumptions tries; nil: all.
	Alternatives []string `json:"-"`

	// ByInputs, if not nil, is the default as a function of the number of inputs; Default is then the default for one
	// input. See ForInputs.
	ByInputs func(inputs int) any `json:"-"`

	Role Role `json:"-"` // empty for most
}

// Range describes the allowed values in words: "in [0.1, 20]", "0 or in [0.1, 20]", "one of tanh, erf, relu", "on or
// off".
func (d Decl) Range() string {
	switch d.Kind {
	case Switch:
		return "on or off"
	case Choice:
		if d.Other != "" {
			return "one of " + strings.Join(d.Choices, ", ") + ", or " + d.Other
		}
		return "one of " + strings.Join(d.Choices, ", ")
	case Text:
		return "such as " + strings.Join(d.Choices, ", ")
	case Integer:
		return fmt.Sprintf("an integer in [%s, %s]", numfmt.Exact(d.Min), numfmt.Exact(d.Max))
	default:
		text := fmt.Sprintf("in [%s, %s]", numfmt.Exact(d.Min), numfmt.Exact(d.Max))
		if d.Zero {
			return "0 or " + text
		}
		return text
	}
}

// Parse reads a value of this parameter from text, as entered on the command line and in the editor.
func (d Decl) Parse(text string) (any, error) {
	text = strings.TrimSpace(text)
	bad := func() error { return fmt.Errorf("%s must be %s, got %q", d.Key, d.Range(), text) }
	switch d.Kind {
	case Switch:
		switch strings.ToLower(text) {
		case "on", "true", "yes", "1":
			return true, nil
		case "off", "false", "no", "0":
			return false, nil
		}
		return nil, bad()
	case Choice:
		for _, c := range d.Choices {
			if strings.EqualFold(c, text) {
				return c, nil
			}
		}
		if d.Validate == nil {
			return nil, bad()
		}
		v, err := d.Check(text)
		if err == nil && d.Normalize != nil {
			v = d.Normalize(text)
		}
		return v, err
	case Text:
		return d.Check(text)
	case Integer:
		v, err := strconv.Atoi(text)
		if err != nil {
			return nil, bad()
		}
		return d.Check(v)
	default:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, bad()
		}
		return d.Check(numfmt.Round(v))
	}
}

// Check returns v as the kind's own Go type, or an error that states the allowed range. It takes what encoding/json
// decodes (float64 for an Integer) as well as the Go types themselves.
func (d Decl) Check(v any) (any, error) {
	bad := func() error { return fmt.Errorf("%s must be %s, got %v", d.Key, d.Range(), v) }
	switch d.Kind {
	case Switch:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case Choice:
		s, ok := v.(string)
		if ok && slices.Contains(d.Choices, s) {
			return s, nil
		}
		if ok && d.Validate != nil {
			if err := d.Validate(s); err != nil {
				return nil, fmt.Errorf("%s: %w", d.Key, err)
			}
			return s, nil
		}
	case Text:
		if s, ok := v.(string); ok {
			if err := d.Validate(s); err != nil {
				return nil, fmt.Errorf("%s: %w", d.Key, err)
			}
			return s, nil
		}
	case Integer:
		switch x := v.(type) {
		case int:
			if float64(x) >= d.Min && float64(x) <= d.Max {
				return x, nil
			}
		case float64:
			if x == math.Trunc(x) && x >= d.Min && x <= d.Max {
				return int(x), nil
			}
		}
	default:
		x, ok := v.(float64)
		if i, isInt := v.(int); isInt {
			x, ok = float64(i), true
		}
		if ok && (x >= d.Min && x <= d.Max || x == 0 && d.Zero) { // false for NaN too
			return x, nil
		}
	}
	return nil, bad()
}

// Format writes a value of this parameter the way Parse reads it.
func (d Decl) Format(v any) string {
	switch x := v.(type) {
	case bool:
		if x {
			return "on"
		}
		return "off"
	case float64:
		return numfmt.Exact(x)
	default:
		return fmt.Sprint(x)
	}
}

// DefaultText is the default as Format writes it, with a note if it depends on the number of inputs.
func (d Decl) DefaultText() string {
	if d.ByInputs != nil {
		return d.Format(d.Default) + ", depends on the number of inputs"
	}
	return d.Format(d.Default)
}

// Set is an assignment of values to a list of declared parameters. The zero Set declares nothing. A Set is immutable:
// With returns a changed copy.
type Set struct {
	decls  []Decl
	values map[string]any // only what differs from the default
}

// Has reports whether there is a parameter with this key.
func (s Set) Has(key string) bool {
	return slices.ContainsFunc(s.decls, func(d Decl) bool { return d.Key == key })
}

// ByRole finds the parameter with a role, if one is declared.
func (s Set) ByRole(role Role) (Decl, bool) {
	for _, d := range s.decls {
		if d.Role == role {
			return d, true
		}
	}
	return Decl{}, false
}

// ValueByRole is the value of the parameter with a role, nil if there is none.
func (s Set) ValueByRole(role Role) any {
	if d, ok := s.ByRole(role); ok {
		return s.Value(d.Key)
	}
	return nil
}

// Defaults returns the Set in which every declared parameter has its default.
func Defaults(decls []Decl) Set { return Set{decls: decls} }

// Widen returns the first declaration with a value that widens a band, other than the current one; false if there is
// none.
func (s Set) Widen() (Decl, bool) {
	for _, d := range s.decls {
		if d.WiderBand != nil && s.Value(d.Key) != d.WiderBand {
			return d, true
		}
	}
	return Decl{}, false
}

// Decls lists the declarations in their order.
func (s Set) Decls() []Decl { return s.decls }

// Decl finds a declaration; the error of an unknown key names the nearest ones.
func (s Set) Decl(key string) (Decl, error) {
	keys := make([]string, len(s.decls))
	for i, d := range s.decls {
		if d.Key == key {
			return d, nil
		}
		keys[i] = d.Key
	}
	return Decl{}, didyoumean.NewUnknownError("parameter", key, keys)
}

// With returns the Set with one value replaced, or an error if the key is unknown or the value out of range.
func (s Set) With(key string, v any) (Set, error) {
	d, err := s.Decl(key)
	if err != nil {
		return s, err
	}
	v, err = d.Check(v)
	if err != nil {
		return s, err
	}
	next := maps.Clone(s.values)
	if next == nil {
		next = map[string]any{}
	}
	if v == d.Default && d.ByInputs == nil {
		// if the number of inputs is not yet known, the value may differ from their default
		delete(next, key)
	} else {
		next[key] = v
	}
	return Set{s.decls, next}, nil
}

// WithText is With for a value given as text.
func (s Set) WithText(key, text string) (Set, error) {
	d, err := s.Decl(key)
	if err != nil {
		return s, err
	}
	v, err := d.Parse(text)
	if err != nil {
		return s, err
	}
	return s.With(key, v)
}

// WithAll sets every value of a map, such as that of a session file.
func (s Set) WithAll(values map[string]any) (Set, error) {
	for _, k := range slices.Sorted(maps.Keys(values)) {
		var err error
		s, err = s.With(k, values[k])
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// Value returns the value of a declared parameter; an undeclared key is a programmer's error and panics.
func (s Set) Value(key string) any {
	if v, ok := s.values[key]; ok {
		return v
	}
	d, err := s.Decl(key)
	if err != nil {
		panic("param: " + err.Error())
	}
	return d.Default
}

// Number returns the value of a Number.
func (s Set) Number(key string) float64 { return s.Value(key).(float64) }

// Int returns the value of an Integer.
func (s Set) Int(key string) int { return s.Value(key).(int) }

// Switch returns the value of a Switch.
func (s Set) Switch(key string) bool { return s.Value(key).(bool) }

// Text returns the value of a Text.
func (s Set) Text(key string) string { return s.Value(key).(string) }

// Choice returns the value of a Choice.
func (s Set) Choice(key string) string { return s.Value(key).(string) }

// Changed returns the values that differ from their defaults.
func (s Set) Changed() map[string]any { return maps.Clone(s.values) }

// MarshalJSON writes every declared parameter with its value, keys in sorted order.
func (s Set) MarshalJSON() ([]byte, error) {
	all := make(map[string]any, len(s.decls))
	for _, d := range s.decls {
		all[d.Key] = s.Value(d.Key)
	}
	return json.Marshal(all)
}

// WithDefaults is a list of declarations with some defaults replaced, and their source: the values that another paper
// uses.
func WithDefaults(decls []Decl, source string, defaults map[string]any) []Decl {
	out := slices.Clone(decls)
	for i, d := range out {
		if v, ok := defaults[d.Key]; ok {
			out[i].Default = v
			out[i].Source = source
			out[i].ByInputs = nil
		}
	}
	return out
}

// ForInputs is a list of declarations with the defaults for a number of inputs.
func ForInputs(decls []Decl, inputs int) []Decl {
	out := slices.Clone(decls)
	for i, d := range out {
		if d.ByInputs != nil {
			out[i].Default, out[i].ByInputs = d.ByInputs(inputs), nil
		}
	}
	return out
}

// Without is a list of declarations without some.
func Without(decls []Decl, keys ...string) []Decl {
	return slices.DeleteFunc(slices.Clone(decls), func(d Decl) bool { return slices.Contains(keys, d.Key) })
}
