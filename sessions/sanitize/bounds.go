package sanitize

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// CommonMark compares every mark of emphasis, and every bracket, of a paragraph with those before, and every line with
// all blocks that it is in. These bounds keep the time to read a note proportional to its length; what lies beyond them
// stands as text.
const (
	maxEmphasis = 4096 // marks of emphasis in a paragraph
	maxLinks    = 250  // opening brackets in a paragraph
	maxDepth    = 50   // quotes, lists and their items inside of each other

	maxReferences = 500 // lines of a paragraph that may begin with definitions of links
)

// limitedInline lets an inline parser begin so many times in a paragraph.
type limitedInline struct {
	parser.InlineParser
	max   int
	count parser.ContextKey
}

// limitInline bounds an inline parser.
func limitInline(most int, p parser.InlineParser) parser.InlineParser {
	return limitedInline{p, most, parser.NewContextKey()}
}

// Parse parses unless the bound is reached. A closing bracket ends what was begun, and is not counted.
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

// depthLimit bounds how deep blocks are inside of each other.
type depthLimit struct{ parser.BlockParser }

// Open opens a block unless it lies too deep.
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

// referenceLimit reads the definitions of links at the beginning of a paragraph that is not too long.
type referenceLimit struct{ parser.ParagraphTransformer }

// Transform takes the definitions out of the paragraph.
func (f referenceLimit) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if node.Lines().Len() <= maxReferences {
		f.ParagraphTransformer.Transform(node, reader, pc)
	}
}
