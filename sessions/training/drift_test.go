package training

import (
	"errors"
	"math"

	"bandscope/functions/trainer"
	"bandscope/optimizers/param"
)

// driftModel is a training of two numbers, which diverges where its rate is above 2.
type driftModel struct {
	Rate, start float64
	steps, at   int
	W           float64
	last        []float64
	draws       *trainer.Source
	stepped     *int // by all of its copies
}

func (d *driftModel) Step() error {
	*d.stepped++
	loss := d.W * d.W
	d.W -= d.Rate * (d.W + 0.1*d.draws.Normals(1)[0])
	if d.at++; math.Abs(d.W) > 100 {
		return &trainer.DivergenceError{Step: d.at, What: "the loss"}
	}
	d.last = []float64{loss, d.W, math.NaN()}
	if d.at%ValidateEvery == 0 {
		d.last[2] = math.Abs(d.W)
	}
	return nil
}

func (d *driftModel) At() int           { return d.at }
func (d *driftModel) TotalUpdates() int { return d.steps }
func (d *driftModel) Row() []float64    { return d.last }
func (d *driftModel) Bytes() int        { return 1000 }

func (d *driftModel) Change(p param.Set) error {
	if p.Number("start") != d.start {
		return errors.New("only the rate is live")
	}
	d.Rate = p.Number("speed")
	return nil
}

func (d *driftModel) Copy() Model {
	c := *d
	c.draws = d.draws.Copy()
	return &c
}

// driftSpec is a lab of that training, and counts the updates of all of its trainings.
func driftSpec() (l *Spec, stepped *int) {
	stepped = new(int)
	return &Spec{Name: "drift", Title: "a drift", Updates: keySteps, Seed: keySeed, Live: []string{"speed"},
		SecondRun: map[string]any{"speed": 0.5},
		Decls: []param.Decl{{Key: "speed", Kind: param.Number, Default: 0.1, Min: 0, Max: 10},
			{Key: "start", Kind: param.Number, Default: 1.0, Min: -10, Max: 10},
			{Key: keySeed, Kind: param.Integer, Default: 1, Max: 1e9},
			{Key: keySteps, Kind: param.Integer, Default: 100, Min: 1, Max: 1000}},
		Columns: []Column{{Key: "loss"}, {Key: "w"}, {Key: "judged", Validation: true}},
		Check: func(p param.Set) error {
			if p.Number("start") == 7 {
				return errors.New("not from 7")
			}
			return nil
		},
		Begin: func(p param.Set) (Model, error) {
			return &driftModel{Rate: p.Number("speed"), start: p.Number("start"), W: p.Number("start"),
					steps: p.Int(keySteps), draws: trainer.NewSource(uint64(p.Int(keySeed)), 0),
					stepped: stepped},
				nil
		}}, stepped
}
