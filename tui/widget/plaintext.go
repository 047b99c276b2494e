package widget

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"bandscope/sessions/sanitize"
)

// maxWords bounds the beginning of a Markdown text whose words are asked for, in bytes.
const maxWords = 1 << 10

// PlainText is the beginning of a Markdown text on one line, without its marks.
func PlainText(source string) string {
	if len(source) > maxWords {
		source = strings.ToValidUTF8(source[:maxWords], "")
	}
	src, words := []byte(sanitize.Lines(source)), []string{}
	var block func(n ast.Node)
	block = func(n ast.Node) {
		if c := n.FirstChild(); c == nil || c.Type() == ast.TypeInline {
			words = append(words, plainText(n, src))
			return
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			block(c)
		}
	}
	block(sanitize.Markdown.Parser().Parse(text.NewReader(src)))
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// explainCommand is the beginning of the command that explains a term.
const explainCommand = "bandscope explain "

// MarkedTerms are the texts that a Markdown text marks as terms, in order: those in bold and those of explainCommand.
func MarkedTerms(source string) (marked []string) {
	if len(source) > maxMarkdown {
		return nil
	}
	src := []byte(sanitize.Lines(source))
	var inside func(n ast.Node)
	inside = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Emphasis:
			if n.Level == 2 {
				marked = append(marked, plainText(n, src))
			}
		case *ast.CodeSpan:
			if term, ok := strings.CutPrefix(plainText(n, src), explainCommand); ok {
				marked = append(marked, term)
			}
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			inside(c)
		}
	}
	inside(sanitize.Markdown.Parser().Parse(text.NewReader(src)))
	return marked
}
