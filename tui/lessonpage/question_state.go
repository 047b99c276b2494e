package lessonpage

import (
	"fmt"
	"maps"
	"strings"

	"bandscope/sessions/lesson/page"
	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// QuestionState is the state of the questions of a lesson. Pages are counted from 0.
type QuestionState struct {
	answered int // the last page that was answered or skipped, from 1; 0 for none
	warned   int // the page that explained how to answer, from 1; 0 for none

	correct map[int]bool // whether the last answer is right, by page, from 1
}

// Answers maps the pages that were answered, from 1, to whether the last answer is right.
func (a *QuestionState) Answers() map[int]bool { return a.correct }

// setCorrect records whether the answer on the current page is right.
func (a *QuestionState) setCorrect(line recorder.Timeline, right bool) {
	a.correct = maps.Clone(a.correct)
	if a.correct == nil { // maps that were returned do not change
		a.correct = map[int]bool{}
	}
	a.correct[line.At+1] = right
}

// Open reports whether the current page has a question that is not answered.
func (a *QuestionState) Open(line recorder.Timeline) bool {
	return line.At < len(line.Stops)-1 && line.Stops[line.At].Ask && a.answered != line.At+1
}

// Pass skips the question of the current page at the second call.
func (a *QuestionState) Pass(line recorder.Timeline) bool {
	if a.warned != line.At+1 {
		a.warned = line.At + 1
		return false
	}
	a.Close(line)
	return true
}

// Close records that the question of the current page is answered.
func (a *QuestionState) Close(line recorder.Timeline) { a.answered = line.At + 1 }

// JustAnswered reports whether the current page follows the question that was answered last.
func (a *QuestionState) JustAnswered(line recorder.Timeline) bool {
	return a.answered > 0 && line.At == a.answered
}

// Choice is a question with choices, one of which is right.
type Choice struct {
	QuestionState
	question page.Question // the last one
	chosen   int           // its answer, from 0; -1 if it was skipped
}

// Answer takes the answer with a number, from 0; false if there is no such choice.
func (c *Choice) Answer(line recorder.Timeline, q page.Question, chosen int) bool {
	if chosen < 0 || chosen >= len(q.Choices) {
		return false
	}
	c.Close(line)
	c.setCorrect(line, chosen == q.Correct)
	c.question, c.chosen = q, chosen
	return true
}

// Pass skips the question of the current page at the second call.
func (c *Choice) Pass(line recorder.Timeline, q page.Question) bool {
	if !c.QuestionState.Pass(line) {
		return false
	}
	c.question, c.chosen = q, -1
	return true
}

// judged reports whether the current page asked the question that was answered last.
func (c *Choice) judged(line recorder.Timeline) bool {
	return line.At+1 == c.answered && len(c.question.Choices) > 0
}

// Solution is the right choice, on the page after a question that was skipped. It is empty on other pages.
func (c *Choice) Solution(line recorder.Timeline, st theme.Style) string {
	if !c.JustAnswered(line) || len(c.question.Choices) == 0 || c.chosen >= 0 {
		return ""
	}
	return fmt.Sprintf("%s **Answer**: %s.", st.Glyph(theme.GlyphTriangle), c.question.Choices[c.question.Correct])
}

// verdict lists the choices, a line each, with marks at the right one and at a wrong answer, and the reason why that is
// wrong.
func (c *Choice) verdict(st theme.Style) string {
	lines := make([]string, len(c.question.Choices))
	for i, choice := range c.question.Choices {
		switch i {
		case c.question.Correct:
			lines[i] = fmt.Sprintf("%s **%s**", st.Plain("✓"), choice)
		case c.chosen:
			lines[i] = fmt.Sprintf("%s %s", st.Plain("✗"), choice)
			if reason := c.question.Reason(i); reason != "" {
				lines[i] += ". " + reason
			}
		default:
			lines[i] = fmt.Sprintf("`%d` %s", i+1, choice)
		}
	}
	return strings.Join(lines, "\\\n")
}
