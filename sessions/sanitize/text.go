// Package sanitize writes texts that come from outside, from files, arguments and programs, so that they can be shown:
// nothing in them drives a terminal, changes the direction of writing or hides. A text comes in and one goes out that
// looks the same to a person; JSON for other programs means the same and holds nothing raw. What a text says, and where
// it is shown, is not decided here.
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

// Text makes a text safe to show: control and escape characters become visible ones, and so does every character that
// is not seen, changes the direction of writing or has no meaning of its own, so that nothing that comes from a file or
// an argument can drive the terminal or hide in it. Combining marks stay with their letters. What only chooses between
// the forms of the character before it (U+FE0E, U+FE0F) goes: terminals disagree on the width that it gives.
func Text(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0xfe0e || r == 0xfe0f:
			return -1
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r // the control pictures
		case r == 0x7f:
			return 0x2421
		case isHidden(r):
			return 0xfffd
		}
		return r
	}, s)
}

// Lines is Text for a text of several lines, which keeps its line feeds.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = Text(strings.TrimSuffix(l, "\r"))
	}
	return strings.Join(lines, "\n")
}

// Word is Text as a word of a command that is shown: in quotation marks where a shell would take it for anything else.
func Word(s string) string {
	s = Text(s)
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.,:/", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// isHidden says whether a character beyond ASCII is a control or format character, a tag, a separator of lines, of
// private use, or one that is ignored where it cannot be shown, by its classes in Unicode.
func isHidden(r rune) bool {
	return r >= 0x80 && unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector)
}

// JSON writes a value as one line of JSON. Characters that could drive a terminal stand as escapes in it.
func JSON(w io.Writer, v any) error { return writeJSON(w, v, "") }

// IndentedJSON is JSON over several lines.
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
