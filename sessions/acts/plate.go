package acts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
	"bandscope/functions/rng"
	"bandscope/optimizers/batch"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// The points that share values on a plate.
const (
	SharePlate  = "plate"  // all of them
	ShareRow    = "row"    // those of a row
	ShareColumn = "column" // those of a column
)

// plateRequest is a request for a plate of points, completed.
type plateRequest struct {
	PlateArgs
	AskArgs
	points int // different points
}

// PlatePoint is the point of a well.
type PlatePoint struct {
	Control   bool  `json:"control,omitempty"`
	Replicate *Name `json:"replicate_of,omitempty"` // the point that it repeats
	Point
}

// PlateSheet is a plate with its points, in the order in which they are made.
type PlateSheet struct {
	ID      string       `json:"sheet"` // of the plate's event
	Name    string       `json:"plate"`
	Rows    int          `json:"rows"`
	Columns int          `json:"columns"`
	Order   string       `json:"order"`
	Points  []PlatePoint `json:"points"`
	Note    string       `json:"note,omitempty"` // why there are fewer points than asked for
}

// PlateSize are the rows and columns of a plate; as text 8x12.
type PlateSize struct{ Rows, Columns int }

// MarshalText writes the size.
func (p PlateSize) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%dx%d", p.Rows, p.Columns), nil
}

// UnmarshalJSON reads a size, such as "8x12".
func (p *PlateSize) UnmarshalJSON(b []byte) error {
	var text, rest string
	err := json.Unmarshal(b, &text)
	n, _ := fmt.Sscanf(strings.ToLower(strings.ReplaceAll(text, "×", "x"))+" ", "%dx%d%s", &p.Rows, &p.Columns, &rest)
	if err != nil || n != 2 || p.Rows < 1 || p.Columns < 1 || p.Rows > sessions.MaxPlateRows ||
		p.Columns > sessions.MaxPlateColumns {
		return fmt.Errorf("a plate is ROWSxCOLUMNS, up to %dx%d, such as 8x12; got %s", sessions.MaxPlateRows,
			sessions.MaxPlateColumns, b)
	}
	return nil
}

// askPlate asks for the points of a plate, records them and puts each into a well. The method suggests different points,
// in addition to the pending ones; replicates and controls are further points with values of their own. If the last
// plate was asked for in the same way and no result of it is reported, that plate is returned again. If fewer points
// exist than fit, the other wells stay free, and the note says so.
//
// The wells are filled in random order, from the seed of the session: a drift from one well to the next, or an effect of
// the edge, then has no connection with the values (randomization within blocks: Box, Hunter & Hunter 2005, §3.1 and
// §4.1; Montgomery 2017, §4.1). In sorted order few values change from well to well, which is less work, but a drift
// is confounded with the variables that change slowest. Rows or columns that share values are whole plots,
// in which the others are randomized (Jones & Nachtsheim 2009).
func askPlate(ctx context.Context, s *sessions.Session, a AskArgs, progress sessions.Progress) (PlateSheet, error) {
	if len(a.Fixed) > 0 || a.Count != nil && *a.Count == 0 {
		return PlateSheet{}, wrong("a plate has 1 point or more, and control instead of fixed")
	}
	o := plateRequest{PlateArgs: *a.Plate, AskArgs: a}
	if a.Count != nil {
		o.points = *a.Count
	}
	b := newSnapshot(s, time.Now())
	l, err := b.layoutFor(&o)
	if err != nil {
		return PlateSheet{}, asRequest(err)
	}
	if !o.New {
		if again, ok := b.lastPlate(o, l); ok {
			return again, nil
		}
	}
	if o.Name == "" {
		o.Name = b.state.NextPlateName()
	}
	p := sessions.Plate{Name: o.Name, Rows: o.Size.Rows, Columns: o.Size.Columns, Order: o.Order}
	if err := b.state.CheckPlate(p); err != nil {
		return PlateSheet{}, asRequest(err)
	}
	err = s.RecordTogether(func() error {
		groups, err := l.ask(ctx, s, o, progress)
		if err != nil {
			return err
		}
		p.Wells = b.fill(groups, o)
		p, err = s.Plate(p)
		return err
	})
	if err != nil {
		return PlateSheet{}, err
	}
	b = newSnapshot(s, time.Now())
	list := b.sheet(p)
	list.Note = shortfall(b.state, len(p.Wells), o.points*o.Replicates+len(l.controls))
	return list, nil
}

// plateLayout says how many points which wells have.
type plateLayout struct {
	groups   [][]string  // the wells of the points that share values
	points   []int       // of each group
	controls [][]float64 // each for one well
}

// layoutFor checks a request and completes it.
func (b snapshot) layoutFor(o *plateRequest) (l plateLayout, err error) {
	o.Replicates = max(o.Replicates, 1)
	o.By = cmp.Or(o.By, SharePlate)
	o.Order = cmp.Or(o.Order, sessions.PlateRandom)
	empty := sessions.Plate{Name: b.state.NextPlateName(), Rows: o.Size.Rows, Columns: o.Size.Columns}
	if err := b.state.CheckPlate(empty); err != nil {
		return l, err
	}
	if !slices.Contains([]string{SharePlate, ShareRow, ShareColumn}, o.By) {
		return l, didyoumean.NewUnknownError("way to share values", o.By, []string{SharePlate, ShareRow, ShareColumn})
	}
	if !slices.Contains([]string{sessions.PlateRandom, sessions.PlateSorted}, o.Order) {
		return l, didyoumean.NewUnknownError("order of wells", o.Order, []string{sessions.PlateRandom, sessions.PlateSorted})
	}
	if o.By != SharePlate && len(o.Shared) == 0 {
		return l, fmt.Errorf("say which variable the points of a %s share", o.By)
	}
	l.controls, err = b.controls(*o)
	if err != nil {
		return l, err
	}
	if len(l.controls) > 0 && len(o.Shared) > 0 {
		return l, fmt.Errorf("a control has a value of its own of %s, which the points share; leave the controls out",
			strings.Join(o.Shared, ", "))
	}
	return l, l.divide(o)
}

// divide divides the wells into groups and the points among them.
func (l *plateLayout) divide(o *plateRequest) error {
	wells := o.Size.Rows * o.Size.Columns
	free := wells - len(l.controls)
	if o.points == 0 {
		o.points = free / o.Replicates
		if o.By != SharePlate {
			o.points = len(plateGroups(o)) * (len(plateGroups(o)[0]) / o.Replicates)
		}
	}
	if need := o.points*o.Replicates + len(l.controls); o.points < 1 || need > wells {
		return fmt.Errorf("%s of %s and %s need %s, but a plate of %dx%d has %d", numfmt.Count(o.Replicates, "well"),
			numfmt.Count(o.points, "point"), numfmt.Count(len(l.controls), "control"), numfmt.Count(need, "well"), o.Size.Rows,
			o.Size.Columns, wells)
	}
	if o.points > maxAsk {
		return fmt.Errorf("ask for up to %d different points at once, got %d", maxAsk, o.points)
	}
	rest := o.points
	for _, group := range plateGroups(o) {
		n := min(rest, len(group)/o.Replicates)
		if o.By == SharePlate {
			n = rest
		}
		if n == 0 {
			break
		}
		l.groups = append(l.groups, group)
		l.points = append(l.points, n)
		rest = rest - n
	}
	if rest > 0 {
		return fmt.Errorf("%s of %s do not fit into the %ss of a plate of %dx%d", numfmt.Count(o.Replicates, "well"),
			numfmt.Count(o.points, "point"), o.By, o.Size.Rows, o.Size.Columns)
	}
	return nil
}

// plateGroups are the wells of the points that share values, row by row or, for columns, column by column.
func plateGroups(o *plateRequest) [][]string {
	groups := make([][]string, 1)
	switch o.By {
	case ShareRow:
		groups = make([][]string, o.Size.Rows)
	case ShareColumn:
		groups = make([][]string, o.Size.Columns)
	}
	for row := range o.Size.Rows {
		for column := range o.Size.Columns {
			index := map[string]int{ShareRow: row, ShareColumn: column}[o.By]
			groups[index] = append(groups[index], sessions.WellName(row, column))
		}
	}
	return groups
}

// controls are the controls of a plate: that of the first plate that has one, or else the best result so far, or else the
// center of the domain; and those that the request names.
func (b snapshot) controls(o plateRequest) (list [][]float64, err error) {
	if o.Controls < 0 {
		return nil, fmt.Errorf("the number of controls must be 0 or more, got %d", o.Controls)
	}
	if o.Controls > 0 {
		usual := b.usualControl()
		if err := b.state.Problem.CheckConstraints(usual); err != nil {
			return nil, fmt.Errorf("the center of the domain is no control, because %w; name the values of a control", err)
		}
		list = slices.Repeat([][]float64{usual}, o.Controls)
	}
	for _, controlPoint := range o.Control {
		x, err := inputFor(b.state.Problem, controlPoint, "a control needs the values of all variables")
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func (b snapshot) usualControl() []float64 {
	for _, p := range b.state.Plates {
		for _, w := range p.Wells {
			if x, ok := b.planned(w.Point); w.Control && ok {
				return x
			}
		}
	}
	if x, _, _, ok := b.state.Best(); ok {
		return x
	}
	center := slices.Repeat([]float64{0.5}, b.state.Problem.Dim())
	return b.state.Problem.Domain.FromUnit(center)
}

// planned is where a suggestion was to be evaluated; false if it is not on the branch.
func (b snapshot) planned(id string) ([]float64, bool) {
	for _, it := range slices.Concat(b.state.Iterations, b.state.Pending) {
		if it.ID == id {
			return it.Points[0].Planned(), true
		}
	}
	return nil, false
}

// platePoint is a point with the wells that it takes.
type platePoint struct {
	id        string
	x         []float64
	control   bool
	replicate string
}

// ask asks for the points of every group, their replicates and the controls.
func (l plateLayout) ask(ctx context.Context, s *sessions.Session, o plateRequest,
	progress sessions.Progress) ([][]platePoint, error) {
	groups := make([][]platePoint, len(l.groups))
	for g, n := range l.points {
		list, err := askUpTo(ctx, s, sessions.Batch{Points: n, Shared: o.Shared, MinDistance: o.MinDistance}, progress)
		if search.IsExhausted(err) && g > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		for _, it := range list {
			groups[g] = append(groups[g], platePoint{id: it.ID, x: it.Points[0].X})
		}
		for range o.Replicates - 1 {
			for _, it := range list {
				again, err := s.AskPoint(it.Points[0].X)
				if err != nil {
					return nil, err
				}
				groups[g] = append(groups[g], platePoint{id: again.ID, x: it.Points[0].X, replicate: it.ID})
			}
		}
	}
	for _, x := range l.controls {
		it, err := s.AskPoint(x)
		if err != nil {
			return nil, err
		}
		groups[0] = append(groups[0], platePoint{id: it.ID, x: x, control: true})
	}
	return groups, nil
}

// askUpTo asks for the points of a batch, or for as many as exist.
func askUpTo(ctx context.Context, s *sessions.Session, w sessions.Batch, progress sessions.Progress) ([]sessions.Iteration,
	error) {
	list, err := s.AskBatch(ctx, w, progress)
	few := batch.ErrTooFewPoints{}
	if errors.As(err, &few) && few.Points > 0 && few.Points < w.Points {
		w.Points = few.Points
		return s.AskBatch(ctx, w, progress)
	}
	return list, err
}

// fill puts the points into wells, and lists the wells in the order in which they are made.
func (b snapshot) fill(groups [][]platePoint, o plateRequest) (wells []sessions.Well) {
	random := rng.New(b.state.Config.Seed, len(b.state.Plates), "wells of a plate")
	names := plateGroups(&o)
	for g, points := range groups {
		if o.Order == sessions.PlateSorted {
			sortPoints(points)
			points = spreadControls(points)
		} else {
			random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		}
		for i, p := range points {
			wells = append(wells, sessions.Well{Name: names[g][i], Point: p.id, Control: p.control, Replicate: p.replicate})
		}
	}
	return wells
}

// spreadControls spreads the controls, which are the last ones of sorted points, evenly over the wells, so that they show
// a drift.
func spreadControls(points []platePoint) []platePoint {
	first := slices.IndexFunc(points, func(p platePoint) bool { return p.control })
	if first < 0 {
		return points
	}
	others, controls := points[:first], points[first:]
	n, c := len(points), len(controls)
	all := make([]platePoint, 0, n)
	for k := 0; len(all) < n; {
		if k < c && len(all) == (2*k+1)*n/(2*c) {
			all, k = append(all, controls[k]), k+1
		} else {
			all, others = append(all, others[0]), others[1:]
		}
	}
	return all
}

// sortPoints sorts points so that few values change from one to the next: first by the variable that takes the fewest
// values.
func sortPoints(points []platePoint) {
	if len(points) == 0 {
		return
	}
	order := make([]int, len(points[0].x))
	values := make([]map[float64]bool, len(order))
	for j := range order {
		order[j], values[j] = j, map[float64]bool{}
		for _, p := range points {
			values[j][p.x[j]] = true
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(values[a]), len(values[b])) })
	slices.SortStableFunc(points, func(a, b platePoint) int {
		if a.control != b.control {
			if b.control {
				return -1
			}
			return 1
		}
		for _, j := range order {
			if c := cmp.Compare(a.x[j], b.x[j]); c != 0 {
				return c
			}
		}
		return 0
	})
}

// sheet is a plate with its points.
func (b snapshot) sheet(p sessions.Plate) PlateSheet {
	list := PlateSheet{ID: p.ID, Name: p.Name, Rows: p.Rows, Columns: p.Columns, Order: p.Order}
	names := map[string]Name{}
	points := map[string]Point{}
	for _, it := range slices.Concat(b.state.Iterations, b.state.Pending) {
		if _, _, found := b.state.WellOf(it.ID); found {
			names[it.ID], points[it.ID] = nameFor(it, 0), b.points(it, time.Now())[0]
		}
	}
	for _, w := range p.Wells {
		point, known := points[w.Point]
		if !known {
			continue // it was discarded
		}
		platePoint := PlatePoint{Control: w.Control, Point: point}
		if n, repeats := names[w.Replicate]; repeats {
			platePoint.Replicate = &n
		}
		list.Points = append(list.Points, platePoint)
	}
	return list
}

// Plates are the sheets of all plates.
func Plates(s *sessions.Session) (list []PlateSheet) {
	b := newSnapshot(s, time.Now())
	for _, p := range b.state.Plates {
		list = append(list, b.sheet(p))
	}
	return list
}

// lastPlate is the last plate if it was asked for in the same way and nothing of it is reported.
func (b snapshot) lastPlate(o plateRequest, l plateLayout) (PlateSheet, bool) {
	if len(b.state.Plates) == 0 {
		return PlateSheet{}, false
	}
	p := b.state.Plates[len(b.state.Plates)-1]
	controls := 0
	for _, w := range p.Wells {
		i := slices.IndexFunc(b.state.Pending, func(it sessions.Iteration) bool { return it.ID == w.Point })
		if i < 0 || b.state.Pending[i].HasResults() {
			return PlateSheet{}, false
		}
		if w.Control {
			controls++
		}
		if batch := b.state.Pending[i].Batch; batch != nil && !batch.SameRequest(sessions.Batch{Points: batch.Points,
			Shared: o.Shared, MinDistance: o.MinDistance}) {
			return PlateSheet{}, false
		}
	}
	same := p.Rows == o.Size.Rows && p.Columns == o.Size.Columns && p.Order == o.Order &&
		(o.Name == "" || o.Name == p.Name) &&
		controls == len(l.controls)
	again, wanted := b.sheet(p), o.points*o.Replicates+controls
	if len(p.Wells) < wanted {
		c, ok := b.state.PointCount()
		same = same && ok && c.Left() == 0
		again.Note = shortfall(b.state, len(p.Wells), wanted)
	}
	return again, same && len(p.Wells) <= wanted
}
