package eventlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// The kinds of mark: events about the file or its notes, not about the search. No event follows a mark, and it is never
// the current event.
const (
	KindVisited   = "visited"   // the session was closed at the parent
	KindResumed   = "resumed"   // writing continued after a line that was cut off
	KindAnnotated = "annotated" // a note on any event, written at any time
)

// ResumedData is the data of a KindResumed mark.
type ResumedData struct {
	Torn string `json:"torn"` // the hash of the line before, which was cut off
}

// Event is one line of a log.
type Event struct {
	ID     string
	Parent *Event // nil for the header
	Kind   string
	Data   json.RawMessage // for the header all of it
	By     Author          // who recorded it; zero where that is unknown
	// another program appended it while the file was open here
	Foreign bool
	Line    []byte // the bytes in the file, without the line feed
	Depth   int    // number of events on the path from the header

	Elapsed time.Duration // time since the start of the session; known once it is in a tree

	dt      float64       // seconds since the line before
	since   time.Duration // the same
	branch  int           // index of its branch
	hasNext bool          // an event that is not a mark follows
}

// IsMark reports whether an event is about the file or its notes and not about the search.
func (e *Event) IsMark() bool {
	return e.Kind == KindVisited || e.Kind == KindResumed || e.Kind == KindAnnotated
}

// Branch is the index of the branch of an event, in the order of Tree.Branches.
func (e *Event) Branch() int { return e.branch }

// IsAncestorOf reports whether an event is on the path from the header to another event, or is that event.
func (e *Event) IsAncestorOf(event *Event) bool {
	for ; event != nil && event.Depth >= e.Depth; event = event.Parent {
		if event == e {
			return true
		}
	}
	return false
}

// PathFromRoot lists the events from the header to an event.
func (e *Event) PathFromRoot() []*Event {
	list := make([]*Event, e.Depth+1)
	for ; e != nil; e = e.Parent {
		list[e.Depth] = e
	}
	return list
}

// body is the line of an event without its id, in the order of its fields.
type body struct {
	Parent string          `json:"parent"`
	Dt     float64         `json:"dt"` // seconds since the previous line was made
	Kind   string          `json:"kind"`
	Data   json.RawMessage `json:"data"`
	By     *Author         `json:"author,omitempty"` // who recorded it
}

// Header is the start of the first line of a log; the writer embeds it and adds its own fields.
type Header struct {
	Format   string `json:"format"`   // always "bandscope session"
	Version  string `json:"version"`  // of the format: major.minor
	Program  string `json:"program"`  // the program that wrote it
	Platform string `json:"platform"` // operating system and processor
	Started  string `json:"started"`  // RFC 3339
}

// The format that this program writes. Readers refuse a greater major version, and read every minor version.
const (
	formatName  = "bandscope session"
	formatMajor = 1
	formatMinor = 0
)

// Version is the version of the format that this program writes.
func Version() string { return fmt.Sprintf("%d.%d", formatMajor, formatMinor) }

// NewHeader is the header of a new log, written by this version of the program.
func NewHeader(program string, started time.Time) Header {
	return Header{Format: formatName, Version: Version(), Program: program,
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Started:  started.UTC().Format(time.RFC3339)}
}

// idLength is the number of hexadecimal digits of the hash in an id.
const idLength = 16

// marshal writes a value as JSON without escaping HTML characters.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// encode writes a line with its id in front; the id is the start of the SHA-256 of the line without it.
func encode(v any) (id string, rest, line []byte, err error) {
	rest, err = marshal(v)
	if err != nil {
		return "", nil, nil, err
	}
	id = hashFor(rest)
	line = append([]byte(`{"id":"`+id+`",`), rest[1:]...)
	return id, rest, line, nil
}

func hashFor(rest []byte) string {
	sum := sha256.Sum256(rest)
	return hex.EncodeToString(sum[:])[:idLength]
}

// split separates a line into its id and the line without it, and checks that they match.
func split(line []byte) (id string, rest []byte, err error) {
	const open, end = `{"id":"`, `",`
	n := len(open) + idLength
	if len(line) < n+len(end) || string(line[:len(open)]) != open || string(line[n:n+len(end)]) != end {
		return "", nil, errors.New("it does not start with an id")
	}
	id = string(line[len(open):n])
	rest = append([]byte("{"), line[n+len(end):]...)
	if hashFor(rest) != id {
		return "", nil, errors.New("its contents do not match its id")
	}
	return id, rest, nil
}
