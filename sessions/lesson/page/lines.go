package page

import (
	"errors"
	"fmt"
	"strings"
)

// Parse splits a page into its text and the lines that describe it.
//
//	? one | another* | a third   asks for a choice; the right one has a *
//	?1 the data say otherwise    the reason why the first choice is wrong
//	?                            asks for a point
//	! band > 2                   a claim about the picture
//	@ line x2                    the picture beside the text
func Parse(text string) (body string, p Page, err error) {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	n := len(lines)
	for n > 0 && (strings.TrimSpace(lines[n-1]) == "" || isPageLine(lines[n-1])) {
		n--
	}
	for _, line := range lines[n:] {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if gives(line) {
			err = p.ParseReason(line[1:])
		} else {
			err = p.parseLine(line[:1], strings.TrimSpace(line[1:]))
		}
		if err != nil {
			return "", Page{}, fmt.Errorf("%s: %w", line, err)
		}
	}
	return strings.TrimSpace(strings.Join(lines[:n], "\n")), p, nil
}

// isPageLine reports whether a line describes the page. "? text" without choices is part of the text.
func isPageLine(line string) bool {
	line = strings.TrimSpace(line)
	return line == "?" || gives(line) || strings.HasPrefix(line, "? ") && strings.Contains(line, "|") ||
		strings.HasPrefix(line, "! ") || strings.HasPrefix(line, "@ ")
}

// gives reports whether a line gives a reason why a choice is wrong: "?1 the data say otherwise".
func gives(line string) bool {
	return len(line) > 2 && line[0] == '?' && '1' <= line[1] && line[1] <= '9' && line[2] == ' '
}

// parseLine reads a line that describes the page.
func (p *Page) parseLine(mark, rest string) (err error) {
	switch {
	case mark == "?" && p.HasQuestion():
		return errors.New("the page already has a question")
	case mark == "?" && rest == "":
		p.Ask = true
	case mark == "?":
		p.Question, err = ParseQuestion(rest)
	case mark == "@" && p.View != "":
		return errors.New("the page already has a view")
	case mark == "@":
		p.View = strings.Join(strings.Fields(rest), " ")
	default:
		words := strings.Fields(rest)
		if len(words) < 3 || !strings.Contains("=<>", words[1]) {
			return errors.New("a claim is a quantity, one of = < > and a number, as in ! band > 2")
		}
		p.Claims = append(p.Claims, strings.Join(words, " "))
	}
	return err
}

// Lines returns the lines that Parse reads after a text; empty if there are none.
func (p Page) Lines() string {
	var lines []string
	switch {
	case len(p.Choices) > 0:
		lines = append(lines, "? "+p.Question.String())
		for i, reason := range p.Reasons {
			if reason != "" {
				lines = append(lines, fmt.Sprintf("?%d %s", i+1, reason))
			}
		}
	case p.Ask:
		lines = append(lines, "?")
	}
	for _, c := range p.Claims {
		lines = append(lines, "! "+c)
	}
	if p.View != "" {
		lines = append(lines, "@ "+p.View)
	}
	return strings.Join(lines, "\n")
}

// Format writes a page in the form that Parse reads.
func Format(text string, p Page) string {
	if lines := p.Lines(); lines != "" {
		return text + "\n\n" + lines
	}
	return text
}
