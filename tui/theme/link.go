package theme

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Link is a part of a text with the address that it leads to.
type Link struct{ Text, URL string }

// HasLinks reports whether the terminal gets links (OSC 8). Terminals with 256 colours and more show them or ignore
// them; others may print the address. NO_COLOR turns links off with the colours.
func (s Style) HasLinks() bool { return s.Tier >= Color256 && !s.ASCII }

// PaintLinked writes a text in a colour, given as lines between which one blank was left out. The parts of it that are
// links are underlined, also where they go over the end of a line. Addresses other than https:// are left out.
func (s Style) PaintLinked(fg Color, lines []string, links []Link) []string {
	text := strings.Join(lines, " ")
	urls := make([]string, len(text)+1) // of every byte
	for _, l := range links {
		if !s.HasLinks() || l.Text == "" || !safeURL(l.URL) {
			continue
		}
		for from := 0; ; {
			index := strings.Index(text[from:], l.Text)
			if index < 0 {
				break
			}
			for i := from + index; i < from+index+len(l.Text); i++ {
				urls[i] = l.URL
			}
			from += index + len(l.Text)
		}
	}
	painted, start := make([]string, len(lines)), 0
	for n, line := range lines {
		for i := 0; i < len(line); {
			url, from := urls[start+i], i
			for i < len(line) && urls[start+i] == url {
				i++
			}
			painted[n] += s.paintLink(fg, line[from:i], url)
		}
		start += len(line) + 1
	}
	return painted
}

// paintLink writes a text that leads to an address; empty for none.
func (s Style) paintLink(fg Color, text, url string) string {
	if url == "" {
		return s.Paint(fg, text)
	}
	// Lip Gloss underlines character by character
	return ansi.SetHyperlink(url) + s.Opening(fg) + ansi.NewStyle().Underline(true).String() + text +
		ansi.ResetStyle + ansi.ResetHyperlink()
}

// safeURL reports whether an address can be sent to a terminal.
func safeURL(url string) bool {
	return strings.HasPrefix(url, "https://") && !strings.ContainsFunc(url, func(r rune) bool {
		return r > unicode.MaxASCII || r <= ' ' || r == 0x7f
	})
}
