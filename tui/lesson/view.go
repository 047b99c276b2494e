package lesson

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/tui/picture"
)

// View is what is to be seen beside a page of a lesson. The zero View is the usual: the picture that a problem is shown
// in first, with the traces unless the lesson leaves them out.
type View struct {
	Picture  string            // line, plane or outcomes; empty for the usual one
	Variable int               // lineQuantities which a line is
	Field    picture.FieldKind // that is large on the plane
	Theory   bool              // the theory is shown below the page
	Traces   bool              // the traces are shown below the page, also where the lesson leaves them out
	// which part of the theory, or which trace, by one of the words of TheoryParts or TraceNames; empty for the one
	// that was shown last
	Trace   string
	Next    bool   // the acquisition and the next point are shown, also where the lesson leaves them out
	Summary bool   // the outlook is shown below the page, and the truth nowhere
	Asked   [2]int // the steps of two outcomes that are marked as those of a question; 0 for none
}

// The words of pictures, and of the fields of a plane.
var (
	pictures = []string{"line", "plane", "outcomes"}
	// in the order of belief's kinds
	fields = []string{"truth", "mean", "deviation", "acquisition", "sample", "cost", "feasible"}
	below  = []string{"theory", "traces", "outlook", "asked"}
)

// TheoryParts are the words of the parts of a theory, and TraceNames those of the traces, three of one objective and
// three of several, in the order of the keys that turn to them.
var (
	TheoryParts = []string{"gain", "eigenvalues", "evidence"}
	TraceNames  = []string{"simple", "cumulative", "best", "hypervolume", "bayes", "share"}
)

// ParseView reads what is to be seen beside a page: "line" and perhaps a variable, "plane" and perhaps the field of it
// that is large, or "outcomes", and what is to be seen below the page, "theory" and perhaps a part of it, "traces" and
// perhaps which, or "outlook", with blanks between them; "next" shows the next point where the lesson leaves it out,
// and "asked" and the numbers of two steps marks the outcomes of these.
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
		case word == "asked":
			n, _ := fmt.Sscan(strings.Join(words[i+1:], " "), &v.Asked[0], &v.Asked[1])
			if i += n; n < 2 {
				return View{}, fmt.Errorf("asked needs two steps, as in asked 3 5")
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

// Pair are the two outcomes that the page where the reader stands is about; nil where it is about none.
func (p Page) Pair() (pair [][]float64) {
	view := p.State.LastNote().View
	if !strings.Contains(view, "asked") {
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

// RangeModeFor is what the y axis does not depend on along the pages of a lesson; nil is none. In a lesson on an
// experiment, whose pages differ by their data, it fits each page.
func RangeModeFor(l *sessions.Lesson, p *functions.Problem) picture.RangeMode {
	switch {
	case l == nil || p.Truth == nil:
		return picture.FitBand
	case l.Hides("truth"):
		return picture.FitData
	}
	return picture.FitTruth
}

// DefaultPicture is the picture that a problem is shown in first.
func DefaultPicture(p *functions.Problem) string {
	switch {
	case len(p.Objectives) > 1:
		return "outcomes"
	case p.Dim() > 1:
		return "plane"
	}
	return "line"
}
