// Package tomlfile decodes TOML files into structs and reports everything that is wrong with a file: the line, the
// column and the key of each fault, and what to write instead. The struct says what a file may contain: its toml tags
// are the keys, and an example tag is a value that messages show. Every key that the struct does not have is a fault.
package tomlfile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"bandscope/functions/didyoumean"
)

// MaxFile bounds a file in bytes.
const MaxFile = 1 << 20

// Decode reads a text into a pointer to a struct. It returns the positions of the keys, and all faults; after invalid
// syntax, which hides the rest of a file, it returns no positions.
func Decode(text []byte, target any) (Positions, []Fault) {
	text, faults := readable(text)
	if len(faults) > 0 {
		return nil, faults
	}
	value := reflect.ValueOf(target).Elem()
	f := file{text: text, entries: find(text), root: value.Type()}
	for len(faults) < maxFaults {
		value.SetZero()
		err := toml.NewDecoder(bytes.NewReader(f.text)).DisallowUnknownFields().Decode(target)
		var unknown *toml.StrictMissingError
		var wrong *toml.DecodeError
		switch {
		case err == nil:
			return f.positions(), faults
		case errors.As(err, &unknown):
			for i := range unknown.Errors {
				faults = append(faults, f.unknown(&unknown.Errors[i]))
			}
			return f.positions(), faults
		case !errors.As(err, &wrong):
			return nil, append(faults, Fault{Line: 1, Text: notTOML + printable(err.Error())})
		}
		fault, valid := f.invalid(wrong)
		faults = append(faults, fault)
		if !valid {
			return nil, faults
		}
	}
	return nil, faults
}

// notTOML begins the messages of the parser.
const notTOML = "invalid TOML: "

// file is a text that is decoded.
type file struct {
	text    []byte
	entries []entry
	root    reflect.Type
}

// unknown is the fault of a key that the struct does not have.
func (f *file) unknown(err *toml.DecodeError) Fault {
	fault := f.faultAt(err)
	table, lead := f.root, "the keys are "
	key := err.Key()
	if fault.Table != "" && key[0] != fault.Table { // of a table in braces
		key = append([]string{fault.Table}, key...)
	}
	for len(key) > 1 {
		field, ok := lookUp(table, key[:1])
		if !ok || element(field.Type).Kind() != reflect.Struct {
			break
		}
		table, lead = element(field.Type), "the keys of "+key[0]+" are "
		key = key[1:]
	}
	name := strings.Join(key, ".")
	if _, ok := lookUp(f.root, key); ok && table != f.root {
		fault.Text = fmt.Sprintf("%s applies to the whole file; put it before the first table", name)
		return fault
	}
	known := Keys(table)
	fault.Text = fmt.Sprintf("unknown key %q; ", name)
	if near := didyoumean.Nearest(name, known); len(near) > 0 {
		fault.Text += "did you mean " + near[0] + "?"
	} else {
		fault.Text += lead + strings.Join(known, ", ")
	}
	return fault
}

// invalid is the fault of a value of the wrong type, which it removes from the text, or of the syntax; false of the
// syntax.
func (f *file) invalid(err *toml.DecodeError) (Fault, bool) {
	fault := f.faultAt(err)
	e, _ := f.entryAt(fault.Line, fault.Column)
	field, known := lookUp(f.root, err.Key())
	switch {
	case len(err.Key()) == 0:
		fault.Text = f.syntax(fault)
		return fault, false
	case e.end == e.start: // a table
		if known {
			fault.Text = expectation(err.Key()[len(err.Key())-1], field)
		}
		return fault, false
	}
	_, value, _ := bytes.Cut(f.text[e.start:e.end], []byte("="))
	if strings.HasSuffix(fault.Text, "already defined") {
		fault.Text = fmt.Sprintf("%s is given twice, first in line %d", printable(e.place.Key), f.positions().Line(e.place))
	} else if known {
		fault.Text = expectation(err.Key()[len(err.Key())-1], field) + got(value)
	}
	for i := e.start; i < e.end; i++ {
		if f.text[i] != '\n' && f.text[i] != '\r' {
			f.text[i] = ' '
		}
	}
	return fault, true
}

// printable replaces the characters of a text that cannot be shown.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// got shows a short plain value.
func got(value []byte) string {
	text := strings.TrimSpace(string(value))
	if text == "" {
		return "; it has no value"
	}
	if len(text) > 40 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return "; got " + text
}

// faultAt is a fault where an error is.
func (f *file) faultAt(err *toml.DecodeError) Fault {
	line, column := err.Position()
	text := printable(strings.TrimPrefix(err.Error(), "toml: "))
	fault := Fault{Line: line, Column: column, Place: Place{Index: -1}, Text: text}
	if e, ok := f.entryAt(line, column); ok {
		fault.Place = e.place
	}
	return fault
}

// bareword is a line whose value is a word without quotes, a number with a decimal comma, or nothing.
var bareword = regexp.MustCompile(`^\s*([A-Za-z0-9_-]+)\s*=\s*([^"'\[{#]*?)\s*(#.*)?$`)

// syntax describes a fault of the syntax.
func (f *file) syntax(fault Fault) string {
	line := bytes.Split(f.text, []byte("\n"))[fault.Line-1]
	m := bareword.FindSubmatchIndex(bytes.TrimSuffix(line, []byte("\r")))
	if m == nil || fault.Column > m[5]+1 {
		return notTOML + fault.Text
	}
	name := string(line[m[2]:m[3]])
	path := []string{name}
	if fault.Table != "" {
		path = []string{fault.Table, name}
	}
	if field, ok := lookUp(f.root, path); ok {
		return expectation(name, field) + got(line[m[4]:m[5]])
	}
	return notTOML + fault.Text
}

// readable is a copy of the text without a byte order mark; it reports texts that are too long or empty.
func readable(text []byte) ([]byte, []Fault) {
	if len(text) > MaxFile {
		return nil, []Fault{{Text: fmt.Sprintf("the file has %d bytes; the maximum is %d", len(text), MaxFile)}}
	}
	text = bytes.Clone(bytes.TrimPrefix(text, []byte("\ufeff")))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, []Fault{{Text: "the file is empty"}}
	}
	return text, nil
}
