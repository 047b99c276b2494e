package screentest

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sizes are the styles that an element may have: sizes and a shade, without references.
var sizes = regexp.MustCompile(`^(--[a-z]+:[0-9.]+[a-z%]*;?)+$|^background:hsl\([0-9 %]+\)$`)

// Page checks that a page of HTML is well-formed, has no scripts and no references to other files, that ids are unique
// and references to them valid, and that the numbers of pictures are finite.
func Page(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!doctype html>\n")))
	ids, used := map[string]int{}, []string{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "script", "img", "link", "iframe", "object", "embed", "form", "use", "foreignObject":
			t.Errorf("there is a <%s>", e.Name.Local)
		}
		for _, a := range e.Attr {
			switch name := strings.ToLower(a.Name.Local); {
			case name == "id":
				ids[a.Value]++
				assert.False(t, strings.ContainsAny(a.Value, " ()\"'"), "nothing can refer to the id %q", a.Value)
			case name == "clip-path":
				used = append(used, strings.TrimSuffix(strings.TrimPrefix(a.Value, "url(#"), ")"))
			case name == "style" && sizes.MatchString(a.Value):
			case strings.HasPrefix(name, "on"), name == "src", name == "style",
				name == "href" && !strings.HasPrefix(a.Value, "#") && a.Value != "" &&
					!(e.Name.Local == "image" && strings.HasPrefix(a.Value, "data:image/png;base64,")):
				t.Errorf("<%s %s=%q>", e.Name.Local, name, a.Value)
			case strings.Contains(a.Value, "NaN"), strings.Contains(a.Value, "Inf"):
				t.Errorf("<%s %s=%q> has no finite numbers", e.Name.Local, name, a.Value)
			}
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("the id %q is there %d times", id, n)
		}
	}
	for _, id := range used {
		assert.NotEqual(t, 0, ids[id], "nothing has the id %q", id)
	}
	if strings.Contains(page, "@import") || strings.Contains(page, "url(h") || len(page) > 4<<20 {
		t.Errorf("%d bytes, or something is loaded", len(page))
	}
}
