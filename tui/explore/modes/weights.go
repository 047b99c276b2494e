package modes

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/preference"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// WeightMode draws the prior over weights by hand: a Dirichlet distribution with a peak and a strength, whose
// parameters are 1 + strength × peak.
type WeightMode struct {
	priorDraft
	peak     []float64 // the most probable weights, which add up to 1
	strength float64   // 0 is flat
	selected int       // of more than three weights, the one that the arrows change
	drag     weightGrip
}

// weightGrip is where on the plot the mouse began to drag, with the coordinates there and their changes by a cell. The
// axis of the density follows the curve, these do not.
type weightGrip struct {
	active        bool
	col, row      int
	value, byCell [2]float64
}

const (
	firstStrength  = 6   // of a peak on a flat prior
	minStrength    = 0.5 // that differs from 0
	maxStrength    = 500
	strengthFactor = 1.5  // of a key
	minWeight      = 0.01 // of a peak
)

// NewWeightMode makes a mode without a prior.
func NewWeightMode() mode.Mode { return &WeightMode{} }

// weightTurn is one call of the mode.
type weightTurn struct {
	*WeightMode
	*mode.Turn
}

var weightCommands = []widget.Command[weightTurn]{
	{Binding: widget.Bind("arrows", "move the peak (shift: finer)", "left", "shift+left"), Do: movesPeak(0, -1)},
	{Binding: widget.Bind("", "move the peak (shift: finer)", "right", "shift+right"), Do: movesPeak(0, +1)},
	{Binding: widget.Bind("", "move the peak (shift: finer)", "up", "shift+up"), Do: movesPeak(1, +1)},
	{Binding: widget.Bind("", "move the peak (shift: finer)", "down", "shift+down"), Do: movesPeak(1, -1)},
	widget.NewCommand(widget.Bind("] [", "raise and narrow, lower and widen", "]"), nil, func(t weightTurn) tea.Cmd {
		return t.sharpen(+1)
	}),
	widget.NewCommand(widget.Bind("", "raise and narrow, lower and widen", "["), nil, func(t weightTurn) tea.Cmd {
		return t.sharpen(-1)
	}),
	widget.NewCommand(widget.Bind("tab", "next weight", "tab"), weightTurn.fewWeights, func(t weightTurn) tea.Cmd {
		t.selected = (t.selected + 1) % len(t.peak)
		return nil
	}),
	widget.NewCommand(widget.Bind("enter", "apply", "enter"), nil, func(t weightTurn) tea.Cmd {
		return t.apply(t.Turn, "the prior over weights is now "+t.prior.String())
	}),
	widget.NewCommand(widget.Bind("esc", "leave", "esc"), nil, func(t weightTurn) tea.Cmd { return t.leave(t.Turn) }),
	widget.NewCommand(widget.Named("flat prior"), nil, func(t weightTurn) tea.Cmd { return t.flatten(t.Turn) }),
}

// WeightBindings are the keys of the mode, and the mouse.
func WeightBindings() []key.Binding {
	return append(widget.Bindings(weightCommands), widget.Bind("mouse", "drag the peak on its plot"))
}

// Title names the mode.
func (m *WeightMode) Title() string { return "the prior over weights" }

// Typing reports that no text is typed.
func (m *WeightMode) Typing() bool { return false }

// Keys are the current keys.
func (m *WeightMode) Keys(s mode.Scene) []widget.Key {
	return widget.Keys(weightTurn{m, &mode.Turn{Scene: s}}, weightCommands)
}

// Start takes the shape of the current prior.
func (m *WeightMode) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	t := weightTurn{m, &mode.Turn{Scene: s}}
	return t.start(), t.Actions
}

func (t weightTurn) start() tea.Cmd {
	if said, ok := t.begin(t.Turn, "a prior over weights"); !ok {
		return said
	}
	t.drag, t.selected = weightGrip{}, 0
	t.shape(concentrations(t.prior, t.Outcomes.Current.Scalarizations, len(t.State.Problem.Objectives)))
	t.Request(mode.Enter{Mode: t.WeightMode})
	t.Request(mode.Preview{Outcomes: t.Outcomes.Current})
	return t.moved()
}

// concentrations are the parameters of a Dirichlet distribution like a prior over n weights: its own, or those with
// the mean and about the variance of draws.
func concentrations(prior preference.Prior, draws []preference.Scalarization, n int) []float64 {
	alpha := slices.Repeat([]float64{1}, n)
	if len(prior) == 1 {
		switch prior[0].Distribution {
		case preference.Flat:
			return alpha
		case preference.Dirichlet:
			for k := range alpha {
				alpha[k] = prior[0].Alpha[k%len(prior[0].Alpha)]
			}
			return alpha
		}
	}
	if len(draws) < 2 {
		return alpha
	}
	totals := make([]float64, n)
	for k := range alpha {
		values := make([]float64, len(draws))
		for i, d := range draws {
			values[i] = d.Weights[k]
		}
		mean, variance := stat.MeanVariance(values, nil)
		alpha[k] = mean
		totals[k] = mean*(1-mean)/max(variance, 1e-6) - 1
	}
	floats.Scale(max(stat.Mean(totals, nil), 1), alpha)
	return alpha
}

// shape takes the peak and the strength of a Dirichlet distribution.
func (t weightTurn) shape(alpha []float64) {
	t.peak = make([]float64, len(alpha))
	t.strength = 0
	for k, a := range alpha {
		t.peak[k] = max(a-1, 0)
		t.strength += t.peak[k]
	}
	if t.strength < minStrength {
		t.strength = 0
		t.peak = slices.Repeat([]float64{1}, len(alpha))
	}
	t.normalize()
}

// normalize keeps every weight of the peak above minWeight, and their sum at 1.
func (t weightTurn) normalize() {
	for k := range t.peak {
		t.peak[k] = max(t.peak[k], minWeight)
	}
	floats.Scale(1/floats.Sum(t.peak), t.peak)
}

// alpha are the parameters of the distribution, of one decimal up to 10 and of none above.
func (m *WeightMode) alpha() []float64 {
	alpha := make([]float64, len(m.peak))
	for k, w := range m.peak {
		alpha[k] = scalar.Round(1+m.strength*w, 1)
		if alpha[k] >= 10 {
			alpha[k] = math.Round(alpha[k])
		}
	}
	return alpha
}

// moved writes the distribution into the new prior, and previews the weights.
func (t weightTurn) moved() tea.Cmd {
	parts := make([]string, len(t.peak))
	flat := true
	for k, a := range t.alpha() {
		parts[k] = strconv.FormatFloat(a, 'f', -1, 64)
		flat = flat && a == 1
	}
	text := "dirichlet(" + strings.Join(parts, ", ") + ")"
	if flat {
		text = string(preference.Flat)
	}
	prior, err := preference.ParsePrior(text, nil)
	if err != nil {
		return t.Fail(err)
	}
	t.prior = prior
	return t.preview(t.Turn)
}

// Update takes a key, the mouse, the weights under the new prior, and a new picture, for which it computes them again.
func (m *WeightMode) Update(s mode.Scene, msg tea.Msg) (cmd tea.Cmd, a []widget.Action) {
	t := weightTurn{m, &mode.Turn{Scene: s}}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd, _ = mode.Press(t.Turn, t, weightCommands, msg)
	case widget.Hit:
		switch msg.MouseMsg.(type) {
		case tea.MouseClickMsg:
			cmd = t.grab(msg)
		case tea.MouseMotionMsg:
			cmd = t.follow(msg)
		case tea.MouseReleaseMsg:
			t.drag = weightGrip{}
		}
	case mode.PictureChanged:
		cmd = t.preview(t.Turn)
	case widget.DoneMsg:
		cmd = t.previewDone(t.Turn, msg)
	}
	return cmd, t.Actions
}

// movesPeak makes a command that moves the peak along an axis of its plot: of two weights up and down make it higher
// and lower, of three it moves in the triangle, of more left and right change the selected weight.
func movesPeak(axis int, sign float64) func(weightTurn, tea.KeyPressMsg) tea.Cmd {
	return func(t weightTurn, msg tea.KeyPressMsg) tea.Cmd {
		step := sign * coarse
		if strings.HasPrefix(msg.String(), "shift+") {
			step = sign * fine
		}
		if axis == 1 && len(t.peak) != 3 {
			return t.sharpen(int(sign))
		}
		if t.strength == 0 {
			t.strength = firstStrength
		}
		switch {
		case len(t.peak) != 3:
			for k := range t.peak {
				t.peak[k] -= step / float64(len(t.peak)-1)
			}
			t.peak[t.selected] += step + step/float64(len(t.peak)-1)
		case axis == 0:
			t.peak[0] -= step
			t.peak[1] += step
		default:
			floats.Add(t.peak, []float64{-step / 2, -step / 2, step})
		}
		t.normalize()
		return t.moved()
	}
}

// sharpen raises and narrows the peak, or with −1 lowers and widens it.
func (t weightTurn) sharpen(delta int) tea.Cmd {
	switch next := t.strength * math.Pow(strengthFactor, float64(delta)); {
	case delta > 0 && t.strength == 0:
		t.strength = 1
	case next < minStrength:
		t.strength = 0
	default:
		t.strength = min(next, maxStrength)
	}
	return t.moved()
}

func (t weightTurn) fewWeights() string {
	return widget.Why(len(t.peak) < 4, "the arrows move all weights at once")
}

// Overlay asks for the plot of the prior to take the mouse.
func (m *WeightMode) Overlay(mode.Scene) mode.Overlay { return mode.Overlay{Weights: true} }

// Status has the distribution, and the mean and standard deviation of each weight.
func (m *WeightMode) Status(s mode.Scene, w int) *layout.Box {
	st, alpha := s.Style, m.alpha()
	total := floats.Sum(alpha)
	parts, says := []string{st.PaintBold(st.Accent, m.prior.String())}, []string{}
	for k, a := range alpha {
		mean := a / total
		text := fmt.Sprintf("%.2f ± %.2f", mean, math.Sqrt(mean*(1-mean)/(total+1)))
		color := st.Dim
		if len(alpha) > 3 && k == m.selected {
			color = st.Accent
		}
		name := s.State.Problem.Objectives[k].Name
		parts = append(parts, st.Paint(color, st.Plain("λ of "+name))+" "+st.Paint(st.Text, st.Plain(text)))
		says = append(says, name+" "+text)
	}
	return layout.Text(w, " "+layout.FitEntries(parts, "  ", w-2)).Number("new prior", "prior over weights",
		fmt.Sprintf("The new prior over weights, %s; the mean and standard deviation of each weight: %s. The prior and the preferred part of the front are a preview; enter applies it.",
			m.prior, strings.Join(says, ", ")))
}

// Hints are the keys of the footer; tab is for more than three weights.
func (m *WeightMode) Hints(mode.Scene) []key.Binding {
	list := widget.Bindings(weightCommands)
	if len(m.peak) > 3 {
		return list
	}
	return slices.DeleteFunc(list, func(b key.Binding) bool { return b.Help().Key == "tab" })
}
