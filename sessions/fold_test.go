package sessions

import (
	"encoding/json"
	"strings"
	"testing"

	"bandscope/sessions/recorder"
)

// What does not fit what it follows is refused with a reason, and nothing is recorded: each of these differs in one
// thing from one that is taken.
func TestMisfitsAreRefused(t *testing.T) {
	const suggestion = `{"x":[[0.5,0.5],[0.1,0.2]],"source":"random","seconds":0}`
	for _, c := range []struct{ kind, data, want string }{
		{kindObserved, `{"y":[[1,2],[3,4]],"truth":[[1,2],[3,4]],"cost":[1,2]}`, ""},
		{kindObserved, `{"y":[[1,2],[3,4]],"truth":[[1,2],[3,4]]}`, ""},
		{kindObserved, `{"y":[[1,2]],"truth":[[1,2],[3,4]]}`, "but 2 were suggested"},
		{kindObserved, `{"y":[[1,2],[3,4]],"truth":[[1,2]]}`, "but 2 were suggested"},
		{kindObserved, `{"y":[[1,2],[3]],"truth":[[1,2],[3,4]]}`, "has 2 objectives"},
		{kindObserved, `{"y":[[1,2],[3,4]],"truth":[[1,2],[3]]}`, "has 2 objectives"},
		{kindObserved, `{"y":[[1,2],[3,4]],"truth":[[1,2],[3,4,5]]}`, "has 2 objectives"},
		{kindObserved, `{"y":[[1,2],[3,4]],"truth":[[1,2],[3,4]],"cost":[1]}`, "cost of 1 point, but"},
		{kindSuggested, `{"x":[[0.5]],"source":"random","seconds":0}`, "not an input"},
		{kindSuggested, `{"x":[[0.5,"NaN"]],"source":"random","seconds":0}`, "not an input"},
		{kindSuggested, `{"x":[],"source":"random","seconds":0}`, "no point"},
		{kindRejected, `{}`, ""},
		{kindCorrected, `{"step":1,"point":0,"y":[1,2],"old":[1,2]}`, ""},
		{kindCorrected, `{"step":1,"point":1,"y":[1,2],"old":[1,2]}`, "no point 2"},
		{kindCorrected, `{"step":1,"point":-1,"y":[1,2],"old":[1,2]}`, "no point 0"},
		{kindCorrected, `{"step":2,"point":0,"y":[1,2],"old":[1,2]}`, "no step 2"},
		{kindCorrected, `{"step":0,"point":0,"y":[1,2],"old":[1,2]}`, "no step 0"},
		{kindCorrected, `{"step":1,"point":0,"y":[1],"old":[1,2]}`, "corrects 1 value, but"},
		{kindCompared, `{"a":[1,0],"b":[1,0],"answer":"a"}`, ""},
		{kindCompared, `{"a":[1,0],"b":[1,1],"answer":"a"}`, "no outcome at step 1, point 2"},
		{kindCompared, `{"a":[1,0],"b":[1,0],"answer":"c"}`, "must be a, b, tie or unsure"},
		{kindRetracted, `{"answer":1}`, "answer 1 of 0"},
		{kindBounded, `{"variable":"x1","low":0.2,"high":0.2}`, ""},
		{kindBounded, `{"variable":"x1","low":0.3,"high":0.2}`, "lower one first"},
		{kindBounded, `{"variable":"x1","low":-0.1,"high":0.2}`, "must lie in"},
		{kindBounded, `{"variable":"x1","low":0.1,"high":1.1}`, "must lie in"},
		{kindBounded, `{"variable":"x9","low":0.1,"high":0.2}`, "no variable"},
	} {
		s := start(t, Config{Problem: "branin-currin", Optimizer: "random", Seed: 2})
		steps(t, s, 1)
		if _, err := s.rec.Act(func() ([]recorder.Entry, error) {
			return []recorder.Entry{{Kind: kindSuggested, Data: json.RawMessage(suggestion)}}, nil
		}); err != nil {
			t.Fatal(err)
		}
		events := len(s.rec.Tree.Events())
		_, err := s.rec.Act(func() ([]recorder.Entry, error) {
			return []recorder.Entry{{Kind: c.kind, Data: json.RawMessage(c.data)}}, nil
		})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s %s: %v", c.kind, c.data, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s %s: got %v, want a mention of %q", c.kind, c.data, err, c.want)
		case c.want != "" && len(s.rec.Tree.Events()) != events:
			t.Errorf("%s %s: something was recorded", c.kind, c.data)
		}
	}
	s := start(t, Config{Problem: "branin-currin", Optimizer: "random", Seed: 2})
	for _, kind := range []string{kindObserved, kindRejected} { // without a suggestion
		if _, err := s.rec.Act(func() ([]recorder.Entry, error) {
			return []recorder.Entry{{Kind: kind, Data: json.RawMessage(`{"y":[],"truth":[]}`)}}, nil
		}); err == nil || !strings.Contains(err.Error(), "not suggested") {
			t.Errorf("%s: got %v", kind, err)
		}
	}
}
