package gp

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// Memo caches the values of one prior draw. Paths with the same draw and different data share it, since evaluating the
// draw takes most of the time of a path. It is safe for concurrent use.
type Memo struct {
	mu     sync.RWMutex
	phase  []float64 // of the draw; nil before SetMemo
	weight []float64
	known  map[string]float64
}

// maxKnown is the maximum number of cached values.
const maxKnown = 4096

// SetMemo gives the path a memo, if the memo is empty or belongs to the prior draw of the path. The path must not be
// evaluated at the same time.
func (p *Path) SetMemo(m *Memo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.phase = p.draw.Phase
		m.weight = p.draw.Weight
		m.known = map[string]float64{}
	}
	if slices.Equal(m.phase, p.draw.Phase) && slices.Equal(m.weight, p.draw.Weight) {
		p.memo = m
	}
}

// at returns the value of the prior draw of a path at x.
func (m *Memo) at(p *Path, x []float64) float64 {
	var room [64]byte
	key := room[:0]
	for _, v := range x {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	m.mu.RLock()
	v, ok := m.known[string(key)]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = p.prior(x, nil)
	m.mu.Lock()
	if len(m.known) < maxKnown {
		m.known[string(key)] = v
	}
	m.mu.Unlock()
	return v
}
