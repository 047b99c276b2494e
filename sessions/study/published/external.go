package published

import "strings"

// ExternalStudy is a study that is no table of runs, so that no declaration has it and another command runs it.
type ExternalStudy struct {
	Name, Title, Source string
	Note                string
	Command             string // that runs it, as it is typed
	Table               string // what came of it
}

// calibrationStudy is the study of honest calibrationStudy. Its data are chosen by no method, so that every band sees
// the same: there is no run, nothing is searched for, and what is told is a share, not a regret.
var calibrationStudy = ExternalStudy{
	Name: "bands", Title: "Which of the bands of a network is honest?",
	Source: "Paria et al. 2022, Prop. 1 and 2: the laws that the bands are of",
	Note: "Data are a quasi-random sample of eight points a variable, which no method chooses. Bands promise " +
		"shares of the truth; how much of it they hold is asked of six functions.",
	Command: "bandscope calibrate --seeds 20 --set width=1000 --set gamma=2 --over " +
		"band=ensemble,trained,posterior,nngp",
}

// FindExternal gives the study of a name that another command runs; false where there is none.
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
