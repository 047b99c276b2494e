package constraints

import "bandscope/optimizers/param"

// ScaleKey is the key of the parameter that says on which scale limited quantities are modeled.
const ScaleKey = "limit_scale"

const (
	scaleBilog  = "bilog"
	scaleLinear = "linear"
)

// scaleParam declares the scale of limited quantities.
func scaleParam() param.Decl {
	return param.Decl{Key: ScaleKey, Label: "scale of limits", Kind: param.Choice, Default: scaleBilog,
		Choices: []string{scaleBilog, scaleLinear},
		Help:    "How limited quantities are modeled: on a scale that is logarithmic on both sides of the limit, if the results are more probable on it, or as they are.",
		Source:  "Eriksson & Poloczek 2021, §3 (bilog); the width by evidence: Snelson et al. 2004"}
}

// usesBilog reports whether limited quantities are modeled on a bilog scale.
func usesBilog(p param.Set) bool { return p.Has(ScaleKey) && p.Choice(ScaleKey) == scaleBilog }
