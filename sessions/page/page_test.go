package page

import (
	"strings"
	"testing"
)

func TestQuestions(t *testing.T) {
	for text, want := range map[string]string{
		"it rises | it falls* | neither": "",
		"a|b*":                           "",
		"a | b":                          "one choice is right",
		"a* | b*":                        "got 2",
		"a*":                             "2 to 9 choices",
		"":                               "choice 1 says nothing",
		"a* | | b":                       "choice 2 says nothing",
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
		if again, err := ParseQuestion(q.String()); err != nil || again.Right != q.Right || again.String() != q.String() {
			t.Errorf("%q is written as %q: %+v, %v", text, q, again, err)
		}
	}
}
