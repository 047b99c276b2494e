package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bandscope/sessions/sanitize"
)

// message is a text frame, in either direction.
type message struct {
	Type  string `json:"type"`
	Name  string `json:"name,omitempty"`
	Code  string `json:"code,omitempty"`
	Token string `json:"token,omitempty"`
	Watch bool   `json:"watch,omitempty"`
	Dark  bool   `json:"dark,omitempty"`
	Cols  int    `json:"cols,omitempty"`
	Rows  int    `json:"rows,omitempty"`
	Bytes int64  `json:"bytes,omitempty"` // displayed ones
	Text  string `json:"text,omitempty"`  // a sentence for the person
}

// parseMessage reads a text frame of a browser. Errors do not quote it.
func parseMessage(frame []byte) (m message, err error) {
	if !utf8.Valid(frame) {
		return message{}, errors.New("a message is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(frame))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return message{}, errors.New("a message is not an object of the protocol")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return message{}, errors.New("a frame has more than one message")
	}
	switch m.Type {
	case "hello", "ping":
	case "size":
		if m.Cols < 1 || m.Rows < 1 {
			return message{}, errors.New("a size is less than 1")
		}
		m.Cols, m.Rows = min(m.Cols, MaxCols), min(m.Rows, MaxRows)
	case "ack":
		if m.Bytes < 1 {
			return message{}, errors.New("an acknowledgement is less than 1")
		}
	default:
		return message{}, errors.New("a message has an unknown type")
	}
	return m, nil
}

// parseHello reads the first frame of a browser. The error is for the person.
func parseHello(frame []byte) (Hello, error) {
	m, err := parseMessage(frame)
	h := Hello{Name: strings.TrimSpace(m.Name), Code: strings.TrimSpace(m.Code), Token: m.Token, Watch: m.Watch,
		Dark: m.Dark, Cols: min(m.Cols, MaxCols), Rows: min(m.Rows, MaxRows)}
	switch {
	case err != nil:
		return Hello{}, err
	case m.Type != "hello" || len(frame) > maxHello:
		return Hello{}, errors.New("the first message is not a hello")
	case m.Cols < 1 || m.Rows < 1:
		return Hello{}, errors.New("a size is less than 1")
	case h.Name == "" && !h.Watch:
		return Hello{}, errors.New("a name is missing")
	case utf8.RuneCountInString(h.Name) > maxName || sanitize.Text(h.Name) != h.Name:
		return Hello{}, fmt.Errorf("a name must have at most %d characters, and all must be visible", maxName)
	case len(h.Code) > maxSecret || len(h.Token) > maxSecret:
		return Hello{}, errors.New("the join code is too long")
	}
	return h, nil
}

// sentence makes an error safe and short enough to be shown: with a capital at its start and a full stop.
func sentence(err error) string {
	text := []rune(sanitize.Text(err.Error()))
	if len(text) > maxSentence {
		text = append(text[:maxSentence-1], '…')
	}
	s := string(text)
	if first, n := utf8.DecodeRuneInString(s); n > 0 {
		s = strings.ToUpper(string(first)) + s[n:]
	}
	if s != "" && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "…") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

// encode returns the frame of a message.
func (m message) encode() ([]byte, error) { return json.Marshal(m) }
