package lab

import (
	"fmt"
	"math"
	"slices"

	"bandscope/functions/digits"
	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lab/models"
)

// Run is one training of a session.
type Run struct {
	Params param.Set   // as they are now
	Trace  [][]float64 // what was measured at each update from the run's beginning, a value for each of the lab's columns; it is not to be changed
	Of     int         // updates of the whole training
	Failed string      // why there is no next update, as the training diverged; empty otherwise
	Model  Model       // only to be read, and Copy and Change and Step of a copy; nil unless Session.Look tells the state
}

// Ended says why a run has no next update; empty where it has one.
func (r Run) Ended() string {
	switch {
	case r.Failed != "":
		return r.Failed
	case len(r.Trace) >= r.Of:
		return fmt.Sprintf("the training is at its end, update %d of %d", len(r.Trace), r.Of)
	}
	return ""
}

// Last is the value of a column that was measured last until an update, and that update; 0 where none was.
func (r Run) Last(column, until int) (v float64, at int) {
	for at = min(until, len(r.Trace)); at > 0; at-- {
		if v = r.Trace[at-1][column]; !math.IsNaN(v) {
			return v, at
		}
	}
	return math.NaN(), 0
}

// State is where a session stands.
type State struct {
	Lab    *Lab
	ID     string          // of the last event
	Path   string          // its file; empty while there is none
	Saved  bool            // every event is in the file
	Step   int             // updates that were done, of the run that is farthest
	Of     int             // updates of the whole training
	Runs   []Run           // one, or two that are laid over each other
	Notes  []sessions.Note // up to here
	Ahead  int             // places on record after this one
	Branch string          // its name; empty where none was given
}

// Ended says why no run has a next update; empty where one has.
func (st State) Ended() string {
	for _, r := range st.Runs {
		if r.Ended() == "" {
			return ""
		}
	}
	return st.Runs[0].Ended()
}

// Title is one line that says what the session is about.
func (st State) Title() string {
	text := fmt.Sprintf("lab %s · seed %s", st.Lab.Name, digits.Given(float64(st.Runs[0].Params.Int(st.Lab.Seed))))
	if changed := Changes(st.Lab.Defaults(), st.Runs[0].Params); changed != "" {
		text += " · " + changed
	}
	if len(st.Runs) > 1 {
		text += " · beside " + Changes(st.Runs[0].Params, st.Runs[1].Params)
	}
	return text
}

// Changes tells in what parameters differ from others of the same lab, as key=value; empty where they are the same.
func Changes(from, to param.Set) (text string) {
	for _, d := range to.Decls() {
		if v := to.Value(d.Key); v != from.Value(d.Key) {
			if text != "" {
				text += " "
			}
			text += d.Key + "=" + d.Format(v)
		}
	}
	return text
}

// fold is the state at an event as it follows from the events before it.
type fold struct {
	lab    *Lab
	cols   []int // where the values of a row on record belong, −1 for nowhere
	runs   []course
	branch string
	notes  []sessions.Note
}

// course is a run as it was decided: with which parameters it began, how they changed on the way, and what was measured.
type course struct {
	stages []models.Stage
	rows   [][]float64
	failed string
}

// begin is a training with these parameters before its first update.
func begin(p param.Set) course { return course{stages: []models.Stage{models.NewStage(0, p)}} }

// params are those now.
func (c course) params() param.Set { return c.stages[len(c.stages)-1].Params }

// change is the course with other parameters from here on.
func (c course) change(p param.Set) course {
	at := len(c.rows)
	stages := slices.Clone(c.stages)
	if stages[len(stages)-1].At == at {
		stages = stages[:len(stages)-1]
	}
	c.stages = append(stages, models.NewStage(at, p))
	return c
}

// run tells a course.
func (c course) run(l *Lab) Run {
	return Run{Params: c.params(), Trace: slices.Clip(c.rows), Of: l.Of(c.params()), Failed: c.failed}
}

// courses are the runs as they are trained.
func (f *fold) courses() []models.Course {
	list := make([]models.Course, len(f.runs))
	for i, c := range f.runs {
		list[i] = models.Course{Stages: c.stages, Done: len(c.rows), Failed: c.failed != ""}
	}
	return list
}

// farthest is how many updates the run that is farthest has done.
func (f *fold) farthest() (n int) {
	for _, c := range f.runs {
		n = max(n, len(c.rows))
	}
	return n
}

// state tells a fold.
func (f *fold) state(id string) State {
	st := State{Lab: f.lab, ID: id, Step: f.farthest(), Branch: f.branch, Notes: slices.Clip(f.notes)}
	for _, c := range f.runs {
		r := c.run(f.lab)
		st.Runs, st.Of = append(st.Runs, r), max(st.Of, r.Of)
	}
	return st
}
