package acts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/report"
)

// StepPoint names an outcome: a step, and in a batch a point of it, as in 3 or "3.2".
type StepPoint = asktell.Name

// SteerArgs are the arguments of steer: one of prior, box, prefer and retract.
type SteerArgs struct {
	Prior   string              `json:"prior,omitempty" length:"10000" jsonschema:"the prior over weights, as in dirichlet(18,6), box(70..85, any), 0.3 top + 0.7 flat"`
	Box     map[string]Interval `json:"box,omitempty" items:"1..100" jsonschema:"the wanted outcomes by objective; objectives that are left out may have any value"`
	Prefer  *[2]StepPoint       `json:"prefer,omitempty" jsonschema:"two steps whose outcomes are compared"`
	Answer  string              `json:"answer,omitempty" enum:"a|b|tie|unsure" default:"\"a\"" jsonschema:"which of the two is preferred"`
	Retract int                 `json:"retract,omitempty" bounds:"1..1000000" jsonschema:"the number of an answer that is taken back"`
}

// SteerAnswer is the prior after a change.
type SteerAnswer struct {
	Said
	Prior   string            `json:"prior" jsonschema:"the prior over weights now"`
	Answers []PreferAnswer    `json:"answers,omitempty" jsonschema:"the answers to comparisons so far"`
	Share   *Number           `json:"share,omitempty" jsonschema:"the part of the Pareto front of the results that the prior and the answers prefer: 1 if all results are preferred equally"`
	Nearest map[string]Number `json:"nearest,omitempty" jsonschema:"if no outcome that the model expects reaches the box: the nearest one"`
	Front   []FrontWeight     `json:"front,omitempty" jsonschema:"the results on the Pareto front, with the probability that each is the best one under the weights"`
}

// PreferAnswer is an answer to a comparison.
type PreferAnswer struct {
	A         StepPoint `json:"a"`
	B         StepPoint `json:"b"`
	Answer    string    `json:"answer"`
	Retracted bool      `json:"retracted,omitempty"`
}

// FrontWeight is a result on the front with its probability.
type FrontWeight struct {
	Value       map[string]Number `json:"value"`
	Probability Number            `json:"probability"`
}

// Sentence says what the prior prefers.
func (a SteerAnswer) Sentence() string {
	text := a.Said.Sentence()
	if a.Share != nil {
		text += fmt.Sprintf(" The weights prefer %.0f %% of the Pareto front.", 100*float64(*a.Share))
	}
	if a.Nearest != nil {
		text += " No outcome that the model expects reaches the box; the nearest one is " + describeValues(a.Nearest) + "."
	}
	return text
}

// Steer is the act of steering a search with several objectives.
var Steer = declare(Act{Name: "steer", Changes: true, Destructive: true,
	About: "Say which part of the Pareto front matters: by a prior over weights, a box of wanted outcomes, or an answer to a comparison of two results."},
	func(ctx context.Context, t Turn, a SteerArgs) (SteerAnswer, error) {
		text, err := ChangePreference(t.Session, a)
		if err != nil {
			return SteerAnswer{}, err
		}
		answer := preferenceOf(t.Session.State(), text)
		if a.Box != nil {
			answer.Nearest = nearestToBox(ctx, t)
		}
		return answer, nil
	})

// ChangePreference changes the prior over weights, or records or takes back an answer, and returns a sentence about the
// change.
func ChangePreference(s *sessions.Session, a SteerArgs) (string, error) {
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
	answer := a.Answer
	if answer == "" {
		answer = sessions.PreferA
	}
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
	a := SteerAnswer{Said: Said{text}}
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
func stepPoint(st sessions.State, cell [2]int) StepPoint {
	if cell[0] <= len(st.Iterations) && len(st.Iterations[cell[0]-1].Points) > 1 {
		return StepPoint{Suggestion: cell[0], Point: cell[1] + 1}
	}
	return StepPoint{Suggestion: cell[0]}
}

// ParseBox reads a box as a person writes it: yield 70..85, impurity 0..5.
func ParseBox(text string) (map[string]Interval, error) {
	box := map[string]Interval{}
	for _, side := range strings.Split(text, ",") {
		side = strings.TrimSpace(side)
		i := strings.LastIndexAny(side, " =")
		if i < 0 {
			return nil, wrong("a side of the box is an objective and an interval, as in yield 70..85; got %q", side)
		}
		name := strings.TrimRight(side[:i], " =")
		interval, err := ParseInterval(side[i+1:])
		if err != nil {
			return nil, asWrong(err)
		}
		if _, twice := box[name]; twice {
			return nil, wrong("%s is given twice", name)
		}
		box[name] = interval
	}
	return box, nil
}

// SetArgs are the arguments of set.
type SetArgs struct {
	Method     string             `json:"method,omitempty" length:"200" jsonschema:"the method that goes on, on a branch of its own"`
	Parameters map[string]Setting `json:"parameters,omitempty" items:"200" jsonschema:"values of parameters of the method"`
	Duration   string             `json:"duration,omitempty" length:"100" jsonschema:"how long a result usually takes, such as 90min or 2d, or none; pending points are due by it"`
}

// ParameterChange is a parameter that has another value.
type ParameterChange struct {
	Name string `json:"name"`
	From any    `json:"from,omitempty" jsonschema:"the value before; absent if the method before does not have it"`
	To   any    `json:"to"`
}

// SetAnswer is what changed, and what that does to the next point.
type SetAnswer struct {
	Said
	Method  string            `json:"method"`
	Changes []ParameterChange `json:"changes,omitempty"`
	Before  []Input           `json:"next_before,omitempty" jsonschema:"the next point before the change"`
	After   []Input           `json:"next,omitempty" jsonschema:"the next point now"`
	Moved   *Number           `json:"moved,omitempty" jsonschema:"the distance between the two in the unit cube"`
	Next    string            `json:"next_note,omitempty" jsonschema:"why the next point is not known"`
}

// Sentence says what changed, and how far the next point moves.
func (a SetAnswer) Sentence() string {
	text := a.Said.Sentence()
	switch {
	case a.Next != "":
		return text + " " + capitalized(a.Next) + "."
	case a.Moved != nil && *a.Moved == 0:
		return text + " The next point stays."
	case a.Moved != nil && len(a.After) > 0:
		return text + fmt.Sprintf(" The next point moves by %s in the unit cube, to %s.", numfmt.Format(float64(*a.Moved)),
			describeInput(a.After[0]))
	}
	return text
}

// Set is the act of changing the method or its parameters.
var Set = declare(Act{Name: "set", Changes: true, Idempotent: true,
	About: "Change the method or its parameters from now on, and see what that does to the next point; or how long a result usually takes."},
	func(ctx context.Context, t Turn, a SetArgs) (SetAnswer, error) {
		before, next := t.Session.State(), t.Session.Snapshot()
		text, err := a.change(t.Session)
		if a.changesOnlyDuration() && err == nil {
			return SetAnswer{Said: Said{text}, Method: before.Spec.Name}, nil
		}
		if err != nil {
			return SetAnswer{}, err
		}
		return a.compare(ctx, t, text, before, next)
	})

// changesOnlyDuration reports whether the method stays as it is.
func (a SetArgs) changesOnlyDuration() bool {
	return a.Duration != "" && a.Method == "" && len(a.Parameters) == 0
}

// change makes all changes, and returns a sentence about them.
func (a SetArgs) change(s *sessions.Session) (text string, err error) {
	if !a.changesOnlyDuration() {
		text, err = ChangeMethod(s, a)
		if err != nil || a.Duration == "" {
			return text, err
		}
		text += "; "
	}
	sentence, err := asktell.ExpectDuration(s, a.Duration, "")
	return text + sentence, asWrong(err)
}

// ChangeMethod changes the method and its parameters, and returns a sentence about the change.
func ChangeMethod(s *sessions.Session, a SetArgs) (string, error) {
	if a.Method == "" && len(a.Parameters) == 0 {
		return "", wrong("what should change? Give method, parameters, or both; or duration")
	}
	values, before := map[string]string{}, s.State()
	for key, v := range a.Parameters {
		values[key] = string(v)
	}
	if err := s.Set(a.Method, values); err != nil {
		return "", asWrong(err)
	}
	var texts []string
	if now := s.State().Spec; now != before.Spec {
		texts = append(texts, "the method is "+now.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		texts = append(texts, key+" is "+values[key])
	}
	if texts == nil {
		return "the method is " + before.Spec.Name + " already", nil
	}
	return strings.Join(texts, ", ") + " from now on", nil
}

// maxCompare bounds how long set computes the next points before and after a change: a method that is too slow must not
// keep a person from changing it.
const maxCompare = 10 * time.Second

// compare says what changed, and where the next point goes.
func (a SetArgs) compare(ctx context.Context, t Turn, text string, before sessions.State,
	then sessions.Snapshot) (SetAnswer, error) {
	now := t.Session.State()
	answer := SetAnswer{Said: Said{text}, Method: now.Spec.Name}
	for _, d := range now.Params.Decls() {
		c := ParameterChange{Name: d.Key, To: now.Params.Value(d.Key)}
		if before.Params.Has(d.Key) {
			c.From = before.Params.Value(d.Key)
		}
		if c.From != c.To && (c.From != nil || c.To != d.Default) {
			answer.Changes = append(answer.Changes, c)
		}
	}
	if len(now.Pending) > 0 {
		answer.Next = fmt.Sprintf("%s chosen before; the change counts for the next suggestion",
			map[bool]string{true: "the pending point was", false: "the pending points were"}[len(now.Pending) == 1])
		return answer, nil
	}
	ctx, cancel := context.WithTimeout(ctx, maxCompare)
	defer cancel()
	was, err := then.Next(ctx, t.Progress)
	if err == nil {
		var suggestion optimizers.Suggestion
		suggestion, err = t.Session.Next(ctx, t.Progress)
		if err == nil {
			answer.Before = inputsOf(now, was)
			answer.After = inputsOf(now, suggestion)
			answer.Moved = apart(was, suggestion)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it takes longer than %v", maxCompare)
	}
	if err != nil { // the change is recorded
		answer.Next = "the next point is not known: " + err.Error()
	}
	return answer, nil
}

// parameterText is a parameter of a command line, name=value.
func parameterText(word string) (name string, v Setting, err error) {
	name, value, ok := strings.Cut(word, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" {
		return "", "", wrong("a parameter is key=value, got %s", strconv.Quote(word))
	}
	return name, Setting(value), nil
}

// ParseParameters reads parameters as a person writes them, key=value each.
func ParseParameters(words []string) (map[string]Setting, error) {
	m := map[string]Setting{}
	for _, w := range words {
		name, v, err := parameterText(w)
		if err != nil {
			return nil, err
		}
		m[name] = v
	}
	return m, nil
}
