package studypage

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// askWords asks for words of a problem or a method to go to. The last words are there already, so that enter alone goes
// from one match to the next.
func (m *Model) askWords() tea.Cmd {
	cmd := m.Status.Ask("find", m.shown.words, func(text string) tea.Cmd {
		m.shown.words = text
		next, ok := m.board.find(strings.Fields(strings.ToLower(text)), m.cursor)
		switch {
		case strings.TrimSpace(text) == "":
			return nil
		case !ok:
			return m.Status.Again("no problem or method matches " + text)
		}
		m.cursor.problem, m.cursor.method = next.problem, next.method
		return m.moved()
	})
	m.Status.Hint("problem, method or both, such as ackley gp-ei; enter again for the next match")
	return cmd
}

// find is the next place whose problem and method have the words, which are in lower case: first another method in the
// row of the cursor, if the place of the cursor does not match; then the rows below and from the top on, with the same
// method if possible; then, unless the problem alone matches, another method of the row. It is false if there is none,
// and the place of the cursor if that is the only one.
func (b *board) find(words []string, c cursor) (cursor, bool) {
	if !b.has(words, c.problem, c.method) {
		if k, ok := b.method(words, c.problem, c.method); ok {
			c.method = k
			return c, true
		}
	}
	n := len(b.problems)
	for i := 1; i <= n; i++ {
		p := (c.problem + i) % n
		if p == c.problem {
			break
		}
		if k, ok := b.method(words, p, c.method); ok {
			c.problem, c.method = p, k
			return c, true
		}
	}
	if b.has(words, c.problem, -1) {
		return c, true
	}
	k, ok := b.method(words, c.problem, c.method+1)
	c.method = k
	return c, ok
}

// method is the first method from one on, and then from the first on, that has the words on a problem.
func (b *board) method(words []string, problem, from int) (int, bool) {
	for i := range b.methods {
		if k := (from + i) % len(b.methods); b.has(words, problem, k) {
			return k, true
		}
	}
	return 0, false
}

// has reports whether each of the words is of the problem or of the method; −1, all problems or no method, has no
// words.
func (b *board) has(words []string, problem, method int) bool {
	var names [2]string
	if problem >= 0 {
		names[0] = strings.ToLower(b.problems[problem])
	}
	if method >= 0 {
		names[1] = strings.ToLower(b.methods[method])
	}
	for _, w := range words {
		if !strings.Contains(names[0], w) && !strings.Contains(names[1], w) {
			return false
		}
	}
	return true
}
