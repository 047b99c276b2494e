package classroom

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// use reads everything from a state.
func use(t *testing.T, st State) {
	for _, q := range st.Questions {
		st.Answered(q.Number)
		st.Own(q.Number, person(0))
		if r, err := st.Result(q.Number); err == nil {
			r.Markdown()
		}
	}
	for _, r := range st.Races {
		if r.Budget < 1 {
			t.Errorf("a race has a budget of %d", r.Budget)
		}
		if len(r.Function) < 12 && !strings.ContainsAny(r.Function, ":/") { // others may take their time
			st.Board(r.Number)
		}
	}
	st.Progress()
	assert.NoError(t, st.CSV(io.Discard, nil))
	for _, p := range st.People {
		st.Evaluations(1, p.ID)
	}
}

// Any bytes are a class, a part of one, or an error.
func FuzzRead(f *testing.F) {
	c, err := New("Bayes", WithClock(clock()))
	do(f, err)
	busy(f, c)
	text, _ := c.Lines(0)
	f.Add(text)
	f.Add(text[:len(text)*2/3])
	f.Add([]byte("{}\n"))
	f.Add(bytes.Replace(text, []byte("answered"), []byte("revealed"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := Read(t.Context(), bytes.NewReader(data)); err == nil {
			use(t, c.State())
		}
	})
}

// FuzzApply feeds events with right ids and wrong contents: the fold may refuse them, and never fails.
func FuzzApply(f *testing.F) {
	data := func(v any) string {
		text, err := json.Marshal(v)
		do(f, err)
		return string(text)
	}
	f.Add(kindAsked, data(where), kindAnswered, `{"question":1,"person":"p00","point":[0.5,30]}`, kindRevealed,
		`{"question":1}`)
	f.Add(kindAsked, data(which), kindAnswered, `{"question":1,"person":"p01","choice":4}`, kindRevealed,
		`{"question":1}`)
	f.Add(kindAsked, data(prompt), kindAnswered, `{"question":1,"person":"p01","choice":4}`, kindClosed, `{"question":1}`)
	f.Add(kindAsked, `{"kind":"point","text":"x","variables":[{"name":"a","kind":"ordered","values":[1]}]}`,
		kindAnswered,
		`{"question":1,"person":"p00","point":[1]}`, kindRevealed, `{"question":1}`)
	f.Add(kindRaced, `{"function":"forrester","budget":2}`, kindEvaluated, `{"race":1,"person":"p00","x":[0.5],"y":3}`,
		kindEnded, `{"race":1}`)
	f.Add(kindProgressed, `{"person":"p00","lesson":"x","page":-1}`, kindJoined,
		`{"person":"p00","pseudonym":"x","role":"teacher"}`,
		kindJoined, `null`)
	f.Fuzz(func(t *testing.T, kind1, data1, kind2, data2, kind3, data3 string) {
		c := started(t, 2)
		for _, e := range [][2]string{{kind1, data1}, {kind2, data2}, {kind3, data3}} {
			if !json.Valid([]byte(e[1])) {
				return
			}
			c.rec.Act(func() ([]recorder.Entry, error) {
				return []recorder.Entry{{Kind: e[0], Data: json.RawMessage(e[1])}}, nil
			})
		}
		use(t, c.State())
	})
}

// FuzzHeader feeds headers with right ids and wrong contents.
func FuzzHeader(f *testing.F) {
	f.Add(`{"title":"Bayes"}`)
	f.Add(`{"title":""}`)
	f.Add(`null`)
	f.Add(`[1]`)
	f.Fuzz(func(t *testing.T, data string) {
		if !json.Valid([]byte(data)) {
			return
		}
		tree, err := eventlog.NewTree(struct {
			eventlog.Header
			Class json.RawMessage `json:"class"`
		}{eventlog.NewHeader("x", time.Time{}), json.RawMessage(data)})
		if err != nil {
			return
		}
		if c, err := Read(t.Context(), bytes.NewReader(append(tree.Root().Line, '\n'))); err == nil &&
			c.State().Title == "" {
			t.Error("a class has no title")
		}
	})
}
