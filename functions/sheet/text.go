package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// decode is a text in UTF-8 without a byte order mark, and the name of its encoding if it is another one. Text that is
// not UTF-8 is Windows-1252, in which Excel saves CSV in Western Europe.
func decode(text []byte) ([]byte, string, error) {
	from, name := encoding.Encoding(nil), ""
	switch {
	case bytes.HasPrefix(text, []byte{0xef, 0xbb, 0xbf}):
		return text[3:], "", checkUTF8(text[3:])
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		from, name = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "UTF-16"
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		from, name = unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "UTF-16"
	case utf8.Valid(text):
		return text, "", nil
	default:
		from, name = charmap.Windows1252, "Windows-1252"
	}
	out, err := from.NewDecoder().Bytes(text)
	if err != nil {
		return nil, "", fmt.Errorf("the file is not text in UTF-8, UTF-16 or Windows-1252: %w", err)
	}
	return out, name, nil
}

func checkUTF8(text []byte) error {
	if utf8.Valid(text) {
		return nil
	}
	return errors.New("the file begins as UTF-8, but is not")
}

// readText reads a table of text.
func readText(text []byte, o Options) (*Table, error) {
	text, name, err := decode(text)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errors.New("the file is not a table: it has bytes that are not text")
	}
	t := &Table{label: "line", Format: Format{Separator: o.Separator, Encoding: name}}
	text, t.Format.OldLines = newLines(text)
	skipped := 0
	if sign, rest, ok := declaredSeparator(text); ok {
		text, skipped = rest, 1
		if o.Separator == 0 {
			t.Format.Separator = sign
		}
	}
	text, t.Format.Comments = blankComments(text, skipped)
	if t.Format.Separator == 0 {
		t.Format.Separator = recognizeSeparator(text)
	}
	in := newReader(text, t.Format.Separator)
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvError(err, skipped)
		}
		line, _ := in.FieldPos(0)
		if err := t.add(record, line+skipped, o); err != nil {
			return nil, err
		}
	}
	if t.Header == nil {
		return nil, errors.New("the file is empty; its first row must name the columns")
	}
	return t, nil
}

// newReader reads CSV with a separator, whatever the lengths of the rows.
func newReader(text []byte, separator rune) *csv.Reader {
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma = separator
	in.TrimLeadingSpace = separator != '\t'
	in.FieldsPerRecord = -1
	return in
}

// csvError is an error of the syntax with its line first.
func csvError(err error, skipped int) error {
	var parseError *csv.ParseError
	if errors.As(err, &parseError) {
		return fmt.Errorf("line %d, character %d: %w", parseError.Line+skipped, parseError.Column, parseError.Err)
	}
	return err
}

// declaredSeparator is the separator that a first line "sep=;" declares, as Excel has it, and the text behind the line.
func declaredSeparator(text []byte) (sign rune, rest []byte, ok bool) {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	value, ok := strings.CutPrefix(strings.TrimRight(string(line), "\r"), "sep=")
	if !ok || value != ";" && value != "," && value != "\t" {
		return 0, text, false
	}
	return rune(value[0]), rest, true
}

// recognizeSeparator is the separator with which most of the first rows have as many cells as the header, of which
// there are 2 or more. Without one it is a comma.
func recognizeSeparator(text []byte) rune {
	const rows = 200
	best, most := ',', 0.0
	for _, sign := range []rune{',', ';', '\t'} {
		in := newReader(text, sign)
		head, err := in.Read()
		if err != nil || len(head) < 2 {
			continue
		}
		same, all := 1.0, 1.0
		for range rows {
			record, err := in.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			all++
			if err == nil && len(record) == len(head) {
				same++
			}
			if err != nil {
				break
			}
		}
		// of two separators that fit equally well, the one with more columns
		if fit := same/all + 1e-6*float64(min(len(head), 1000)); fit > most {
			best, most = sign, fit
		}
	}
	return best
}
