package web

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// Whatever a browser sends as its first or a later message is refused, or within the bounds.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{`{"type":"hello","name":"Ada","code":"abc","cols":80,"rows":24}`,
		`{"type":"size","cols":501,"rows":201}`, `{"type":"ack","bytes":9223372036854775807}`,
		`{"type":"hello","name":"a\u202e\u001b[2J","watch":true,"cols":1,"rows":1}`, `{"type":"ping"} {}`,
		`{"TYPE":"size","Cols":-1}`, "\xff", "[[[[", `{"type":"hello","token":"` + strings.Repeat("x", 300) + `"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := parseMessage(frame)
		if err == nil && m.Type == "size" && (m.Cols < 1 || m.Cols > MaxCols || m.Rows < 1 || m.Rows > MaxRows) ||
			err == nil && m.Type == "ack" && m.Bytes < 1 {
			t.Errorf("%q: %+v", frame, m)
		}
		h, err := parseHello(frame)
		if err != nil {
			if text := sentence(err); !utf8.ValidString(text) || strings.Contains(text, "\x1b") {
				t.Errorf("%q: %q", frame, text)
			}
			return
		}
		if h.Cols < 1 || h.Cols > MaxCols || h.Rows < 1 || h.Rows > MaxRows || h.Name == "" && !h.Watch ||
			utf8.RuneCountInString(h.Name) > maxName || len(h.Code) > maxSecret || len(h.Token) > maxSecret ||
			strings.ContainsAny(h.Name, "\x1b\n\u202e\u200b") {
			t.Errorf("%q: %+v", frame, h)
		}
	})
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"the code is wrong": "The code is wrong.", "Is it?": "Is it?", "a.": "A.", "ä\x1b": "Ä␛.", "": "",
		strings.Repeat("ä", 600): "Ä" + strings.Repeat("ä", 498) + "…",
	} {
		assert.Equal(t, want, sentence(errors.New(text)), "%q", text)
	}
}
