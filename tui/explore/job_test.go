package explore

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/tui/explore/view"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// counted drives a session and counts its jobs, what they bring to the update loop, without what is told of a picture
// later, and how often the session is asked where it stands.
func counted(d *driver, names ...string) (jobs, messages, asked int) {
	snapshot := d.M.snapshot
	d.M.snapshot = func() sessions.Snapshot { asked++; return snapshot() }
	defer func() { d.M.snapshot = snapshot }()
	extra := false // the next message brings more of what the one before began, as it does on a slow machine
	for _, name := range names {
		cmd := d.M.Update(screentest.Key(name))
		for todo := []tea.Cmd{cmd}; len(todo) > 0; todo = todo[1:] {
			if todo[0] == nil || waits(todo[0]) {
				continue
			}
			switch msg := widget.Perform(rights.Rights{}, todo[0]).(type) {
			case tea.BatchMsg:
				todo = append(todo, msg...)
				jobs++
			case widget.DoneMsg:
				inner, _ := d.M.Jobs.Take(msg)
				stage, ok := inner.(stageMsg)
				if !ok || !extra {
					messages++
				}
				extra = ok && !stage.last
				todo = append(todo, d.M.Update(msg))
			}
		}
	}
	return jobs, messages, asked
}

// A step, and every other act and move, is one job that brings one message, of one look at where the session stands; of
// fields, the two slices follow where they change.
func TestAStepIsOneJobAndOneMessage(t *testing.T) {
	for _, c := range []struct {
		problem, optimizer string
		messages           int
	}{{"forrester", "random", 1}, {"forrester", "gp-ei", 1}, {"thesis-xy", "random", 1}, {"branin", "random", 2}} {
		t.Run(c.problem+" "+c.optimizer, func(t *testing.T) {
			d := driveAfter(t, 5, sessions.Config{Problem: c.problem, Optimizer: c.optimizer, Seed: 3}, 120, 36,
				trueColor)
			for _, key := range []string{"space", "b", "*", "space"} {
				before := d.M.state.Head
				want := c.messages
				if key == "*" { // changes nothing that the slices show
					want = 1
				}
				if jobs, messages, asked := counted(d, key); jobs != want || messages != want || asked != 1 {
					t.Errorf("%s takes %d jobs, %d messages and %d looks at the session", key, jobs, messages, asked)
				}
				if key != "*" && d.M.state.Head == before || d.M.report.Head != d.M.state.Head || d.M.Busy() {
					t.Errorf("%s brings no picture of where the session stands", key)
				}
			}
		})
	}
}

// An observation is seen while its fit goes on: where the session stands comes first, then the latest part of the
// picture, then the whole.
func TestWhereTheSessionStandsComesBeforeASlowPicture(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	begin, parts, slow, want := make(chan struct{}), make(chan struct{}), make(chan struct{}), errors.New("the whole")
	look := func(_ context.Context, _ sessions.Snapshot, _ sessions.Progress, show func(view.Image)) (view.Image,
		error) {
		<-begin
		show("a part")
		show("a later part")
		close(parts)
		<-slow
		return nil, want
	}
	s := compute(ctx, sessions.Snapshot{}, look, nil)
	clock := make(chan time.Time, 1)
	s.after = func(time.Duration) <-chan time.Time { return clock }
	clock <- time.Time{}
	if first := s.next(stageMsg{at: &sessions.Snapshot{}}); first.image != nil || first.last || first.at == nil {
		t.Errorf("first %+v", first)
	}
	close(begin)
	<-parts
	clock <- time.Time{}
	if part := s.next(stageMsg{}); part.image != "a later part" || part.last {
		t.Errorf("then %+v", part)
	}
	close(slow)
	if whole := s.next(stageMsg{}); whole.err != want || !whole.last {
		t.Errorf("at the end %+v", whole)
	}
	stop()
	if after := s.next(stageMsg{}); !after.last || !errors.Is(after.err, context.Canceled) {
		t.Errorf("after it was stopped %+v", after)
	}
}

// A picture that panics is an error, which is said; the program goes on.
func TestAPictureThatPanicsIsSaid(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	s := compute(t.Context(), d.M.at, func(context.Context, sessions.Snapshot, sessions.Progress,
		func(view.Image)) (view.Image, error) {
		panic("a bug")
	}, nil)
	d.M.done(s.next(stageMsg{}))
	d.Shows("computing the picture: a bug")
	assert.False(t, d.M.Busy(), "the job goes on")
}

// bad is a belief that panics in a worker of the search for what to suggest: where the library climbs, in a goroutine
// of its own.
type bad struct {
	optimizers.Unsupported
	in optimizers.Input
}

func (bad) Legend() optimizers.Legend { return optimizers.Legend{} }

func (b bad) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	flat := func(_ context.Context, X *mat.Dense) ([]float64, error) {
		n, _ := X.Dims()
		return make([]float64, n), nil
	}
	_, _, err := search.Maximize(ctx, search.NewSpace(b.in),
		search.Target{Values: flat, Gradient: func(x, grad []float64) float64 { panic("no slope here") }},
		b.in.Stream("acquisition"), nil)
	return optimizers.Suggestion{}, err
}

// A method whose acquisition panics in a worker is said in one line, and the program goes on.
func TestAMethodThatPanicsInAWorkerIsSaid(t *testing.T) {
	spec, err := registry.Find("random")
	require.NoError(t, err)
	whole := *spec
	defer func() { *spec = whole }()
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3,
		Params: map[string]any{"initial": 2}}, 200, 60, trueColor)
	d.Press("space", "space")
	spec.Fit = func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) { return bad{in: in}, nil }
	d.Press("space")
	d.Shows("no slope here")
	if text := d.Text(); strings.Contains(text, "goroutine") || d.M.Busy() {
		t.Errorf("it shows\n%s", text)
	}
	before := len(d.M.state.Iterations)
	d.Press("b")
	assert.Equal(t, before-1, len(d.M.state.Iterations), "a step back after it leads from %d iterations to", before)
}

// waits reports whether a command does nothing but wait for a clock.
func waits(cmd tea.Cmd) bool {
	return strings.Contains(runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name(), ".Tick.func")
}

// BenchmarkStep is a press of space until its picture is drawn: the step, its job and messages, the picture and a
// frame.
func BenchmarkStep(b *testing.B) {
	for _, problem := range []string{"forrester", "branin", "thesis-xy"} {
		b.Run(problem, func(b *testing.B) {
			d := drive(b, sessions.Config{Problem: problem, Optimizer: "random", Seed: 3}, 120, 36, trueColor)
			for b.Loop() {
				d.Press("space")
				d.Screen()
			}
		})
	}
}

// The hypervolume is drawn before the first fit is done: the traces come before the picture.
func TestTracesComeBeforeThePicture(t *testing.T) {
	s := modetest.Session(t, sessions.Config{Problem: "zdt1:2", Optimizer: "mobo-rs-ts", Seed: 3}, 8)
	snapshot := s.Snapshot()
	begun := make(chan struct{})
	look := func(ctx context.Context, _ sessions.Snapshot, _ sessions.Progress, _ func(view.Image)) (view.Image, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	parts := compute(ctx, snapshot, look, nil)
	clock := make(chan time.Time, 1)
	parts.after = func(time.Duration) <-chan time.Time { return clock }
	<-begun
	clock <- time.Time{}
	first := parts.next(stageMsg{at: &snapshot})
	require.NotNil(t, first.traces)
	assert.False(t, first.last)
	d := driveSession(t, s, 120, 36, trueColor)
	d.M.pictureState = newPictureState(d.M.state)
	d.M.showTraces = true
	if strings.Contains(d.Text(), "hypervolume 0") {
		t.Error("without traces the hypervolume is drawn")
	}
	d.M.objectiveTraces = first.traces
	if text := "hypervolume " + widget.Number(first.traces.Hypervolume[7]); strings.Count(d.Text(), text) != 2 {
		t.Errorf("the header and the panel do not show %q:\n%s", text, d.Text())
	}
}
