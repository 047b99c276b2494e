package diagnostics

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats/scalar"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
)

// BlockShift is the estimated shift of a block, such as a plate or a day, of one objective: in its own unit and
// direction or, on a log scale, of its decimal logarithm.
type BlockShift struct {
	Name     string
	Results  int
	Mean, SE float64
}

// Low and High are the ends of the 95 % interval of the shift.
func (s BlockShift) Low() float64 { return s.Mean - 1.96*s.SE }

// High is the upper end of the 95 % interval of the shift.
func (s BlockShift) High() float64 { return s.Mean + 1.96*s.SE }

// Blocks are the estimated shifts of all blocks of an objective.
type Blocks struct {
	Shifts   []BlockShift
	SD       float64 // standard deviation of shifts
	Relative bool    // the shifts are relative to their mean, and otherwise to the results without a block
	log      bool
}

// Reference says what the shifts are relative to.
func (b *Blocks) Reference() string {
	if b.Relative {
		return "the mean of the blocks"
	}
	return "the results without a block"
}

// Format is a shift with its uncertainty: "+2.1 ± 0.4 %", or a factor with its 95 % interval on a log scale.
func (b *Blocks) Format(s BlockShift, unit string) string {
	if b.log {
		factor := func(v float64) string { return numfmt.Format(math.Pow(10, v)) }
		return "×" + factor(s.Mean) + " (" + factor(s.Low()) + "–" + factor(s.High()) + ")"
	}
	sign := ""
	if s.Mean >= 0 {
		sign = "+"
	}
	mean, se := s.Mean, s.SE
	if se > 0 { // two digits of the uncertainty
		places := 1 - int(math.Floor(math.Log10(se)))
		mean, se = scalar.Round(mean, places), scalar.Round(se, places)
	}
	return strings.TrimSpace(sign + numfmt.Format(mean) + " ± " + numfmt.Format(se) + " " + unit)
}

// Describe says in a sentence what a shift is.
func (b *Blocks) Describe(s BlockShift, unit string) string {
	verdict := "no clear shift: its 95 % interval contains 0"
	if s.Low() > 0 || s.High() < 0 {
		verdict = "a shift that is clearly not 0"
	}
	return fmt.Sprintf("The results of %s (%d) differ from %s by %s, beyond what the variables explain. This is %s.", s.Name,
		s.Results, b.Reference(), b.Format(s, unit), verdict)
}

// blocks fills in the shifts of the blocks, if the model estimates any.
func (e checker) blocks(r *Check) error {
	if e.in.Data.Blocks == nil {
		return nil
	}
	var all []optimizers.BlockEffects
	if owner, ok := e.belief.(optimizers.BlockEstimator); ok {
		var err error
		all, err = owner.BlockEffects(e.ctx)
		if optimizers.IgnoreUnsupported(err) != nil {
			return err
		}
	}
	if all == nil {
		for k := range r.Objectives {
			r.Objectives[k].NoBlocks = e.state.Spec.Title + " estimates no shifts of blocks: the results of all blocks count as they are"
		}
	}
	counts := make([]int, len(e.in.Data.BlockNames))
	for _, b := range e.in.Data.Blocks {
		if b >= 0 {
			counts[b]++
		}
	}
	for k, effects := range all {
		g := r.Objectives[k].Transform()
		b := &Blocks{SD: effects.SD, Relative: effects.Relative, log: g.IsLog()}
		for i, name := range e.in.Data.BlockNames {
			b.Shifts = append(b.Shifts, BlockShift{name, counts[i], g.Sign * effects.Mean[i], effects.SE[i]})
		}
		r.Objectives[k].Blocks = b
	}
	return nil
}
