package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
)

// A link is written by OSC 8 around its text, on every line that has a part of it, and only on terminals that get links.
func TestPaintLinked(t *testing.T) {
	const to = "https://doi.org/10.1/a_b"
	links := []Link{{"Jones et al. 1998", to}, {"Evil 2020", "javascript:alert(1)"}, {"Odd 2021", "https://a\x1b\\b"}}
	lines := []string{"Jones et", "al. 1998, eq. 3; Evil 2020;", "Odd 2021; Jones et al. 1998"}
	for _, c := range []struct {
		tier  Tier
		ascii bool
		want  []string // the texts within links
	}{
		{TrueColor, false, []string{"Jones et", "al. 1998", "Jones et al. 1998"}},
		{Color256, false, []string{"Jones et", "al. 1998", "Jones et al. 1998"}},
		{Color16, false, nil}, {NoColor, false, nil}, {TrueColor, true, nil},
	} {
		st := New(true, c.tier, c.ascii)
		painted := st.PaintLinked(st.Dim, lines, links)
		var got []string
		for i, line := range painted {
			assert.Equal(t, lines[i], ansi.Strip(line), "tier %d: line %d is %q", c.tier, i, line)
			parts := strings.Split(line, ansi.SetHyperlink(to, ""))
			for _, p := range parts[1:] {
				text, _, closed := strings.Cut(p, ansi.ResetHyperlink())
				if got = append(got, ansi.Strip(text)); !closed {
					t.Errorf("tier %d: a link is open at the end of %q", c.tier, line)
				}
			}
			if strings.Count(line, "\x1b]8;") != 2*(len(parts)-1) || strings.Contains(line, "javascript") {
				t.Errorf("tier %d: line %d is %q", c.tier, i, line)
			}
		}
		assert.Equal(t, c.want, got, "tier %d, ascii %v: links", c.tier, c.ascii)
	}
}
