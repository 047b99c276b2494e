package lesson

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/sessions/lesson/page"
)

// Script is the script of a lesson.
//
//	> lesson FUNCTION OPTIMIZER SEED [KEY=VALUE …] [--noise=SD …]   the first line; FUNCTION may be an experiment, NAME.toml, or playground
//	> lab NAME [KEY=VALUE …]                                        the first line of a lesson on a training
//	# Title
//	One sentence about it.
//	> part PART                     of the course
//	> hide parameters regret        hidden parts of the screen
//	> axis y -3..3                  the range of an axis on all pages; one line for each axis
//	> begin
//	# A page
//	Its text, in Markdown, then lines that describe the page.
//	> view line x2                  the picture beside it
//	> claim band > 2                a claim about the picture
//	> ask                           asks for a point
//	> ask one | another* | a third  asks for a choice; the right one has a *
//	> reason 1 the data say otherwise  the reason why the first choice is wrong; one line for each wrong choice
//	> step 3                        an action ends the page, see Acts; "> page" does only this
//	> exercise …                    is at the end, see CutExercise
type Script struct {
	Lesson sessions.Lesson
	begin  line   // the first one
	items  []item // pages and actions in order
	files  fs.FS  // beside the script
}

// line is a line of a script, with its words if it begins with "> ".
type line struct {
	number int // from 1
	text   string
	words  []string
}

// wrapError adds the line to an error.
func (l line) wrapError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %s: %w", l.number, l.text, err)
}

// item is a page or an action.
type item struct {
	line
	note string // text of a page; empty for an action
	page page.Page
}

// ReadScript reads a script; errors have the number of their line. Files has the experiments that the script names, or
// is nil. Whether the actions can be performed shows only when they are.
func ReadScript(text string, files fs.FS) (*Script, error) {
	before, exercise, err := CutExercise(text, files)
	if err != nil {
		return nil, err
	}
	s := &Script{files: files, Lesson: sessions.Lesson{Script: Digest(text)}}
	if exercise != nil {
		s.Lesson.Exercise = &exercise.Exercise
	}
	var lines []line
	for i, text := range strings.Split(before, "\n") {
		lines = append(lines, parseLine(i+1, strings.TrimSuffix(text, "\r")))
	}
	begins := slices.IndexFunc(lines, func(l line) bool { return l.words != nil && l.words[0] == "begin" })
	if begins < 0 {
		return nil, errors.New(`the script has no line "> begin", which is followed by the pages`)
	}
	if err := s.parseHead(lines[:begins]); err != nil {
		return nil, err
	}
	if err := s.parseBody(lines[begins+1:]); err != nil {
		return nil, err
	}
	return s, nil
}

// parseLine splits a line; it has words if it begins with "> ".
func parseLine(number int, text string) line {
	l := line{number: number, text: text}
	if act, ok := strings.CutPrefix(text, "> "); ok {
		l.words = strings.Fields(act)
		if len(l.words) == 0 {
			l.words = []string{""}
		}
	}
	return l
}

// parseHead reads the lines before "> begin".
func (s *Script) parseHead(lines []line) error {
	if len(lines) == 0 || lines[0].words == nil || !slices.Contains([]string{"lesson", "lab"}, lines[0].words[0]) {
		return errors.New(`line 1: a script begins with "> lesson FUNCTION OPTIMIZER SEED", or "> lab NAME"`)
	}
	s.begin = lines[0]
	for _, l := range lines[1:] {
		switch text := strings.TrimSpace(l.text); {
		case l.words == nil && text == "":
		case l.words == nil && s.Lesson.Title == "":
			title, ok := strings.CutPrefix(text, "# ")
			if !ok {
				return l.wrapError(errors.New(`begin with the title, as in "# What a posterior is"`))
			}
			s.Lesson.Title = strings.TrimSpace(title)
		case l.words == nil:
			s.Lesson.About = strings.TrimSpace(s.Lesson.About + " " + text)
		case l.words[0] == "part" && len(l.words) > 1:
			s.Lesson.Part = strings.Join(l.words[1:], " ")
		case l.words[0] == "hide" && len(l.words) > 1:
			for _, word := range l.words[1:] {
				if !slices.Contains(sessions.Hideable, word) {
					return l.wrapError(didyoumean.NewUnknownError("part of the screen", word, sessions.Hideable))
				}
			}
			s.Lesson.Hide = l.words[1:]
		case l.words[0] == "axis":
			if err := s.parseAxis(l.words[1:]); err != nil {
				return l.wrapError(err)
			}
		default:
			return l.wrapError(errors.New(`before "> begin" there are the title, a sentence, "> part PART", ` +
				`"> hide WHAT …" and "> axis NAME LOW..HIGH"`))
		}
	}
	if s.Lesson.Title == "" || s.Lesson.About == "" {
		return fmt.Errorf(`line %d: a lesson needs a title, "# …", and a sentence about it before "> begin"`,
			len(lines)+1)
	}
	return nil
}

// parseBody reads the pages and the actions.
func (s *Script) parseBody(lines []line) error {
	var now *item   // the current page; nil before its text
	closed := false // the page has a question, claim or view, so its text has ended
	end := func() {
		if now != nil {
			now.note = strings.TrimSpace(now.note)
			s.items = append(s.items, *now)
		}
		now, closed = nil, false
	}
	for _, l := range lines {
		switch {
		case l.words == nil && now == nil && strings.TrimSpace(l.text) == "":
		case l.words == nil && closed && strings.TrimSpace(l.text) != "":
			return l.wrapError(
				errors.New(
					`write the text of a page before its "> ask", "> claim" and "> view" lines; "> page" starts a new page`))
		case l.words == nil:
			if now == nil {
				now = &item{line: l}
			}
			now.note += l.text + "\n"
		case slices.Contains(pageKeywords, l.words[0]):
			if now == nil {
				return l.wrapError(errors.New("this line describes a page: write it below the text of the page"))
			}
			closed = true
			if err := l.wrapError(now.parseLine(l)); err != nil {
				return err
			}
		default:
			if err := l.wrapError(s.checkAct(l.words)); err != nil {
				return err
			}
			end()
			s.items = append(s.items, item{line: l})
		}
	}
	end()
	if !slices.ContainsFunc(s.items, func(i item) bool { return i.note != "" }) {
		return errors.New("the script has no page: write one below \"> begin\"")
	}
	return nil
}

// pageKeywords begin lines that describe a page.
var pageKeywords = []string{"ask", "reason", "claim", "view"}

// parseLine reads a line that describes a page.
func (i *item) parseLine(l line) (err error) {
	rest := strings.Join(l.words[1:], " ")
	switch {
	case l.words[0] == "ask" && i.page.HasQuestion():
		err = errors.New("the page has two questions")
	case l.words[0] == "ask" && rest == "":
		i.page.Ask = true
	case l.words[0] == "ask":
		i.page.Question, err = page.ParseQuestion(rest)
	case l.words[0] == "reason":
		err = i.page.ParseReason(rest)
	case rest == "":
		err = fmt.Errorf("the line needs a text after %s", l.words[0])
	case l.words[0] == "claim":
		i.page.Claims = append(i.page.Claims, rest)
	case i.page.View != "":
		err = errors.New("the page has two views")
	default:
		i.page.View = rest
	}
	return err
}
