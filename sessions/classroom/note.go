package classroom

import (
	"fmt"
	"math"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

// preferences are the answers about a pair as those of a session.
var preferences = map[int]string{First: sessions.PreferA, Second: sessions.PreferB, Equal: sessions.Tie,
	CannotTell: sessions.Unsure}

// RecordPreferences records each answer about a pair in the session that the pair is from, by pseudonym, so that the
// prior over weights is learned from the class; via is the way by which the class answers. The session takes all
// answers as those of one decision maker.
func RecordPreferences(s *sessions.Session, r Result, via string) error {
	if r.Kind != Pair {
		return fmt.Errorf("question %d is about no pair of outcomes", r.Number)
	}
	a, b := [2]int{r.Pair.First.Step, r.Pair.First.Point}, [2]int{r.Pair.Second.Step, r.Pair.Second.Point}
	return s.RecordTogether(func() error {
		for _, answer := range r.Answers {
			author := sessions.Author{Kind: sessions.AuthorClass, Name: answer.Pseudonym, Via: via}
			if err := s.AnswerBy(author, a, b, preferences[answer.Choice]); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteNote writes the question with its answers by pseudonym as a note on the current step of a session.
func WriteNote(s *sessions.Session, r Result) error { return s.Note(r.Markdown()) }

// Markdown is the question with its distribution and the answers by pseudonym.
func (r Result) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**The class was asked:** %s\n\n", escape(r.Text))
	if len(r.Answers) == 0 {
		b.WriteString("Nobody answered.\n")
		return b.String()
	}
	if r.Kind == Point {
		for j, v := range r.Variables {
			q := r.Quantiles[j]
			fmt.Fprintf(&b, "- %s: median %s, half of the answers from %s to %s\n", escape(v.Name), number(q.Median),
				number(q.Lower), number(q.Upper))
		}
	} else {
		if r.Kind == Pair {
			fmt.Fprintf(&b, "The first is step %d, the second step %d.\n\n", r.Pair.First.Step, r.Pair.Second.Step)
		}
		for i, o := range r.Choices() {
			right := ""
			if r.Correct == i+1 {
				right = " (right)"
			}
			fmt.Fprintf(&b, "- %s%s: %d of %d\n", escape(o), right, r.Counts[i], len(r.Answers))
		}
		if !math.IsNaN(r.Entropy) {
			fmt.Fprintf(&b, "- disagreement: %s bits\n", number(r.Entropy))
		}
	}
	b.WriteString("\n")
	for i, a := range r.Answers {
		if i > 0 {
			b.WriteString(" · ")
		}
		fmt.Fprintf(&b, "%s: %s", escape(a.Pseudonym), escape(r.Answer(a.Value)))
	}
	b.WriteString("\n")
	return b.String()
}

// Answer is an answer in words: the values of a point, or the option.
func (p Prompt) Answer(v Value) string {
	if p.Kind != Point {
		return p.Choices()[v.Choice-1]
	}
	return p.Variables.Text(v.Point)
}

// number is a value for people.
func number(v float64) string { return numfmt.Format(v) }

// escape is a text that a person wrote as plain Markdown.
func escape(text string) string { return markup.Replace(sanitize.Text(text)) }

// markup escapes the characters that begin markup within a line (CommonMark 0.31, 2.4).
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`,
	`#`, `\#`)
