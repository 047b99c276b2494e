package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

type methodCheckOptions struct {
	Functions []string
	Optimizer string
	Over      string // key=value,value: the parameter whose values are compared
	Set       []string
	Noise     float64
	Seeds     int
	Data      int
	Search    bool  // bands in the course of searches
	At        []int // after which evaluations of them
	JSON      bool
}

func checkMethodCommand() *cobra.Command {
	var o methodCheckOptions
	c := &cobra.Command{Use: "method", Short: "Measure how well calibrated a method's bands are",
		Args: args(cobra.NoArgs),
		Long: "Measure how well calibrated a method's bands are, on test functions over seeds. The table shows how much of the true\nfunction lies inside each band, for each value of one parameter (--over).",
		Example: "  bandscope check method --seeds 10 --set width=1000\n" +
			"  bandscope check method -f forrester,branin -o gp-ei --over kernel\n" +
			"  bandscope check method --search -o gp-ei --set hyperparameters=integrated",
		RunE: func(c *cobra.Command, _ []string) error { return checkMethod(c.Context(), os.Stdout, os.Stderr, o) }}
	f := c.Flags()
	f.StringSliceVarP(&o.Functions, "function", "f",
		[]string{"forrester", "gramacy-lee", "sine-trend", "branin", "six-hump", "hartmann:3"},
		"test functions, separated by commas")
	f.StringVarP(&o.Optimizer, "optimizer", "o", registry.Default(1), "method")
	f.StringVar(&o.Over, "over", "", "parameter whose values are compared, as key=value,value; without values, all choices (default: the kind of band)")
	f.StringArrayVar(&o.Set, "set", nil, "another parameter of the method, as key=value; may be repeated")
	f.Float64Var(&o.Noise, "noise", 0, "standard deviation of the observation noise, in the functions' units")
	f.IntVar(&o.Seeds, "seeds", 20, "number of seeds, from 1 on")
	f.IntVarP(&o.Data, "data", "n", 8, "number of results per variable")
	f.BoolVar(&o.Search, "search", false, "let the method choose the points, and measure its bands during the search")
	f.IntSliceVar(&o.At, "at", []int{8, 12, 16, 20}, "with --search: numbers of evaluations after which bands are measured")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object per row")
	completeFlag(c, "function", functionWords)
	completeFlag(c, "optimizer", (&settings{}).OptimizerWords)
	completeFlag(c, "over", func(context.Context, []string, string) []string { return comparableKeys(o.Optimizer) })
	return c
}

// Bounds of a calibration.
const (
	maxCalibrationSeeds = 1000
	maxCalibrationData  = 100
)

func (o methodCheckOptions) plan() (p diagnostics.CalibrationPlan, err error) {
	spec, params, err := o.method()
	if err != nil {
		return p, err
	}
	key, values, err := o.over(params)
	if err != nil {
		return p, asUsage(err)
	}
	return diagnostics.CalibrationPlan{Functions: o.Functions, Seeds: o.Seeds, PerVariable: o.Data, Key: key,
		Values: values, Config: o.config(spec, params)}, nil
}

// config is that of every session of a calibration.
func (o methodCheckOptions) config(spec *optimizers.Spec, params param.Set) sessions.Config {
	return sessions.Config{Optimizer: spec.Name, Params: params.Changed(), Noise: o.Noise}
}

// method checks what every calibration needs, and returns the method with its parameters.
func (o methodCheckOptions) method() (spec *optimizers.Spec, params param.Set, err error) {
	if o.Seeds < 2 || o.Seeds > maxCalibrationSeeds || o.Data < 1 || o.Data > maxCalibrationData {
		return spec, params, usagef("--seeds must be in [2, %d] and -n in [1, %d], got %d and %d", maxCalibrationSeeds,
			maxCalibrationData, o.Seeds, o.Data)
	}
	if !(o.Noise >= 0) || math.IsInf(o.Noise, 1) {
		return spec, params, usagef("--noise must be at least 0, got %g", o.Noise)
	}
	spec, err = registry.Find(o.Optimizer)
	if err != nil {
		return spec, params, asUsage(err)
	}
	for _, name := range o.Functions {
		f, err := functions.Find(name, 1)
		switch {
		case err != nil:
			return spec, params, asUsage(err)
		case f.Truth == nil || len(f.Objectives) > 1 || f.LimitedOutputs() != nil:
			return spec, params, usagef("%s has no single true function to compare bands with", name)
		}
	}
	params, err = withPairs(param.Defaults(spec.Params), o.Set)
	return spec, params, err
}

// over is the parameter whose values are compared, and which.
func (o methodCheckOptions) over(params param.Set) (key string, values []string, err error) {
	key, listed, text := strings.Cut(o.Over, "=")
	if key == "" {
		d, ok := params.ByRole(optimizers.RoleBand)
		if !ok {
			return "", nil, fmt.Errorf("%s has only one kind of band: name a parameter and its values, as in --over %s=…",
				o.Optimizer, params.Decls()[0].Key)
		}
		key = d.Key
	}
	d, err := params.Decl(key)
	if err != nil {
		return "", nil, err
	}
	values = d.Choices
	if text {
		values = strings.Split(listed, ",")
	}
	if d.Kind == param.Switch && !text {
		values = []string{"off", "on"}
	}
	if len(values) == 0 {
		return "", nil, fmt.Errorf("--over %s needs values to compare, as in --over %s=%s,…", key, key,
			d.Format(d.Default))
	}
	for _, v := range values {
		if _, err := d.Parse(v); err != nil {
			return "", nil, err
		}
	}
	return key, values, nil
}

// checkMethod measures the coverage of a method's bands on test functions over seeds, for each value of one parameter.
func checkMethod(ctx context.Context, out, errs io.Writer, o methodCheckOptions) error {
	if o.Search {
		return o.checkSearches(ctx, out, errs)
	}
	p, err := o.plan()
	if err != nil {
		return err
	}
	progress, done := newProgress(errs)
	rows, err := diagnostics.MeasureCalibration(ctx, p, progress)
	done()
	if ctx.Err() != nil {
		return errors.New("interrupted; the measurements are not kept")
	}
	if err != nil {
		return err
	}
	if o.JSON {
		return methodCheckJSON(out, p, rows)
	}
	return methodCheckTable(out, p, rows)
}

// methodCheckTable prints how much of the truth lies inside each band, and marks intervals that contain the nominal
// level.
func methodCheckTable(out io.Writer, p diagnostics.CalibrationPlan, rows []diagnostics.CalibrationRow) error {
	fmt.Fprintf(out, "coverage of the bands of %s (%%), mean over %d seeds with %s per variable\n"+
		"= marks a coverage whose 95 %% interval contains the nominal level\n\n", p.Config.Optimizer, p.Seeds,
		numfmt.Count(p.PerVariable, "result"))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := []string{"function", p.Key}
	for _, l := range inspection.Levels {
		head = append(head, percent(l))
	}
	fmt.Fprintln(t, strings.Join(append(head, "half-width of the "+percent(inspection.Levels[len(inspection.Levels)-1])+
		" band, in sd of the function"), "\t"))
	for _, r := range rows {
		cells := []string{r.Function, r.Value}
		if r.Function == "" {
			cells[0] = "all"
		}
		for l, m := range r.Coverage {
			cells = append(cells, fmt.Sprintf("%.0f ± %.0f%s", 100*m.Value, 100*m.HalfWidth,
				map[bool]string{true: " ="}[m.Covers(inspection.Levels[l])]))
		}
		fmt.Fprintln(t, strings.Join(append(cells, numfmt.Format(r.Width.Value)), "\t"))
	}
	return t.Flush()
}

type methodCheckRow struct {
	Function string             `json:"function,omitempty"` // absent: all of them
	Key      string             `json:"parameter"`
	Value    string             `json:"value"`
	Bands    []bandCoverageJSON `json:"bands"`
	Width    report.Number      `json:"half_width"`
}

type bandCoverageJSON struct {
	Nominal    float64       `json:"nominal"`
	Inside     report.Number `json:"inside"`
	Half       report.Number `json:"interval_half"`
	Calibrated bool          `json:"calibrated"`
}

func methodCheckJSON(out io.Writer, p diagnostics.CalibrationPlan, rows []diagnostics.CalibrationRow) error {
	for _, r := range rows {
		row := methodCheckRow{Function: r.Function, Key: p.Key, Value: r.Value, Width: report.Number(r.Width.Value)}
		for l, m := range r.Coverage {
			row.Bands = append(row.Bands, bandCoverageJSON{inspection.Levels[l], report.Number(m.Value),
				report.Number(m.HalfWidth), m.Covers(inspection.Levels[l])})
		}
		if err := sanitize.JSON(out, row); err != nil {
			return err
		}
	}
	return nil
}

// comparableKeys are the parameters that can be compared, for a shell.
func comparableKeys(method string) (keys []string) {
	spec, err := registry.Find(method)
	if err != nil {
		return nil
	}
	for _, d := range spec.Params {
		if slices.Contains([]param.Role{optimizers.RoleBand, optimizers.RoleAssumption}, d.Role) {
			keys = append(keys, d.Key)
		}
	}
	return keys
}

func percent(p float64) string { return fmt.Sprintf("%.0f %%", 100*p) }
