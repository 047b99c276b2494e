package acts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// instantly makes random search believe and suggest in no time: what an act takes then is that of the record.
func instantly(b *testing.B) {
	spec, err := registry.Find("random")
	require.NoError(b, err)
	before := *spec
	b.Cleanup(func() { *spec = before })
	spec.Fit = func(_ context.Context, in optimizers.Input) (optimizers.Belief, error) {
		return instantBelief{in: in}, nil
	}
}

type instantBelief struct {
	optimizers.Unsupported
	in optimizers.Input
}

func (instantBelief) Legend() optimizers.Legend { return optimizers.Legend{} }

func (b instantBelief) Suggest(context.Context) (optimizers.Suggestion, error) {
	return optimizers.Suggestion{X: mat.NewDense(1, b.in.Dim, nil)}, nil
}

func (b instantBelief) Predict(_ context.Context, x *mat.Dense) ([]optimizers.Band, error) {
	n, _ := x.Dims()
	bands := make([]optimizers.Band, b.in.Objectives)
	for k := range bands {
		bands[k] = optimizers.Band{Mean: make([]float64, n), SD: make([]float64, n)}
	}
	return bands, nil
}

// acted is the file of a session with so many acts: half of them suggestions, half of them results, at so many places.
func acted(b *testing.B, cfg sessions.Config, acts, places int) string {
	b.Helper()
	s, err := sessions.New(b.Context(), cfg)
	require.NoError(b, err)
	path, rng := filepath.Join(b.TempDir(), "s.jsonl"), rand.New(rand.NewPCG(1, 2))
	s.SetAuthor(sessions.Author{Kind: sessions.AuthorProgram, Name: "ann", Via: sessions.ViaPipe})
	p := s.State().Problem
	for i := range acts / 2 {
		x := make([]float64, p.Dim())
		for j, v := range p.Domain {
			x[j] = v.Low + (v.High-v.Low)*float64(i%places)/float64(places)
		}
		y := make([]float64, len(p.Objectives))
		for k := range y {
			y[k] = rng.Float64()
		}
		_, err = s.Record(sessions.ByImport, [][]float64{x}, functions.Outcome{Values: y})
		require.NoError(b, err)
	}
	require.NoError(b, s.SaveAs(path))
	s.Close()
	return path
}

// BenchmarkActs measures an act through a folder at so many acts on record, with a method that takes no time. An act
// must cost at most 5 ms at 10,000 acts.
func BenchmarkActs(b *testing.B) {
	instantly(b)
	config := sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3, Budget: 10_000}
	two := config
	two.Problem = "zdt1"
	for _, c := range []struct {
		name   string
		cfg    sessions.Config
		places int
		acts   []string // the first is measured; the others make it possible again
	}{
		{"ask+tell", config, 5000, []string{"ask", "tell"}},
		{"add", config, 5000, []string{"add"}},
		{"note", config, 5000, []string{"note"}},
		{"best", config, 5000, []string{"best"}},
		{"best of repeats", config, 10, []string{"best"}},
		{"status", config, 5000, []string{"status"}},
		{"status after add", config, 5000, []string{"add", "status"}},
		{"predict", config, 5000, []string{"predict"}},
		{"front", two, 5000, []string{"front"}},
		{"front after add", two, 5000, []string{"add", "front"}},
		{"front of repeats", two, 10, []string{"front"}},
	} {
		for _, n := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/acts=%d", c.name, n), func(b *testing.B) { measure(b, acted(b, c.cfg, n, c.places), c.acts) })
		}
	}
}

// measure measures a sequence of acts.
func measure(b *testing.B, path string, names []string) {
	folder, err := acts.NewFolder(filepath.Dir(path), sessions.Author{Kind: sessions.AuthorProgram, Name: "ann"}, nil)
	require.NoError(b, err)
	defer folder.Close()
	s, err := folder.Session(b.Context(), "s.jsonl")
	require.NoError(b, err)
	x, y := map[string]float64{}, map[string]float64{}
	for _, v := range s.State().Problem.Domain {
		x[v.Name] = v.Low
	}
	for _, o := range s.State().Problem.Objectives {
		y[o.Name] = 0.5
	}
	point := 0
	arguments := map[string]func() any{
		"tell":    func() any { return map[string]any{"point": point, "values": y} },
		"add":     func() any { return map[string]any{"inputs": x, "values": y} },
		"note":    func() any { return map[string]any{"text": "look"} },
		"predict": func() any { return map[string]any{"inputs": []any{x}} },
	}
	for b.Loop() {
		for _, name := range names {
			a, err := acts.Find(name)
			require.NoError(b, err)
			raw := json.RawMessage("{}")
			if supplied := arguments[name]; supplied != nil {
				raw, _ = json.Marshal(supplied())
			}
			session, err := folder.Session(b.Context(), "s.jsonl")
			require.NoError(b, err)
			answer, err := a.Perform(b.Context(), acts.Turn{Folder: folder, Session: session, Name: "s.jsonl"}, raw)
			require.NoError(b, err)
			if asked, ok := answer.(acts.AskAnswer); ok {
				point = asked.Points[0].Name.Suggestion
			}
			if text, err := json.Marshal(answer); err != nil || len(text) == 0 || answer.Text() == "" {
				b.Fatal(err)
			}
		}
	}
}
