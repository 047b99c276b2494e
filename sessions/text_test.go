package sessions

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestSanitize(t *testing.T) {
	for in, want := range map[string]string{
		"plain é λ":          "plain é λ",
		"a\x1b[2Jb":          "a␛[2Jb",
		"a\nb\tc":            "a b c",
		"del\x7f":            "del␡",
		"c1\u009b2J":         "c1\ufffd2J",
		"bidi\u202eevil":     "bidi\ufffdevil",
		"no utf-8: \xff\xfe": "no utf-8: \ufffd\ufffd",
	} {
		if got := Sanitize(in); got != want {
			t.Errorf("Sanitize(%q) = %q, want %q", in, got, want)
		}
	}
}

// JSON for other programs holds nothing that drives a terminal, means the same, and says null where a number is not finite.
func TestWriteJSON(t *testing.T) {
	text := "\x1b[2J \u009b2J \x7f \u202e é"
	var b bytes.Buffer
	if err := WriteJSON(&b, map[string]any{"text": text, "y": []Number{1.5, Number(math.NaN()), Number(math.Inf(-1))}}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\u009b\x7f\u202e") {
		t.Errorf("written raw: %q", b.String())
	}
	var back struct {
		Text string
		Y    []*float64
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Text != text || *back.Y[0] != 1.5 || back.Y[1] != nil || back.Y[2] != nil {
		t.Errorf("read back: %+v", back)
	}
}

// The log's own spelling gives every value back.
func TestFloatRoundTrip(t *testing.T) {
	for _, v := range []float64{0, math.Copysign(0, -1), 1e-320, math.MaxFloat64, 0.1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		b, err := json.Marshal(Float(v))
		var back Float
		if err == nil {
			err = json.Unmarshal(b, &back)
		}
		if err != nil || math.Float64bits(float64(back)) != math.Float64bits(v) && !math.IsNaN(v) {
			t.Errorf("%g is written %s and read %g: %v", v, b, float64(back), err)
		}
	}
}
