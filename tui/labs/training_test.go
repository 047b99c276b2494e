package labs

import (
	"math"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"bandscope/functions/trainer"
	"bandscope/optimizers/param"
	"bandscope/sessions/training"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
)

var (
	trueColor = theme.New(true, theme.TrueColor, false)
	noColor   = theme.New(true, theme.NoColor, false)
)

// descent is a training of one number, which diverges where its pull is above 2.
type descent struct {
	pull, from float64
	steps, at  int
	w          float64
	row        []float64
}

func (d *descent) Step() error {
	loss := d.w * d.w
	d.w -= d.pull * d.w
	if d.at++; math.Abs(d.w) > 100 {
		return &trainer.DivergenceError{Step: d.at, What: "the loss"}
	}
	d.row = []float64{loss, d.w, math.NaN()}
	if d.at%10 == 0 {
		d.row[2] = 100 - math.Abs(d.w)
	}
	return nil
}

func (d *descent) At() int                  { return d.at }
func (d *descent) TotalUpdates() int        { return d.steps }
func (d *descent) Row() []float64           { return d.row }
func (d *descent) Bytes() int               { return 100 }
func (d *descent) Change(p param.Set) error { d.pull = p.Number("pull"); return nil }
func (d *descent) Copy() training.Model     { c := *d; return &c }

// descending is the tests' lab.
func descending() *training.Spec {
	return &training.Spec{Name: "descent", Title: "a descent", Updates: "steps", Seed: "draws", Live: []string{"pull"},
		SecondRun: map[string]any{"pull": 0.5},
		Decls: []param.Decl{
			{Key: "pull", Label: "pull", Help: "How far an update goes.", Kind: param.Number, Default: 0.05, Max: 10},
			{Key: "from", Label: "from", Help: "Where it begins.", Kind: param.Number, Default: 10.0, Min: -50,
				Max: 50},
			{Key: "draws", Label: "draws", Help: "The seed.", Kind: param.Integer, Default: 0, Max: 100},
			{Key: "steps", Label: "updates", Help: "Updates of the training.", Kind: param.Integer, Default: 100,
				Min: 1, Max: 1000}},
		Columns: []training.Column{{Key: "loss", Label: "loss", Log: true}, {Key: "w", Label: "w"},
			{Key: "right", Label: "right", Unit: "%", Validation: true}},
		Check: func(param.Set) error { return nil },
		Begin: func(p param.Set) (training.Model, error) {
			return &descent{pull: p.Number("pull"), from: p.Number("from"), w: p.Number("from"),
				steps: p.Int("steps")}, nil
		},
		Unwrap: func(m training.Model) any { return m },
	}
}

// driver runs the screen without a terminal: commands run on goroutines, their messages are fed back until nothing is
// computed.
type driver struct{ *pagetest.Driver[*Model] }

// session is one of the tests' lab, which begins at a fixed time.
func session(t testing.TB, options ...training.Option) *training.Session {
	t.Helper()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := training.New(descending(), nil,
		append(options, training.WithClock(func() time.Time { now = now.Add(time.Second); return now }))...)
	require.NoError(t, err)
	return s
}

// step trains so many updates.
func step(t testing.TB, s *training.Session, n int) {
	t.Helper()
	if _, err := s.Step(t.Context(), n, nil); err != nil {
		t.Fatal(err)
	}
}

func drive(t testing.TB, w, h int, st theme.Style) *driver {
	t.Helper()
	return begin(t, New(session(t), ""), w, h, st)
}

func begin(t testing.TB, m *Model, w, h int, st theme.Style) *driver {
	t.Helper()
	m.Permit(rights.Own(""))
	d := &driver{pagetest.New(t, m, w, h, st, func() bool { return m.Jobs.Busy() })}
	t.Cleanup(func() { m.Session().Close() })
	return d
}

func paste(text string) tea.Msg { return tea.PasteMsg{Content: text} }
