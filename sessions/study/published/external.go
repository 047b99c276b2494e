package published

import "strings"

// ExternalStudy is a study that is not a table of runs: it has no declaration, and another command runs it.
type ExternalStudy struct {
	Name, Title, Source string
	Note                string
	Command             string // that runs it
	Table               string // its result
}

// calibrationStudy is the study of calibrated bands. No method chooses its data, so that all bands are fitted to the
// same: there is no run and no search, and the result is a coverage, not a regret.
var calibrationStudy = ExternalStudy{
	Name: "bands", Title: "Which bands of a network are calibrated?",
	Source:  "Paria et al. 2022, Prop. 1 and 2: the distributions of the bands",
	Note:    "The data are a quasi-random sample of eight points per variable, chosen by no method. For six functions, the study compares the nominal coverage of the bands with the share of the true function inside them.",
	Command: "bandscope check method --seeds 20 --set width=1000 --set gamma=2 --over band=ensemble,trained,posterior,nngp",
}

// FindExternal returns the study of a name that another command runs; false if there is none.
func FindExternal(name string) (ExternalStudy, bool) {
	if name != calibrationStudy.Name {
		return ExternalStudy{}, false
	}
	e := calibrationStudy
	text, err := results.ReadFile("results/bands.txt")
	if err != nil {
		panic(err) // it is embedded
	}
	e.Table = strings.TrimRight(string(text), "\n") + "\n"
	return e, true
}
