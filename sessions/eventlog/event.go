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

// The kinds of mark: events that are about the file or its notes and not about the search, so that nothing follows them
// and nobody stands on them.
const (
	KindVisited   = "visited"   // the session was left standing at the parent
	KindResumed   = "resumed"   // writing goes on after a line that was cut off
	KindAnnotated = "annotated" // a note on any event, written from wherever one stood
)

// ResumedData are the data of a Resumed mark.
type ResumedData struct {
	Torn string `json:"torn"` // the hash of the line before, which was cut off
}

// Event is one line of a log.
type Event struct {
	ID     string
	Parent *Event // nil of the header
	Kind   string
	Data   json.RawMessage // of the header all of it
	Line   []byte          // as it stands in the file, without the line feed
	Depth  int             // events on the way from the header

	Elapsed time.Duration // from the session's beginning until it was made; known once it is in a tree

	since   time.Duration // the line before
	branch  int           // its number
	hasNext bool          // an event that is no mark follows
}

// IsMark says whether an event is about the file or its notes and not about the search.
func (e *Event) IsMark() bool {
	return e.Kind == KindVisited || e.Kind == KindResumed || e.Kind == KindAnnotated
}

// Branch is the number of the branch that an event lies on, as Tree.Branches counts them.
func (e *Event) Branch() int { return e.branch }

// IsAncestorOf reports whether an event lies on the way from the header to another, or is that.
func (e *Event) IsAncestorOf(to *Event) bool {
	for ; to != nil && to.Depth >= e.Depth; to = to.Parent {
		if to == e {
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

// body is an event's line without its id, in the order in which it is written.
type body struct {
	Parent string          `json:"parent"`
	Dt     float64         `json:"dt"` // seconds since the line before was made
	Kind   string          `json:"kind"`
	Data   json.RawMessage `json:"data"`
}

// Header is the beginning of a log's first line. What follows in it is the writer's, who embeds this.
type Header struct {
	Format   string `json:"format"`   // always "bandscope session"
	Version  string `json:"version"`  // of the format: major.minor
	Program  string `json:"program"`  // that wrote it
	Platform string `json:"platform"` // operating system and processor
	Started  string `json:"started"`  // RFC 3339
}

// The format that this program writes. A reader refuses a greater major version, and reads every minor one.
const (
	formatName  = "bandscope session"
	formatMajor = 1
	formatMinor = 8
)

// Version is the version of the format that this program writes.
func Version() string { return fmt.Sprintf("%d.%d", formatMajor, formatMinor) }

// NewHeader is the header of a log that a version of the program begins.
func NewHeader(program string, started time.Time) Header {
	return Header{Format: formatName, Version: Version(), Program: program,
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Started:  started.UTC().Format(time.RFC3339)}
}

// idLength is how many hexadecimal digits of the hash make an id.
const idLength = 16

// marshal writes a value as JSON in which text stands as it is.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// encode writes a line with its id in front: the id is the beginning of the SHA-256 of the line without it.
func encode(v any) (id string, rest, line []byte, err error) {
	if rest, err = marshal(v); err != nil {
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

// split takes a line apart into its id and the line without it, and checks that they belong together.
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
