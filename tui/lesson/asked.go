package lesson

import (
	"fmt"
	"maps"

	"bandscope/sessions/recorder"
	"bandscope/tui/theme"
)

// Asked is whether the reader of a lesson answered what its pages ask. The pages are counted from 0.
type Asked struct {
	answered int // the page whose question was answered, or passed over, last, from 1; 0 for none
	pointed  int // the page whose question was pointed out, from 1; 0 for none

	judged map[int]bool // whether what was answered last is right, by the pages that asked, from 1
}

// Answers tell of every page that was answered, by their numbers from 1, whether what was answered last is right.
func (a *Asked) Answers() map[int]bool { return a.judged }

// judge takes note whether the answer on a page is right.
func (a *Asked) judge(line recorder.Timeline, right bool) {
	if a.judged = maps.Clone(a.judged); a.judged == nil { // who was given it keeps it as it was
		a.judged = map[int]bool{}
	}
	a.judged[line.At+1] = right
}

// Open reports whether the reader is asked on the page where a lesson stands, and has not said yet.
func (a *Asked) Open(line recorder.Timeline) bool {
	return line.At < len(line.Stops)-1 && line.Stops[line.At].Ask && a.answered != line.At+1
}

// Pass passes over the question, if it was asked to before on this page.
func (a *Asked) Pass(line recorder.Timeline) bool {
	if a.pointed != line.At+1 {
		a.pointed = line.At + 1
		return false
	}
	a.Close(line)
	return true
}

// Close takes note that the question of a page has its answer.
func (a *Asked) Close(line recorder.Timeline) { a.answered = line.At + 1 }

// Behind reports whether a lesson stands on the page behind the question that was answered last.
func (a *Asked) Behind(line recorder.Timeline) bool { return a.answered > 0 && line.At == a.answered }

// Choice is a question of a lesson with a few answers, one of which comes out.
type Choice struct {
	Asked
	chosen, right string // of the one that was answered last; nothing is chosen where it was passed over
}

// Answer takes the answer with a number, from 0; false if there is none.
func (c *Choice) Answer(line recorder.Timeline, choices []string, right, chosen int) bool {
	if chosen < 0 || chosen >= len(choices) {
		return false
	}
	c.Close(line)
	c.judge(line, chosen == right)
	c.chosen, c.right = choices[chosen], choices[right]
	return true
}

// Pass passes over the question, if it was asked to before on this page.
func (c *Choice) Pass(line recorder.Timeline, choices []string, right int) bool {
	if !c.Asked.Pass(line) {
		return false
	}
	c.chosen, c.right = "", ""
	if len(choices) > 0 {
		c.right = choices[right]
	}
	return true
}

// Verdict tells on the page behind the question what was answered, and what comes out; it is empty elsewhere.
func (c *Choice) Verdict(line recorder.Timeline, st theme.Style) string {
	switch mark := st.Glyph(theme.GlyphTriangle); {
	case !c.Behind(line) || c.right == "":
		return ""
	case c.chosen == "":
		return fmt.Sprintf("%s **What comes out**: %s.", mark, c.right)
	case c.chosen == c.right:
		return fmt.Sprintf("%s **Your answer** is what comes out: %s.", mark, c.right)
	default:
		return fmt.Sprintf("%s **Your answer** was: %s. **What comes out**: %s.", mark, c.chosen, c.right)
	}
}
