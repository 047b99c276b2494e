package lessonpage

import (
	"fmt"
	"maps"

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

// explains reports whether the current page is the one that was answered last, wrongly, and has a reason.
func (c *Choice) explains(line recorder.Timeline) bool {
	return line.At+1 == c.answered && c.question.Reason(c.chosen) != ""
}

// Verdict judges the answer on the page after the question. It is empty on other pages, and if the page with the
// question gave the reason.
func (c *Choice) Verdict(line recorder.Timeline, st theme.Style) string {
	if !c.JustAnswered(line) || len(c.question.Choices) == 0 || c.question.Reason(c.chosen) != "" {
		return ""
	}
	return c.verdict(st)
}

// verdict judges the answer, with the reason if it is wrong.
func (c *Choice) verdict(st theme.Style) string {
	right := c.question.Choices[c.question.Correct]
	switch {
	case c.chosen < 0:
		return fmt.Sprintf("%s **Answer**: %s.", st.Glyph(theme.GlyphTriangle), right)
	case c.chosen == c.question.Correct:
		return fmt.Sprintf("%s **Correct**: %s.", st.Plain("✓"), right)
	}
	text := fmt.Sprintf("%s **You said**: %s. ", st.Plain("✗"), c.question.Choices[c.chosen])
	if reason := c.question.Reason(c.chosen); reason != "" {
		text += reason + "\n\n"
	}
	return text + fmt.Sprintf("**Correct**: %s.", right)
}
