package theme

import "strings"

// Fill writes a frame, which may hold colour sequences, in the palette's own text and page colours wherever it leaves these to the terminal. It is for a
// palette that was chosen against the terminal's background. Without colours the frame stays as it is.
func (s Style) Fill(frame string) string {
	if s.Tier == NoColor {
		return frame
	}
	fg, bg := s.parameters(s.Text, '3'), s.parameters(s.Page, '4')
	base := "\x1b[0" + fg + bg + "m"
	var b strings.Builder
	b.Grow(len(frame) + len(frame)/2)
	b.WriteString(base)
	for {
		from := strings.Index(frame, "\x1b[")
		if from < 0 {
			break
		}
		end := from + 2
		for end < len(frame) && (frame[end] < 0x40 || frame[end] > 0x7e) {
			end++
		}
		if end >= len(frame) {
			break
		}
		b.WriteString(frame[:end])
		if frame[end] == 'm' {
			dropsFg, dropsBg := drops(frame[from+2 : end])
			if frame[end-1] == '[' { // the short form of a reset
				b.WriteByte('0')
			}
			if dropsFg {
				b.WriteString(fg)
			}
			if dropsBg {
				b.WriteString(bg)
			}
		}
		b.WriteByte(frame[end])
		frame = frame[end+1:]
	}
	b.WriteString(frame)
	b.WriteString("\x1b[0m")
	return b.String()
}

// drops reports whether the parameters of an SGR sequence (ECMA-48, 8.3.117) leave the foreground, and the background, to the terminal.
func drops(parameters string) (fg, bg bool) {
	operands := 0 // of an extended colour that are to come: its index, or red, green and blue; below 0 before its kind
	for p := range strings.SplitSeq(parameters, ";") {
		switch {
		case operands < 0 && p == "2":
			operands = 3
		case operands < 0:
			operands = 1
		case operands > 0:
			operands--
		case p == "" || p == "0":
			fg, bg = true, true
		case p == "39":
			fg = true
		case p == "49":
			bg = true
		case p == "38" || p == "48":
			operands = -1
			fallthrough
		default:
			fg = fg && !colors(p, '3', "9")
			bg = bg && !colors(p, '4', "10")
		}
	}
	return fg, bg
}

// colors reports whether a parameter sets a colour: one of the eight, or an extended one, that begin with a digit, or one of the eight bright ones. Parts
// of an extended colour that are parted by colons belong to its parameter.
func colors(parameter string, digit byte, bright string) bool {
	if len(parameter) >= 2 && parameter[0] == digit && (len(parameter) == 2 || parameter[2] == ':') {
		return parameter[1] != '9'
	}
	return len(parameter) == len(bright)+1 && strings.HasPrefix(parameter, bright)
}

// parameters are those that set a colour, each behind a semicolon.
func (s Style) parameters(c Color, ground byte) string {
	var b strings.Builder
	s.write(&b, c, ground)
	return b.String()
}
