package studypage

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"time"

	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/widget"
)

// board is a study as it is known here: its rows by problem and method, and the number of cells in each state.
type board struct {
	declaration *study.Declaration
	problems    []string // as the table has them: the instances of a function are one, and its cells like seeds
	methods     []string
	labels      []string                // short names of the methods
	measures    []study.Measure         // that runs on each problem are compared by
	printed     []study.PublishedNumber // what a paper prints, by the texts of cells
	rows        []study.Row             // in the order of the declaration's cells, then its imported runs
	seeds       []uint64                // of each row, by which the statistics know it among those of its problem
	each        int                     // instances of a function, at most
	at          map[study.Cell]int
	groups      [][]group // by problem and method
	methodRows  [][]int   // the rows of a method on all problems
	count       map[study.Status]int
}

// group are the cells of a problem and a method: the indices of their rows, by seed.
type group struct{ rows []int }

// newBoard makes the board of a declaration of which no cell has started.
func newBoard(d *study.Declaration) (*board, error) {
	cells, err := d.Cells()
	if err != nil {
		return nil, err
	}
	cells = append(cells, d.Imported...)
	b := &board{declaration: d, rows: make([]study.Row, len(cells)), at: make(map[study.Cell]int, len(cells))}
	column, line := map[string]int{}, map[string]int{}
	for i, c := range cells {
		b.rows[i] = study.Row{Cell: c, Status: study.Waiting}
		b.at[c] = i
	}
	joined, each := stats.JoinInstances(&study.Table{Declaration: d, Rows: b.rows})
	b.each = each
	for i, c := range cells {
		b.seeds = append(b.seeds, joined.Rows[i].Seed)
		problem := joined.Rows[i].Problem
		if _, ok := line[problem]; !ok {
			line[problem] = len(b.problems)
			b.problems = append(b.problems, problem)
			b.measures = append(b.measures, study.MeasureFor(d, c.Problem))
		}
		if _, ok := column[c.Method]; !ok {
			column[c.Method] = len(b.methods)
			b.methods = append(b.methods, c.Method)
		}
	}
	b.labels = study.Labels(b.methods)
	b.groups = make([][]group, len(b.problems))
	for p := range b.groups {
		b.groups[p] = make([]group, len(b.methods))
	}
	b.methodRows = make([][]int, len(b.methods))
	for i, c := range cells {
		p, k := line[joined.Rows[i].Problem], column[c.Method]
		b.groups[p][k].rows = append(b.groups[p][k].rows, i)
		b.methodRows[k] = append(b.methodRows[k], i)
	}
	for _, p := range d.Published {
		if p, err := p.Resolve(cells, d.Own...); err == nil {
			b.printed = append(b.printed, p)
		}
	}
	b.recount()
	return b, nil
}

// imported reports whether another program made a run.
func (b *board) imported(c study.Cell) bool { return slices.Contains(b.declaration.Imported, c) }

// hasNew reports whether rows have a cell on a problem of the study that the board does not know, such as a run that was
// imported since.
func (b *board) hasNew(rows []study.Row) bool {
	return slices.ContainsFunc(rows, func(r study.Row) bool {
		_, known := b.at[r.Cell]
		return !known && slices.ContainsFunc(b.rows, func(row study.Row) bool { return row.Problem == r.Problem })
	})
}

// fold takes the current rows, and reports whether any of them has changed; it ignores cells that are not in the
// declaration. A row without new results comes without its trace.
func (b *board) fold(rows []study.Row) (changed bool) {
	for _, r := range rows {
		i, ok := b.at[r.Cell]
		if ok && r.Trace.Evaluations == nil && r.Steps == b.rows[i].Steps {
			r.Trace = b.rows[i].Trace
		}
		if ok && !reflect.DeepEqual(r, b.rows[i]) {
			b.rows[i], changed = r, true
		}
	}
	if changed {
		b.recount()
	}
	return changed
}

func (b *board) recount() {
	b.count = map[study.Status]int{}
	for i := range b.rows {
		b.count[b.rows[i].Status]++
	}
}

// size is how large the study is, in words.
func (b *board) size() string {
	text := widget.Count(len(b.problems), "problem")
	if b.each > 1 {
		text += " × " + widget.Count(b.each, "instance")
	}
	return text + " × " + widget.Count(len(b.methods), "method") + " × " + widget.Count(b.declaration.Seeds, "seed")
}

// table is the study as the statistics take it. Rows are shared: they are replaced, never changed.
func (b *board) table() *study.Table {
	return &study.Table{Declaration: b.declaration, Rows: slices.Clone(b.rows)}
}

// isComplete reports whether this version of the program has no cells left to run.
func (b *board) isComplete() bool { return b.count[study.Waiting]+b.count[study.Running] == 0 }

// cellState is the combined state of cells that share a mark; the highest one counts.
type cellState int

const (
	stateIdle    cellState = iota // none has started
	stateStarted                  // some have started, or are done
	stateDone                     // all are done
	stateRunning                  // at least one is running
	stateForeign                  // at least one belongs to another version of the program
	stateFailed                   // at least one has failed
)

// combinedState is the state of several cells together.
func combinedState(rows []study.Row, indices []int) cellState {
	done, steps := 0, 0
	now := stateIdle
	for _, i := range indices {
		r := &rows[i]
		steps += r.Steps
		switch r.Status {
		case study.Failed:
			now = max(now, stateFailed)
		case study.OtherVersion:
			now = max(now, stateForeign)
		case study.Running:
			now = max(now, stateRunning)
		case study.Done:
			done++
		}
	}
	switch {
	case now > stateIdle:
		return now
	case len(indices) > 0 && done == len(indices):
		return stateDone
	case done > 0 || steps > 0:
		return stateStarted
	}
	return stateIdle
}

// window is over how long the rate is taken.
const window = 10 * time.Minute

// pace is how fast a study goes, and how long it may take yet.
type pace struct {
	perHour float64       // cells that ended within the window, an hour; 0 where none did
	left    time.Duration // 0 where it is unknown
	by      int           // how many cells run at once, by which the time left is divided
}

// pace estimates how long the remaining cells take: an iteration takes the mean time of finished cells of the same
// method and problem, or if there are none of running ones, else of the method, else of all; with as many at once as
// now. The clocks of machines may differ, so the rate counts up to the last cell that ended.
func (b *board) pace(now time.Time, atOnce int) pace {
	p := pace{by: atOnce}
	mean := means{}
	var ended []time.Time
	last := time.Time{}
	for i := range b.rows {
		r := &b.rows[i]
		if r.Steps > 0 && r.Seconds > 0 {
			mean.add(r)
		}
		if r.Status == study.Done {
			ended = append(ended, r.Ended)
			if r.Ended.After(last) {
				last = r.Ended
			}
		}
	}
	if last.After(now) {
		now = last
	}
	first, n := now, 0
	for _, t := range ended {
		if now.Sub(t) <= window {
			n++
			first = minTime(first, t)
		}
	}
	if span := now.Sub(first); n > 1 && span > 0 {
		p.perHour = float64(n-1) / span.Hours()
	}
	if atOnce == 0 {
		return p
	}
	seconds := 0.0
	for i := range b.rows {
		r := &b.rows[i]
		if r.Status == study.Waiting || r.Status == study.Running {
			seconds += mean.step(r) * float64(max(r.Budget-r.Steps, 0))
		}
	}
	if most := time.Duration(math.MaxInt64).Seconds() / 2; seconds < most {
		p.left = time.Duration(seconds / float64(atOnce) * float64(time.Second))
	}
	return p
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// means are the mean seconds of an iteration, by its group.
type means map[of]*struct{ seconds, steps float64 }

// of is a group of iterations: those of a problem and a method, of a method, or all; of cells that have ended, or
// of cells in hand.
type of struct {
	problem, method string
	ended           bool
}

func (m means) add(r *study.Row) {
	for _, key := range []of{
		{r.Problem, r.Method, r.Status == study.Done}, {"", r.Method, r.Status == study.Done},
		{"", "", r.Status == study.Done}} {
		if m[key] == nil {
			m[key] = &struct{ seconds, steps float64 }{}
		}
		m[key].seconds += r.Seconds
		m[key].steps += float64(r.Steps)
	}
}

// step is the mean seconds of an iteration of a cell; 0 where nothing is known.
func (m means) step(r *study.Row) float64 {
	for _, key := range []of{
		{r.Problem, r.Method, true}, {r.Problem, r.Method, false}, {"", r.Method, true}, {"", r.Method, false},
		{"", "", true}, {"", "", false}} {
		if v := m[key]; v != nil && v.steps > 0 {
			return v.seconds / v.steps
		}
	}
	return 0
}

// failed are the rows with an error, the last that ended first.
func (b *board) failed() []int {
	var list []int
	for i := range b.rows {
		if b.rows[i].Status == study.Failed || b.rows[i].Error != "" {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int {
		return cmp.Compare(b.rows[j].Ended.UnixNano(), b.rows[i].Ended.UnixNano())
	})
	return list
}
