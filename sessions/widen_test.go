package sessions

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
)

// wider is a widening of a variable that exists.
func wider(v functions.Variable) Widening { return Widening{Variable: v, Earlier: math.NaN()} }

// A wider domain keeps all results where they are, in the units of the experiment; models see the new unit cube, and
// the file is read back as it was written.
func TestWiden(t *testing.T) {
	s, path := brewed(t, "", 4)
	points := asks(t, s, 3)
	other := points[0] // that is measured at another dose than suggested
	require.NoError(t, s.RejectByID(points[2].ID, "spilled"))
	hears(t, s, other, functions.Result{Values: named{"extraction": 18, "bitterness": 3}, At: named{"dose": 17}})
	before := s.State()
	dose := before.Problem.Domain[0]
	require.NoError(t, s.Bound(t.Context(), "dose", 16, 18, ""))
	dose.High = 26
	require.NoError(t, s.Widen(wider(dose), "a larger basket"))
	pressure := functions.Variable{Name: "pressure", Low: 1, High: 9, Unit: "bar"}
	require.NoError(t, s.Widen(Widening{Variable: pressure, Earlier: 9}, ""))
	st := s.State()
	require.Len(t, before.Problem.Domain, 2, "an earlier state changed")
	require.Len(t, before.Iterations[0].Points[0].X, 2, "an earlier state changed")
	assert.Equal(t, before.Problem.Domain, st.Original)
	assert.Equal(t, 26.0, st.Bounds[0].High)
	assert.Equal(t, pressure, st.Bounds[2])
	for i, it := range st.Iterations {
		assert.Equal(t, append(before.Iterations[i].Points[0].X, 9), it.Points[0].X)
	}
	assert.Equal(t, append(other.Points[0].X, 9), st.Iterations[4].Points[0].Suggested)
	assert.Equal(t, append(points[2].Points[0].X, 9), st.Rejections[0].X[0])
	assert.Equal(t, 9.0, st.Pending[0].Points[0].X[2])
	in := st.Input()
	require.Equal(t, 3, in.Dim)
	assert.Equal(t, st.Problem.Domain.ToUnit(st.Iterations[0].Points[0].X), in.Data.X.RawRowView(0))
	s.SetEvaluator(barista)
	steps(t, s, 6)
	s.SetEvaluator(nil)
	highest := 0.0
	for _, it := range s.State().Iterations[6:] {
		require.Len(t, it.Points[0].X, 3)
		highest = max(highest, it.Points[0].X[0])
	}
	assert.Greater(t, highest, 20.0, "no point beyond the old bound")
	s = sameOnDisk(t, s, path)
	s.Seek(3)
	assert.Equal(t, before.Problem.Domain, s.State().Problem.Domain, "before the change")
}

// The domain becomes wider only, and says what else would be right.
func TestWidenErrors(t *testing.T) {
	s, _ := brewed(t, "random", 1)
	dose := s.State().Problem.Domain[0]
	change := func(apply func(*functions.Variable)) Widening {
		v := dose
		apply(&v)
		return wider(v)
	}
	for want, w := range map[string]Widening{
		"can only become wider":               change(func(v *functions.Variable) { v.High = 19 }),
		"the kind, the scale and the unit of": change(func(v *functions.Variable) { v.Unit = "oz" }),
		"the value at the earlier points":     {Variable: functions.Variable{Name: "p", Low: 1, High: 2}, Earlier: 3},
		"low must be less than high":          {Variable: functions.Variable{Name: "p", Low: 2, High: 1}, Earlier: 1},
		"already has the name":                {Variable: functions.Variable{Name: "bitterness", Low: 1, High: 2}, Earlier: 1},
		"another meaning in expressions":      {Variable: functions.Variable{Name: "step", Low: 1, High: 2}, Earlier: 1},
		"the value at the earlier points: p":  wider(functions.Variable{Name: "p", Low: 1, High: 2}),
	} {
		assert.ErrorContains(t, s.Widen(w, ""), want)
	}
	f := start(t, Config{Problem: "forrester"})
	assert.ErrorIs(t, f.Widen(wider(f.State().Problem.Domain[0]), ""), ErrFixedVariables)
}

// A choice keeps its names and its numbers get new ones between them.
func TestWidenLevels(t *testing.T) {
	choice, list := functions.NewChoice("c", "a", "b"), functions.NewOrdered("l", 1, 4)
	for _, c := range []struct {
		was, now functions.Variable
		fails    bool
	}{
		{choice, functions.NewChoice("c", "a", "b", "1,4-dioxane"), false},
		{choice, functions.NewChoice("c", "b", "a", "d"), true},
		{choice, functions.NewChoice("c", "a"), true},
		{list, functions.NewOrdered("l", 1, 2, 4), false},
		{list, functions.NewOrdered("l", 2, 4), true},
	} {
		assert.Equal(t, c.fails, checkWider(c.was, c.now) != nil, "%v", c.now)
	}
}

// A result outside of the bounds makes the domain as wide as it needs, on the grid of a step; the next points stay
// within the bounds.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		v         functions.Variable
		x         float64
		low, high float64
	}{
		{functions.Variable{Low: 60, High: 100}, 105, 60, 105},
		{functions.Variable{Low: 60, High: 100, Step: 10}, 105, 60, 110},
		{functions.Variable{Low: 0.1, High: 0.5, Step: 0.1}, -0.25, -0.3, 0.5},
		{functions.Variable{Low: 1, High: 10, Scale: functions.Log}, 0, 1, 10},
		{functions.Variable{Low: 1, High: 10, Kind: functions.Integer}, 12, 1, 12},
		{functions.NewOrdered("l", 1, 4), 8, 1, 8},
		{functions.NewOrdered("l", 1, 4), 2, 1, 4},
		{functions.NewChoice("c", "a", "b"), 3, 0, 1},
		{functions.Variable{Low: 60, High: 100}, 80, 60, 100},
		{functions.Variable{Low: 60, High: 100}, math.NaN(), 60, 100},
	} {
		v := reaching(c.v, c.x)
		assert.Equal(t, [2]float64{c.low, c.high}, [2]float64{v.Low, v.High}, "%+v at %g", c.v, c.x)
	}
	s, path := brewed(t, "", 4)
	x := []float64{25, 30}
	require.NoError(t, s.Reach(x))
	require.NoError(t, s.Reach(x), "nothing is left to do")
	_, err := s.Record(ByPerson, [][]float64{x}, functions.Outcome{Values: []float64{18, 3}})
	require.NoError(t, err)
	st := s.State()
	assert.Equal(t, x, st.Iterations[4].Points[0].X)
	assert.Equal(t, 25.0, st.Problem.Domain[0].High)
	assert.Equal(t, 20.0, st.Bounds[0].High)
	assert.Equal(t, 1.0, st.Input().Data.X.At(4, 0))
	s = sameOnDisk(t, s, path)
	for range 5 {
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		assert.LessOrEqual(t, it.Points[0].X[0], 20.0)
	}
}
