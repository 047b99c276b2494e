package playground

import (
	"fmt"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// The number of samples at first and at most, and how they move: a frame every frameTime, and a circle in circleTime.
const (
	defaultSamples = 3
	maxSamples     = 12
	frameTime      = 125 * time.Millisecond
	circleTime     = 16 * time.Second
)

// samples says which samples of the active belief are drawn.
type samples struct {
	count   int
	draw    uint64
	circles bool // they are computed as circles, on which they can move
	moving  bool
	turns   int // frames since the start
	run     int // counts starts, so that frames of an earlier one are dropped
}

// frameMsg is the time of the next frame of moving samples.
type frameMsg struct {
	of  *Model
	run int
}

// at is a sample of a belief at the current place on its circle. For two independent draws a and b with the mean μ,
//
//	f(t) = μ + (a − μ) cos t + (b − μ) sin t
//
// is for every t a draw with the same mean and covariance: a great circle of the Gaussian distribution, on which a sample
// of a Gaussian process moves through other samples (Hennig 2013, "Animating samples from Gaussian distributions",
// Technical Report 8, Max Planck Institute for Intelligent Systems). Where hyperparameters are integrated over, the two
// draws may have different ones, and only the mean and the covariance are those of the belief.
func (p *beliefPicture) at(s samples, i int) picture.Field {
	f := p.Samples[i]
	if i >= len(p.across) || !s.circles {
		return f
	}
	sin, cos := math.Sincos(2 * math.Pi * float64(s.turns) * frameTime.Seconds() / circleTime.Seconds())
	z := make([]float64, len(f.Z))
	for k := range z {
		a, b := f.Z[k], p.across[i].Z[k]
		mean := (a + b) / 2
		if m := p.Fields[picture.MeanField]; !m.Empty() {
			mean = m.Z[k]
		}
		z[k] = mean + (a-mean)*cos + (b-mean)*sin
	}
	f.Z = z
	return f
}

// moveSamples lets the samples move, or stops them.
func (m *Model) moveSamples() tea.Cmd {
	if p := m.beliefs[m.active].picture; !m.samples.moving && p != nil && !p.gaussian {
		m.Notify("the samples of this belief cannot move: it is not a Gaussian process")
		return nil
	}
	m.samples.moving = !m.samples.moving
	if !m.samples.moving {
		m.Notify("the samples do not move")
		return nil
	}
	m.samples.circles = true
	m.samples.run++
	m.Notify("the samples move through other samples")
	return tea.Batch(m.compute(), m.frame())
}

// frame asks for the next frame.
func (m *Model) frame() tea.Cmd {
	msg := frameMsg{m, m.samples.run}
	return tea.Tick(frameTime, func(time.Time) tea.Msg { return msg })
}

// nextFrame moves the samples on.
func (m *Model) nextFrame(msg frameMsg) tea.Cmd {
	if msg.of != m || msg.run != m.samples.run || !m.samples.moving {
		return nil
	}
	if p := m.beliefs[m.active].picture; p != nil && !p.gaussian {
		m.samples.moving = false
		return nil
	}
	m.samples.turns++
	return m.frame()
}

func (m *Model) noSamples() string {
	return widget.Why(m.samples.count == 0, "no samples are drawn; ) draws one")
}

// more draws more samples, or fewer.
func (m *Model) more(delta int) tea.Cmd {
	m.samples.count = min(max(m.samples.count+delta, 0), maxSamples)
	m.Notify(fmt.Sprintf("samples: %d", m.samples.count))
	return m.compute()
}

// others draws other samples.
func (m *Model) others() tea.Cmd {
	m.samples.draw++
	return m.compute()
}
