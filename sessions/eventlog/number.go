package eventlog

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Float is a float64 with a JSON form for values that are not finite: the strings "NaN", "+Inf" and "-Inf".
type Float float64

// MarshalJSON writes the value.
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
		return fmt.Errorf("%s is not a number", b)
	}
	*f = Float(v)
	return nil
}

// Cast converts between number types with different JSON forms; nil stays nil.
func Cast[To, From ~float64](v []From) []To {
	if v == nil {
		return nil
	}
	out := make([]To, len(v))
	for i, x := range v {
		out[i] = To(x)
	}
	return out
}

// CastRows is Cast for rows.
func CastRows[To, From ~float64](rows [][]From) [][]To {
	out := make([][]To, len(rows))
	for i, r := range rows {
		out[i] = Cast[To](r)
	}
	return out
}
