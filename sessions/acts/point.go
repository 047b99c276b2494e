package acts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bandscope/functions/encoding"
	"bandscope/functions/timefmt"
	"bandscope/sessions"
)

// Name names a point: the number of its suggestion, from 1 in the order in which they were made, and in a batch also
// the point's own number, as in 7.2. It does not change on a branch.
type Name struct {
	Suggestion int
	Point      int // of a batch, from 1; 0 for a single point
}

// nameFor is the name of a point of an iteration.
func nameFor(it sessions.Iteration, i int) Name {
	if len(it.Points) == 1 {
		return Name{Suggestion: it.Number}
	}
	return Name{Suggestion: it.Number, Point: i + 1}
}

// ParseName reads a name.
func ParseName(text string) (Name, error) {
	var n Name
	var err error
	suggestion, point, batch := strings.Cut(text, ".")
	n.Suggestion, err = strconv.Atoi(suggestion)
	if err == nil && batch {
		n.Point, err = strconv.Atoi(point)
	}
	if err != nil || n.Suggestion < 1 || batch && n.Point < 1 || n.String() != text {
		return Name{}, fmt.Errorf("a point has a number such as 7, or 7.2 in a batch; got %q", text)
	}
	return n, nil
}

func (n Name) String() string {
	if n.Point == 0 {
		return strconv.Itoa(n.Suggestion)
	}
	return fmt.Sprintf("%d.%d", n.Suggestion, n.Point)
}

// MarshalJSON writes a number, or a string in a batch.
func (n Name) MarshalJSON() ([]byte, error) {
	if n.Point == 0 {
		return json.Marshal(n.Suggestion)
	}
	return json.Marshal(n.String())
}

// UnmarshalJSON reads a number or a string.
func (n *Name) UnmarshalJSON(b []byte) (err error) {
	text := string(b)
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
	} else if strings.Contains(text, ".") { // 7.1 and 7.10 are the same number
		return fmt.Errorf("a point of a batch is a string, such as \"7.2\", got %s", text)
	}
	*n, err = ParseName(text)
	return err
}

// Point is a point to evaluate, or an evaluated one.
type Point struct {
	Name          Name                  `json:"point"`
	X             Input                 `json:"x"` // by variable
	By            string                `json:"by"`
	Reason        string                `json:"reason,omitempty"`
	NothingBetter bool                  `json:"nothing_better,omitempty"` // no improvement is expected anywhere
	Asked         time.Time             `json:"asked"`
	Age           Number                `json:"age"`                // seconds since then
	Due           *time.Time            `json:"due,omitempty"`      // when a result is expected, if a duration is declared
	Overdue       bool                  `json:"overdue,omitempty"`  // that time has passed
	AskedBy       *sessions.Author      `json:"asked_by,omitempty"` // who recorded the suggestion, if known
	Values        map[string]Number     `json:"values,omitempty"`   // the reported ones, by objective
	Missing       []string              `json:"missing,omitempty"`  // objectives without a value, if others have one
	Batch         *Batch                `json:"batch,omitempty"`    // the request for several points together
	Design        *sessions.DesignPlace `json:"initial_design,omitempty"`
	Plate         string                `json:"plate,omitempty"` // the plate that the point is on
	Well          string                `json:"well,omitempty"`  // its well there
	Row           int                   `json:"row,omitempty" jsonschema:"its row of the table of candidates, from 1"`
	Label         string                `json:"label,omitempty" jsonschema:"what the table calls the row"`

	iteration sessions.Iteration
	index     int  // in the iteration's batch, from 0
	observed  bool // evaluated before an objective was added
}

// Batch is the request with which a point was asked for.
type Batch struct {
	Place       int      `json:"place"` // from 1
	Points      int      `json:"points"`
	Shared      []string `json:"shared,omitempty"`
	MinDistance float64  `json:"min_distance,omitempty"`
}

// Waiting says for how long the point has been pending, since when, and when its result is due: "pending for 3 h since
// 09:40, due tomorrow 09:40". Times are in the zone of now.
func (p Point) Waiting(now time.Time) string {
	age := max(now.Sub(p.Asked), 0)
	text := "pending for " + timefmt.Age(age)
	if age >= minClockAge {
		text += " since " + timefmt.Clock(p.Asked, now)
	}
	switch {
	case p.Due == nil:
		return text
	case now.After(*p.Due):
		return text + ", was due " + timefmt.Clock(*p.Due, now)
	}
	return text + ", due " + timefmt.Clock(*p.Due, now)
}

// minClockAge is the age from which the time is given at which a point was suggested.
const minClockAge = 2 * time.Minute

// Input are the point's values in the order of the variables.
func (p Point) Input() []float64 { return p.iteration.Points[p.index].X }

// snapshot is the state of a session with its pending points at one moment.
type snapshot struct {
	state   sessions.State
	session *sessions.Session
	pending []Point // the oldest first
}

// newSnapshot moves a session to the end of its branch, with what other programs have recorded, and takes a snapshot.
func newSnapshot(s *sessions.Session, now time.Time) snapshot {
	s.Refresh() // the next act meets the same error
	s.Last()
	b := snapshot{state: s.State(), session: s}
	for _, it := range b.state.Pending {
		for _, p := range b.points(it, now) {
			if !it.HasResults() || it.IncompleteAt(p.index) {
				b.pending = append(b.pending, p)
			}
		}
	}
	return b
}

// Pending are the pending points at the end of a session's branch, the oldest first.
func Pending(s *sessions.Session) []Point { return newSnapshot(s, time.Now()).pending }

// points are those of an iteration.
func (b snapshot) points(it sessions.Iteration, now time.Time) []Point {
	var list []Point
	recordedAt := b.session.RecordedAt(it.ID)
	for i, pt := range it.Points {
		p := Point{Name: nameFor(it, i), X: encoding.EncodeMap(b.state.Problem.Domain, pt.X), By: it.By,
			Reason: it.Note, NothingBetter: it.NothingBetter(),
			Asked: recordedAt.UTC(), iteration: it, index: i}
		p.Design = b.session.State().DesignPlaceOf(it) // it may be newer than the snapshot
		if it.AskedBy.Known() {
			p.AskedBy = &it.AskedBy
		}
		p.Age = Number(max(now.Sub(recordedAt), 0).Round(time.Millisecond).Seconds())
		if d := b.state.ExpectedDuration(); d > 0 {
			due := recordedAt.Add(d).UTC()
			p.Due, p.Overdue = &due, now.After(due)
		}
		if batch := it.Batch; batch != nil {
			p.Batch = &Batch{Place: batch.Place, Points: batch.Points, Shared: batch.Shared, MinDistance: batch.MinDistance}
		}
		if plate, well, found := b.state.WellOf(it.ID); found {
			p.Plate, p.Well = plate.Name, well.Name
		}
		if t := b.state.Problem.Table; t != nil {
			row := t.Row(pt.X)
			p.Row = row + 1
			if row >= 0 && t.Labels != nil {
				p.Label = t.Labels[row]
			}
		}
		if t := newTellAnswer(b.state.Problem, p.Name, it, i); len(t.Values) > 0 {
			p.Values, p.Missing = t.Values, t.Missing
		}
		list = append(list, p)
	}
	return list
}

// find is the pending point with a name. The error says why it is not pending, and which points are.
func (b snapshot) find(n Name) (Point, error) {
	if i := slices.IndexFunc(b.pending, func(p Point) bool { return p.Name == n }); i >= 0 {
		return b.pending[i], nil
	}
	incomplete := b.incompletePoints()
	if i := slices.IndexFunc(incomplete, func(p Point) bool { return p.Name == n }); i >= 0 {
		return incomplete[i], nil
	}
	if n.Suggestion > b.state.SuggestionCount() {
		return Point{}, fmt.Errorf("point %v was never asked for: %w; %s", n, sessions.ErrNotPending,
			b.describePending())
	}
	switch it, pending, err := b.state.IterationByNumber(n.Suggestion); {
	case err != nil:
		return Point{}, fmt.Errorf("point %v was discarded: %w; %s", n, sessions.ErrNotPending, b.describePending())
	case !pending:
		return Point{}, fmt.Errorf("point %v: %w (it is step %d); %s", n, sessions.ErrAlreadyTold, it.Step,
			b.describePending())
	case len(it.Points) > 1 && n.Point > 0 && n.Point <= len(it.Points):
		return Point{}, fmt.Errorf("point %v: %w; %s", n, sessions.ErrAlreadyTold, b.describePending())
	}
	return Point{}, fmt.Errorf("there is no point %v: %w; %s", n, sessions.ErrNotPending, b.describePending())
}

// incompletePoints are the evaluated points without a value of an objective that was added later.
func (b snapshot) incompletePoints() (list []Point) {
	for _, it := range b.state.Iterations {
		if !it.Incomplete() {
			continue
		}
		for _, p := range b.points(it, time.Now()) {
			if it.IncompleteAt(p.index) {
				p.observed = true
				list = append(list, p)
			}
		}
	}
	return list
}

// own are the pending points that no other program asked for while the session was open here.
func (b snapshot) own() []Point {
	return slices.DeleteFunc(slices.Clone(b.pending), func(p Point) bool { return p.iteration.Foreign })
}

// describePending lists the pending points.
func (b snapshot) describePending() string {
	if len(b.pending) == 0 {
		return "there are no pending points: ask for one first"
	}
	const most = 12
	names := make([]string, 0, most)
	for _, p := range b.pending[:min(len(b.pending), most)] {
		names = append(names, p.Name.String())
	}
	if rest := len(b.pending) - most; rest > 0 {
		names = append(names, fmt.Sprintf("and %d more", rest))
	}
	return "pending: " + strings.Join(names, ", ")
}

// Predicted is the prediction of the first objective when the point was suggested, NaN where there was none; on a log
// scale the median, and the standard deviation of the decimal logarithm.
func (p Point) Predicted() (mean, sd float64) {
	return p.iteration.Points[p.index].Mean, p.iteration.Points[p.index].SD
}
