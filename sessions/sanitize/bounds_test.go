package sanitize

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What would make the time to read a note grow with the square of its length stands as text beyond its bound; up to
// there, and in the next paragraph, it is read as ever.
func TestMarkdownIsBounded(t *testing.T) {
	for _, c := range []struct {
		source, mark string
		want         int
	}{
		{strings.Repeat("*a* ", maxEmphasis/2), "<em>", maxEmphasis / 2},
		{strings.Repeat("*a* ", maxEmphasis), "<em>", maxEmphasis / 2},
		{strings.Repeat("*a_ ", 2*maxEmphasis), "<em>", 0},
		{strings.Repeat("*a_ ", 2*maxEmphasis) + "\n\n*a*", "<em>", 1},
		{strings.Repeat("[a](b) ", maxLinks), "<a ", maxLinks},
		{strings.Repeat("[a](b) ", 2*maxLinks), "<a ", maxLinks},
		{strings.Repeat("![a](b) ", 2*maxLinks) + "\n\n[a](b)", "<a ", 1},
		{strings.Repeat("[a](", 2*maxLinks) + "*a*\n\n[a](b)", "<a ", 1},
		{strings.Repeat("> ", maxDepth) + "a", "<blockquote>", maxDepth},
		{strings.Repeat("> ", 10*maxDepth) + "a", "<blockquote>", maxDepth},
		{strings.Repeat("1. ", 10*maxDepth) + "a", "<ol>", maxDepth / 2},
		{strings.Repeat("[a]: b\n", maxReferences) + "\n[a]", "<a ", 1},
		{strings.Repeat("[a]: b\n", 2*maxReferences) + "\n[a]", "<a ", 0},
	} {
		var out bytes.Buffer
		require.NoError(t, Markdown.Convert([]byte(c.source), &out))
		if got := strings.Count(out.String(), c.mark); got != c.want {
			t.Errorf("%.12q… of %d bytes has %d %s, want %d", c.source, len(c.source), got, c.mark, c.want)
		}
		if n := strings.Count(c.source, "a"); strings.Count(out.String(), "a") < n &&
			!strings.Contains(c.source, "]: ") {
			t.Errorf("%.12q… lost some of its %d letters", c.source, n)
		}
	}
}
