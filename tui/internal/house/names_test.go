package house

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
)

// root is the folder of the module.
const root = "../../.."

// homonyms are words of rooms outside of optimizers that are also called something there, with what they are.
var homonyms = map[string]string{
	`tui/cli "noise"`:                    "the flag for the noise of the observations",
	`tui/cli "inputs"`:                   "the inputs of predictions, an argument of an act",
	`tui/explore/views "prior"`:          "the title of a surrogate without results",
	`sessions/acts "noise"`:              "a change of an objective: its declared noise",
	`functions "activation"`:             "a variable of a problem: that of the network which it trains",
	`functions "lambda"`:                 "a variable of a problem: the weight of a regularizer",
	`functions "rate"`:                   "a variable of a problem: the learning rate",
	`functions/experiment "noise"`:       "what is known of an objective's noise, in the file of an experiment",
	`tui/lessonpage "gain"`:              "a part of the theory: the information gain",
	`sessions/acts "lengthscale"`:        "the heading of what a fit has found",
	`functions/experiment "linear"`:      "a scale of a variable or an objective, in the file of an experiment",
	`sessions "random"`:                  "an order of the wells of a plate",
	`sessions/acts "linear"`:             "a scale of an objective, as it is written",
	`tui/experimentform "noise"`:         "the key of an objective's noise, in the file of an experiment",
	`sessions/training "activation"`:     "a parameter of a lab's own network",
	`sessions/training "batch"`:          "a parameter of a lab: the examples of a minibatch",
	`sessions/training "lambda"`:         "a parameter of a lab: the weight of a regularizer",
	`sessions/training "rate"`:           "a parameter of a lab: the learning rate",
	`sessions/study "noise"`:             "the key of a problem of a study: the standard deviation of what is observed",
	`sessions/lesson "noise"`:            "a flag of the command line: the standard deviation of what is observed",
	`tui/picture/front "reference"`:      "what the legend calls the reference point of the hypervolume",
	`tui/lessonpage "lengthscale"`:       "a quantity that a lesson's claims are about: what a fit has found",
	`tui/lessonpage "band"`:              "a quantity that a lesson's claims are about: the height of the band that is drawn",
	`tui/librarypage "start"`:            "the label of the button that starts a session",
	`tui/labs/retrievalview "lambda"`:    "a parameter of the lab: the weight of the regularizer",
	`tui/chart/svg "start"`:              "an anchor of a text in SVG",
	`sessions/report "repeats"`:          "a status: a session repeats exactly",
	`tui/export "limits"`:                "a heading of the report: whether the best result meets the limits",
	`sessions/study "repeats"`:           "a column of traces: how many evaluations were repeated",
	`sessions/study/published "repeats"`: "a column of traces, as above",
	`sessions/study/store "repeats"`:     "a column of traces, as above",
	`sessions/diagnostics "linear"`:      "a scale of an objective, as it is written",
	`model/kernel "linear"`:              "the name of a kernel in an expression",
	`model/kernel "bias"`:                "a hyperparameter of a kernel in an expression",
	`model/kernel "kernel"`:              "what an error calls the names in an expression",
	`tui/picture "bias"`:                 "the name of a fact: what a fit has found",
}

// Methods are asked for what they declare. Whoever writes the name of a method, the key of a parameter or the name of
// an acquisition outside of optimizers serves one method, and forgets the next. Names that are data (lessons,
// comparisons) stand in files of their own.
func TestNoMethodIsKnownByName(t *testing.T) {
	found, err := named(os.DirFS(root), registered(t))
	require.NoError(t, err)
	for position, subject := range found {
		if homonyms[position.word()] == "" {
			t.Errorf("%s:%d: %q is %s; ask the method for what it declares (see optimizers.RolePrior), or say in this test what else the word is", position.file, position.line, position.text, subject)
		}
	}
	for word, reason := range homonyms {
		if !slices.ContainsFunc(keysFor(found), func(position place) bool { return position.word() == word }) {
			t.Errorf("%s (%s) stands nowhere any more", word, reason)
		}
	}
}

// The test sees a planted name, in whatever way it is written, and takes no part of a word or tag for one.
func TestPlantedNamesAreSeen(t *testing.T) {
	words := registered(t)
	planted := func(text string) int {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"+text), 0o644))
		found, err := named(os.DirFS(dir), words)
		require.NoError(t, err)
		return len(found)
	}
	for text, want := range map[string]int{
		`var a = "gp-ei"`: 1, "var a = `gp-ei`": 1,
		`func f(s string) bool { return s == "sigma2" || s == "gamma" }`: 2, `var m = map[string]int{"ensemble": 1}`: 1,
		`const a = "prior"`: 1, `func f(s string) { switch s { case "band": } }`: 1,
		`var a = "expected improvement"`: 1,
		`var a = "-o gp-ei"`:             0, "type a struct{ N int `json:\"noise\"` }": 0,
		`var gamma = 'g' // "gamma"`: 0,
	} {
		if got := planted(text); got != want {
			t.Errorf("%d names are seen in %s, want %d", got, text, want)
		}
	}
}

// place is where a word stands.
type place struct {
	file string
	line int
	text string
}

func (p place) word() string { return fmt.Sprintf("%s %q", roomFor(p.file), p.text) }

func keysFor(m map[place]string) []place {
	keys := make([]place, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// named finds the words among the string literals of a module's own code outside of optimizers and of rooms for tests,
// with what they are.
func named(module fs.FS, words map[string]string) (map[place]string, error) {
	found, files := map[place]string{}, token.NewFileSet()
	err := eachFile(module, func(path string, text []byte) error {
		if strings.HasPrefix(path, "optimizers/") || forTests(roomFor(path)) {
			return nil
		}
		f, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && words[s] != "" {
					found[place{path, files.Position(lit.Pos()).Line, s}] = words[s]
				}
			}
			return true
		})
		return nil
	})
	return found, err
}

// registered are the words by which methods are known: names, keys of parameters, and what the legends of their beliefs
// call the acquisition.
func registered(t *testing.T) map[string]string {
	t.Helper()
	words := map[string]string{}
	for _, s := range registry.All() {
		words[s.Name] = "the name of a method"
		objectives := 1
		if s.Multi {
			objectives = 2
		}
		for _, d := range s.ParamsFor(2) {
			words[d.Key] = "a parameter's key"
		}
		in := optimizers.Input{Dim: 1, Objectives: objectives, Budget: 10,
			Params: param.Defaults(s.ParamsFor(objectives)),
			Data: optimizers.Data{X: mat.NewDense(2, 1, []float64{0.2, 0.7}),
				Y: mat.NewDense(2, objectives, []float64{1, 2, 2, 1}[:2*objectives])}}
		b, err := s.Fit(context.Background(), in)
		require.NoError(t, err, s.Name)
		acquisition := b.Legend().Acquisition
		short, _, _ := strings.Cut(acquisition, ",")
		for _, w := range []string{acquisition, short} {
			if w != "" {
				words[w] = "the name of an acquisition"
			}
		}
	}
	return words
}
