package playground

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions"
)

// draft is a change that is previewed: another place of a result, or another belief. It is recorded as one event when it
// is done.
type draft struct {
	item   *item      // the result; nil for none
	from   [2]float64 // where it was
	fresh  bool       // it is a new result
	belief *belief    // the belief; nil for none
	value  float64    // to which keys have moved a handle; 0 for none
	number int        // counts changes, so that a late message about an earlier one is dropped
}

// open reports whether anything is previewed.
func (d draft) open() bool { return d.item != nil || d.belief != nil }

// settleDelay is how long after the last key a change by keys is recorded.
const settleDelay = 900 * time.Millisecond

// settleMsg says that a change by keys is recorded, if no later one follows.
type settleMsg struct {
	of    *Model
	draft int
}

// settle records the draft after a while without further changes.
func (m *Model) settle() tea.Cmd {
	m.draft.number++
	msg := settleMsg{m, m.draft.number}
	return tea.Tick(settleDelay, func(time.Time) tea.Msg { return msg })
}

// preview moves a result without recording it.
func (m *Model) preview(it *item, x, y float64) {
	if m.draft.item != it {
		m.draft = draft{item: it, from: [2]float64{it.x, it.y}, fresh: m.draft.fresh && m.draft.item == it,
			number: m.draft.number}
	}
	it.x, it.y = x, y
	m.cursor = [2]float64{x, y}
}

// tune changes a handle of the active belief to a value without recording it.
func (m *Model) tune(h optimizers.Handle, value float64) error {
	value = min(max(value, h.Min), h.Max)
	return m.previewChange(func(p param.Set) []optimizers.Setting { return h.Set(p, value) })
}

// previewChange changes parameters of the active belief without recording them.
func (m *Model) previewChange(change func(param.Set) []optimizers.Setting) error {
	b := m.beliefs[m.active]
	next, err := m.state.Adjust(b.shown(), change)
	if err != nil {
		return err
	}
	m.draft.belief, b.preview = b, &next
	return nil
}

// commit records the draft.
func (m *Model) commit() tea.Cmd {
	d := m.draft
	m.draft = draft{number: d.number + 1}
	switch {
	case d.item != nil && d.fresh:
		return m.add(d.item)
	case d.item != nil && d.from != [2]float64{d.item.x, d.item.y}:
		return m.move(d.item)
	case d.belief != nil:
		return m.recordBeliefs("changing the belief")
	}
	return nil
}

// cancel takes the draft back.
func (m *Model) cancel() {
	d := m.draft
	m.draft, m.drag = draft{number: d.number + 1}, nil
	if d.item != nil {
		d.item.x, d.item.y = d.from[0], d.from[1]
		if d.fresh {
			m.drop(d.item)
		}
		m.cursor = d.from
	}
	if d.belief != nil {
		d.belief.preview = nil
	}
}

// drop removes a result that was never recorded from the plot.
func (m *Model) drop(it *item) {
	for i, o := range m.items {
		if o == it {
			m.items = append(m.items[:i:i], m.items[i+1:]...)
			break
		}
	}
	m.chosen = selection{}
}

// recordBeliefs records the beliefs as they are shown.
func (m *Model) recordBeliefs(doing string) tea.Cmd {
	first := m.beliefs[0].shown()
	var second *sessions.BeliefConfig
	if len(m.beliefs) > 1 {
		other := m.beliefs[1].shown()
		second = &other
	}
	for _, b := range m.beliefs {
		b.config, b.preview = b.shown(), nil
	}
	return m.record(doing, func(s *sessions.Session) (string, error) { return "", s.SetBeliefs(first, second) })
}
