package external

import (
	"bytes"
	"encoding/json"
	"strconv"

	"bandscope/functions"
	"bandscope/functions/encoding"
)

// request is what a program is asked.
type request struct {
	ID         int64  `json:"id,omitempty"` // of the pending requests; 0 if there is only one
	Experiment string `json:"experiment"`
	functions.PointID
	X namedInput `json:"x"`

	problem *functions.Problem // as it is when the point is evaluated
}

// namedInput is an input as an object, in the order of the variables.
type namedInput struct {
	domain functions.Domain
	x      []float64
}

// MarshalJSON writes the values to the last digit.
func (n namedInput) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for j, v := range n.domain {
		if j > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(v.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(encoding.Encode(v, n.x[j]))
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// line is the request under an id, as one line.
func (r request) line(id int64) ([]byte, error) {
	r.ID = id
	line, err := json.Marshal(r)
	return append(line, '\n'), err
}

// environment is the request as variables of the environment. A variable whose name is none of a shell's is left out.
func (r request) environment() []string {
	env := []string{"BANDSCOPE_EXPERIMENT=" + r.Experiment, "BANDSCOPE_POINT=" + strconv.Itoa(r.Point),
		"BANDSCOPE_STEP=" + strconv.Itoa(r.Step)}
	if r.Batch > 0 {
		env = append(env, "BANDSCOPE_BATCH="+strconv.Itoa(r.Batch))
	}
	for j, v := range r.X.domain {
		if isShellName(v.Name) {
			env = append(env, "BANDSCOPE_X_"+v.Name+"="+encoding.Encode(v, r.X.x[j]).String())
		}
	}
	return env
}

// isShellName says whether a name is made of what shells allow in names.
func isShellName(name string) bool {
	for _, r := range name {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return name != ""
}
