package lessonpage

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/tui/picture"
)

// View is the picture beside a page. The zero View is the default: the first picture of the problem, with the traces
// unless the lesson hides them.
type View struct {
	Picture  string            // line, plane or outcomes; empty for the default
	Variable int               // along which a line is
	Field    picture.FieldKind // the large field of a plane
	Theory   bool              // below the page
	Traces   bool              // below the page, also if the lesson hides them
	// the part of the theory or the trace, of TheoryParts or TraceNames; empty for the last one
	Trace   string
	Next    bool   // shows the acquisition and the next point, also if the lesson hides them
	Summary bool   // the outlook, below the page; the truth is hidden
	Asked   [2]int // the steps of two outcomes that are marked; 0 for none
}

// The names of pictures, and of the fields of a plane.
var (
	pictures = []string{"line", "plane", "outcomes"}
	// in the order of picture.FieldKind
	fields = []string{"truth", "mean", "deviation", "acquisition", "sample", "cost", "feasible"}
	below  = []string{"theory", "traces", "outlook", "pair"}
)

// TheoryParts are the parts of a theory, and TraceNames the traces, three of one objective and three of several, in the
// order of the key that shows them.
var (
	TheoryParts = []string{"gain", "eigenvalues", "evidence"}
	TraceNames  = []string{"simple", "cumulative", "best", "hypervolume", "bayes", "share"}
)

// ParseView reads a view: "line" with an optional variable, "plane" with the field that is large, or "outcomes"; and
// below the page "theory" with an optional part, "traces" with an optional trace, or "outlook". "next" shows the next
// point if the lesson hides it, and "pair" with two steps marks their outcomes.
func ParseView(text string, p *functions.Problem) (View, error) {
	v := View{Field: picture.MeanField}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		word := words[i]
		variable := slices.IndexFunc(p.Domain, func(v functions.Variable) bool { return v.Name == word })
		field := slices.Index(fields, word)
		switch {
		case slices.Contains(pictures, word) && v.Picture == "":
			v.Picture = word
		case word == "theory":
			v.Theory = true
		case word == "traces":
			v.Traces = true
		case word == "next":
			v.Next = true
		case word == "outlook":
			v.Summary = true
		case word == "pair":
			n, _ := fmt.Sscan(strings.Join(words[i+1:], " "), &v.Asked[0], &v.Asked[1])
			i += n
			if n < 2 {
				return View{}, fmt.Errorf("pair needs two steps, as in pair 3 5")
			}
		case v.Trace == "" && (v.Theory && slices.Contains(TheoryParts, word) || v.Traces &&
			slices.Contains(TraceNames, word)):
			v.Trace = word
		case v.Picture == "line" && variable >= 0:
			v.Variable = variable
		case v.Picture == "plane" && field >= 0:
			v.Field = picture.FieldKind(field)
		default:
			return View{}, didyoumean.NewUnknownError("view", word,
				slices.Concat(pictures, []string{"next"}, below, fields, TheoryParts, TraceNames))
		}
	}
	switch {
	case v.Picture == "plane" && p.Dim() < 2:
		return View{}, fmt.Errorf("a plane needs two variables, and %s has one", p.Name)
	case v.Picture == "outcomes" && len(p.Objectives) < 2:
		return View{}, fmt.Errorf("outcomes need several objectives, and %s has one", p.Name)
	case v.Asked[0] > 0 && len(p.Objectives) < 2:
		return View{}, fmt.Errorf("asked needs several objectives, and %s has one", p.Name)
	case v.Theory && v.Traces || v.Summary && (v.Theory || v.Traces):
		return View{}, fmt.Errorf("a page shows theory, traces or outlook, not two of them")
	}
	return v, nil
}

// Pair returns the two outcomes that the page marks; nil for none.
func (p Page) Pair() (pair [][]float64) {
	view := p.State.LastNote().View
	if !strings.Contains(view, "pair") {
		return nil
	}
	v, err := ParseView(view, p.State.Problem)
	for _, step := range v.Asked {
		y, missing := p.State.ObservedValues([2]int{step, 0})
		if err != nil || missing != nil {
			return nil
		}
		pair = append(pair, y)
	}
	return pair
}

// RangeModeFor returns how the y axis is chosen on the pages of a lesson. In a lesson on an experiment, whose pages
// differ in their data, it fits each page, unless the lesson sets the axis.
func RangeModeFor(l *sessions.Lesson, p *functions.Problem) picture.RangeMode {
	switch {
	case l == nil || p.Truth == nil:
		return picture.FitBand
	case l.Hides("truth"):
		return picture.FitData
	}
	return picture.FitTruth
}

// DefaultPicture is the first picture of a problem.
func DefaultPicture(p *functions.Problem) string {
	switch {
	case len(p.Objectives) > 1:
		return "outcomes"
	case p.Dim() > 1:
		return "plane"
	}
	return "line"
}
