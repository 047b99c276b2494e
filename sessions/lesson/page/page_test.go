package page

import (
	"strings"
	"testing"
)

func TestQuestions(t *testing.T) {
	for text, want := range map[string]string{
		"it rises | it falls* | neither": "",
		"a|b*":                           "",
		"a | b":                          "the one right choice",
		"a* | b*":                        "got 2",
		"a*":                             "2 to 9 choices",
		"":                               "choice 1 is empty",
		"a* | | b":                       "choice 2 is empty",
		"a* | a":                         "twice",
		"1|2|3|4|5|6|7|8|9|10*":          "2 to 9",
	} {
		q, err := ParseQuestion(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil {
			continue
		}
		if again, err := ParseQuestion(q.String()); err != nil || again.Correct != q.Correct ||
			again.String() != q.String() {
			t.Errorf("%q is written as %q: %+v, %v", text, q, again, err)
		}
	}
}

// A page is taken apart as it is written, and written again as it is taken apart.
func TestParse(t *testing.T) {
	for _, c := range []struct{ text, body, want, wrong string }{
		{"# A\nText.", "# A\nText.", "", ""},
		{"# A\nIs it?\n? really", "# A\nIs it?\n? really", "", ""}, // no question with choices
		{"Text\n\n?", "Text", "?", ""},
		{"Text\n?  it rises|it falls * \n\n! band   > 2\n! points = 3\n@ line   x2\n\n", "Text",
			"? it rises | it falls*\n! band > 2\n! points = 3\n@ line x2", ""},
		{"! no\nText", "! no\nText", "", ""}, // not behind the text
		{"! loss < 1 at step 20", "", "! loss < 1 at step 20", ""},
		{"Text\n! band", "", "", "! band: a claim is"},
		{"Text\n! very much indeed", "", "", "a claim is"},
		{"Text\n? a | b", "", "", "the one right choice"},
		{"Text\n?\n? a | b*", "", "", "already has a question"},
		{"Text\n? a | b* | c\n?3  not c\n?1 not a\n! band > 2", "Text",
			"? a | b* | c\n?1 not a\n?3 not c\n! band > 2", ""},
		{"Text\n? a | b*\n?2 why", "", "", "choice 2 is right"},
		{"Text\n? a | b*\n?3 why", "", "", "1 to 2"},
		{"Text\n? a | b*\n?1 why\n?1 why", "", "", "two reasons"},
		{"Text\n?1 why", "", "", "before its reasons"},
		{"Text\n@ line\n@ plane", "", "", "already has a view"},
		{"", "", "", ""},
	} {
		body, p, err := Parse(c.text)
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%q: %v, want %q", c.text, err, c.wrong)
		case c.wrong == "" && (err != nil || body != c.body || p.Lines() != c.want):
			t.Errorf("%q: %q, %q, %v", c.text, body, p.Lines(), err)
		}
		if again, q, err := Parse(Format(body, p)); err != nil || again != body || q.Lines() != p.Lines() {
			t.Errorf("%q is written %q, and read %q, %q, %v", c.text, Format(body, p), again, q.Lines(), err)
		}
	}
}
