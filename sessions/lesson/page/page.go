// Package page describes the pages of lessons: the question to the reader, the view beside the text, and the claims
// about it. Sessions and trainings record pages as notes. The package parses and checks pages; it knows no session.
package page

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Page is the description of a page of a lesson: its question, view and claims.
type Page struct {
	// the reader is asked: for a choice if there are choices, otherwise for a point
	Ask bool `json:"ask,omitempty"`
	Question
	View string `json:"view,omitempty"` // the picture beside it; empty for the default
	// claims about the picture that can be measured: "band > 2"
	Claims []string `json:"claims,omitempty"`
}

// Question is a question with choices, which the reader answers before the next page.
type Question struct {
	Choices []string `json:"choices,omitempty"` // none if the page asks for a point, or nothing
	Correct int      `json:"correct,omitempty"` // the right one, from 0
	Reasons []string `json:"reasons,omitempty"` // why each choice is wrong, "" without a reason; nil without any
}

// MaxChoices bounds the choices of a question: each has a key.
const MaxChoices = 9

// HasQuestion reports whether the page asks the reader.
func (p Page) HasQuestion() bool { return p.Ask || len(p.Choices) > 0 }

// HasDirectives reports whether the page has more than its text.
func (p Page) HasDirectives() bool { return p.HasQuestion() || p.View != "" || len(p.Claims) > 0 }

// Check checks a question.
func (q Question) Check() error {
	switch n := len(q.Choices); {
	case n == 0 && q.Correct == 0:
		return nil
	case n < 2 || n > MaxChoices:
		return fmt.Errorf("a question has 2 to %d choices, got %d", MaxChoices, n)
	case q.Correct < 0 || q.Correct >= n:
		return fmt.Errorf("the right one of %d choices must be from 0 to %d, got %d", n, n-1, q.Correct)
	case q.Reasons != nil && (len(q.Reasons) != n || q.Reasons[q.Correct] != ""):
		return fmt.Errorf("each of the %d choices needs a reason or \"\", and the right one \"\"", n)
	}
	return nil
}

// ParseReason reads a reason why a choice is wrong: the number of the choice, from 1, and the reason.
func (q *Question) ParseReason(text string) error {
	number, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	i, err := strconv.Atoi(number)
	reason = strings.TrimSpace(reason)
	switch {
	case len(q.Choices) == 0:
		return errors.New("write the question before its reasons")
	case err != nil || i < 1 || i > len(q.Choices) || reason == "":
		return fmt.Errorf("a reason is the number of a choice, from 1 to %d, and a text", len(q.Choices))
	case i-1 == q.Correct:
		return fmt.Errorf("choice %d is right, but a reason says why a choice is wrong", i)
	case q.Reasons == nil:
		q.Reasons = make([]string, len(q.Choices))
	case q.Reasons[i-1] != "":
		return fmt.Errorf("choice %d has two reasons", i)
	}
	q.Reasons[i-1] = reason
	return nil
}

// Reason says why choice i, from 0, is wrong; empty without a reason.
func (q Question) Reason(i int) string {
	if i < 0 || i >= len(q.Reasons) {
		return ""
	}
	return q.Reasons[i]
}

// ParseQuestion reads choices with | between them; the right one has a * at its end.
func ParseQuestion(text string) (Question, error) {
	q, right := Question{}, 0
	for i, choice := range strings.Split(text, "|") {
		choice, starred := strings.CutSuffix(strings.TrimSpace(choice), "*")
		choice = strings.TrimSpace(choice)
		if choice == "" {
			return Question{}, fmt.Errorf("choice %d is empty; write a question as in: it rises | it falls* | neither", i+1)
		}
		if starred {
			q.Correct, right = i, right+1
		}
		if slices.Contains(q.Choices, choice) {
			return Question{}, fmt.Errorf("the choice %q is there twice", choice)
		}
		q.Choices = append(q.Choices, choice)
	}
	if right != 1 {
		return Question{}, fmt.Errorf("mark the one right choice with *, got %d of them; write a question as in: it rises | it falls* | neither", right)
	}
	return q, q.Check()
}

// String writes the question in the form that ParseQuestion reads.
func (q Question) String() string {
	choices := slices.Clone(q.Choices)
	for i := range choices {
		if i == q.Correct {
			choices[i] += "*"
		}
	}
	return strings.Join(choices, " | ")
}
