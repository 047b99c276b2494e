// Package sanitize makes texts from files, arguments and programs safe to show: nothing in them can control the
// terminal, change the direction of writing or hide. The result looks the same to a person; JSON for other programs has
// the same meaning, with such characters escaped. It does not interpret the texts, and does not show them.
package sanitize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text makes a text safe to show. Control and escape characters become visible ones, and so does every character that
// is invisible, changes the direction of writing or has no meaning of its own. Combining marks stay with their letters,
// and joiners (U+200C, U+200D) with letters of scripts that they belong to. Variation selectors (U+FE0E, U+FE0F) and
// joiners of emoji are removed, because terminals disagree on the width that they give.
func Text(s string) string {
	return Styled(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r // the control pictures
		case r == 0x7f:
			return 0x2421
		}
		return r
	}, s))
}

// Styled is Text for a line that the program made, with control sequences for its colours, which stay.
func Styled(line string) string {
	var last rune
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80:
		case r == 0xfe0e || r == 0xfe0f, r == joiner && unicode.Is(unicode.S, last) && last > 0x2000:
			return -1
		case (r == joiner || r == nonJoiner) && unicode.In(last, joiningScripts...):
		case isHidden(r):
			r = 0xfffd
		}
		last = r
		return r
	}, line)
}

// The characters that join or separate the letters on both sides.
const (
	nonJoiner = 0x200c
	joiner    = 0x200d
)

// joiningScripts are those whose letters joiners belong to: cursive ones, and ones with conjuncts.
var joiningScripts = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko,
	unicode.Mandaic, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar}

// Lines is Text for a text with several lines; it keeps the line feeds.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = Text(strings.TrimSuffix(l, "\r"))
	}
	return strings.Join(lines, "\n")
}

// Word is Text for a word of a command on the screen; it is quoted if a shell would interpret it.
func Word(s string) string {
	s = Text(s)
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.,:/", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// isHidden reports whether a character beyond ASCII is, by its Unicode classes, a control or format character, a tag, a
// line separator, for private use, or ignored by default.
func isHidden(r rune) bool {
	return r >= 0x80 && unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector)
}

// JSON writes a value as one line of JSON. Characters that could control a terminal are escaped.
func JSON(w io.Writer, v any) error { return writeJSON(w, v, "") }

// IndentedJSON is JSON on several lines.
func IndentedJSON(w io.Writer, v any) error { return writeJSON(w, v, "  ") }

func writeJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	var safe bytes.Buffer
	for _, r := range b.String() {
		if r == 0x7f || isHidden(r) {
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&safe, "\\u%04x", unit)
			}
			continue
		}
		safe.WriteRune(r)
	}
	_, err := w.Write(safe.Bytes())
	return err
}
