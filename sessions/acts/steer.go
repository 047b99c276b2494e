package acts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/report"
)

// SteerArgs are the arguments of steer: one of prior, box, prefer and retract.
type SteerArgs struct {
	Prior   string              `json:"prior,omitempty" length:"10000" words:"priors" jsonschema:"prior over weights, such as flat, dirichlet(18,6), box(70..85, any) or 0.3 top + 0.7 flat"`
	Box     map[string]Interval `json:"box,omitempty" items:"1..100" jsonschema:"outcomes that you want, by objective; objectives that are left out may have any value"`
	Prefer  *Pair               `json:"prefer,omitempty" jsonschema:"two steps whose results you compare"`
	Answer  string              `json:"answer,omitempty" enum:"a|b|tie|unsure" default:"\"a\"" arg:"[a|b|tie|unsure]" jsonschema:"which of the two you prefer"`
	Retract int                 `json:"retract,omitempty" bounds:"1..1000000" jsonschema:"number of an answer to take back"`
}

// SteerAnswer is the prior after a change.
type SteerAnswer struct {
	Done
	Prior   string            `json:"prior" jsonschema:"the prior over weights now"`
	Answers []PreferAnswer    `json:"answers,omitempty" jsonschema:"the answers to comparisons so far"`
	Share   *Number           `json:"share,omitempty" jsonschema:"the part of the Pareto front of the results that the prior and the answers prefer: 1 if all results are preferred equally"`
	Nearest map[string]Number `json:"nearest,omitempty" jsonschema:"if no outcome that the model expects reaches the box: the nearest one"`
	Front   []FrontWeight     `json:"front,omitempty" jsonschema:"the results on the Pareto front, with the probability that each is the best one under the weights"`
}

// Pair are two outcomes that are compared: a and b.
type Pair [2]Name

// UnmarshalJSON reads two steps, or a text such as "3:7" or "3.2:7".
func (p *Pair) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		return json.Unmarshal(b, (*[2]Name)(p))
	}
	first, second, ok := strings.Cut(text, ":")
	for i, word := range []string{first, second} {
		n, err := ParseName(word)
		if err != nil || !ok {
			return fmt.Errorf("a comparison is of two steps, as in 3:7, got %q", text)
		}
		p[i] = n
	}
	return nil
}

// PreferAnswer is an answer to a comparison.
type PreferAnswer struct {
	A         Name   `json:"a"`
	B         Name   `json:"b"`
	Answer    string `json:"answer"`
	Retracted bool   `json:"retracted,omitempty"`
}

// FrontWeight is a result on the front with its probability.
type FrontWeight struct {
	Value       map[string]Number `json:"value"`
	Probability Number            `json:"probability"`
}

// Text says what the prior prefers.
func (a SteerAnswer) Text() string {
	text := a.Done.Text()
	if a.Share != nil {
		text += fmt.Sprintf(" The weights prefer %.0f %% of the Pareto front.", 100*float64(*a.Share))
	}
	if a.Nearest != nil {
		text += " No outcome that the model expects reaches the box; the nearest one is " + describeValues(a.Nearest) + "."
	}
	return textOf(text)
}

// Steer is the act of steering a search with several objectives.
var Steer = declare(Act{Name: "steer", Title: "Say which part of a Pareto front matters",
	Changes: true, Destructive: true,
	About: "Say which part of the Pareto front matters: by a prior over weights, a box of wanted outcomes, or an answer to a comparison of two results."},
	func(ctx context.Context, t Turn, a SteerArgs) (SteerAnswer, error) {
		text, err := a.Apply(t.Session)
		if err != nil {
			return SteerAnswer{}, err
		}
		answer := preferenceOf(t.Session.State(), text)
		if a.Box != nil {
			answer.Nearest = nearestToBox(ctx, t)
		}
		return answer, nil
	})

// Apply changes the prior over weights, or records or takes back an answer, and returns a sentence about the
// change.
func (a SteerArgs) Apply(s *sessions.Session) (string, error) {
	count := 0
	for _, values := range []bool{a.Prior != "", a.Box != nil, a.Prefer != nil, a.Retract > 0} {
		if values {
			count++
		}
	}
	switch {
	case count != 1:
		return "", wrong("steer needs exactly one of prior, box, prefer and retract")
	case a.Answer != "" && a.Prefer == nil:
		return "", wrong("answer goes with prefer")
	}
	st := s.State()
	prior, ok := st.Params.ByRole(optimizers.RolePrior)
	if !ok {
		return "", noPrior(st)
	}
	switch {
	case a.Prefer != nil:
		return a.prefer(s)
	case a.Retract > 0:
		return fmt.Sprintf("answer %d is withdrawn; it stays in the record", a.Retract), asWrong(s.Retract(a.Retract))
	case a.Box != nil:
		text, err := boxPrior(st, a.Box)
		if err != nil {
			return "", err
		}
		return setPrior(s, prior, text)
	}
	return setPrior(s, prior, a.Prior)
}

// noPrior is the error of a method or a problem that cannot be steered.
func noPrior(st sessions.State) error {
	e := NewError(CodeRequest, fmt.Errorf("%s has no prior over weights", st.Spec.Title))
	e.Hint = fmt.Sprintf("set the method %s", registry.Steered())
	if len(st.Problem.Objectives) < 2 {
		e.Hint = "steering needs several objectives; this session has one"
	}
	return e
}

// setPrior sets the prior, unless it is set already.
func setPrior(s *sessions.Session, prior param.Decl, text string) (string, error) {
	sentence := "the prior over weights is " + text
	if s.State().Params.Text(prior.Key) == text {
		return sentence + " already", nil
	}
	return sentence + " from now on", asWrong(s.Edit(prior.Key, text))
}

// boxPrior is the prior whose wanted outcomes are a box.
func boxPrior(st sessions.State, box map[string]Interval) (string, error) {
	var names []string
	sides := make([]preference.Interval, len(st.Problem.Objectives))
	for k, o := range st.Problem.Objectives {
		names = append(names, o.Name)
		i, ok := box[o.Name]
		sides[k].Any = !ok
		if !ok {
			continue
		}
		var err error
		sides[k].From, err = preference.ParseBound(i.Low)
		if err == nil {
			sides[k].To, err = preference.ParseBound(i.High)
		}
		if err != nil {
			return "", wrong("%s: %w", o.Name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(box)) {
		if !slices.Contains(names, name) {
			return "", asWrong(didyoumean.NewUnknownError("objective", name, names))
		}
	}
	return preference.BoxPart(1, sides).Text, nil
}

// contradiction is the predictive probability of an answer below which it contradicts earlier ones.
const contradiction = 0.15

// RecordAnswer records which of a pair of outcomes is preferred. conflict is the probability of the answer under the
// earlier ones if it contradicts them, and otherwise 0.
func RecordAnswer(s *sessions.Session, pair report.Pair, answer string) (conflict float64, err error) {
	likely := 1.0
	if st := s.State(); len(st.Input().Answers) > 0 {
		likely = report.AnswerProbability(st, pair, answer)
	}
	if err := s.Answer(pair.A, pair.B, answer); err != nil || likely >= contradiction {
		return 0, asWrong(err)
	}
	return likely, nil
}

// prefer records an answer.
func (a SteerArgs) prefer(s *sessions.Session) (string, error) {
	answer := cmp.Or(a.Answer, sessions.PreferA)
	pair := [2][2]int{}
	for i, n := range a.Prefer {
		pair[i] = [2]int{n.Suggestion, max(n.Point-1, 0)}
	}
	if pair[0] == pair[1] {
		return "", wrong("prefer compares two different outcomes, got %v twice", a.Prefer[0])
	}
	conflict, err := RecordAnswer(s, report.Pair{A: pair[0], B: pair[1]}, answer)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("answer %d is recorded: %s for steps %v and %v", len(s.State().Answers), answer, a.Prefer[0],
		a.Prefer[1])
	if conflict > 0 {
		text += fmt.Sprintf("; it contradicts earlier answers (probability %.0f %%): retract withdraws it", 100*conflict)
	}
	return text, nil
}

// preferenceDraws is the number of weights by which the share of the front is measured.
const preferenceDraws = 2000

// preferenceOf is the prior of a state, and what it prefers.
func preferenceOf(st sessions.State, text string) SteerAnswer {
	a := SteerAnswer{Done: Done{text}}
	if d, ok := st.Params.ByRole(optimizers.RolePrior); ok {
		a.Prior = st.Params.Text(d.Key)
	}
	for _, c := range st.Answers {
		a.Answers = append(a.Answers, PreferAnswer{stepPoint(st, c.A), stepPoint(st, c.B), c.Choice, c.Retracted})
	}
	front := report.Front(st, len(st.Iterations))
	if len(front) == 0 {
		return a
	}
	sum := 0.0
	for i, p := range report.FrontProbabilities(st, front, report.WeightsFor(st, preferenceDraws)) {
		w := FrontWeight{Value: map[string]Number{}, Probability: Number(p)}
		for k, o := range st.Problem.Objectives {
			w.Value[o.Name] = Number(front[i][k])
		}
		a.Front = append(a.Front, w)
		sum += p * p
	}
	if sum > 0 {
		a.Share = number(1 / sum / float64(len(front)))
	}
	return a
}

// stepPoint is the name of an outcome of an answer.
func stepPoint(st sessions.State, cell [2]int) Name {
	if cell[0] <= len(st.Iterations) && len(st.Iterations[cell[0]-1].Points) > 1 {
		return Name{Suggestion: cell[0], Point: cell[1] + 1}
	}
	return Name{Suggestion: cell[0]}
}
