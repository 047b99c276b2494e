package chart

import (
	"maps"
	"slices"
)

// LabelMemory keeps the labels of a chart where they were when it is drawn again with other numbers: within the plot at
// the same place, or in the legend.
type LabelMemory struct {
	key        string
	size       [2]int
	last, next map[string]place // by the name of the layer; noPlace in the legend
	order      []string         // the names that were in the legend, in the order in which they came
	frozen     bool             // nothing is kept of the drawing
}

// noPlace is the place of a name in the legend.
var noPlace = place{-1, -1}

// Begin begins a drawing of the numbers of a key in w×h cells. In other cells than before labels are placed again. Of
// incomplete numbers nothing is kept.
func (m *LabelMemory) Begin(key string, complete bool, w, h int) *LabelMemory {
	if size := [2]int{w, h}; size != m.size {
		*m = LabelMemory{size: size}
	}
	m.frozen = !complete
	if key != m.key && complete {
		m.key = key
		m.last = m.next
		m.next = maps.Clone(m.last)
	}
	return m
}

// Forget lets the labels be placed again.
func (m *LabelMemory) Forget() { *m = LabelMemory{} }

// place is where the label of a name was in the last drawing.
func (m *LabelMemory) place(name string) (pos place, ok bool) {
	if m == nil {
		return place{}, false
	}
	pos, ok = m.last[name]
	return pos, ok
}

// put keeps where the label of a name is.
func (m *LabelMemory) put(name string, pos place) {
	if m == nil || m.frozen {
		return
	}
	if m.next == nil {
		m.next = map[string]place{}
	}
	m.next[name] = pos
	if pos == noPlace && !slices.Contains(m.order, name) {
		m.order = append(m.order, name)
	}
}

// sort orders entries of the legend as they came.
func (m *LabelMemory) sort(entries []Entry) {
	if m != nil {
		slices.SortStableFunc(entries, func(a, b Entry) int {
			return slices.Index(m.order, a.Name) - slices.Index(m.order, b.Name)
		})
	}
}
