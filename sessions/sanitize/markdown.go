package sanitize

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Markdown parses notes: CommonMark without HTML, which is plain text, in time proportional to their length.
var Markdown = goldmark.New(goldmark.WithParser(parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(depthLimit{parser.NewListParser()}, 300),
		util.Prioritized(depthLimit{parser.NewListItemParser()}, 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(depthLimit{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(limitInline(maxLinks, parser.NewLinkParser()), 200),
		util.Prioritized(limitInline(maxEmphasis, parser.NewEmphasisParser()), 500),
	),
	parser.WithParagraphTransformers(util.Prioritized(referenceLimit{parser.LinkReferenceParagraphTransformer}, 100)),
)))
