package lesson

import (
	"fmt"
	"maps"

	"bandscope/sessions/lesson/page"
	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// QuestionState is whether the reader of a lesson answered what its pages ask. The pages are counted from 0.
type QuestionState struct {
	answered int // the page whose question was answered, or passed over, last, from 1; 0 for none
	warned   int // the page whose question was pointed out, from 1; 0 for none

	correct map[int]bool // whether what was answered last is right, by the pages that asked, from 1
}

// Answers tell of every page that was answered, by their numbers from 1, whether what was answered last is right.
func (a *QuestionState) Answers() map[int]bool { return a.correct }

// setCorrect takes note whether the answer on a page is right.
func (a *QuestionState) setCorrect(line recorder.Timeline, right bool) {
	if a.correct = maps.Clone(a.correct); a.correct == nil { // who was given it keeps it as it was
		a.correct = map[int]bool{}
	}
	a.correct[line.At+1] = right
}

// Open reports whether the reader is asked on the page where a lesson stands, and has not said yet.
func (a *QuestionState) Open(line recorder.Timeline) bool {
	return line.At < len(line.Stops)-1 && line.Stops[line.At].Ask && a.answered != line.At+1
}

// Pass passes over the question, if it was asked to before on this page.
func (a *QuestionState) Pass(line recorder.Timeline) bool {
	if a.warned != line.At+1 {
		a.warned = line.At + 1
		return false
	}
	a.Close(line)
	return true
}

// Close takes note that the question of a page has its answer.
func (a *QuestionState) Close(line recorder.Timeline) { a.answered = line.At + 1 }

// JustAnswered reports whether a lesson stands on the page behind the question that was answered last.
func (a *QuestionState) JustAnswered(line recorder.Timeline) bool {
	return a.answered > 0 && line.At == a.answered
}

// Choice is a question of a lesson with a few answers, one of which is right.
type Choice struct {
	QuestionState
	question page.Question // that was answered last
	chosen   int           // its answer, from 0; -1 where it was passed over
}

// Answer takes the answer with a number, from 0; false if there is none.
func (c *Choice) Answer(line recorder.Timeline, q page.Question, chosen int) bool {
	if chosen < 0 || chosen >= len(q.Choices) {
		return false
	}
	c.Close(line)
	c.setCorrect(line, chosen == q.Right)
	c.question, c.chosen = q, chosen
	return true
}

// Pass passes over the question, if it was asked to before on this page.
func (c *Choice) Pass(line recorder.Timeline, q page.Question) bool {
	if !c.QuestionState.Pass(line) {
		return false
	}
	c.question, c.chosen = q, -1
	return true
}

// explains reports whether a lesson stands on the page whose question was answered last, wrongly, and the answer has a
// reason why it is wrong.
func (c *Choice) explains(line recorder.Timeline) bool {
	return line.At+1 == c.answered && c.question.Reason(c.chosen) != ""
}

// Verdict judges the answer on the page after the question; it is empty elsewhere, and where the page that asked gave
// the reason.
func (c *Choice) Verdict(line recorder.Timeline, st theme.Style) string {
	if !c.JustAnswered(line) || len(c.question.Choices) == 0 || c.question.Reason(c.chosen) != "" {
		return ""
	}
	return c.verdict(st)
}

// verdict judges the answer, with the reason if it is wrong.
func (c *Choice) verdict(st theme.Style) string {
	right := c.question.Choices[c.question.Right]
	switch {
	case c.chosen < 0:
		return fmt.Sprintf("%s **Answer**: %s.", st.Glyph(theme.GlyphTriangle), right)
	case c.chosen == c.question.Right:
		return fmt.Sprintf("%s **Correct**: %s.", st.Plain("✓"), right)
	}
	said := fmt.Sprintf("%s **You said**: %s. ", st.Plain("✗"), c.question.Choices[c.chosen])
	if reason := c.question.Reason(c.chosen); reason != "" {
		said += reason + "\n\n"
	}
	return said + fmt.Sprintf("**Correct**: %s.", right)
}
