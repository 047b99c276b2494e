package external

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// brew is a problem of two objectives and a limit, whose variables are a number, an integer and a choice.
func brew() *functions.Problem {
	least := 2.0
	return &functions.Problem{Name: "brew",
		Domain: functions.Domain{{Name: "dose", Low: 10, High: 20},
			{Name: "cups", Kind: functions.Integer, Low: 1, High: 4},
			{Name: "bean", Kind: functions.Choice, Choices: []string{"arabica", "robusta"}, High: 1}},
		Objectives: []functions.Objective{{Name: "taste", Direction: functions.Maximize},
			{Name: "price", Direction: functions.Minimize}},
		Limits: []functions.Objective{{Name: "heat", AtLeast: &least}}}
}

// Answers are read as numbers or as an object; what is wrong with one is said in full.
func TestAnswersAreRead(t *testing.T) {
	values := functions.Outcome{Values: []float64{1, 2, 3}}
	long := strings.Repeat("ä", 600)
	for text, want := range map[string]functions.Outcome{
		"1 2 3":       values,
		" 1,2,3\r\n":  values,
		"1\n2\t3e0\n": values,
		"1 2":         {Reason: "the program printed 2 numbers, but brew needs 3 numbers (taste, price, heat)"},
		"1 2 3 4":     {Reason: "the program printed 4 numbers, but brew needs 3 numbers (taste, price, heat)"},
		"1 2 3 NaN":   {Reason: "the program printed 4 numbers, but brew needs 3 numbers (taste, price, heat)"},
		"1 2 3 done": {
			Reason: `the program printed "1 2 3 done", which is neither a JSON object nor 3 numbers (taste, price, heat)`},
		"done 1 2 3": {
			Reason: `the program printed "done 1 2 3", which is neither a JSON object nor 3 numbers (taste, price, heat)`},
		"1 high 3": {Reason: `the program printed "high" for price, which is not a number`},
		"1 2 -Inf": {Reason: `the program printed "-Inf" for heat, which is not a finite number`},
		"[1,2,3]": {
			Reason: `the program printed "[1,2,3]", which is neither a JSON object nor 3 numbers (taste, price, heat)`},
		strings.Repeat("x", 61): {Reason: `the program printed "` + strings.Repeat("x", 59) +
			`…", which is neither a JSON object nor 3 numbers (taste, price, heat)`},
		strings.Repeat("x", 60): {Reason: `the program printed "` + strings.Repeat("x", 60) +
			`", which is neither a JSON object nor 3 numbers (taste, price, heat)`},
		`{"taste":1,"price":2,"heat":3}`:            values,
		`{"values":{"taste":1,"price":2,"heat":3}}`: values,
		`{"taste":1,"price":2,"heat":3,"id":"x"}`:   values,
		`{"taste":1}`: {Reason: "the program gave no value for price, heat"},
		`{"taste":1,"price":2,"heat":3,"note":" good "}`: {Values: []float64{1, 2, 3}, Note: "good"},
		`{"taste":1,"price":2,"heat":3,"note":5}`: {
			Reason: `the program gave "5" for note, which must be a text`},
		`{"taste":1,"price":2,"heat":3,"note":null}`: {
			Reason: `the program gave "null" for note, which must be a text`},
		`{"taste":1,"price":2,"heat":3,"note":"` + long +
			`"}`: {Values: []float64{1, 2, 3}, Note: long[:2*499] + "…"},
		`{"taste":1,"price":2,"heat":3,"cost":2.5}`: {Values: []float64{1, 2, 3}, Cost: 2.5},
		`{"taste":1,"price":2,"heat":3,"cost":"2"}`: {
			Reason: `the program gave "\"2\"" for cost, which is not a number`},
		`{"taste":1,"price":2,"heat":3,"sd":{"heat":null}}`: {
			Reason: `the program gave "null" for heat in sd, which is not a number`},
		`{"taste":1,"price":2,"heat":3,"sd":[1]}`: {
			Reason: `the program gave "[1]" for sd, which must be an object of numbers`},
		`{"taste":1,"price":2,"heat":3,"at":{"dose":12,"bean":"robusta"}}`: {Values: []float64{1, 2, 3},
			At: []float64{12, 2, 1}},
		`{"taste":1,"price":2,"heat":3,"at":{"bean":"liberica"}}`: {
			Reason: `at: no bean "liberica"; there are arabica, robusta`},
		`{"taste":1,"price":2,"heat":3,"at":{"dose":[1]}}`: {
			Reason: `the program gave "[1]" for "dose" in at, which is not a value of a variable`},
		`{"taste":1,"price":2,"heat":3,"at":12}`: {
			Reason: `the program gave "12" for at, which must be an object of variables and their values`},
		`{"taste":1,"price":2,"heat":3,"color":1}`: {
			Reason: `no key "color"; there are id, values, sd, at, cost, failed, note, taste, price, heat`},
		`{"values":{"taste":1,"price":2,"heat":3},"taste":1}`: {
			Reason: `no key "taste"; there are id, values, sd, at, cost, failed, note`},
		`{"taste":1,"price":2,"heat":3,"at":{"dose":12,"dose":13}}`: {
			Reason: `the program gave "{\"dose\":12,\"dose\":13}" for at, which must be an object of variables and their values`},
		`{"taste":1,"price":2,"heat":3,"sd":{"heat":1,"heat":2}}`: {
			Reason: `the program gave "{\"heat\":1,\"heat\":2}" for sd, which must be an object of numbers`},
		`{"failed":" no water "}`: {Reason: "no water"},
		`{"failed":"no water","taste":1}`: {
			Reason: "the program reported both values and a failure: no water"},
		`{"failed":" "}`: {
			Reason: "the program reported a failure without a reason"},
		`{"taste":1,"price":2,"heat":3}{}`: {
			Reason: `the program printed "{\"taste\":1,\"price\":2,\"heat\":3}{}", which is not a valid JSON object: there is text after the object`},
	} {
		p := brew()
		got := parse(p, []byte(text)).outcome(p, []float64{11, 2, 0}, "", nil)
		if got.Values != nil && !functions.Finite(got.Values) {
			got.Values = nil // of what failed
		}
		assert.Equal(t, want, got, "%s:\n got %+v\n", text, got)
	}
}

// A request is named by an answer that has a whole number, and by no other.
func TestAnswersNameTheirRequest(t *testing.T) {
	for text, want := range map[string]int64{
		`{"id":7}`: 7, `{"id":-1}`: -1, `{"id":1.5}`: 0, `{"id":"7"}`: 0, `{"id":null}`: 0, `{}`: 0, `7`: 0} {
		if id := parse(brew(), []byte(text)).id; id == nil && want != 0 || id != nil && *id != want {
			t.Errorf("%s names %v, want %d", text, id, want)
		}
	}
}

// What a program said is kept with what came of it: of what failed the last line is in the reason, and where there are
// more lines all of them are in the note. The program's own word is better than how it ended, and how it ended than
// what it printed.
func TestWhatIsSaidWithAnOutcome(t *testing.T) {
	p := brew()
	for _, c := range []struct {
		printed, reason string
		tail            []string
		want            functions.Outcome
	}{
		{`1 2 3`, "", []string{"slow"}, functions.Outcome{Values: []float64{1, 2, 3}, Note: "standard error: slow"}},
		{`{"taste":1,"price":2,"heat":3,"note":"fine"}`, "", []string{"slow", "shot"},
			functions.Outcome{Values: []float64{1, 2, 3}, Note: "fine\nstandard error: slow\nshot"}},
		{`1 2 3`, "the program ended with exit status 3", nil, functions.Outcome{Reason: "the program ended with exit status 3"}},
		{`1 2 3`, "the program ended with exit status 3", []string{"slow"},
			functions.Outcome{Reason: "the program ended with exit status 3; standard error: slow"}},
		{``, "the program ended with exit status 3", []string{"slow", "shot"},
			functions.Outcome{Reason: "the program ended with exit status 3; standard error: shot", Note: "standard error: slow\nshot"}},
		{``, "", []string{"slow"}, functions.Outcome{Reason: "the program printed nothing; standard error: slow"}},
		{`{"failed":"no water"}`, "the program ended with exit status 3", nil, functions.Outcome{Reason: "no water"}},
		{`{"failed":""}`, "the program ended with exit status 3", nil, functions.Outcome{Reason: "the program ended with exit status 3"}},
		{`{"taste":1,"price":2,"heat":3,"sd":{"taste":-1}}`, "", nil,
			functions.Outcome{Reason: "invalid answer: the standard error of taste must be positive and finite, got -1"}},
	} {
		got := parse(p, []byte(c.printed)).outcome(p, []float64{11, 2, 0}, c.reason, c.tail)
		if got.Values != nil && !functions.Finite(got.Values) {
			got.Values = nil
		}
		assert.Equal(t, c.want, got, "%s, %q, %q:\n got %+v\n", c.printed, c.reason, c.tail, got)
	}
}

// A request is a line of JSON in the order of the variables, with an id where several may be out, and variables of the
// environment for those whose names a shell allows.
func TestRequests(t *testing.T) {
	p := brew()
	r := request{Experiment: "brew", PointID: functions.PointID{Point: 7, Step: 5},
		X: namedInput{p.Domain, []float64{0.30000000000000004, 2, 1}}, problem: p}
	for id, want := range map[int64]string{
		0: `{"experiment":"brew","point":7,"step":5,"x":{"dose":0.30000000000000004,"cups":2,"bean":"robusta"}}` + "\n",
		3: `{"id":3,"experiment":"brew","point":7,"step":5,"x":{"dose":0.30000000000000004,"cups":2,"bean":"robusta"}}` + "\n",
	} {
		if line, err := r.line(id); err != nil || string(line) != want {
			t.Errorf("%s, %v, want %s", line, err, want)
		}
	}
	want := []string{"BANDSCOPE_EXPERIMENT=brew", "BANDSCOPE_POINT=7", "BANDSCOPE_STEP=5",
		"BANDSCOPE_X_dose=0.30000000000000004", "BANDSCOPE_X_cups=2", "BANDSCOPE_X_bean=robusta"}
	if env := r.environment(); !slices.Equal(env, want) {
		t.Errorf("%q, want %q", env, want)
	}
	r.Batch = 1
	r.X.domain[1].Name = "cups of coffee"
	want = slices.Insert(slices.Delete(want, 4, 5), 3, "BANDSCOPE_BATCH=1")
	if env := r.environment(); !slices.Equal(env, want) {
		t.Errorf("%q, want %q", env, want)
	}
	for _, name := range []string{"a", "z", "A", "Z", "0", "9", "_", "azAZ09_"} {
		assert.True(t, isShellName(name), "%q is left out", name)
	}
	for _, name := range []string{"", "a b", "a-b", "/", ":", "@", "[", "`", "{", "ä", "a="} {
		assert.False(t, isShellName(name), "%q is a variable of the environment", name)
	}
}

// Lines end at line feeds and carriage returns, blank ones are left out, and long ones are cut by characters, however
// many bytes these have.
func TestLinesOfAStream(t *testing.T) {
	wide := strings.Repeat("\U0001F375", maxLine)
	for text, want := range map[string][]string{
		"":                  nil,
		"a":                 {"a"},
		"a\nb\r\nc\rd":      {"a", "b", "c", "d"},
		"\n \n\t\n  a \t\n": {"  a"},
		wide + "\nb":        {wide, "b"},
		// the bytes behind it are not kept
		wide + "x\nb":                         {wide[:4*(maxLine-1)] + "\U0001F375", "b"},
		strings.Repeat("x", maxLine+1) + "\n": {strings.Repeat("x", maxLine-1) + "…"},
	} {
		var got []string
		eachLine(strings.NewReader(text), func(line string) { got = append(got, line) })
		if !slices.Equal(got, want) {
			t.Errorf("%.40q: got %.80q, want %.80q", text, got, want)
		}
	}
}

// An answer may have as many bytes as is said, and no more.
func TestAnswersAreBounded(t *testing.T) {
	for size, all := range map[int]bool{0: true, maxPrinted: true, maxPrinted + 1: false} {
		path := filepath.Join(t.TempDir(), "printed")
		require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
		f, err := os.Open(path)
		require.NoError(t, err)
		text, ok := readBounded(f)
		f.Close()
		if ok != all || all && len(text) != size {
			t.Errorf("of %d bytes %d are read, all: %v", size, len(text), ok)
		}
	}
}

// What a process that is kept says goes to all that wait for it.
func TestPipeTellsWhatIsSaid(t *testing.T) {
	var texts []string
	listener := func(name string) pendingRequest {
		return pendingRequest{ctx: functions.WithListener(context.Background(), func(line string) {
			texts = append(texts, name+" hears "+line)
		})}
	}
	p := newPipe(nil)
	p.forwardLine(&conversation{pending: map[int64]pendingRequest{1: listener("a"), 2: listener("b")}}, "warming up")
	slices.Sort(texts)
	if !slices.Equal(texts, []string{"a hears warming up", "b hears warming up"}) {
		t.Errorf("%q", texts)
	}
}

// Whoever waits for a turn at the process stops waiting with its context.
func TestPipeWaitsForATurn(t *testing.T) {
	p := newPipe(nil)
	require.NoError(t, p.turns.Acquire(t.Context(), MaxPending))
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if o, err := p.evaluate(ctx, request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", o, err)
	}
}
