package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/sessions"
)

// Two pairs of replicates with known errors, told to a session on an experiment: what stands for them is by hand (10/1²
// + 13/0.5²)/(1/1² + 1/0.5²) = 12.4 ± 1/√5, and evenly weighted where an error is missing. What the program believes
// there is by hand too, from 12.4 and 16 with these errors and the process that it fitted: evenly weighted, 11.5, it
// would be elsewhere.
func TestReplicatesThroughTheWholeProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.toml")
	text := "name = \"pairs\"\n[[variable]]\nname = \"dose\"\nlow = 10\nhigh = 20\n[[objective]]\nname = \"yield\"\n" +
		"direction = \"maximize\"\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	cfg, err := sessions.Config{Seed: 1, Optimizer: "gp-ei",
		Params: map[string]any{"kernel": "se", "hyperparameters": "fitted"}}.WithExperiment(path)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), cfg)
	require.NoError(t, err)
	for _, r := range [][3]float64{{12, 10, 1}, {12, 13, 0.5}, {18, 16.5, 1}, {18, 15.5, 1}} {
		if _, err := s.Record(sessions.ByPerson, [][]float64{{r[0]}},
			functions.Outcome{Values: []float64{r[1]}, SE: []float64{r[2]}}); err != nil {
			t.Fatal(err)
		}
	}
	list := ReplicatesFor(s.State())
	if len(list) != 2 || list[0].Count != 2 || math.Abs(list[0].Mean[0]-12.4) > 1e-12 ||
		math.Abs(list[0].SE[0]-1/math.Sqrt(5)) > 1e-12 || list[1].Mean[0] != 16 ||
		math.Abs(list[1].SE[0]-math.Sqrt(0.5)) > 1e-12 {
		t.Errorf("replicates are %+v", list)
	}
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	var length, signal float64
	for _, f := range b.Legend().Facts {
		switch f.Name {
		case "lengthscale":
			fmt.Sscan(f.Value, &length)
		case "signal sd":
			fmt.Sscan(f.Value, &signal)
		}
	}
	bands, err := b.Predict(t.Context(), mat.NewDense(1, 1, []float64{0.2}))
	require.NoError(t, err)
	const center = (10 + 13 + 16.5 + 15.5) / 4.0
	cross := signal * signal * math.Exp(-36/(2*length*length))
	v1, v2 := signal*signal+0.2, signal*signal+0.5 // with the errors of the means
	det := v1*v2 - cross*cross
	y1, y2 := 12.4-center, 16-center
	want := center + signal*signal*(v2*y1-cross*y2)/det + cross*(v1*y2-cross*y1)/det
	if got := -bands[0].Mean[0]; math.Abs(got-want) > 2e-3 {
		t.Errorf("at the first pair %g is believed, by hand %g (lengthscale %g, signal %g)", got, want, length, signal)
	}
	_, err = s.Record(sessions.ByPerson, [][]float64{{12}}, functions.Outcome{Values: []float64{13}})
	require.NoError(t, err)
	if r := ReplicatesFor(s.State())[0]; r.Count != 3 || r.Mean[0] != 12 || !math.IsNaN(r.SE[0]) {
		t.Errorf("with one of which no error is known they are %+v", r)
	}
}
