//go:build unix

package external

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// at evaluates a point of a session.
func at(t *testing.T, p *Program, point int) (functions.Outcome, error) {
	t.Helper()
	return p.Evaluate(functions.WithPointID(t.Context(), functions.PointID{Point: point, Step: point}), somewhere)
}

// Several may be out at once, and are answered in any order.
func TestPipeAnswersInAnyOrder(t *testing.T) {
	p := begin(t, Options{Command: command("serve", "pairs"), KeepAlive: true})
	domain := branin(t).Domain
	var all sync.WaitGroup
	for i := range 8 {
		x := domain.FromUnit([]float64{float64(i) / 8, 0.5})
		want, err := branin(t).TrueValues(x)
		require.NoError(t, err)
		all.Go(func() {
			if o, err := p.Evaluate(t.Context(), x); err != nil || o.Reason != "" || o.Values[0] != want[0] {
				t.Errorf("point %d: got %+v, %v, want %v", i, o, err, want)
			}
		})
	}
	all.Wait()
}

// What goes wrong while one point is out is its failure, and the next one is evaluated by a new process.
func TestPipeFailsThePointThatIsOut(t *testing.T) {
	for name, want := range map[string]string{
		"dies":     "the program ended with exit status 4; standard error: out of beans",
		"leaves":   "the program ended without an answer",
		"garbage":  `the program printed "loading the model", which is neither`,
		"stranger": "which is not pending",
		"nameless": "which has no request id",
		"text":     `the program gave "\"high\"" for branin, which is not a number`,
		"line":     "the program printed a line of more than 1024 KiB",
		"deaf":     "the program did not answer within 1s",
	} {
		o := Options{Command: command("serve", name, "2"), KeepAlive: true}
		if name == "deaf" {
			o.Timeout = time.Second
		}
		p := begin(t, o)
		for point := 1; point <= 3; point++ {
			o, err := at(t, p, point)
			if failed := o.Reason != ""; err != nil || failed != (point == 2) || failed &&
				!strings.Contains(o.Reason, want) {
				t.Errorf("%s, point %d: got %+v, %v", name, point, o, err)
			}
		}
	}
}

// If it ends while several are out, each is the evaluation must be repeated alone, so that only the one whose fault it was fails.
func TestPipeAsksTheInnocentAgain(t *testing.T) {
	p := begin(t, Options{Command: command("serve", "dies", "3"), KeepAlive: true})
	if _, err := at(t, p, 1); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for point := 2; point <= 5; point++ {
		all.Go(func() {
			o, err := at(t, p, point)
			if failed := o.Reason != ""; err != nil || failed != (point == 3) {
				t.Errorf("point %d: got %+v, %v", point, o, err)
			}
		})
	}
	all.Wait()
}

// A program that never answers anything is an error after its second process, not a failure of every point.
func TestPipeThatDoesNotWork(t *testing.T) {
	p := begin(t, Options{Command: command("serve", "dies"), KeepAlive: true})
	if o, err := at(t, p, 1); err != nil || o.Reason == "" {
		t.Errorf("the first: %+v, %v", o, err)
	}
	_, err := at(t, p, 2)
	if err == nil || !strings.Contains(err.Error(),
		"the program failed twice in a row before its first answer: the program ended with exit status 4; standard error: out of beans") {
		t.Errorf("the second: %v", err)
	}
}

// A program works as long as one of two processes in a row answers something: what it does not answer has failed.
func TestPipeThatWorksNowAndThen(t *testing.T) {
	p := begin(t, Options{Command: command("moody"), KeepAlive: true})
	for point := 1; point <= 6; point++ {
		o, err := at(t, p, point)
		if err != nil || (o.Reason == "") != (point%2 == 0) || o.Reason == "" && o.Values[0] != float64(point) ||
			o.Reason != "" && o.Reason != "the program ended with exit status 4" {
			t.Errorf("point %d: got %+v, %v", point, o, err)
		}
	}
}

// A request that the process did not read before it ended is the evaluation must be repeated, whether the process exits between two
// requests or with one before it.
func TestPipeAsksAgainWhatWasNotRead(t *testing.T) {
	for _, words := range [][]string{{"tired"}, {"tired", "waits"}} {
		p := begin(t, Options{Command: command(words...), KeepAlive: true})
		for point := 1; point <= 4; point++ {
			o, err := at(t, p, point)
			if err != nil || o.Reason != "" || o.Values[0] != float64(point) {
				t.Errorf("%q, point %d: got %+v, %v", words, point, o, err)
			}
			if len(words) == 1 && point == 2 { // it has gone by the next request
				p.pipe.mu.Lock()
				c := p.pipe.current
				p.pipe.mu.Unlock()
				if c != nil {
					<-c.process.over
				}
			}
		}
	}
	p := begin(t, Options{Command: "true", KeepAlive: true})
	if o, err := at(t, p, 1); err == nil || !strings.Contains(err.Error(), "the program failed twice in a row before its first answer") {
		t.Errorf("a program that reads nothing: %+v, %v", o, err)
	}
}

// An evaluator knows the objectives as they are where the point is evaluated.
func TestPipeKnowsTheObjectivesOfThePlace(t *testing.T) {
	for _, keep := range []bool{false, true} {
		now := *branin(t)
		now.Objectives = append(slices.Clone(now.Objectives), functions.Objective{Name: "price"})
		words := []string{"print", `{"branin": 1, "price": 2}`}
		if keep {
			words = []string{"both"}
		}
		p := begin(t, Options{Command: command(words...), KeepAlive: keep})
		if o, err := p.Evaluate(functions.WithPointID(t.Context(), functions.PointID{Point: 1, Problem: &now}),
			somewhere); err != nil || !slices.Equal(o.Values, []float64{1, 2}) {
			t.Errorf("kept %v: got %+v, %v", keep, o, err)
		}
		if o, err := p.Evaluate(t.Context(), somewhere); err != nil || !strings.Contains(o.Reason, `no key "price"`) {
			t.Errorf("kept %v, as it began: got %+v, %v", keep, o, err)
		}
	}
}
