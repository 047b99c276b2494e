package program

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
)

// A file declares the parameters, and faults name the key.
func TestParse(t *testing.T) {
	const file = `name = "cma"
command = "python3  cma.py"
timeout = "90s"
can = ["pending"]
[[parameter]]
key = "sigma0"
kind = "number"
default = 1
min = 0.01
max = 2
[[parameter]]
key = "restarts"
kind = "integer"
default = 3
min = 0
max = 9
[[parameter]]
key = "label"
kind = "text"
default = "a"
`
	d, timeout, err := Parse([]byte(file))
	if err != nil || d.Command != "python3 cma.py" || d.MethodName() != "exec:cma" || timeout != 90*time.Second ||
		d.Params[0].Default != 1.0 || d.Params[1].Default != 3 || d.Params[1].Help == "" {
		t.Fatalf("got %+v, %v, %v", d, timeout, err)
	}
	text, err := json.Marshal(d)
	require.NoError(t, err)
	var back Declaration
	if err := json.Unmarshal(text, &back); err != nil || back.Params[1].Default != 3 || back.Params[2].Validate("\x1b") == nil {
		t.Errorf("read again: %+v, %v", back, err)
	}
	for _, c := range [][3]string{
		{`name = "cma"`, `name = "c m"`, "name must have"},
		{`"python3  cma.py"`, `"python3 'cma.py"`, "close every quote"},
		{`"python3  cma.py"`, `""`, "empty"},
		{`"90s"`, `"soon"`, "timeout must be"},
		{`"90s"`, `"-1s"`, "timeout must be"},
		{`"pending"`, `"fly"`, "can must list"},
		{`key = "sigma0"`, `key = "Sigma 0"`, "the key of a parameter"},
		{`key = "restarts"`, `key = "sigma0"`, "two parameters"},
		{`key = "restarts"`, `key = "repeats"`, "two parameters"},
		{`kind = "number"`, `kind = "real"`, "the kind of sigma0"},
		{`default = 3`, `default = 2.5`, "the default of restarts must be an integer"},
		{`max = 2`, `max = -2`, "min less than max"},
		{`can =`, `able =`, `unknown key "able"`},
		{`name =`, `name == `, "expected"},
	} {
		_, _, err = Parse([]byte(strings.Replace(file, c[0], c[1], 1)))
		assert.ErrorContains(t, err, c[2], "%s: got %v, want %s", c[1], err, c[2])
	}
}

// Whatever a program prints, an answer is read or refused, and a point that is read can be evaluated.
func FuzzAnswers(f *testing.F) {
	for _, line := range []string{`{"x": [` + valid + `]}`, `{"hello": 1, "can": ["pending"]}`, `{"x": [{}]}`, `{"x": null}`,
		`{"mean": [[1, 2]], "sd": [[1, 1]]}`, `{"samples": [[[1, 2]]]}`, `{"acquisition": [1]}`, `{"error": 3}`, "\xff"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if g, err := readGreeting(line, nil); err == nil && g.Hello != version {
			t.Errorf("%q was read", line)
		}
		spec := newMethod(t, nil)
		talk := &talker{greeting: `{"hello": 1, "can": ["batch", "predict", "sample", "acquisition"]}`,
			answer: func(map[string]any) string { return string(line) }}
		in := input(t, spec, talk)
		r, err := newRequest(in)
		require.NoError(t, err)
		if s, err := r.readSuggestion(line, greeting{Can: []string{CanBatch}}); err == nil {
			for _, x := range s.Inputs {
				if err := errors.Join(in.Source.Problem.Domain.Check(x), in.Source.Problem.CheckConstraints(x)); err != nil {
					t.Errorf("%q: %v", line, err)
				}
			}
		}
		b, err := spec.Fit(t.Context(), in)
		require.NoError(t, err)
		X := mat.NewDense(1, 5, nil)
		if bands, err := b.Predict(t.Context(), X); err == nil && !functions.Finite(append(bands[0].Mean, bands[1].SD...)) {
			t.Errorf("%q: %v", line, bands)
		}
		b.Samples(t.Context(), X, 1, 0)
		b.Acquisition(t.Context(), X)
	})
}
