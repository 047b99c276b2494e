package eventlog

import (
	"strings"
	"unicode"
)

// The kinds of author.
const (
	AuthorPerson  = "person"
	AuthorProgram = "program" // a script, or a program that evaluates
	AuthorAgent   = "agent"   // a language model with tools
	AuthorClass   = "class"   // a member of a class
)

// The ways by which an author records.
const (
	ViaExplorer = "explorer" // any screen of the program
	ViaCommand  = "command"
	ViaPipe     = "pipe"
	ViaPython   = "python"
	ViaMCP      = "mcp"
	ViaSSH      = "ssh"
	ViaWeb      = "web"
)

// Author is who recorded an event, and by which way. The zero Author is an unknown one. Names are data: they come from
// files and arguments, and are shown as text only.
type Author struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Via  string `json:"via"`
}

// maxAuthor bounds each text of an author in runes.
const maxAuthor = 64

// Known reports whether anything is known about the author.
func (a Author) Known() bool { return a != Author{} }

// String is the name, or else the kind, with the way: "ann via pipe".
func (a Author) String() string {
	text := a.Name
	if text == "" {
		text = a.Kind
	}
	if a.Via == "" {
		return text
	}
	return strings.TrimSpace(text + " via " + a.Via)
}

// SamePerson reports whether another author is the same person or program, by whatever way.
func (a Author) SamePerson(b Author) bool { return a.Kind == b.Kind && a.Name == b.Name }

// OnScreen reports whether the author is a person who sees the session on a screen.
func (a Author) OnScreen() bool {
	return a.Kind == AuthorPerson && (a.Via == ViaExplorer || a.Via == ViaSSH || a.Via == ViaWeb)
}

// Clean is the author with printable texts of a bounded length.
func (a Author) Clean() Author {
	return Author{Kind: cleanText(a.Kind), Name: cleanText(a.Name), Via: cleanText(a.Via)}
}

// cleanText is a text without the characters that cannot be printed, cut to maxAuthor runes.
func cleanText(text string) string {
	if len(text) > 8*maxAuthor { // before it is walked
		text = text[:8*maxAuthor]
	}
	runes := []rune(strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)))
	return strings.TrimSpace(string(runes[:min(len(runes), maxAuthor)]))
}

// data is the author in a file; nil for an unknown one.
func (a Author) data() *Author {
	if !a.Known() {
		return nil
	}
	return &a
}
