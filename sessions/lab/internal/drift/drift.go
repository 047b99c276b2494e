// Package drift is a lab for tests, of a training that takes no time: two numbers that drift to 0, or diverge.
package drift

import (
	"errors"
	"math"

	"bandscope/functions/training"
	"bandscope/optimizers/param"
	"bandscope/sessions/lab/kinds"
)

// The keys of the lab.
const (
	Seed  = "seed"
	Steps = "steps"
)

// Model is a training of two numbers, which diverges where its rate is above 2.
type Model struct {
	Rate, start float64
	steps, at   int
	W           float64
	last        []float64
	draws       *training.Source
	stepped     *int // by all of its copies
}

func (d *Model) Step() error {
	*d.stepped++
	loss := d.W * d.W
	d.W -= d.Rate * (d.W + 0.1*d.draws.Norm(1)[0])
	if d.at++; math.Abs(d.W) > 100 {
		return &training.Diverged{Step: d.at, What: "the loss"}
	}
	d.last = []float64{loss, d.W, math.NaN()}
	if d.at%kinds.JudgedEvery == 0 {
		d.last[2] = math.Abs(d.W)
	}
	return nil
}

func (d *Model) At() int        { return d.at }
func (d *Model) Of() int        { return d.steps }
func (d *Model) Row() []float64 { return d.last }
func (d *Model) Bytes() int     { return 1000 }

func (d *Model) Change(p param.Set) error {
	if p.Number("start") != d.start {
		return errors.New("only the rate is live")
	}
	d.Rate = p.Number("speed")
	return nil
}

func (d *Model) Copy() kinds.Model {
	c := *d
	c.draws = d.draws.Copy()
	return &c
}

// Lab is a lab of that training, and counts the updates of all of its trainings.
func Lab() (l *kinds.Lab, stepped *int) {
	stepped = new(int)
	return &kinds.Lab{Name: "drift", Title: "a drift", Updates: Steps, Seed: Seed, Live: []string{"speed"}, Contrast: map[string]any{"speed": 0.5},
		Decls: []param.Decl{{Key: "speed", Kind: param.Number, Default: 0.1, Min: 0, Max: 10}, {Key: "start", Kind: param.Number, Default: 1.0, Min: -10, Max: 10},
			{Key: Seed, Kind: param.Integer, Default: 1, Max: 1e9}, {Key: Steps, Kind: param.Integer, Default: 100, Min: 1, Max: 1000}},
		Columns: []kinds.Column{{Key: "loss"}, {Key: "w"}, {Key: "judged", Judged: true}},
		Check: func(p param.Set) error {
			if p.Number("start") == 7 {
				return errors.New("not from 7")
			}
			return nil
		},
		Begin: func(p param.Set) (kinds.Model, error) {
			return &Model{Rate: p.Number("speed"), start: p.Number("start"), W: p.Number("start"), steps: p.Int(Steps), draws: training.NewSource(uint64(p.Int(Seed)), 0), stepped: stepped}, nil
		}}, stepped
}
