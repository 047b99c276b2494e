package sessions

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions/pareto"
	"bandscope/functions/stream"
	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/weights"
)

// The answers to "which of these two do you prefer?".
const (
	PreferA = "a"
	PreferB = "b"
	Tied    = "tie"
	Unsure  = "unsure"
)

var answers = []string{PreferA, PreferB, Tied, Unsure}

// Compared is a person's answer about two outcomes.
type Compared struct {
	A, B      [2]int // iteration, from 1, and point of its batch, from 0
	Answer    string
	Retracted bool
}

// The kinds of event of answers.
const (
	kindCompared  = "compared"  // a person said which of two outcomes is preferred
	kindRetracted = "retracted" // and takes it back
)

type comparedData struct {
	A      [2]int `json:"a"` // iteration, from 1, and point of its batch, from 0
	B      [2]int `json:"b"`
	Answer string `json:"answer"` // a, b, tie, or unsure, which says nothing of the weights
}

type retractedData struct {
	Answer int `json:"answer"` // the number of the comparison, from 1
}

// retract folds the retraction of an answer.
func (st *State) retract(d retractedData) error {
	if d.Answer < 1 || d.Answer > len(st.Compared) {
		return fmt.Errorf("it retracts answer %d of %d", d.Answer, len(st.Compared))
	}
	st.Compared = slices.Clone(st.Compared) // earlier snapshots keep theirs
	st.Compared[d.Answer-1].Retracted = true
	return nil
}

// comparedText tells an answer.
func comparedText(_ State, d comparedData) string {
	return fmt.Sprintf("of the outcomes of steps %d and %d: %s", d.A[0], d.B[0], d.Answer)
}

// retractedText tells a retraction.
func retractedText(State, retractedData) string { return "an answer is taken back" }

// compare folds an answer.
func (st *State) compare(d comparedData) error {
	for _, at := range [][2]int{d.A, d.B} {
		if _, err := st.Observed(at); err != nil {
			return err
		}
	}
	if !slices.Contains(answers, d.Answer) {
		return fmt.Errorf("it answers %q, which is none of a, b, tie, unsure", d.Answer)
	}
	st.Compared = append(slices.Clip(st.Compared), Compared{A: d.A, B: d.B, Answer: d.Answer})
	return nil
}

// Observed are the values at a place, an iteration from 1 and a point of its batch from 0.
func (st State) Observed(at [2]int) ([]float64, error) {
	if at[0] < 1 || at[0] > len(st.Iterations) || at[1] < 0 || at[1] >= len(st.Iterations[at[0]-1].Y) || st.Iterations[at[0]-1].Failed[at[1]] {
		return nil, fmt.Errorf("there is no outcome at step %d, point %d", at[0], at[1]+1)
	}
	return st.Iterations[at[0]-1].Y[at[1]], nil
}

// answers are the standing answers as outcomes.
func (st State) answers(in optimizers.Input) []preference.Answer {
	if len(st.Compared) == 0 {
		return nil
	}
	lo, hi := weights.Frozen(in)
	var out []preference.Answer
	for _, c := range st.Compared {
		choice, known := map[string]preference.Choice{PreferA: preference.A, PreferB: preference.B, Tied: preference.Tie}[c.Answer]
		a, errA := st.Observed(c.A)
		b, errB := st.Observed(c.B)
		if c.Retracted || !known || errA != nil || errB != nil {
			continue
		}
		out = append(out, preference.Answer{A: st.Outcome(a, lo, hi), B: st.Outcome(b, lo, hi), Choice: choice})
	}
	return out
}

// Compare records which of two observed outcomes a person prefers: a, b, tie or unsure.
func (s *Session) Compare(a, b [2]int, answer string) error {
	if !slices.Contains(answers, answer) {
		return fmt.Errorf("the answer must be one of %s, got %q", strings.Join(answers, ", "), answer)
	}
	_, err := s.act(func() ([]entry, error) {
		for _, at := range [][2]int{a, b} {
			if _, err := s.state.Observed(at); err != nil {
				return nil, err
			}
		}
		return []entry{{kindCompared, comparedData{A: a, B: b, Answer: answer}}}, nil
	})
	return err
}

// Retract takes back an answer, by its number from 1; it stays on record.
func (s *Session) Retract(number int) error {
	_, err := s.act(func() ([]entry, error) {
		if number < 1 || number > len(s.state.Compared) || s.state.Compared[number-1].Retracted {
			return nil, fmt.Errorf("there is no answer %d to take back", number)
		}
		return []entry{{kindRetracted, retractedData{Answer: number}}}, nil
	})
	return err
}

// Pair is a pair of observed outcomes to ask about, with the information that an answer is expected to bring.
type Pair struct {
	A, B [2]int
	Gain float64 // nats
}

// questionOutcomes is how many outcomes are looked at for a question, the newest.
const questionOutcomes = 24

// newestOutcomes is among how many those are looked for.
const newestOutcomes = 1000

// Ask finds the pair of outcomes whose comparison is expected to tell most of the weights and was not asked about yet; false if there is none.
func (st State) Ask() (Pair, bool) {
	if !st.Weighed() {
		return Pair{}, false
	}
	in := st.Input()
	places, outcomes := st.toAsk(in)
	if len(places) < 2 {
		return Pair{}, false
	}
	asked := map[[4]int]bool{}
	for _, c := range st.Compared {
		if !c.Retracted {
			asked[[4]int{c.A[0], c.A[1], c.B[0], c.B[1]}], asked[[4]int{c.B[0], c.B[1], c.A[0], c.A[1]}] = true, true
		}
	}
	best := Pair{}
	gains := weights.Learned(in).Gains(outcomes)
	for i, a := range places {
		for j, b := range places[:i] {
			if g := gains[i][j]; g > best.Gain && !asked[[4]int{a[0], a[1], b[0], b[1]}] {
				best = Pair{a, b, g}
			}
		}
	}
	if stream.New(st.Config.Seed, len(st.Compared), "sides of a question").Float64() < 0.5 {
		best.A, best.B = best.B, best.A // no side is better by habit
	}
	return best, best.Gain > 0
}

// toAsk are the places that a question may be about, with their outcomes: the newest of those that are not dominated, then the newest others.
func (st State) toAsk(in optimizers.Input) (places [][2]int, outcomes [][]float64) {
	lo, hi := weights.Frozen(in)
	var all [][2]int
	var us, lost [][]float64
	for i := len(st.Iterations) - 1; i >= 0 && len(all) < newestOutcomes; i-- {
		for b, y := range st.Iterations[i].Y {
			if !st.Iterations[i].Failed[b] {
				u := st.Outcome(y, lo, hi)
				all, us, lost = append(all, [2]int{i + 1, b}), append(us, u), append(lost, floats.ScaleTo(make([]float64, len(u)), -1, u))
			}
		}
	}
	front := pareto.Front(lost)
	take := func(i int) {
		if len(places) < questionOutcomes {
			places, outcomes = append(places, all[i]), append(outcomes, us[i])
		}
	}
	for _, i := range front {
		take(i)
	}
	for i := 0; i < len(all) && len(places) < questionOutcomes; i++ {
		if !slices.Contains(front, i) {
			take(i)
		}
	}
	return places, outcomes
}

// Likely is the probability that an answer had under what was known before it.
func (st State) Likely(q Pair, answer string) float64 {
	in := st.Input()
	lo, hi := weights.Frozen(in)
	choice, known := map[string]preference.Choice{PreferA: preference.A, PreferB: preference.B, Tied: preference.Tie}[answer]
	ya, errA := st.Observed(q.A)
	yb, errB := st.Observed(q.B)
	if !known || errA != nil || errB != nil {
		return 1
	}
	return weights.Learned(in).Probability(preference.Answer{A: st.Outcome(ya, lo, hi), B: st.Outcome(yb, lo, hi), Choice: choice})
}

// Known tells how well the answers are represented: the effective number of the particles that stand for the person, and how many there are; both 0 without an answer.
func (st State) Known() (effective float64, particles int) {
	in := st.Input()
	if !st.Weighed() || len(in.Answers) == 0 {
		return 0, 0
	}
	q := weights.Learned(in)
	return q.Effective(), len(q.Particles)
}
