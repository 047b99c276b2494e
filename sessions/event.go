package sessions

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Float is a float64 that JSON can spell even when it is not finite: "NaN", "+Inf" and "-Inf" are strings.
type Float float64

// MarshalJSON spells the value.
func (f Float) MarshalJSON() ([]byte, error) {
	switch v := float64(f); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 1):
		return []byte(`"+Inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Inf"`), nil
	default:
		return json.Marshal(v)
	}
}

// UnmarshalJSON reads a number or one of the three strings.
func (f *Float) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"NaN"`:
		*f = Float(math.NaN())
		return nil
	case `"+Inf"`:
		*f = Float(math.Inf(1))
		return nil
	case `"-Inf"`:
		*f = Float(math.Inf(-1))
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("%s is no number", b)
	}
	*f = Float(v)
	return nil
}

// The kinds of event.
const (
	kindSuggested = "suggested" // a point, or a batch, is to be evaluated
	kindObserved  = "observed"  // what the evaluation gave
	kindEdited    = "edited"    // a parameter of the optimizer has another value
	kindCompared  = "compared"  // a person said which of two outcomes is preferred
	kindRetracted = "retracted" // and takes it back
	kindNoted     = "noted"     // a note on the step before it
	kindForked    = "forked"    // a branch begins, with a name and perhaps another method
	kindCorrected = "corrected" // an observation should have been another, or is withdrawn
	kindRejected  = "rejected"  // a suggestion is refused
	kindBounded   = "bounded"   // a variable is narrowed, pinned or free again
	kindRanged    = "ranged"    // what several objectives are measured by from here on
	kindAnnotated = "annotated" // a note on any event, written from wherever one stands, or another text of a note
	kindVisited   = "visited"   // the session was left standing at the parent
	kindResumed   = "resumed"   // writing goes on after a line that was cut off
)

type suggestedData struct {
	X           [][]Float `json:"x"` // problem's units, one row a point of the batch
	By          string    `json:"by"`
	Mean        []Float   `json:"mean,omitempty"` // what was believed there
	SD          []Float   `json:"sd,omitempty"`
	Acquisition []Float   `json:"acquisition,omitempty"`
	Weights     []Float   `json:"weights,omitempty"` // λ, of several objectives
	Seconds     Float     `json:"seconds"`           // to find the suggestion
	Note        string    `json:"note,omitempty"`
}

type observedData struct {
	Y       [][]Float `json:"y"`               // problem's units and directions, with noise
	Truth   [][]Float `json:"truth,omitempty"` // without noise; absent where nobody knows
	Failed  []bool    `json:"failed,omitempty"`
	Cost    []Float   `json:"cost,omitempty"`    // of each point; absent where all cost 1
	Reasons []string  `json:"reasons,omitempty"` // why each failed; absent where none is known
}

type editedData struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	Old   any    `json:"old"`
}

type comparedData struct {
	A      [2]int `json:"a"` // iteration, from 1, and point of its batch, from 0
	B      [2]int `json:"b"`
	Answer string `json:"answer"` // a, b, tie, or unsure, which says nothing of the weights
}

type retractedData struct {
	Answer int `json:"answer"` // the number of the comparison, from 1
}

type resumedData struct {
	Torn string `json:"torn"` // the hash of the line before, which was cut off
}

// event is one line of a log.
type event struct {
	id     string
	parent *event
	kind   string
	data   json.RawMessage
	line   []byte // as it stands in the file, without the line feed
	depth  int
	branch int    // as branches found it
	state  *State // the fold up to this event, once it was asked for
}

// mark says whether an event is about the file or its notes and not about the search: nothing follows it, nobody stands on it.
func (e *event) mark() bool {
	return e.kind == kindVisited || e.kind == kindResumed || e.kind == kindAnnotated
}

// eventBody is an event's line without its id, in the order in which it is written.
type eventBody struct {
	Parent string          `json:"parent"`
	Dt     float64         `json:"dt"`
	Kind   string          `json:"kind"`
	Data   json.RawMessage `json:"data"`
}

// header is the first line of a log without its id.
type header struct {
	Format   string  `json:"format"`  // always "bandscope session"
	Version  string  `json:"version"` // of the format: major.minor
	Program  string  `json:"program"` // that wrote it
	Platform string  `json:"platform"`
	Started  string  `json:"started"` // RFC 3339
	Config   Config  `json:"config"`
	Lesson   *Lesson `json:"lesson,omitempty"` // what makes the session a lesson

	Range *rangedData `json:"range,omitempty"` // what several objectives are measured by, where the problem declares it
}

// The format that this program writes. A reader refuses a greater major version, and reads every minor one.
const (
	formatName  = "bandscope session"
	formatMajor = 1
	formatMinor = 4
)

// FormatVersion is the version of the format that this program writes.
func FormatVersion() string { return fmt.Sprintf("%d.%d", formatMajor, formatMinor) }

// idLength is how many hexadecimal digits of the hash make an id.
const idLength = 16

// encode writes a line with its id in front: the id is the beginning of the SHA-256 of the line without it.
func encode(body any) (id string, line []byte, err error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return "", nil, err
	}
	rest := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	id = hashOf(rest)
	line = append([]byte(`{"id":"`+id+`",`), rest[1:]...)
	return id, line, nil
}

func hashOf(rest []byte) string {
	sum := sha256.Sum256(rest)
	return hex.EncodeToString(sum[:])[:idLength]
}

// split takes a line apart into its id and the line without it, and checks that they belong together.
func split(line []byte) (id string, rest []byte, err error) {
	const open, end = `{"id":"`, `",`
	n := len(open) + idLength
	if len(line) < n+len(end) || string(line[:len(open)]) != open || string(line[n:n+len(end)]) != end {
		return "", nil, errors.New("it does not begin with an id")
	}
	id = string(line[len(open):n])
	rest = append([]byte("{"), line[n+len(end):]...)
	if hashOf(rest) != id {
		return "", nil, errors.New("its contents do not match its id")
	}
	return id, rest, nil
}

// Number is a float64 for other programs, whose JSON cannot say that it is not finite: it is null then.
type Number float64

// MarshalJSON writes the number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// cast converts between the kinds of number; nil stays nil.
func cast[To, From ~float64](v []From) []To {
	if v == nil {
		return nil
	}
	out := make([]To, len(v))
	for i, x := range v {
		out[i] = To(x)
	}
	return out
}

// castRows is cast for rows.
func castRows[To, From ~float64](rows [][]From) [][]To {
	out := make([][]To, len(rows))
	for i, r := range rows {
		out[i] = cast[To](r)
	}
	return out
}
