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

// inputFlags are the inputs of a command.
type inputFlags struct {
	x    []string
	json bool
}

func (o *inputFlags) flags(c *cobra.Command) {
	c.Flags().StringArrayVarP(&o.x, "x", "x", nil,
		"input: values separated by commas, choices by name; may be repeated")
	c.Flags().BoolVar(&o.json, "json", false, "print JSON")
	(&programFlag{}).Flags(c)
}

// inputs are the inputs by variable.
func (o inputFlags) inputs(st sessions.State) (list []acts.Input, err error) {
	if len(o.x) == 0 {
		return nil, usagef("where? Give an input with -x, as in -x 0.3,2")
	}
	for _, text := range o.x {
		x, err := encoding.Parse(st.Problem.Domain, text)
		if err != nil {
			return nil, usagef("-x: %w", err)
		}
		list = append(list, encoding.EncodeMap(st.Problem.Domain, x))
	}
	return list, nil
}

// read performs an act that only reads, with arguments that depend on the session.
func read(ctx context.Context, out, errs io.Writer, path string, args func(sessions.State) (any, error),
	r actRun) error {
	s, err := readSession(ctx, path, errs)
	if err != nil {
		return err
	}
	s.Last()
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

func predictCommand() *cobra.Command {
	var o inputFlags
	var quantiles []float64
	c := withSessionArg(&cobra.Command{Use: "predict FILE -x VALUES",
		Short: "Predict outcomes: mean, standard deviation, quantiles",
		Long: "Predict the outcomes at inputs: the mean and the standard deviation of each objective, quantiles, and the\n" +
			"probability that all limits are met. bandscope inspect prints the model on a grid.",
		Example: "  bandscope predict s.jsonl -x 0.25 -x 0.75\n  bandscope predict s.jsonl -x 0.25 --quantiles 0.05,0.95 --json",
		RunE: func(c *cobra.Command, a []string) error {
			return read(c.Context(), os.Stdout, os.Stderr, a[0], func(st sessions.State) (any, error) {
				inputs, err := o.inputs(st)
				return acts.PredictArgs{Inputs: inputs, Quantiles: quantiles}, err
			}, actRun{act: acts.Predict, json: o.json, text: func(st sessions.State, answer acts.Answer) []string {
				return predictionLines(st, o.x, answer.(acts.PredictAnswer))
			}})
		}})
	o.flags(c)
	c.Flags().Float64SliceVar(&quantiles, "quantiles", nil, "probabilities whose quantiles are printed, such as 0.05,0.95")
	return c
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

func sampleCommand() *cobra.Command {
	var o inputFlags
	count, seed := 1, uint64(0)
	c := withSessionArg(&cobra.Command{Use: "sample FILE -x VALUES",
		Short:   "Draw outcomes at inputs jointly from the model",
		Long:    "Draw outcomes at inputs jointly from the model: one line a draw. The same seed gives the same draws.",
		Example: "  bandscope sample s.jsonl -x 0.25 -x 0.75 -n 3 --seed 7",
		RunE: func(c *cobra.Command, a []string) error {
			return read(c.Context(), os.Stdout, os.Stderr, a[0], func(st sessions.State) (any, error) {
				inputs, err := o.inputs(st)
				return acts.SampleArgs{Inputs: inputs, Count: &count, Seed: seed}, err
			}, actRun{act: acts.Sample, json: o.json, text: func(st sessions.State, answer acts.Answer) (lines []string) {
				for i := range count {
					line := fmt.Sprintf("draw %d:", i+1)
					for _, ob := range st.Problem.Objectives {
						for _, v := range answer.(acts.SampleAnswer).Draws[ob.Name][i] {
							line += "  " + ob.Name + " = " + numfmt.Format(float64(v))
						}
					}
					lines = append(lines, line)
				}
				return lines
			}})
		}})
	o.flags(c)
	c.Flags().IntVarP(&count, "draws", "n", 1, "number of draws")
	c.Flags().Uint64Var(&seed, "seed", 0, "seed of the draws")
	return c
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
