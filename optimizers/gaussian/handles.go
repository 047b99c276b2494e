package gaussian

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// Covariances returns the covariances of the process before and after the data.
func (b *Process) Covariances(ctx context.Context, x []float64, X *mat.Dense) (prior, posterior []float64, err error) {
	inputs := mat.NewDense(1, len(x), x)
	cross, err := b.GP.CrossCovariance(inputs)
	if err != nil {
		return nil, nil, err
	}
	if b.In.Warp != nil {
		return nil, nil, fmt.Errorf("covariances of warped outcomes: %w", optimizers.ErrUnsupported)
	}
	scale2 := b.Scale.SD * b.Scale.SD
	prior, posterior = mat.Col(nil, 0, b.GP.PriorCovariances(X, inputs)), mat.Col(nil, 0, cross.Covariances(X))
	for i := range prior {
		prior[i], posterior[i] = scale2*prior[i], scale2*posterior[i]
	}
	return prior, posterior, ctx.Err()
}

// handleSymbols are short names of hyperparameters.
var handleSymbols = map[kernel.HyperKind]string{kernel.Length: "ℓ", kernel.Scale: "s", kernel.PeriodicLength: "ℓ",
	kernel.Period: "p", kernel.Alpha: "α", kernel.Bias: "b"}

// Handles returns the hyperparameters of the kernel, one for all inputs that share its place in the expression, and the
// noise. Values that are set become part of the kernel's expression.
func (b *Process) Handles() []optimizers.Handle {
	family := b.family(b.In.Params)
	if family == nil || b.In.Warp != nil { // deviations have no common unit on the plot
		return nil
	}
	values, names := b.hyperparameters(family), handleNames(family)
	var list []optimizers.Handle
	for i, h := range family.Hyperparameters() {
		if h.Input == 0 {
			list = append(list, b.handle(i, h, names[i], values[i]))
		}
	}
	return append(list, b.noiseHandle())
}

// family returns the kernels of the expression in parameters of the method; nil if they are invalid.
func (b *Process) family(p param.Set) *kernel.Family {
	e, err := kernel.Parse(p.Choice(kernelKey))
	if err != nil {
		return nil
	}
	return e.Family(len(b.In.Domain.Columns(b.In.Dim)), gpOptions(b.In).SharedLengthscales,
		fixedLengthscale(p.Text(lengthscaleKey)))
}

// hyperparameters returns the values of all hyperparameters of the kernel's expression: those of the most probable
// process.
func (b *Process) hyperparameters(f *kernel.Family) []float64 {
	switch k := b.GP.Mode().Kernel().(type) {
	case *kernel.Composite:
		return k.Values()
	case kernel.Stationary:
		values := make([]float64, len(f.Hyperparameters()))
		for i, h := range f.Hyperparameters() {
			values[i] = k.Scale
			if h.Kind == kernel.Length {
				values[i] = k.Lengths[h.Input]
			}
		}
		return values
	}
	return nil
}

// handleNames returns a name for every hyperparameter, different ones for those with different places.
func handleNames(f *kernel.Family) []string {
	count := map[string]int{}
	for _, h := range f.Hyperparameters() {
		if h.Input == 0 {
			count[hyperNames[h.Kind]]++
		}
	}
	names := make([]string, len(f.Hyperparameters()))
	for i, h := range f.Hyperparameters() {
		names[i] = hyperNames[h.Kind]
		if count[names[i]] > 1 {
			names[i] = fmt.Sprintf("%s (%s)", names[i], h.Owner)
		}
	}
	return names
}

// handle returns the handle of hyperparameter i of the kernel.
func (b *Process) handle(i int, h kernel.Hyperparameter, name string, value float64) optimizers.Handle {
	unit, kind := 1.0, optimizers.HandleNumber
	switch h.Kind {
	case kernel.Length, kernel.Period:
		kind = optimizers.HandleLength
	case kernel.Scale:
		kind, unit = optimizers.HandleSignal, b.Scale.SD
	}
	with := func(p param.Set, v float64) []optimizers.Setting {
		family := b.family(p)
		if family == nil || i >= len(family.Hyperparameters()) {
			return nil
		}
		next, err := family.Expression().With(family.Hyperparameters()[i], numfmt.Round(v/unit))
		if err != nil {
			return nil
		}
		return []optimizers.Setting{{Key: kernelKey, Text: next.String()}}
	}
	return optimizers.Handle{Name: name, Symbol: handleSymbols[h.Kind], Kind: kind, Value: value * unit,
		Min: h.Box[0] * unit, Max: h.Box[1] * unit, Fitted: h.Fixed == 0, Set: with,
		Fit: func(p param.Set) []optimizers.Setting {
			settings := with(p, 0)
			if h.Kind == kernel.Length && p.Text(lengthscaleKey) != fittedLabel {
				settings = append(settings, optimizers.Setting{Key: lengthscaleKey, Text: fittedLabel})
			}
			return settings
		}}
}

// noiseHandle returns the handle of the noise.
func (b *Process) noiseHandle() optimizers.Handle {
	noise := func(text string) optimizers.Setting { return optimizers.Setting{Key: noiseKey, Text: text} }
	return optimizers.Handle{Name: "noise sd", Symbol: "σ", Kind: optimizers.HandleNoise,
		Value: b.GP.Mode().Noise() * b.Scale.SD, Min: 1e-6 * b.Scale.SD, Max: b.Scale.SD,
		Fitted: b.In.Params.Choice(noiseKey) == fittedLabel,
		Set: func(p param.Set, v float64) []optimizers.Setting {
			sd := optimizers.Setting{Key: noiseSDKey, Text: numfmt.Exact(numfmt.Round(v / b.Scale.SD))}
			if p.Choice(noiseKey) == fixedLabel {
				return []optimizers.Setting{sd}
			}
			return []optimizers.Setting{noise(fixedLabel), sd}
		},
		Fit: func(param.Set) []optimizers.Setting { return []optimizers.Setting{noise(fittedLabel)} }}
}
