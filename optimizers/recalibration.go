package optimizers

import "bandscope/optimizers/param"

// The key of the parameter that recalibrates the bands of a method, and its choices.
const (
	RecalibrationKey = "recalibration"
	RecalibrationOff = "off"
	RecalibrationLOO = "loo" // by leave-one-out
)

// RecalibrationParam declares whether the bands that are drawn and reported are recalibrated. Package registry adds it
// to every method with a band.
func RecalibrationParam() param.Decl {
	return param.Decl{Key: RecalibrationKey, Label: "recalibration", Kind: param.Choice,
		Default: RecalibrationOff, Choices: []string{RecalibrationOff, RecalibrationLOO},
		WiderBand: RecalibrationLOO,
		Help:      "With loo, the standard deviation of the band is multiplied by a factor: the conformal quantile of the leave-one-out residuals. It changes the display and reported bands, not the suggestions.",
		Source:    "split conformal prediction: Shafer & Vovk 2008; by leave-one-out: Vovk 2015; Barber et al. 2021"}
}

// WithRecalibration is a method with RecalibrationParam, if it has a band.
func WithRecalibration(s Spec) Spec {
	if !s.NoBand {
		s.Params = append(s.Params[:len(s.Params):len(s.Params)], RecalibrationParam())
	}
	return s
}

// Recalibrates reports whether the bands of a method with these parameters are recalibrated.
func (in Input) Recalibrates() bool {
	return in.Params.Has(RecalibrationKey) && in.Params.Choice(RecalibrationKey) == RecalibrationLOO
}
