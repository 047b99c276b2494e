package input

import (
	"bytes"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// The bounds of an escape sequence. Those of keys, of the mouse and of terminals that answer are shorter.
const (
	maxSequence   = 1 << 10 // bytes
	maxParameters = 32
)

// form is what the beginning of the input is.
type form int

const (
	complete  form = iota // a character, a control code or an escape sequence
	partial               // the beginning of one, to which all of the input belongs
	malformed             // none
)

// next returns the form of the beginning of b, which is not empty, and its length.
func next(b []byte) (int, form) {
	escapes := span(b[:min(len(b), 3)], ansi.ESC, ansi.ESC)
	switch {
	case escapes == 0:
		return nextCharacter(b)
	case escapes == 3:
		return 1, complete
	case escapes == len(b):
		return len(b), partial
	}
	n, f := nextEscape(b[escapes-1:])
	return n + escapes - 1, f
}

func nextCharacter(b []byte) (int, form) {
	r, n := utf8.DecodeRune(b)
	switch {
	case !utf8.FullRune(b):
		return len(b), partial
	case r == utf8.RuneError && n == 1: // not UTF-8, such as a control code of 8 bits
		return 1, malformed
	}
	return n, complete
}

// nextEscape is next for input that begins with one escape, which is not all of it.
func nextEscape(b []byte) (int, form) {
	switch b[1] {
	case '[':
		return nextControl(b)
	case 'O':
		n := 2 + span(b[2:], '0', '9')
		return final(b, n, '!', '~')
	case 'P', ']', '_', '^', 'X':
		return nextString(b)
	}
	n, f := nextCharacter(b[1:]) // with alt
	return n + 1, f
}

// nextControl is next for a control sequence, ESC [ parameters intermediates final.
func nextControl(b []byte) (int, form) {
	end := 2 + span(b[2:], '0', '?')
	parameters := b[2:end]
	end += span(b[end:], ' ', '/')
	n, f := final(b, end, '@', '~')
	switch {
	case f != complete:
		return n, f
	case n == 3 && b[n-1] == 'M': // the mouse in its oldest encoding, in 3 bytes
		if len(b) < n+3 {
			return len(b), partial
		}
		return n + 3, complete
	case bytes.Count(parameters, []byte(";"))+bytes.Count(parameters, []byte(":")) >= maxParameters, b[n-1] == '_':
		return n, malformed // a key in the encoding of Windows, which no program requests, can repeat 65535 times
	}
	return n, complete
}

// nextString is next for a string, which ends by ST or, after ESC ], by BEL.
func nextString(b []byte) (int, form) {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == ansi.BEL && b[1] == ']':
			return i + 1, complete
		case b[i] == ansi.CAN || b[i] == ansi.SUB:
			return i + 1, malformed
		case b[i] != ansi.ESC:
		case i+1 == len(b):
			return len(b), partial
		case b[i+1] == '\\':
			return i + 2, complete
		default:
			return i, malformed
		}
	}
	return len(b), partial
}

// final ends a sequence whose final byte is at n and must be between first and last.
func final(b []byte, n int, first, last byte) (int, form) {
	switch {
	case n == len(b):
		return n, partial
	case b[n] < first || b[n] > last:
		return n, malformed
	}
	return n + 1, complete
}

// span is the number of bytes between first and last at the beginning of b.
func span(b []byte, first, last byte) (n int) {
	for n < len(b) && b[n] >= first && b[n] <= last {
		n++
	}
	return n
}
