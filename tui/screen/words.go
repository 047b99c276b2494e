package screen

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"bandscope/sessions/safe"
)

// mostWords bounds the beginning of a Markdown text whose words are asked for, in bytes.
const mostWords = 1 << 10

// Words is the beginning of a Markdown text on one line, without its marks.
func Words(source string) string {
	if len(source) > mostWords {
		source = strings.ToValidUTF8(source[:mostWords], "")
	}
	src, words := []byte(safe.Lines(source)), []string{}
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
	block(safe.Markdown.Parser().Parse(text.NewReader(src)))
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
