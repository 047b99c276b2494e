package sanitize

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// CommonMark compares every mark of emphasis and every bracket of a paragraph with the earlier ones, and every line
// with all blocks around it. These bounds keep the time to read a note proportional to its length; marks beyond them
// are plain text.
const (
	maxEmphasis = 4096 // marks of emphasis in a paragraph
	maxLinks    = 250  // opening brackets in a paragraph
	maxDepth    = 50   // nested quotes, lists and items

	maxReferences = 500 // lines of a paragraph that may start with definitions of links
)

// limitedInline bounds the number of times that an inline parser starts in a paragraph.
type limitedInline struct {
	parser.InlineParser
	max   int
	count parser.ContextKey
}

// limitInline bounds an inline parser.
func limitInline(most int, p parser.InlineParser) parser.InlineParser {
	return limitedInline{p, most, parser.NewContextKey()}
}

// Parse parses unless the bound is reached. Closing brackets do not count.
func (b limitedInline) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if block.Peek() != ']' {
		n, _ := pc.Get(b.count).(int)
		if n == b.max {
			return nil
		}
		pc.Set(b.count, n+1)
	}
	return b.InlineParser.Parse(parent, block, pc)
}

// CloseBlock ends a paragraph.
func (b limitedInline) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(b.count, nil)
	if c, ok := b.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// depthLimit bounds the nesting of blocks.
type depthLimit struct{ parser.BlockParser }

// Open opens a block unless it is nested too deeply.
func (s depthLimit) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// referenceLimit reads the definitions of links at the start of a paragraph that is not too long.
type referenceLimit struct{ parser.ParagraphTransformer }

// Transform removes the definitions from the paragraph.
func (f referenceLimit) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if node.Lines().Len() <= maxReferences {
		f.ParagraphTransformer.Transform(node, reader, pc)
	}
}
