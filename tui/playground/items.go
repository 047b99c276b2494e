package playground

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
)

// maxItems is the maximum number of results.
const maxItems = 500

// item is a result on the plot: as it is recorded or, while it is moved, where it is dragged to.
type item struct {
	// in the record; of a new result only the goroutines of acts write and read it, in their order
	result   sessions.PlaygroundResult
	x, y     float64
	recorded bool // result is known to the screen
}

// takeItems takes the results of the session; those that stay keep their identity.
func (m *Model) takeItems() {
	old := m.items
	m.items = nil
	for _, r := range m.state.Results() {
		it := &item{recorded: true}
		if i := slices.IndexFunc(old, func(o *item) bool {
			return o.recorded && o.result.Step == r.Step && o.result.Point == r.Point
		}); i >= 0 {
			it = old[i]
		}
		it.result = r
		it.x = r.X
		it.y = r.Y
		m.items = append(m.items, it)
	}
	if m.chosen.kind == result && !slices.Contains(m.items, m.chosen.item) {
		m.chosen = selection{}
	}
}

// results are the results as they are shown.
func (m *Model) results() []sessions.PlaygroundResult {
	list := make([]sessions.PlaygroundResult, len(m.items))
	for i, it := range m.items {
		list[i] = sessions.PlaygroundResult{X: it.x, Y: it.y}
	}
	return list
}

// selectionKind is the kind of a selection.
type selectionKind int

const (
	nothing selectionKind = iota
	result
	handle
	secondInput // of the joint distribution
)

// selection is what the arrow keys move: a result, or a handle of the active belief.
type selection struct {
	kind   selectionKind
	item   *item
	handle int // index of the handle
}

// next selects the next result from the left to the right, then the next handle, then nothing; with −1 it
// selects the previous one.
func (m *Model) next(delta int) tea.Cmd {
	var all []selection
	sorted := slices.Clone(m.items)
	slices.SortStableFunc(sorted, func(a, b *item) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	for _, it := range sorted {
		all = append(all, selection{kind: result, item: it})
	}
	for i := range m.handles() {
		all = append(all, selection{kind: handle, handle: i})
	}
	if m.row.joint {
		all = append(all, selection{kind: secondInput})
	}
	all = append(all, selection{})
	index := slices.Index(all, m.chosen)
	if index < 0 {
		index = len(all) - 1
	}
	m.choose(all[(index+delta+len(all))%len(all)])
	return m.computeRow()
}

// choose selects something.
func (m *Model) choose(s selection) {
	m.chosen, m.pointing = s, m.row.joint && s.kind != result
	if s.kind == result {
		m.cursor = [2]float64{s.item.x, s.item.y}
	}
}

// put puts a result at the cursor and selects it; where one is already, it selects that.
func (m *Model) put() tea.Cmd {
	for _, it := range m.items {
		if it.x == m.cursor[0] && it.y == m.cursor[1] {
			m.choose(selection{kind: result, item: it})
			return nil
		}
	}
	if len(m.items) >= maxItems {
		m.Notify("a playground has at most 500 results; remove some first")
		return nil
	}
	it := &item{x: m.cursor[0], y: m.cursor[1]}
	m.items = append(m.items, it)
	m.choose(selection{kind: result, item: it})
	return tea.Batch(m.add(it), m.compute())
}

// add records a new result where it is.
func (m *Model) add(it *item) tea.Cmd {
	x, y := it.x, it.y
	return m.record("adding a result", func(s *sessions.Session) (string, error) {
		err := s.AddResult(x, y)
		if all := s.State().Results(); err == nil && len(all) > 0 {
			it.result = all[len(all)-1]
		}
		return "", err
	})
}

// move records the place of a result.
func (m *Model) move(it *item) tea.Cmd {
	x, y := it.x, it.y
	return m.record("moving a result", func(s *sessions.Session) (string, error) {
		err := s.MoveResult(it.result, x, y)
		if err == nil {
			it.result.X, it.result.Y = x, y
		}
		return "", err
	})
}

// remove removes a result.
func (m *Model) remove(it *item) tea.Cmd {
	m.items = slices.DeleteFunc(slices.Clone(m.items), func(o *item) bool { return o == it })
	if m.chosen.item == it {
		m.chosen = selection{}
	}
	cmd := m.record("removing a result", func(s *sessions.Session) (string, error) {
		return "", s.RemoveResult(it.result)
	})
	return tea.Batch(cmd, m.compute())
}

// xSpan and ySpan are the ends of the axes of the plot. The results never lie outside.
func (m *Model) xSpan() (lo, hi float64) {
	v := m.state.Problem.Domain[0]
	return v.Low, v.High
}

func (m *Model) ySpan() (lo, hi float64) {
	r := m.state.Problem.Objectives[0].Range
	half := (r[1] - r[0]) / 4
	lo, hi = r[0]-half, r[1]+half
	for _, it := range m.items {
		if it.y < lo || it.y > hi {
			room := 0.02 * (hi - lo)
			lo, hi = min(lo, it.y-room), max(hi, it.y+room)
		}
	}
	return lo, hi
}

// tidy rounds a place on an axis from lo to hi to a hundred-thousandth of it.
func tidy(v, lo, hi float64) float64 {
	digits := 5 - int(math.Ceil(math.Log10(hi-lo)))
	unit := math.Pow(10, float64(digits))
	return min(max(math.Round(v*unit)/unit, lo), hi)
}

// step moves the selected result, or else the cursor, by cells of the plot.
func (m *Model) step(cols, rows float64) tea.Cmd {
	xlo, xhi := m.xSpan()
	ylo, yhi := m.ySpan()
	w, h := m.plotCells()
	dx, dy := cols*(xhi-xlo)/float64(max(w, 10)), rows*(yhi-ylo)/float64(max(h, 5))
	position := &m.cursor
	position[0], position[1] = tidy(position[0]+dx, xlo, xhi), tidy(position[1]+dy, ylo, yhi)
	if m.chosen.kind != result {
		m.pointing = true
		return m.computeRow()
	}
	m.preview(m.chosen.item, position[0], position[1])
	return tea.Batch(m.compute(), m.settle())
}
