package page

import (
	"errors"
	"fmt"
	"strings"
)

// Parse takes a page apart as a person writes it: its text, and behind that lines that say more of it.
//
//	? one | another* | a third   asks what will come out, the right choice with a *
//	?1 the data say otherwise    gives the reason why the first choice is wrong
//	?                            asks for a point to query
//	! band > 2                   claims something of the picture
//	@ line x2                    says what is to be seen beside it
func Parse(text string) (body string, p Page, err error) {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	n := len(lines)
	for n > 0 && (strings.TrimSpace(lines[n-1]) == "" || isPageLine(lines[n-1])) {
		n--
	}
	for _, line := range lines[n:] {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if gives(line) {
			err = p.ParseWhy(line[1:])
		} else {
			err = p.parseLine(line[:1], strings.TrimSpace(line[1:]))
		}
		if err != nil {
			return "", Page{}, fmt.Errorf("%s: %w", line, err)
		}
	}
	return strings.TrimSpace(strings.Join(lines[:n], "\n")), p, nil
}

// isPageLine reports whether a line isPageLine something of the page, rather than being its text: a question without
// choices in it is one of the text.
func isPageLine(line string) bool {
	line = strings.TrimSpace(line)
	return line == "?" || gives(line) || strings.HasPrefix(line, "? ") && strings.Contains(line, "|") ||
		strings.HasPrefix(line, "! ") || strings.HasPrefix(line, "@ ")
}

// gives reports whether a line gives a reason why a choice is wrong: "?1 the data say otherwise".
func gives(line string) bool {
	return len(line) > 2 && line[0] == '?' && '1' <= line[1] && line[1] <= '9' && line[2] == ' '
}

// parseLine takes what a line says of the page.
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

// Lines are what Parse takes behind a text; empty where the page says nothing besides.
func (p Page) Lines() string {
	var lines []string
	switch {
	case len(p.Choices) > 0:
		lines = append(lines, "? "+p.Question.String())
		for i, reason := range p.Why {
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

// Format is a page as Parse takes it.
func Format(text string, p Page) string {
	if lines := p.Lines(); lines != "" {
		return text + "\n\n" + lines
	}
	return text
}
