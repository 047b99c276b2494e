package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

type predictOptions struct {
	inspectOptions
	Quantiles []float64
	Seed      uint64
	JSON      bool
}

func predictCommand() *cobra.Command {
	var o predictOptions
	c := withSessionArg(&cobra.Command{Use: "predict FILE -x VALUES | predict FILE --grid N",
		Short: "Predict outcomes at inputs, draw them, or print them on a grid",
		Long: "Predict the outcomes at inputs: the mean and the standard deviation of each objective, quantiles, and the probability that all limits are met. With --samples, draw outcomes jointly from the model, one line a draw; the same seed gives the same draws.\n\n" +
			"With --grid or --format, print the model as numbers: the mean and the standard deviation of each objective, the acquisition function, and samples of the surrogate.",
		Example: "  bandscope predict s.jsonl -x 0.25 -x 0.75 --quantiles 0.05,0.95\n  bandscope predict s.jsonl -x 0.25 -x 0.75 --samples 3 --seed 7\n" +
			"  bandscope predict s.jsonl --grid 51 --format csv",
		RunE: func(c *cobra.Command, a []string) error {
			changed := c.Flags().Changed
			if changed("grid") == (len(o.X) > 0) {
				return usagef("where? Give inputs with -x, as in -x 0.3,2, or a grid, as in --grid 51")
			}
			numbers := changed("grid") || changed("format")
			if numbers && (changed("quantiles") || changed("seed") || o.JSON && o.Format != "json") {
				return usagef("--grid and --format print the model as numbers: leave out --quantiles, --seed and --json")
			}
			if numbers {
				return inspect(c.Context(), os.Stdout, os.Stderr, a[0], o.inspectOptions)
			}
			return o.predict(c.Context(), os.Stdout, os.Stderr, a[0], changed("samples"))
		}})
	f := c.Flags()
	f.StringArrayVarP(&o.X, "x", "x", nil, "input: values separated by commas, choices by name; may be repeated")
	f.Float64SliceVar(&o.Quantiles, "quantiles", nil, "probabilities whose quantiles are printed, such as 0.05,0.95")
	f.IntVar(&o.Samples, "samples", 0, "number of draws, or of samples of the surrogate")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the draws")
	f.IntVar(&o.Grid, "grid", 0, "grid points per variable, for one or two variables; integers and choices take all their levels")
	f.StringVar(&o.Format, "format", "json", "format of the model as numbers: json or csv")
	f.IntVar(&o.At, "at", -1, "step to look at; -1 is the last")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	(&programFlag{}).Flags(c)
	completeFlag(c, "format", choices("json", "csv"))
	return c
}

// predict prints predictions at inputs, or joint draws.
func (o predictOptions) predict(ctx context.Context, out, errs io.Writer, path string, draws bool) error {
	run := actRun{act: acts.Predict, path: path, json: o.JSON, text: func(st sessions.State, answer acts.Answer) []string {
		return predictionLines(st, o.X, answer.(acts.PredictAnswer))
	}}
	if draws {
		if len(o.Quantiles) > 0 {
			return usagef("--samples prints draws: leave out --quantiles")
		}
		run.act = acts.Sample
		run.text = drawLines
	}
	return read(ctx, out, errs, o.At, func(st sessions.State) (any, error) {
		inputs, err := o.inputs(st)
		if draws {
			return acts.SampleArgs{Inputs: inputs, Count: &o.Samples, Seed: o.Seed}, err
		}
		return acts.PredictArgs{Inputs: inputs, Quantiles: o.Quantiles}, err
	}, run)
}

// inputs are the inputs by variable.
func (o predictOptions) inputs(st sessions.State) (list []acts.Input, err error) {
	for _, text := range o.X {
		x, err := encoding.Parse(st.Problem.Domain, text)
		if err != nil {
			return nil, usagef("-x: %w", err)
		}
		list = append(list, encoding.EncodeMap(st.Problem.Domain, x))
	}
	return list, nil
}

// drawLines are joint draws as text, one line a draw.
func drawLines(st sessions.State, answer acts.Answer) (lines []string) {
	draws := answer.(acts.SampleAnswer).Draws
	for i := range draws[st.Problem.Objectives[0].Name] {
		line := fmt.Sprintf("draw %d:", i+1)
		for _, o := range st.Problem.Objectives {
			for _, v := range draws[o.Name][i] {
				line += "  " + o.Name + " = " + numfmt.Format(float64(v))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// read performs an act that only reads, with arguments that depend on the session, at a step; -1 is the last.
func read(ctx context.Context, out, errs io.Writer, step int, args func(sessions.State) (any, error), r actRun) error {
	s, err := readAt(ctx, r.path, step, errs)
	if err != nil {
		return err
	}
	r.args, err = args(s.State())
	if err != nil {
		return err
	}
	err = r.perform(ctx, out, errs, s)
	if err == nil {
		printSubstitute(ctx, s, errs, "-o")
	}
	return errors.Join(err, s.Close())
}

// predictionLines are predictions as text, one line an input.
func predictionLines(st sessions.State, inputs []string, a acts.PredictAnswer) (lines []string) {
	for i, p := range a.Predictions {
		x, _ := encoding.Parse(st.Problem.Domain, inputs[i]) // it was parsed before
		line := inputText(st, x, functions.Variable.Text) + ":"
		for _, o := range st.Problem.Objectives {
			v, sd := p.Objectives[o.Name], 0.0
			if owner := v.SD; owner != nil {
				sd = float64(*owner)
			} else if owner := v.Log10SD; owner != nil {
				sd = float64(*owner)
			}
			line += fmt.Sprintf("  %s = %s%s", o.Name, strings.TrimSpace(numfmt.Format(float64(v.Mean))+" "+o.Unit),
				o.Transform().FormatSD(float64(v.Mean), sd, numfmt.Format))
			if len(v.Quantiles) > 0 {
				parts := make([]string, len(v.Quantiles))
				for j, q := range v.Quantiles {
					parts[j] = numfmt.Format(float64(q))
				}
				line += " [" + strings.Join(parts, ", ") + "]"
			}
		}
		if p.Feasible != nil {
			line += fmt.Sprintf("  within all limits: %.0f %%", 100*float64(*p.Feasible))
		}
		lines = append(lines, line)
	}
	return lines
}

func schemaCommand() *cobra.Command {
	return &cobra.Command{Use: "schema [ACT]", Short: "Print the JSON Schema of requests and answers",
		Long: "Print the JSON Schema (2020-12) of the requests that bandscope pipe reads and of its answers: of all acts, or\n" +
			"of one.",
		Example: "  bandscope schema > bandscope.schema.json\n  bandscope schema steer",
		Args:    args(cobra.MaximumNArgs(1)), ValidArgsFunction: completeArgs(actWords),
		RunE: func(c *cobra.Command, a []string) error {
			var s any = acts.Schema()
			if len(a) == 1 {
				act, err := acts.Find(a[0])
				if err != nil {
					return actError(err)
				}
				s = act.Schema()
			}
			e := json.NewEncoder(os.Stdout)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(s)
		}}
}

// actWords are the acts.
func actWords(context.Context, []string, string) (list []string) {
	for _, a := range acts.All() {
		list = append(list, candidate(a.Name, a.About))
	}
	return list
}
